"""Nodes of two sides become groups: convex, in an order that can run, and not too wide."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest

from tvmfuse.grouping import MAX_ARGUMENTS, Flow, Item, grouped


def items(*said: str) -> list[Item]:
    """Return items of ``a = x, y`` each; a capital makes the other side."""
    made = []
    for line in said:
        name, reads = line.split(" = ")
        made.append(Item(name.islower(), frozenset(reads.split(", ")), (name,)))
    return made


def groups(
    *said: str, outputs: str = "", most: int = MAX_ARGUMENTS, joined: Sequence[bool] = ()
) -> list[str]:
    """Return each group's names in one word, in the order of a run."""
    found, last = items(*said), said[-1].split(" = ")[0]
    named = [
        [found[place].makes[0] for place in members]
        for members in grouped(found, outputs or last, most, joined=joined)
    ]
    return ["".join(names) for names in named]


def test_a_chain_changes_sides() -> None:
    assert groups("a = x", "b = a", "C = b", "d = C", "e = d") == ["ab", "C", "de"]


def test_what_is_all_of_one_side_is_one_group() -> None:
    assert groups("a = x", "b = a", "c = a", "d = b, c") == ["abcd"]


def test_a_diamond_makes_no_cycle() -> None:
    # a and d would read from B and be read by it.
    assert groups("a = x", "B = a", "c = a", "d = B, c") == ["ac", "B", "d"]


def test_a_producer_waits_for_its_consumer_where_nothing_stands_between() -> None:
    assert groups("a = x", "B = x", "c = a, B") == ["B", "ac"]


def test_a_value_may_jump_over_several_parts() -> None:
    assert groups("a = x", "B = a", "c = B", "D = c", "e = D, a") == ["a", "B", "c", "D", "e"]


def test_groups_that_do_not_read_from_each_other_stay_apart() -> None:
    assert sorted(groups("a = x", "b = y", "C = a, b")) == ["C", "a", "b"]


def test_groups_with_threads_of_their_own_are_one_where_none_waits() -> None:
    said = ["A = x", "B = y", "c = A, B", "d = y", "E = d", "F = c"]
    assert groups(*said, outputs="EF") == ["A", "B", "c", "d", "E", "F"]
    assert groups(*said, outputs="EF", joined=[False]) == ["AB", "c", "d", "E", "F"]
    assert groups("A = x", "B = y", "c = A, B", joined=[False], most=2) == ["A", "B", "c"]
    assert groups("a = x", "B = a", "C = a", "d = B, C", joined=[False]) == ["a", "BC", "d"]


def test_groups_run_in_the_order_of_the_nodes_where_they_can() -> None:
    assert groups("A = x", "b = A", "C = y", "d = C", "E = d, b") == ["A", "b", "C", "d", "E"]


def test_two_others_in_a_row_are_one() -> None:
    assert groups("A = x", "B = A", "c = B", "D = c, A") == ["AB", "c", "D"]


@pytest.mark.parametrize(("inputs", "count"), [(MAX_ARGUMENTS - 1, 1), (MAX_ARGUMENTS, 2)])
def test_exactly_so_many_arguments(inputs: int, count: int) -> None:
    """One output, and a chain that reads a further input at each step."""
    chain = [Item(True, frozenset({"x0"}), ("v0",))]
    chain += [Item(True, frozenset({f"v{i - 1}", f"x{i}"}), (f"v{i}",)) for i in range(1, inputs)]
    found = grouped(chain, [f"v{inputs - 1}"])
    assert len(found) == count
    flow = Flow(chain, [f"v{inputs - 1}"])
    assert max(flow.arguments(set(members)) for members in found) <= MAX_ARGUMENTS


def test_a_node_with_more_arguments_stands_alone() -> None:
    assert groups("a = x", "b = a, p, q, r, s", "c = b", most=3) == ["a", "b", "c"]


def test_values_that_several_read_count_once() -> None:
    assert groups("a = x", "b = a, x", "c = b, x", most=2) == ["abc"]


@pytest.mark.parametrize("seed", range(40))
def test_any_graph(seed: int) -> None:
    """Each group is of one side, can run after those before it, and has few arguments."""
    rng = random.Random(seed)
    names, made = ["x", "y"], []
    for number in range(rng.randrange(2, 40)):
        reads = rng.choices(names[-8:], k=rng.randrange(1, 4))
        made.append(Item(rng.random() < 0.7, frozenset(reads), (f"v{number}",)))
        names.append(f"v{number}")
    read = {name for item in made for name in item.reads}
    outputs = [name for name in names[2:] if name not in read]
    most = rng.choice((3, 6, MAX_ARGUMENTS))
    joined = rng.choice(([], [False]))
    found = grouped(made, outputs, most, joined=joined)
    flow, there = Flow(made, outputs), {"x", "y"}
    assert sorted(place for members in found for place in members) == list(range(len(made)))
    for members in found:
        assert len({made[place].side for place in members}) == 1
        assert flow.inputs(set(members)) <= there
        there |= flow.outputs(set(members))
        assert len(members) == 1 or flow.arguments(set(members)) <= most
    assert there >= set(outputs)


def test_what_runs_alone_is_no_group() -> None:
    said = items("a = x", "B = a", "C = B", "d = C")
    assert grouped(said, ["d"], alone=[False]) == [[0], [1], [2], [3]]


def test_an_order_without_a_value_is_kept() -> None:
    """``b`` writes what ``a`` read, and ``c`` reads what it wrote: ``a`` and ``c`` stay apart."""
    a, c = items("a = x", "c = a")
    b = Item(False, frozenset("x"), ("b",), after=frozenset("a"))
    c = Item(c.side, c.reads, c.makes, after=frozenset("b"))
    assert grouped([a, b, c], ["c"]) == [[0], [1], [2]]


def test_many_nodes_take_little_time() -> None:
    """A long network of which every third node is another's, with skips and one common mask."""
    net = [Item(True, frozenset("x"), ("v0",))]
    for at in range(1, 20_000):
        reads = {f"v{at - 1}", *(["v0"] if at % 10 == 5 else []), f"v{at - at % 10}"}
        net.append(Item(at % 3 != 0, frozenset(reads) - {f"v{at}"}, (f"v{at}",)))
    start = time.thread_time()
    found = grouped(net, ["v19999"])
    assert time.thread_time() - start < 20
    assert sum(map(len, found)) == len(net)
