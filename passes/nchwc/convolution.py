"""A convolution, and how it looks on blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tvm import relax
from tvm.ir import Call, Expr, GenericConst
from tvm.relax import Var

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of, known_array, shape_of, static_shape_of
from tvmfuse.ops import conv_blocked
from tvmfuse.ops.summed_in import INTEGERS
from tvmfuse.passes.nchwc.arrays import block_of, blocked_weights
from tvmfuse.passes.neighbours import Neighbours, filled, neighbours_of
from tvmfuse.target.machine import Machine

LONG: Final = 64
"""What a symbolic dimension is taken to be."""

WHOLE: Final = 8
"""Channels that are filled up, as those of an image are for dot products, are a multiple of this,
but where they are few."""


@dataclass(frozen=True)
class Convolution:
    """A `tvmfuse.conv`, and how it looks on blocks.

    Attributes:
        call: The convolution.
        blocked: Its input in blocks, where that exists.
        machine: Its blocks, what they gain and cost, and its dot products.
        goes_on: Whether its readers take the blocks.
        low: Whether two of its input's bytes seldom add up to more than a byte holds.
    """

    call: Call
    blocked: Var | None
    machine: Machine
    goes_on: bool
    low: bool = False

    @property
    def weights(self) -> tuple[int, ...]:
        """The shape of the weights, (O, I / groups, k1..kr)."""
        return static_shape_of(self.call.args[1]) or ()

    @property
    def groups(self) -> int:
        """The number of groups."""
        return int(self.call.attrs["groups"])

    @property
    def channels(self) -> int:
        """The number of input channels."""
        return self.weights[1] * self.groups

    @property
    def depthwise(self) -> bool:
        """Whether each channel is convolved on its own, into one channel."""
        return is_depthwise(self.call)

    @property
    def summed(self) -> int:
        """The input channels that come in blocks of their own: a group's, where it has several."""
        return self.channels if self.depthwise else self.weights[1]

    @property
    def written(self) -> int:
        """The output channels that come in blocks of their own."""
        return self.weights[0] if self.depthwise else self.weights[0] // self.groups

    @property
    def reorders(self) -> bool:
        """Whether the input has to be brought into blocks."""
        return self.blocked is None and self.block is not None

    @cached_property
    def neighbours(self) -> Neighbours | None:
        """How weights that dot products take lie in blocks; None of other weights."""
        if not (self.of_bytes or self.of_bfloat16) or self.depthwise:
            return None
        weights = known_array(self.call.args[1])
        for low in (self.low, False):
            found = neighbours_of(weights, 1, self.machine, low=low)
            if found and (self.groups == 1 or found.padded(self.summed) == self.summed):
                return self._of_two_rows(found)
        return None

    def _of_two_rows(self, found: Neighbours) -> Neighbours:
        """Return how weights lie where two pixels are multiplied at once, if there are two."""
        taps, size = math.prod(self.weights[2:]), self._filled(found)
        two = found.of_two_rows(size, self.machine, taps)
        in_step = self.blocked is None or self._before() % two.dot.k_group == 0
        whole = in_step and size % two.dot.k_group == 0
        return two if whole and math.prod(_sizes(self.call)[2:]) > 1 else found

    @property
    def in_step(self) -> bool:
        """Whether the input's blocks, where it has some, are of whole groups of neighbours."""
        if self.blocked is None or self.neighbours is None:
            return True
        return self._before() % self.neighbours.dot.k_group == 0

    @property
    def of_bytes(self) -> bool:
        """Whether bytes are multiplied by constant integers, and summed in int32."""
        is_summed = dtype_of(self.call) == INTEGERS and dtype_of(self.call.args[0]) == "uint8"
        return is_summed and isinstance(self.call.args[1], GenericConst)

    @property
    def of_bfloat16(self) -> bool:
        """Whether bfloat16 is multiplied by constant bfloat16, and summed in float32."""
        is_wide = bool(self.call.attrs["wide"]) and dtype_of(self.call.args[0]) == BFLOAT16
        return is_wide and isinstance(self.call.args[1], GenericConst)

    @property
    def filled(self) -> int:
        """The channels that are `summed`; of one group, with zeros to whole dot products."""
        return self.summed if self.neighbours is None else self._filled(self.neighbours)

    def _filled(self, neighbours: Neighbours) -> int:
        if self.groups > 1 or self.block_of(self.summed):
            return self.summed
        few = neighbours.padded(self.summed)
        return few if few < WHOLE else -(-few // WHOLE) * WHOLE

    @property
    def block(self) -> int | None:
        """The channels of a block that the input can be brought into; None where none fits."""
        few = self.neighbours is not None and self.groups == 1 and self.filled < WHOLE
        return self.filled if few else self.block_of(self.filled)

    def block_of(self, channels: int) -> int | None:
        """Return into blocks of how many channels a tensor is divided; None where none fits."""
        return block_of(channels, self.machine.tuning.channel_blocks)

    def requires(self) -> Iterator[tuple[bool, str]]:
        """Yield each condition with its wording."""
        is_known = dtype_of(self.call) == "float32" or self.of_bytes
        yield is_known, "the convolution is in float32, or of bytes"
        fits = self.block_of(self.written) is not None
        yield fits, "the number of output channels, of each group, is a multiple of 8"
        yield self._apart(), "a group's input channels are whole blocks, or blocks are whole groups"
        pays = self.neighbours is not None or self._pays()
        yield pays, "the convolution gains more than its reorders cost"

    def _pays(self) -> bool:
        flop = 2 * math.prod(_sizes(self.call)) * math.prod(self.weights[1:])
        moved = _moved(self.call.args[0])
        if self.blocked is None:
            moved *= self.reorders
        else:
            moved = -moved  # by a plain convolution
        moved += _moved(self.call) * (not self.goes_on)
        if not isinstance(self.call.args[1], GenericConst):
            moved += math.prod(self.weights)  # at each run
        gained = flop / self.machine.tuning.nchwc_flop_per_cycle
        return moved <= 0 or gained > moved * self.machine.tuning.reorder_cycles

    def _apart(self) -> bool:
        """Whether the channels of each group lie together, in a block or in several."""
        if self.groups == 1 or self.depthwise:
            return True
        if self.blocked is None:
            return self.reorders
        before = self._before()
        return self.summed % before == 0 or before % self.summed == 0

    def _before(self) -> int:
        """Return the channels of a block of the input: of a concatenation, those of its parts."""
        return self.channels if self.blocked is None else int(self.blocked.ty.shape.values[-1])

    def on_blocks(self) -> Call:
        """Return the convolution on its input, in blocks or plain, into blocks."""
        weights = self.call.args[1]
        before, after = self._before(), self.block_of(self.written)
        if self.depthwise and self.blocked is not None:
            after = before
        assert after is not None
        attrs = self.call.attrs
        return conv_blocked(
            self._input,
            self._weights(weights, 1 if self.depthwise else min(before, self.filled), after),
            *self._bias(after),
            strides=[int(s) for s in attrs["strides"]],
            padding=[int(p) for p in attrs["padding"]],
            dilation=[int(d) for d in attrs["dilation"]],
            groups=self.groups,
            pad_value=int(attrs["pad_value"]) - self._moves,
            bounded=self.neighbours is not None and self.neighbours.bounded,
            wide=bool(attrs["wide"]),
        )

    @property
    def _input(self) -> Expr:
        x = self.call.args[0] if self.blocked is None else self.blocked
        return x if self.neighbours is None else self.neighbours.operand(x)

    @property
    def _moves(self) -> int:
        """What is taken from the input's bytes."""
        return 0 if self.neighbours is None else self.neighbours.moves

    def _bias(self, block: int) -> Sequence[Expr]:
        """Return the bias in blocks, with what moved bytes leave out of each channel's sums."""
        given = [_rows(b, self.weights[0], block) for b in self.call.args[2:]]
        if self.neighbours is None or not self._moves:
            return given
        weights = known_array(self.call.args[1])
        missing = self.neighbours.of_columns(weights, tuple(range(1, weights.ndim)))
        missing = missing.reshape(-1, block)
        if not given:
            return [constant(missing)]
        if isinstance(given[0], GenericConst):
            return [constant(known_array(given[0]) + missing)]
        return [relax.op.add(given[0], constant(missing))]

    def _weights(self, weights: Expr, before: int, after: int) -> Expr:
        if not isinstance(weights, GenericConst):
            return _in_blocks(weights, before, after)
        array = known_array(weights)
        if self.neighbours is None:
            return constant(blocked_weights(array, before, after))
        array = blocked_weights(filled(array, 1, self.filled), before, after)
        return constant(self.neighbours.side_by_side(array))


def is_depthwise(conv: Call) -> bool:
    """Whether a `tvmfuse.conv` convolves each channel on its own, into one channel."""
    filters, channels = (static_shape_of(conv.args[1]) or (0, 0))[:2]
    groups = int(conv.attrs["groups"])
    return groups > 1 and groups == filters == channels * groups


def _in_blocks(weights: Expr, before: int, after: int) -> Expr:
    """Return weights that are no constant as `blocked_weights` does, when it runs."""
    o, i, *window = static_shape_of(weights) or ()
    parts = in_shape(weights, (o // after, after, i // before, before, *window))
    return relax.op.permute_dims(parts, [0, 2, *range(4, 4 + len(window)), 3, 1])


def _rows(bias: Expr, channels: int, block: int) -> Expr:
    if isinstance(bias, GenericConst):
        return constant(known_array(bias).reshape(-1, block))
    return in_shape(bias, (channels // block, block))


def _sizes(expr: Expr) -> list[int]:
    return [d if isinstance(d, int) else LONG for d in shape_of(expr) or ()]


def _moved(expr: Expr) -> int:
    """Return how many elements a reorder moves; none where there is one for each channel."""
    sizes = _sizes(expr)
    return math.prod(sizes) if math.prod(sizes[2:]) > 1 else 0
