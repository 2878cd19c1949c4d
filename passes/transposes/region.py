"""Which calls to run before a transpose instead of after it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from tvm.ir import Call, Expr, TupleGetItem
from tvm.relax import Var

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.types import Dim, rank_of
from tvmfuse.passes.transposes.cut import INFINITE, Cut
from tvmfuse.passes.transposes.permutation import (
    PERMUTE,
    Permutation,
    aligned,
    cost,
    dims_of,
    inverse,
    permutation_of,
    permuted,
    then,
)
from tvmfuse.passes.transposes.rules import Each, Layout, Move, move, operands


@dataclass(frozen=True)
class Moved:
    """A call that can run before a transpose.

    Attributes:
        move: How.
        taken: The permutation taken off its operands.
        operands: Of the call, as it stands; of the access of a tuple, the tuple.
    """

    move: Move
    taken: Layout
    operands: Sequence[Expr]


def reads_moved(moves: Mapping[Var, Moved], reader: Var, operand: Expr, place: int) -> bool:
    """Whether a call that moves reads this operand as the call that makes it leaves it."""
    made = moves.get(operand) if isinstance(operand, Var) else None
    reads = moves[reader]
    return made is not None and place in reads.move.data and made.move.result == reads.taken


class Region:
    """The calls around one transpose that could all work on what is not transposed.

    Each of them may move before the transpose, or stay. What that costs is transposes: one where a
    call that stays reads a value that is not transposed yet, and one where a call that moves reads
    a value that already is. The cheapest choice is a minimum cut between the two kinds.

    Args:
        flow: Of the function.
        var: A value to start from.
        layout: The permutation by which it would come later.

    Attributes:
        moves: All calls that can move.
        layouts: How each value would come later: a value of theirs, or one that they read.
    """

    def __init__(self, flow: Dataflow, var: Var, layout: Permutation) -> None:
        self.flow = flow
        self.moves: dict[Var, Moved] = {}
        self.layouts: dict[Var, Layout] = {}
        self._todo: list[Var] = []
        self._see(var, layout)
        while self._todo:
            var = self._todo.pop()
            for reader in self.flow.users(var):
                if reader is not None and reader not in self.moves:
                    self._try_reader(reader, var)

    def cheapest(self) -> tuple[int, dict[Var, Moved]]:
        """Return how many elements fewer are transposed at best, and which calls move then."""
        costs = _Costs(self)
        spent, side = costs.cut.solve()
        return costs.now - spent, {v: m for v, m in self.moves.items() if v in side}

    def _see(self, var: Var, layout: Layout) -> None:
        """Note how a value would come; look at who makes it, and later at who reads it."""
        self.layouts[var] = layout
        self._todo.append(var)
        if var not in self.moves:
            self._try_producer(var, layout)

    def _try_reader(self, reader: Var, var: Var) -> None:
        value, layout = self.flow.values.get(reader), self.layouts[var]
        if not self.flow.same_block(reader, var):
            return
        if isinstance(layout, Each) and isinstance(value, TupleGetItem):
            access = _access(value.index, layout)
            self._add(reader, Moved(access, layout, [value.tuple_value]))
        elif isinstance(layout, tuple) and isinstance(value, Call):
            read, moved = operands(value), move(value, layout)
            if moved is not None and any(read[i].same_as(var) for i in moved.data):
                self._add(reader, Moved(moved, layout, read))

    def _try_producer(self, var: Var, layout: Layout) -> None:
        value, index = self.flow.values.get(var), None
        if isinstance(value, TupleGetItem) and isinstance(value.tuple_value, Var):
            var, index = value.tuple_value, value.index
            value = self.flow.values.get(var)
        if not isinstance(value, Call) or not isinstance(layout, tuple) or var in self.moves:
            return
        moved = move(value, layout)
        if moved is not None:
            each = moved.result.layouts if isinstance(moved.result, Each) else [moved.result]
            if each[index or 0] == layout:
                self._add(var, Moved(moved, layout, operands(value)))

    def _add(self, var: Var, moved: Moved) -> None:
        if isinstance(moved.move.result, Each) and not self._is_taken_apart(var):
            return
        self.moves[var] = moved
        self._see(var, moved.move.result)
        taken = moved.taken
        for operand in (moved.operands[place] for place in moved.move.data):
            if isinstance(operand, Var) and operand not in self.layouts:
                fits = isinstance(taken, Each) or rank_of(operand) == len(taken or ())
                if fits and self.flow.same_block(operand, var):
                    self._see(operand, taken)

    def _is_taken_apart(self, var: Var) -> bool:
        """Whether only accesses read a tuple."""
        values = (self.flow.values.get(r) for r in self.flow.users(var) if r is not None)
        return None not in self.flow.users(var) and all(isinstance(v, TupleGetItem) for v in values)


def _access(index: int, layout: Each) -> Move:
    return Move((0,), layout.layouts[index], lambda args: TupleGetItem(args[0], index))


class _Costs:
    """What each choice of calls to move costs, as a cut: those on the source's side move.

    Attributes:
        cut: The graph.
        now: What it costs if none moves.
    """

    def __init__(self, region: Region) -> None:
        self.cut = Cut()
        self.now = 0
        self._flow = region.flow
        self._moves = region.moves
        self._followers: dict[Var, list[Var]] = defaultdict(list)
        self._others: dict[tuple[Var, Permutation], list[Var]] = defaultdict(list)
        for var in self._moves:
            self._sort_reads(var)
        for var, moved in self._moves.items():
            self._charge_value(var, moved.move.result)
        for (operand, taken), readers in self._others.items():
            self._charge_operand(operand, taken, readers)

    def _sort_reads(self, var: Var) -> None:
        """Tell the operands that a moved call leaves from the others."""
        read, taken = self._moves[var].operands, self._moves[var].taken
        places = {p: reads_moved(self._moves, var, o, p) for p, o in enumerate(read)}
        for place, operand in enumerate(read):
            if not isinstance(operand, Var):
                continue
            same = [places[p] for p, o in enumerate(read) if o.same_as(operand)]
            if all(same):
                self._followers[operand].append(var)
            elif place in self._moves[var].move.data and isinstance(taken, tuple):
                self._others[operand, taken].append(var)

    def _charge_value(self, var: Var, layout: Layout) -> None:
        """Charge the transposes of a value that a call of the region makes."""
        followers = self._followers[var]
        if isinstance(layout, Each):
            for access in followers:  # they come with the tuple
                self.cut.charge(var, access, INFINITE)
                self.cut.charge(access, var, INFINITE)
        if not isinstance(layout, tuple):
            return
        after = dims_of(var)
        earlier = permuted(after, inverse(layout))
        price = cost(layout, earlier)
        stays = False
        for reader in self._flow.users(var):
            q = None if reader is None else self._transposed(reader, var)
            if q is not None:
                self._pay_unless_moved(var, cost(q, after))
                self.cut.charge(var, Cut.SINK, cost(then(layout, q), earlier))
            elif reader not in followers:
                stays = True
        if stays:
            self.cut.charge(var, Cut.SINK, price)
        for reader in followers:
            self.cut.charge(("after", var), reader, INFINITE)
            self.cut.charge(reader, ("before", var), INFINITE)
        self.cut.charge(var, ("after", var), 0 if stays else price)
        self.cut.charge(("before", var), var, price)

    def _charge_operand(self, operand: Var, taken: Permutation, readers: list[Var]) -> None:
        """Charge what it takes to undo a transpose for the calls that move."""
        undone = ("undone", operand, taken)
        for reader in readers:
            self.cut.charge(reader, undone, INFINITE)
        shape, back, q = dims_of(operand), inverse(taken), self._transposed(operand, readers[0])
        if q is None or len(q) != len(taken):
            self.cut.charge(undone, Cut.SINK, cost(back, aligned(shape, len(taken))))
            return
        earlier = permuted(shape, inverse(q))
        self.cut.charge(undone, Cut.SINK, self._undo(operand, q, back, earlier))
        if set(self._flow.users(operand)) <= set(readers):
            stays = ("stays", operand)  # the transpose, for the readers that do not move
            self._pay_unless_moved(stays, cost(q, earlier))
            for reader in readers:
                self.cut.charge(stays, reader, INFINITE)

    def _undo(self, transpose: Var, q: Permutation, back: Permutation, shape: Sequence[Dim]) -> int:
        """Return the price of a transpose by `q` and `back`, whether what it reads moves or not."""
        source = self._moves.get(self._flow.values[transpose].args[0])
        stays = cost(then(q, back), shape)
        if source is None or not isinstance(layout := source.move.result, tuple):
            return stays
        # A cut cannot say that the price depends on both ends: take the higher one.
        return max(stays, cost(then(then(layout, q), back), permuted(shape, inverse(layout))))

    def _pay_unless_moved(self, node: Hashable, price: int) -> None:
        self.now += price
        self.cut.charge(Cut.SOURCE, node, price)

    def _transposed(self, var: Var, reader: Var) -> Permutation | None:
        """Return the permutation of a transpose, where a reader sees its operand."""
        value = self._flow.values.get(var)
        if op_name(value) != PERMUTE or not self._flow.same_block(var, reader):
            return None
        return permutation_of(value)
