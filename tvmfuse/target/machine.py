"""Machines: an instruction set, the core that runs it, and what code for it reckons with.

All numbers of a machine that a schedule or a layout pass reckons with come from here. A CPU that
stands in `NAMED` has its own facts; any other is taken for the smallest that has its vectors, and
where it was measured, for the one that it measures like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, TypeVar

from tvm.target import Target, codegen

from tvmfuse.target import calibration, isa as sets
from tvmfuse.target.caches import Caches
from tvmfuse.target.core import KIB, MIB, Core, Tuning
from tvmfuse.target.isa import ByteLookup, DotProduct, Isa, Narrowing, TileProduct


@dataclass(frozen=True)
class Machine:
    """What kernels are made for.

    Attributes:
        name: The instruction set's, or the microarchitecture's.
        mcpu: LLVM's name of it, for an instruction set that of the oldest CPU which has it; empty
            where the target names its own.
        isa: The vector instructions.
        core: The facts of one core.
        tuning: The parameters of the reckoning.
        mtriple: Of the code, where it is not for this machine's processor; else empty.
        stated_dot: The dot products of a CPU that has other ones than `mcpu`; None where it has
            not.
        stated_lookups: The same of instructions that look bytes up.
        stated_tiles: The same of a matrix unit's products.
        tuned_as: The name of the machine whose tuning it takes because it measures like it; else
            empty.
    """

    name: str
    mcpu: str
    isa: Isa
    core: Core = field(default_factory=Core)
    tuning: Tuning = field(default_factory=Tuning)
    mtriple: str = ""
    stated_dot: tuple[DotProduct, ...] | None = None
    stated_lookups: tuple[ByteLookup, ...] | None = None
    stated_tiles: tuple[TileProduct, ...] | None = None
    tuned_as: str = ""

    @classmethod
    def of(cls, target: Target) -> Machine:
        """Return the machine that code for an ``llvm`` target is made for.

        That depends on nothing but the target: the CPU that it names, less the features that it
        switches off, and the caches that it states as its ``model`` (`Caches.stated`); of a CPU
        that is not in `NAMED`, what it states of multiply-adds, too (`calibration.stated`).
        """
        isa, model = Isa.of(target), str(target.attrs.get("model", ""))
        known = NAMED.get(str(target.attrs.get("mcpu", "")))
        named = known
        if named is None or named.isa != isa:
            generic = {machine.isa: machine for machine in (AVX512, AVX2, SSE2)}
            triple = str(target.attrs.get("mtriple", ""))
            named = generic.get(isa) or Machine(isa.name, "", isa, mtriple=triple)
        if known is None and (fmas := calibration.stated(model)) is not None:
            named = named.measured(fmas)
        text = str(target)
        dot, lookups = _offered(isa.dot, text), _offered(isa.lookups, text)
        if dot != named.dot:
            named = replace(named, stated_dot=dot)
        if lookups != named.lookups:
            named = replace(named, stated_lookups=lookups)
        if (tiles := _offered(isa.tiles, text)) != named.tiles:
            named = replace(named, stated_tiles=tiles)
        if isa.packs and not codegen.llvm_cpu_has_features(isa.packs.feature, target):
            isa = replace(isa, packs=None)
        if isa.fused and not codegen.llvm_cpu_has_features("fma", target):
            isa = replace(isa, fused=False)
        named = replace(named, isa=isa)
        return named.with_caches(Caches.stated(model))

    @property
    def target(self) -> Target:
        """The TVM target that makes LLVM use this instruction set, and what is stated beside."""
        features = [one.feature for one in (*(self.stated_dot or ()),)]
        features += [one.feature for one in (*(self.stated_lookups or ()),)]
        features += [one.feature for one in (*(self.stated_tiles or ()),)]
        stated = sorted({f"+{name}" for feature in features for name in feature.split(",")})
        said = {"mtriple": self.mtriple, "mcpu": self.mcpu, "mattr": stated}
        return Target({"kind": "llvm", **{key: value for key, value in said.items() if value}})

    @property
    def dot(self) -> tuple[DotProduct, ...]:
        """The dot products that code for it may use, the fastest first."""
        if self.stated_dot is not None:
            return self.stated_dot
        return _offered(self.isa.dot, str(self.target))

    @property
    def lookups(self) -> tuple[ByteLookup, ...]:
        """The instructions that look bytes up, the fastest first."""
        if self.stated_lookups is not None:
            return self.stated_lookups
        return _offered(self.isa.lookups, str(self.target))

    @property
    def tiles(self) -> tuple[TileProduct, ...]:
        """The products of a matrix unit that code for it may use.

        >>> [len(machine.tiles) for machine in (AVX512, ZEN4, SAPPHIRE_RAPIDS)]
        [0, 0, 2]
        """
        if self.stated_tiles is not None:
            return self.stated_tiles
        return _offered(self.isa.tiles, str(self.target))

    @property
    def narrowing(self) -> Narrowing | None:
        """What rounds vectors of float32 to bfloat16; None where arithmetic does.

        >>> [machine.narrowing is not None for machine in (AVX512, ZEN4, NEOVERSE_N1)]
        [False, True, False]
        """
        known = (self.isa.narrowing,) if self.isa.narrowing else ()
        return next(iter(_offered(known, str(self.target))), None)

    @property
    def converts_float16(self) -> bool:
        """Whether instructions convert vectors of float16 to float32, and back.

        >>> [machine.converts_float16 for machine in (SSE2, AVX2, AVX512, ZEN4)]
        [False, True, True, True]
        """
        return _converts_float16(str(self.target))

    def dot_of_bytes(self, most: int) -> DotProduct | None:
        """Return an exact dot product of unsigned bytes, none above `most`, and signed ones.

        >>> [machine.dot_of_bytes(15) is not None for machine in (SSE2, AVX2, AVX512, ZEN4)]
        [False, True, True, True]
        >>> [machine.dot_of_bytes(255) is not None for machine in (AVX2, AVX512, ZEN4)]
        [False, False, True]
        >>> [NEOVERSE_N1.dot_of_bytes(most) is not None for most in (127, 128)]
        [True, False]
        """
        fits = 2 * most * sets.MOST_SIGNED <= sets.MOST_PAIR
        taken = ["uint8"] if most >= sets.MOST_SIGNED else ["uint8", "int8"]
        bytes_only = (d for d in self.dot if d.a in taken and d.b == "int8")
        return next((d for d in bytes_only if fits or not d.saturates), None)

    def tile_product(self, dot: DotProduct) -> TileProduct | None:
        """Return what multiplies on the matrix unit as a dot product does; None without one.

        >>> SAPPHIRE_RAPIDS.tile_product(sets.VPDPBUSD_512).intrinsic
        'llvm.x86.tdpbusd'
        """

        def numbers(of: DotProduct | TileProduct) -> tuple[str, str, str, int]:
            return of.a, of.b, of.acc, of.k_group

        return next((one for one in self.tiles if numbers(one) == numbers(dot)), None)

    def has_tiles_of(self, dtype: str) -> bool:
        """Whether its matrix unit multiplies numbers of a type."""
        return any(dtype in (one.a, one.b) for one in self.tiles)

    def supports(self, dtype: str) -> bool:
        """Whether there are instructions that multiply and add numbers of a type as such.

        Of other types the numbers are converted first, as float16's are.
        """
        return dtype == "float32" or any(dtype in (d.a, d.b) for d in self.dot)

    def with_caches(self, found: Caches) -> Machine:
        """Return the machine with the caches that were found, as far as they are known.

        Blocking never reckons with more than there is, nor with more than was found to pay.
        """
        core = replace(self.core, **{k: v for k, v in asdict(found).items() if v is not None})
        tuning = replace(
            self.tuning,
            l1_budget=min(self.tuning.l1_budget, core.l1_bytes),
            l2_budget=min(self.tuning.l2_budget, core.l2_bytes),
        )
        return replace(self, core=core, tuning=tuning)

    def measured(self, fmas_per_cycle: int) -> Machine:
        """Return the machine of a CPU that starts so many multiply-adds in a cycle.

        It takes the tuning of a machine that does so, too, and for which it was measured.

        >>> [AVX512.measured(fmas).tuned_as for fmas in (1, 2)]
        ['zen4', 'emerald-rapids']
        """
        core = replace(self.core, fmas_per_cycle=fmas_per_cycle)
        like = {SSE2.isa: SSE2, AVX2.isa: ZEN3, AVX512.isa: EMERALD_RAPIDS}.get(self.isa, self)
        if self.isa == AVX512.isa and fmas_per_cycle == 1:
            like = ZEN4
        return replace(self, core=core, tuning=like.tuning, tuned_as=like.name)

    def to_json(self) -> dict[str, Any]:
        """Return what has to be known to judge a figure: the name, the vectors and the facts."""
        tuned = {"tuned_as": self.tuned_as} if self.tuned_as else {}
        return {"name": self.name, "isa": self.isa.name, **tuned, **asdict(self.core)}


Instruction = TypeVar("Instruction", DotProduct, ByteLookup, TileProduct, Narrowing)


@lru_cache(maxsize=64)
def _offered(instructions: tuple[Instruction, ...], text: str) -> tuple[Instruction, ...]:
    """Return those of some instructions whose features a target has."""
    target = Target(text)
    return tuple(
        one
        for one in instructions
        if all(codegen.llvm_cpu_has_features(name, target) for name in one.feature.split(","))
    )


@lru_cache(maxsize=64)
def _converts_float16(text: str) -> bool:
    target = Target(text)
    return any(codegen.llvm_cpu_has_features(name, target) for name in ("f16c", "neon"))


#: Haswell (2013). Its caches are the smallest of all CPUs with AVX2, for which it stands. Sources:
#: Intel, "64 and IA-32 Architectures Optimization Reference Manual"; Agner Fog, "Instruction
#: tables" (the latency).
AVX2: Final = Machine("avx2", "core-avx2", sets.AVX2, Core(fma_latency=5))

#: How code for AMD's CPUs with AVX-512 reckons. What was found on Zen 3 since, it does without.
ZEN_512: Final = Tuning(l2_budget=MIB, short_sum=0, depthwise_lines=7, depthwise_strided_lines=7)

#: How code for Intel's servers with AVX-512 reckons. Measured on Emerald Rapids.
INTEL_SERVER: Final = replace(
    ZEN_512, panel_budget=160 * KIB, weight_bytes_per_cycle=4, tile_blocks=8
)

#: Skylake-SP (2017), with two vector units of 512 bits. It stands for all CPUs with AVX-512.
#: Source: Intel, "64 and IA-32 Architectures Optimization Reference Manual", on the Skylake Server
#: microarchitecture.
AVX512: Final = Machine(
    "avx512",
    "skylake-avx512",
    sets.AVX512,
    Core(l2_bytes=MIB, l3_bytes=1408 * KIB),
    INTEL_SERVER,
)

#: Skylake-SP's core with dot products of bytes. Source: as above.
CASCADE_LAKE: Final = replace(AVX512, name="cascade-lake", mcpu="cascadelake")

#: Source: Intel, "64 and IA-32 Architectures Optimization Reference Manual", on the Ice Lake Client
#: microarchitecture, with the caches of the third generation of Xeon Scalable Processors.
ICELAKE_SERVER: Final = Machine(
    "icelake-server",
    "icelake-server",
    sets.AVX512,
    Core(l1_bytes=48 * KIB, l2_bytes=1280 * KIB, l3_bytes=1536 * KIB),
    INTEL_SERVER,
)

#: The oldest x86-64.
SSE2: Final = Machine("sse2", "x86-64", sets.SSE2)

#: Source: AMD, "Software Optimization Guide for AMD Family 19h Processors", publication 56665.
#: Eight cores share 32 MiB. All of `Tuning` was measured on this one.
ZEN3: Final = Machine("zen3", "znver3", sets.AVX2, Core(l2_bytes=512 * KIB, l3_bytes=4 * MIB))

#: Source: AMD, "Software Optimization Guide for the AMD Zen4 Microarchitecture", publication 57647.
#: Its vector units are 256 bits wide: 512 bits take them for two cycles. To rank tiles by that is
#: slower (docs/machine-model.md).
ZEN4: Final = Machine(
    "zen4",
    "znver4",
    sets.AVX512,
    Core(fmas_per_cycle=1, loads_per_cycle=1, l2_bytes=MIB, l3_bytes=4 * MIB),
    ZEN_512,
)

#: Source: AMD, "Software Optimization Guide for the AMD Zen5 Microarchitecture", publication 58455,
#: with vector units of 512 bits, as servers and desktops have them. One thread has one of the two
#: decoders.
ZEN5: Final = Machine(
    "zen5",
    "znver5",
    sets.AVX512,
    Core(l1_bytes=48 * KIB, l2_bytes=MIB, l3_bytes=4 * MIB),
    ZEN_512,
)

#: Source: Intel, "64 and IA-32 Architectures Optimization Reference Manual", on the Golden Cove
#: microarchitecture, with the caches of the fourth generation of Xeon Scalable Processors.
SAPPHIRE_RAPIDS: Final = Machine(
    "sapphire-rapids",
    "sapphirerapids",
    sets.AVX512,
    Core(decode_width=6, l1_bytes=48 * KIB, l2_bytes=2 * MIB, l3_bytes=1920 * KIB),
    INTEL_SERVER,
)

#: Golden Cove with more of the last level (up to 320 MiB for 64 cores). Source: Intel, "5th Gen
#: Intel Xeon Scalable Processors", product brief.
EMERALD_RAPIDS: Final = replace(
    SAPPHIRE_RAPIDS,
    name="emerald-rapids",
    mcpu="emeraldrapids",
    core=replace(SAPPHIRE_RAPIDS.core, l3_bytes=5 * MIB),
)

#: Redwood Cove, with up to 504 MiB of the last level for 128 cores. Source: Intel, "Intel Xeon 6
#: with P-cores", product brief. Nothing was measured.
GRANITE_RAPIDS: Final = replace(
    SAPPHIRE_RAPIDS,
    name="granite-rapids",
    mcpu="graniterapids",
    core=replace(SAPPHIRE_RAPIDS.core, l3_bytes=4032 * KIB),
)

#: Sources: Arm, "Neoverse N1 Core Technical Reference Manual" (caches) and "Neoverse N1 Software
#: Optimization Guide" (two pipelines of 128 bits), with the largest second level and with 64 cores
#: at 32 MiB, as AWS Graviton2 has them. Nothing was measured.
NEOVERSE_N1: Final = Machine(
    "neoverse-n1",
    "neoverse-n1",
    sets.NEON,
    Core(l1_bytes=64 * KIB, l2_bytes=MIB, l3_bytes=512 * KIB),
    mtriple="aarch64-linux-gnu",
)

#: By LLVM's names, the CPUs whose facts are known.
NAMED: Final[Mapping[str, Machine]] = {
    machine.mcpu: machine
    for machine in (
        AVX2,
        AVX512,
        SSE2,
        ZEN3,
        ZEN4,
        ZEN5,
        CASCADE_LAKE,
        ICELAKE_SERVER,
        SAPPHIRE_RAPIDS,
        EMERALD_RAPIDS,
        GRANITE_RAPIDS,
        NEOVERSE_N1,
    )
}
