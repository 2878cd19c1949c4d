"""Which products of float32 can be of bfloat16, and how they then look."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
from tvm.ir import Call, Expr, GenericConst
from tvm.relax import DataflowVar

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of, known_array, numbers_of, rank_of, shape_of
from tvmfuse.ops import gemm
from tvmfuse.ops.traits import Kind, traits_of
from tvmfuse.passes.nchwc.arrays import block_of
from tvmfuse.passes.nchwc.layer_of import layer_of
from tvmfuse.passes.nchwc.winograd_costs import SIZES, direct, filtered
from tvmfuse.passes.recast_products import Recast
from tvmfuse.target.machine import Machine
from tvmfuse.target.register_tile import panel_columns

CONV: Final = "tvmfuse.conv"
GEMM: Final = "tvmfuse.gemm"
MATMUL: Final = "relax.matmul"
ATTENTION: Final = "tvmfuse.attention"
MATRIX: Final = 2
PAIR: Final = 2


def is_product(value: Expr, *dtypes: str) -> bool:
    """Whether a call sums up products of one of these types, and has results of that type."""
    traits = traits_of(value)
    sums = traits.kind is Kind.MATRIX_PRODUCT or traits.epilogue or op_name(value) == ATTENTION
    return sums and dtype_of(value) in dtypes and dtype_of(value.args[0]) == dtype_of(value)


def requires(product: Call, machine: Machine) -> Iterator[tuple[bool, str]]:
    """Yield each condition under which a product gains by bfloat16, with its wording."""
    if _is_depthwise(product):
        yield from _narrow_requires(product, machine)
        return
    yield from dot_requires(product, machine)
    pays = op_name(product) != CONV or not _is_filtered(product, machine)
    yield pays, "dot products take fewer cycles than Winograd's algorithm does in float32"
    made = op_name(product) != ATTENTION or all(
        isinstance(a, DataflowVar) for a in product.args[:3]
    )
    yield made, "what an attention multiplies is neither fed nor returned"


def dot_requires(product: Call, machine: Machine) -> Iterator[tuple[bool, str]]:
    """Yield each condition under which dot products of bfloat16 compute a product."""
    yield _multiplies_pairs(machine)
    name = op_name(product)
    if name == ATTENTION:
        yield from _attention_requires(product)
        return
    weighted = name in (CONV, GEMM, MATMUL) and isinstance(product.args[1], GenericConst)
    yield weighted, "the product is with constant weights"
    if name == CONV:
        yield int(product.attrs["groups"]) == 1, "the convolution has one group"
        yield _fills_blocks(product, machine)
    else:
        yield rank_of(product.args[1]) == MATRIX, "the weights are a matrix"
        yield not (name == GEMM and product.attrs["trans_a"]), "the first operand lies by rows"
        yield _has_panels(product, machine), "the columns are whole vectors, or many"
    yield _are_finite(product.args[1])


def _attention_requires(product: Call) -> Iterator[tuple[bool, str]]:
    operands = product.args[:3]
    same = all(dtype_of(operand) == dtype_of(product) for operand in operands)
    yield same, "keys and values are of the queries' type"
    axes = [product.attrs[f"{name}_axes"] for name in "qkv"]
    yield all(names[-1] == "d" for names in axes), "elements of a head lie side by side"
    sizes = [(shape_of(operand) or (None,))[-1] for operand in operands]
    whole = all(isinstance(size, int) and size > 0 and size % 8 == 0 for size in sizes)
    yield whole, "a head has a multiple of 8 elements"


def recast_in_bfloat16(product: Call) -> Recast:
    """Return how a product becomes one of bfloat16."""
    if op_name(product) != ATTENTION:
        return Recast(BFLOAT16, partial(_in_bfloat16, product))
    wide, rounded = (partial(_attention, product, wide=wide) for wide in (True, False))
    said = dtype_of(product)
    return Recast(BFLOAT16, rounded if said == BFLOAT16 else wide, said, (0, 1, 2), rounded)


def _attention(product: Call, *operands: Expr, wide: bool) -> Call:
    said = {**dict(product.attrs.items()), "wide": wide}
    return Call(product.op, [*operands, *product.args[len(operands) :]], attrs=said)


def _in_bfloat16(product: Call, half: Expr) -> Call:
    """Return a product on its first operand in bfloat16; its weights become so, too."""
    _, weights, *bias = product.args
    narrowed = constant(known_array(weights).astype(BFLOAT16))
    if op_name(product) == MATMUL:
        return gemm(half, narrowed, wide=True)
    said = {**dict(product.attrs.items()), "wide": True}
    return Call(product.op, [half, narrowed, *bias], attrs=said)


def _is_depthwise(product: Call) -> bool:
    """Whether it is a convolution of each channel by itself, with known weights."""
    if op_name(product) != CONV or not isinstance(product.args[1], GenericConst):
        return False
    filters, channels, *_ = known_array(product.args[1]).shape
    return bool(channels == 1 < filters == int(product.attrs["groups"]))


def _narrow_requires(conv: Call, machine: Machine) -> Iterator[tuple[bool, str]]:
    """Yield each condition under which a depthwise convolution reads an image of bfloat16.

    Its products are of float32 all the same: the image is widened as it is read, without a copy.
    """
    yield _multiplies_pairs(machine)
    yield _fills_blocks(conv, machine)
    is_padded = any(conv.attrs["padding"]) and int(conv.attrs["pad_value"]) == 0
    yield is_padded, "the image of a depthwise convolution is padded, with zeros"
    fits = math.prod(known_array(conv.args[1]).shape[2:]) <= machine.isa.registers
    yield fits, "the weights of a channel's window fit the registers"
    yield _are_finite(conv.args[1])


def _multiplies_pairs(machine: Machine) -> tuple[bool, str]:
    has = any(dot.a == BFLOAT16 for dot in machine.dot)
    return has, "the machine multiplies pairs of bfloat16"


def _fills_blocks(conv: Call, machine: Machine) -> tuple[bool, str]:
    fits = block_of(_filters(conv), machine.tuning.channel_blocks) is not None
    return fits, "the number of output channels is a multiple of 8"


def _are_finite(weights: Expr) -> tuple[bool, str]:
    """Whether no weight is too large; of those that follow from parameters none is known."""
    numbers = numbers_of(weights)
    are = numbers is None or bool(np.isfinite(numbers.astype(BFLOAT16)).all())
    return are, "the weights are finite in bfloat16"


def _filters(conv: Call) -> int:
    """Return the number of output channels of a convolution with known weights."""
    return int(known_array(conv.args[1]).shape[0])


def _is_filtered(conv: Call, machine: Machine) -> bool:
    """Whether minimal filtering in float32 saves more than products of pairs, filtered or not.

    A matrix unit multiplies pairs sixteen times as fast as vectors do numbers of float32.
    """
    layer = layer_of(conv, machine)
    if layer is None or machine.has_tiles_of(BFLOAT16):
        return False
    halved = replace(layer, products_at_once=PAIR, weight_bytes=2)
    of_pairs = min(direct(halved, machine), filtered(halved, SIZES[0], machine))
    return min(filtered(layer, m, machine) for m in SIZES) < of_pairs


def _has_panels(product: Call, machine: Machine) -> bool:
    *rows, columns = shape_of(product) or (0,)
    static = all(isinstance(size, int) for size in rows)
    height = int(np.prod([int(size) for size in rows], dtype=int)) if static else None
    return isinstance(columns, int) and panel_columns(machine, height, columns) is not None
