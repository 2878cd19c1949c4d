"""Masks of AVX2: a word for each lane, all of whose bits are set where the lane is there.

Of a mask that some loads share LLVM keeps the comparisons, in lanes of half the size, and widens
them again for each of the loads. What a fence has passed it takes as it is.
"""

from __future__ import annotations

from typing import Final

from tvm import tirx
from tvm.ir import Expr, Var
from tvm.tirx import Bind, Buffer, BufferLoad

from tvmfuse.schedules.fence import fenced

#: Intel, "Intrinsics Guide", _mm256_maskload_ps and _mm_maskload_ps: 0 in lanes left out.
LOADS: Final = {8: "llvm.x86.avx.maskload.ps.256", 4: "llvm.x86.avx.maskload.ps"}

#: _mm256_blendv_ps and _mm_blendv_ps: the second operand where the mask's first bit is set.
CHOICES: Final = {8: "llvm.x86.avx.blendv.ps.256", 4: "llvm.x86.sse41.blendvps"}


def has_words(element: Expr) -> bool:
    """Return whether there are words for masks of vectors of such elements."""
    return str(element.ty.dtype) == "float32"


def mask_words(mask: Expr) -> Expr:
    """Return the words of a vector of bools; of a bool, one word."""
    lanes = mask.ty.dtype.lanes
    all_, none = (tirx.const(n, "int32") for n in (-1, 0))
    if lanes == 1:
        return tirx.Select(mask, all_, none)
    return fenced(tirx.Select(mask, tirx.Broadcast(all_, lanes), tirx.Broadcast(none, lanes)))


def named_words(mask: Expr) -> tuple[Var, Bind]:
    """Return a variable of a mask's words, and the statement that sets it."""
    words = mask_words(mask)
    var = Var("mask", words.ty)
    return var, Bind(var, words)


def load_by_words(buffer: Buffer, place: tirx.Ramp, words: Expr, fill: Expr) -> Expr:
    """Return a vector of what a mask has of a buffer of float32, and of a number in other lanes."""
    lanes = place.ty.dtype.lanes
    dtype, address = f"float32x{lanes}", tirx.address_of(BufferLoad(buffer, [place.base]))
    found = tirx.call_llvm_intrin(dtype, LOADS[lanes], address, words)
    if isinstance(fill, tirx.FloatImm) and fill.value == 0:
        return found
    other, chosen = tirx.Broadcast(fill, lanes), tirx.reinterpret(dtype, words)
    return tirx.call_llvm_pure_intrin(dtype, CHOICES[lanes], other, found, chosen)
