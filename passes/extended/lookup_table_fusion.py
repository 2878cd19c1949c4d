"""A function of quantized numbers is a table of its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import dtype_of, same_shape
from tvmfuse.ops import lookup
from tvmfuse.passes.byte_functions import ByteFunction, computes_each
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.quantized import BYTES, DEQUANTIZE, QUANTIZE
from tvmfuse.passes.rewrite import Conditions, RewriteRule

LOOKUP: Final = "tvmfuse.lookup"


@dataclass(frozen=True, eq=False)
class Table:
    """A function of bytes, and its results.

    Attributes:
        function: As it is written.
        results: For each byte, by its bits.
    """

    function: ByteFunction
    results: np.ndarray


class LookupTableFusion(RewriteRule[Table]):
    """Look bytes up in a table of what is computed from each of them.

    Before::

        x = dequantize(q, s, z)
        p = quantize(x * sigmoid(x), t, u)   # or any other function, element by element

    After::

        p = lookup(q, table)

    The table is computed here, by the same operators for all 256 bytes; what is quantized on the
    way is rounded there, too. Pays because one or two instructions look up a vector of bytes, and
    an exponential takes thirty for a quarter as many numbers. Source: ONNX Runtime, which does so
    for QLinearSigmoid and QLinearLeakyRelu.
    """

    name = "LookupTableFusion"
    targets = CPU

    def pattern(self) -> Pattern:
        return Pattern(is_op(QUANTIZE)(*[wildcard() for _ in range(3)]))

    def is_candidate(self, match: Match) -> bool:
        value = match.resolve(match.resolve(match.root).args[0])
        if op_name(value) == DEQUANTIZE:  # which is as soon done where the bytes are read
            return op_name(match.resolve(value.args[0])) == LOOKUP
        return computes_each(value)

    def requires(self, match: Match) -> Conditions[Table]:
        result = match.root
        yield dtype_of(result) in BYTES, "the result has 8 bits"
        function = ByteFunction.of(match, result)
        yield function is not None, "it is computed from one tensor of bytes and constants"
        assert function is not None
        yield function.has_scalars_only, "its constants, scales and zero points are one number each"
        yield function.is_sound, "its scales are finite and positive"
        yield function.is_read_inside_only, "nobody else reads the real numbers in between"
        yield same_shape(result, function.source), "the result has the shape of the bytes"
        table = function.table()
        yield table is not None, "each result is a number that can be computed beforehand"
        assert table is not None
        return Table(function, table)

    def absorbs(self, match: Match, found: Table) -> tuple[Var, ...]:
        return found.function.inside

    def rewrite(self, match: Match, found: Table) -> Expr:
        return lookup(found.function.source, found.results)
