"""build.arena: tensors that are there at different times lie in the same memory."""

import itertools

import pytest
from tvm import tirx

from tvmfuse.build.arena import Arena, Lifetime
from tvmfuse.schedules.expressions import number

N, M = (tirx.Var(name, "int64") for name in "nm")


def of(*said: tuple[object, int, int]) -> Arena:
    """Return the arena of tensors: bytes, the first call and the last."""
    sizes = (number(size) if isinstance(size, int) else size for size, _, _ in said)
    times = [(first, last) for _, first, last in said]
    return Arena.of([Lifetime(size, *when) for size, when in zip(sizes, times, strict=True)])


def test_a_chain_takes_two_places() -> None:
    arena = of(*((1000, call, call + 1) for call in range(9)))
    assert {int(begin) for begin in arena.begins} == {0, 1024}
    assert int(arena.nbytes) == 2048


def test_a_place_grows_with_what_comes_later() -> None:
    arena = of((64, 0, 1), (64, 1, 2), (4096, 2, 3), (64, 3, 4))
    assert int(arena.nbytes) == 4096 + 64


def test_what_is_read_late_keeps_its_place() -> None:
    arena = of((64, 0, 9), *((64, call, call + 1) for call in range(1, 9)))
    first, *others = map(int, arena.begins)
    assert first not in others


@pytest.mark.parametrize("count", [1, 7, 40])
def test_no_two_that_are_there_at_once_overlap(count: int) -> None:
    said = [(64 * (1 + n * 7 % 5), n // 2, n // 2 + 1 + n % 4) for n in range(count)]
    arena = of(*said)
    places = [
        (int(begin), int(begin) + size, first, last)
        for begin, (size, first, last) in zip(arena.begins, said, strict=True)
    ]
    for (a, b, first, last), (c, d, begin, end) in itertools.combinations(places, 2):
        assert b <= c or d <= a or last < begin or end < first
    assert max(end for _, end, _, _ in places) == int(arena.nbytes)


def test_sizes_that_are_known_later_are_compared() -> None:
    """Of 4n and 8n bytes it is known which is larger, of 4n and 4m not."""
    arena = of((N * 512, 0, 1), (N * 64, 2, 3))
    assert str(arena.nbytes) == str(N * 512)
    apart = of((N * 64, 0, 1), (M * 64, 2, 3))
    assert len({str(begin) for begin in apart.begins}) == 2


def test_nothing_takes_no_memory() -> None:
    assert int(of().nbytes) == 0
    assert int(of((0, 0, 1)).nbytes) == 0
