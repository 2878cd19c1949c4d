"""Vector instruction sets: how many numbers a register holds, and how many registers there are.

A schedule asks an `Isa` and never which one it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from tvm.target import Target, codegen

MOST_SIGNED: Final = 1 << 7
MOST_PAIR: Final = (1 << 15) - 1
"""The greatest magnitude of a signed byte, and of a sum of two products that is clipped."""


@dataclass(frozen=True)
class DotProduct:
    """Instructions that multiply two vectors and add up neighbouring products in wider numbers.

    Attributes:
        a: The type of the first operand's elements.
        b: The type of the second operand's.
        acc: The type of the sums.
        k_group: How many neighbouring products are one sum's.
        intrinsics: For each number of sums in a vector, the widest vector first: LLVM's names, in
            the order in which they are applied.
        feature: LLVM's names of the features that have them, separated by commas.
        saturates: Whether a sum in between is clipped to sixteen bits, so that it is exact for
            seven bits of one of the operands only.
        accumulates: Whether the sums so far are an operand of the instruction.
        half: Of an instruction that multiplies two rows by two columns, and has the sums of both
            rows in a vector: the one that multiplies one row by as many columns as it has sums, and
            half of the neighbours. None of one that multiplies one row.
    """

    a: str
    b: str
    acc: str
    k_group: int
    intrinsics: tuple[tuple[int, tuple[str, ...]], ...]
    feature: str
    saturates: bool = False
    accumulates: bool = False
    half: DotProduct | None = None

    @property
    def lanes(self) -> tuple[int, ...]:
        """How many sums a vector may have, the most first."""
        return tuple(lanes for lanes, _ in self.intrinsics)


_BYTE_PAIRS: Final = {
    16: "llvm.x86.avx512.pmaddubs.w.512",
    8: "llvm.x86.avx2.pmadd.ub.sw",
    4: "llvm.x86.ssse3.pmadd.ub.sw.128",
}
_PAIRS: Final = {
    16: "llvm.x86.avx512.pmaddw.d.512",
    8: "llvm.x86.avx2.pmadd.wd",
    4: "llvm.x86.sse2.pmadd.wd",
}


def _byte_pairs(feature: str, *lanes: int) -> DotProduct:
    return DotProduct(
        *("uint8", "int8", "int32"),
        k_group=4,
        intrinsics=tuple((n, (_BYTE_PAIRS[n], _PAIRS[n])) for n in lanes),
        feature=feature,
        saturates=True,
    )


def _pairs(feature: str, *lanes: int) -> DotProduct:
    return DotProduct(
        *("int16", "int16", "int32"),
        k_group=2,
        intrinsics=tuple((n, (_PAIRS[n],)) for n in lanes),
        feature=feature,
    )


def _bytes(feature: str, *lanes: int) -> DotProduct:
    return DotProduct(
        *("uint8", "int8", "int32"),
        k_group=4,
        intrinsics=tuple((n, (f"llvm.x86.avx512.vpdpbusd.{n * 32}",)) for n in lanes),
        feature=feature,
        accumulates=True,
    )


#: Intel, "64 and IA-32 Architectures Software Developer's Manual", volume 2: PMADDUBSW and PMADDWD
#: in vectors of 256 and of 512 bits, and VPDPBUSD, which does as both, but clips nothing.
PMADDUBSW: Final = _byte_pairs("avx2", 8, 4)
PMADDUBSW_512: Final = _byte_pairs("avx512bw", 16, 8, 4)
PMADDWD: Final = _pairs("avx2", 8, 4)
PMADDWD_512: Final = _pairs("avx512bw", 16, 8, 4)
PMADDWD_128: Final = _pairs("sse2", 4)
VPDPBUSD: Final = _bytes("avxvnni", 8, 4)
VPDPBUSD_512: Final = _bytes("avx512vnni,avx512vl", 16, 8, 4)
VDPBF16PS: Final = DotProduct(
    *("bfloat16", "bfloat16", "float32"),
    k_group=2,
    intrinsics=tuple((n, (f"llvm.x86.avx512bf16.dpbf16ps.{n * 32}",)) for n in (16, 8, 4)),
    feature="avx512bf16,avx512vl",
    accumulates=True,
)


def _neon(a: str, b: str, acc: str, name: str, feature: str) -> DotProduct:
    group = {"int32": 4, "float32": 2}[acc]
    return DotProduct(
        *(a, b, acc),
        k_group=group,
        intrinsics=((4, (f"llvm.aarch64.neon.{name}",)),),
        feature=feature,
        accumulates=True,
    )


#: Arm, "Arm Architecture Reference Manual for A-profile architecture": SDOT, USDOT and BFDOT.
SDOT: Final = _neon("int8", "int8", "int32", "sdot.v4i32.v16i8", "dotprod")
USDOT: Final = _neon("uint8", "int8", "int32", "usdot.v4i32.v16i8", "i8mm")
BFDOT: Final = _neon("bfloat16", "bfloat16", "float32", "bfdot.v4f32.v8bf16", "bf16")


def _of_two_rows(half: DotProduct, name: str) -> DotProduct:
    names = ((4, (f"llvm.aarch64.neon.{name}",)),)
    return replace(half, k_group=2 * half.k_group, intrinsics=names, half=half)


#: Arm, as above: USMMLA and BFMMLA, which do in one instruction what two of their halves do.
USMMLA: Final = _of_two_rows(USDOT, "usmmla.v4i32.v16i8")
BFMMLA: Final = _of_two_rows(BFDOT, "bfmmla")


@dataclass(frozen=True)
class TileProduct:
    """An instruction of a matrix unit, which multiplies two of its tiles and adds to a third.

    A tile is up to 16 rows of up to 64 bytes. One of the first operand has rows of numbers that are
    summed over, one of the second has the same numbers of 16 columns as `DotProduct` takes them.

    Attributes:
        a: The type of the first operand's elements.
        b: The type of the second operand's.
        acc: The type of the sums.
        k_group: How many neighbouring numbers of a column lie side by side.
        intrinsic: LLVM's name.
        feature: LLVM's names of the features that have it, separated by commas.
    """

    a: str
    b: str
    acc: str
    k_group: int
    intrinsic: str
    feature: str


#: Intel, as above, "Intel AMX Instruction Set Reference".
TDPBUSD: Final = TileProduct("uint8", "int8", "int32", 4, "llvm.x86.tdpbusd", "amx-int8,amx-tile")
TDPBF16PS: Final = TileProduct(
    "bfloat16", "bfloat16", "float32", 2, "llvm.x86.tdpbf16ps", "amx-bf16,amx-tile"
)


@dataclass(frozen=True)
class Packs:
    """Instructions that narrow two vectors to one, with saturation, each 128 bits on their own.

    Attributes:
        lanes: Numbers of 32 bits in a vector.
        int16: LLVM's name of what makes int16 of int32.
        bytes: LLVM's names of what makes bytes of int16, by their type.
        feature: LLVM's name of the feature that has them.
    """

    lanes: int
    int16: str
    bytes: tuple[tuple[str, str], ...]
    feature: str


#: Intel, as above: PACKSSDW, PACKUSWB and PACKSSWB.
PACKS: Final = Packs(
    8,
    "llvm.x86.avx2.packssdw",
    (("uint8", "llvm.x86.avx2.packuswb"), ("int8", "llvm.x86.avx2.packsswb")),
    "avx2",
)
PACKS_512: Final = Packs(
    16,
    "llvm.x86.avx512.packssdw.512",
    (("uint8", "llvm.x86.avx512.packuswb.512"), ("int8", "llvm.x86.avx512.packsswb.512")),
    "avx512bw",
)


@dataclass(frozen=True)
class Narrowing:
    """Instructions that round vectors of float32 to bfloat16, to nearest and ties to even.

    Attributes:
        lanes: How many numbers such a vector has, the most first.
        intrinsic: LLVM's name, with ``{bits}`` for those of a vector of float32; None where LLVM
            makes one instruction of its own conversion.
        feature: LLVM's names of the features that have it, separated by commas.
    """

    lanes: tuple[int, ...]
    intrinsic: str | None
    feature: str


#: Intel and Arm, as above.
VCVTNEPS2BF16: Final = Narrowing(
    (16, 8), "llvm.x86.avx512bf16.cvtneps2bf16.{bits}", "avx512bf16,avx512vl"
)
BFCVTN: Final = Narrowing((4,), None, "bf16")


@dataclass(frozen=True)
class ByteLookup:
    """An instruction that looks a vector of bytes up in some rows of a table.

    Attributes:
        lanes: How many bytes it looks up.
        rows: How many entries it looks them up in.
        intrinsic: LLVM's name.
        feature: LLVM's name of the feature that has it.
    """

    lanes: int
    rows: int
    intrinsic: str
    feature: str


#: Intel, the same manual: VPSHUFB takes 16 entries, VPERMI2B 128.
VPSHUFB: Final = ByteLookup(32, 16, "llvm.x86.avx2.pshuf.b", "avx2")
VPSHUFB_512: Final = ByteLookup(64, 16, "llvm.x86.avx512.pshuf.b.512", "avx512bw")
VPERMI2B: Final = ByteLookup(64, 128, "llvm.x86.avx512.vpermi2var.qi.512", "avx512vbmi")


@dataclass(frozen=True)
class Isa:
    """A vector instruction set.

    Attributes:
        name: ``avx512``, ``avx2``, or what a target without either was derived from.
        float_lanes: float32 numbers in a register.
        registers: Vector registers.
        dot: The dot products that some CPU with these vectors has, the fastest first, and those of
            two rows last; which of them one has, its `Machine` says.
        lookups: The same of instructions that look bytes up.
        tiles: The same of a matrix unit's products.
        masks: Whether some lanes of a vector of 32 or 64 bits are stored as quickly as all.
        masked_loads: Whether they are read as quickly.
        fused: Whether one instruction multiplies and adds, and rounds once.
        packs: What narrows its vectors, of a CPU that has it; None where there is nothing.
        narrowing: The same of float32 to bfloat16.

    >>> AVX512.float_lanes, AVX512.registers, AVX512.lanes(64), AVX2.lanes(8)
    (16, 32, 8, 32)
    """

    name: str
    float_lanes: int
    registers: int
    dot: tuple[DotProduct, ...] = ()
    lookups: tuple[ByteLookup, ...] = ()
    tiles: tuple[TileProduct, ...] = ()
    masks: bool = False
    masked_loads: bool = False
    fused: bool = False
    packs: Packs | None = None
    narrowing: Narrowing | None = None

    @classmethod
    def of(cls, target: Target) -> Isa:
        """Return the widest instruction set that code for an ``llvm`` target may use."""
        return _of(str(target))

    def lanes(self, bits: int) -> int:
        """Return how many numbers of `bits` bits a register holds.

        Sixteen-bit floats are computed as float32, so the callers ask for 32 there.
        """
        return max(1, self.float_lanes * 32 // bits)


AVX2: Final = Isa(
    "avx2",
    float_lanes=8,
    registers=16,
    dot=(VPDPBUSD, PMADDUBSW, PMADDWD),
    lookups=(VPSHUFB,),
    masked_loads=True,
    fused=True,
    packs=PACKS,
)
AVX512: Final = Isa(
    "avx512",
    float_lanes=16,
    registers=32,
    dot=(VPDPBUSD_512, PMADDUBSW_512, PMADDWD_512, VDPBF16PS),
    lookups=(VPERMI2B, VPSHUFB_512, VPSHUFB),
    tiles=(TDPBUSD, TDPBF16PS),
    masks=True,
    masked_loads=True,
    fused=True,
    packs=PACKS_512,
    narrowing=VCVTNEPS2BF16,
)

#: The oldest x86-64.
SSE2: Final = Isa("sse2", float_lanes=4, registers=16, dot=(PMADDWD_128,))

#: All of AArch64, also where there are longer vectors, whose length is not known here.
NEON: Final = Isa(
    "neon",
    float_lanes=4,
    registers=32,
    dot=(USDOT, SDOT, BFDOT, USMMLA, BFMMLA),
    narrowing=BFCVTN,
)


@lru_cache(maxsize=64)
def _of(text: str) -> Isa:
    target = Target(text)
    # On x86 LLVM's own vector width is the widest that it knows, whatever the CPU has.
    for feature, isa in (("avx512f", AVX512), ("avx2", AVX2), ("sse2", SSE2)):
        if codegen.llvm_cpu_has_features(feature, target):
            return isa
    if codegen.llvm_cpu_has_features("neon", target):
        return NEON
    # Others: LLVM's width, and the 32 registers of RISC-V and POWER.
    lanes = max(codegen.llvm_get_vector_width(target), 32) // 32
    return Isa(f"{lanes * 32}-bit", lanes, registers=32)
