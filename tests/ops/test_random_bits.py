"""Random integers: as the algorithm has them, whatever the shape, and as random as they have to be."""

from __future__ import annotations

import numpy as np
import pytest
from graphs import graph, run, tensor
from tvm import relax, tirx

from tvmfuse.ops import random_bits
from tvmfuse.ops.random_bits import GAMMA, key_of, scrambled


def drawn(shape: tuple[int, ...], key: int, *, upper: bool = True) -> np.ndarray:
    [bits] = run(
        graph(lambda *_: random_bits(shape, key, upper=upper), tensor(1)), np.zeros(1, "f")
    )
    return bits


def test_the_words_are_those_of_splitmix64() -> None:
    """Those of its authors' program for the seed 1234567, as is said in many places."""
    places = np.arange(1, 6, dtype=np.uint64)
    words = scrambled(places * np.uint64(GAMMA) + np.uint64(1234567), np.uint64)
    assert words.tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("shape", [(7,), (3, 5), (2, 3, 4), (), (0, 3)])
def test_a_number_follows_from_its_key_and_its_place(shape: tuple[int, ...]) -> None:
    key = key_of(2**64 - 1, 1)
    places = np.arange(int(np.prod(shape)), dtype=np.uint64)
    words = scrambled(places * np.uint64(GAMMA) + np.uint64(key), np.uint64).reshape(shape)
    np.testing.assert_array_equal(drawn(shape, key), (words >> np.uint64(33)).astype("int32"))
    low = (words >> np.uint64(1)) & np.uint64(2**31 - 1)
    np.testing.assert_array_equal(drawn(shape, key, upper=False), low.astype("int32"))


def test_sizes_that_are_fed() -> None:
    size = tirx.Var("n", "int64")

    def noise(x: relax.Var, emit: object) -> relax.Call:
        return random_bits([size, 3], 5, upper=True)

    [bits] = run(graph(noise, tensor(size, 3)), np.zeros((4, 3), "f"))
    np.testing.assert_array_equal(bits, drawn((4, 3), 5))


@pytest.mark.parametrize("upper", [True, False])
def test_each_bit_is_set_as_often_as_not(upper: bool) -> None:
    """Of 2^16 words; the widest of 31 bits is 3.5 standard deviations off in one of 70 keys."""
    bits = drawn((1 << 16,), key_of(3, 0), upper=upper).view(np.uint32)
    shares = [((bits >> place) & 1).mean() for place in range(31)]
    np.testing.assert_allclose(shares, 0.5, atol=3.5 * 0.5 / 2**8)
    pairs = np.corrcoef(bits[:-1], bits[1:])[0, 1]
    assert abs(pairs) < 4 / 2**8


def test_halves_and_keys_are_independent() -> None:
    draws = [drawn((1 << 15,), key_of(k, 0), upper=u) for k in (0, 1) for u in (True, False)]
    assert np.abs(np.corrcoef(draws) - np.eye(4)).max() < 4 / 2**7.5
    assert key_of(0, 0) != key_of(0, 1) != key_of(1, 0)
