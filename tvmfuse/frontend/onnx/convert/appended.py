"""Sequences that a loop appends to, which are as long as the loop: their elements are scan outputs.

Such a sequence is held as one tensor, whose rows are its elements (`Operation.in_rows`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import onnx
from tvm import relax

from tvmfuse.frontend.onnx.graph import branches_of
from tvmfuse.frontend.onnx.values import Given

#: What a loop's body takes before its states, and what it gives.
BEFORE_STATES, BEFORE_RESULTS = 2, 1


@dataclass(frozen=True)
class Appended:
    """A loop without the sequences that it only appends to.

    Attributes:
        body: Gives one element of each as a further scan output, after its own.
        states: The others.
        places: Of those sequences among all states.
    """

    body: onnx.GraphProto
    states: Sequence[Given]
    places: Sequence[int]


def appended(body: onnx.GraphProto, states: Sequence[Given]) -> Appended:
    """Find the sequences that begin without elements, and get one more in each iteration.

    Args:
        body: Of a Loop; stays as it is.
        states: What the loop begins with.
    """
    found = {
        place: element
        for place, state in enumerate(states)
        if _is_empty(state) and (element := _appends(body, place)) is not None
    }
    copy = onnx.GraphProto()
    copy.CopyFrom(body)
    for place in sorted(found, reverse=True):
        del copy.input[BEFORE_STATES + place]
        result = copy.output.pop(BEFORE_RESULTS + place).name
        del copy.node[next(i for i, n in enumerate(copy.node) if result in n.output)]
    copy.output.extend(onnx.ValueInfoProto(name=found[place]) for place in sorted(found))
    others = [state for place, state in enumerate(states) if place not in found]
    return Appended(copy, others, sorted(found))


def _is_empty(state: Given) -> bool:
    ty = getattr(state, "ty", None)
    return isinstance(ty, relax.TupleType) and not len(ty.fields)


def _appends(body: onnx.GraphProto, place: int) -> str | None:
    """Return what an iteration appends to a state; None where it does anything else with it."""
    state, result = body.input[BEFORE_STATES + place].name, body.output[BEFORE_RESULTS + place].name
    readers = [n for n in body.node if state in _reads(n) or result in _reads(n)]
    others = [o.name for i, o in enumerate(body.output) if i != BEFORE_RESULTS + place]
    if len(readers) != 1 or {state, result} & {*others}:
        return None
    [insert] = readers
    inserts = insert.op_type == "SequenceInsert" and [*insert.output] == [result]
    at_end = [i for i in insert.input if i][2:] == [] and insert.input[0] == state
    return insert.input[1] if inserts and at_end else None


def _reads(node: onnx.NodeProto) -> set[str]:
    inner = (n for branch in branches_of(node) for n in branch.node)
    return {*node.input}.union(
        *map(_reads, inner), *({o.name for o in b.output} for b in branches_of(node))
    )
