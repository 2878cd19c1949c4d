"""Random integers: as the algorithm has them, whatever the shape, and as random as they have to be."""

from __future__ import annotations

import re

import libraries
import numpy as np
import pytest
from graphs import graph, run, tensor
from tvm import IRModule, relax, tirx
from tvm.tirx import PrimFunc

from tvmfuse.ops import random_bits
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.ops.random_bits import CHUNK, MASK, ROUNDS, key_of, philox
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine


def drawn(count: int, key: int, *, upper: bool = True) -> np.ndarray:
    [bits] = run(
        graph(lambda *_: random_bits(count, key, upper=upper), tensor(1)), np.zeros(1, "f")
    )
    return bits


def kernels_of(module: IRModule) -> list[PrimFunc]:
    return [f for f in module.functions.values() if isinstance(f, PrimFunc)]


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0), 0, (0xFF1DAE59, 0x6CD10DF2)),
        ((MASK, MASK), MASK, (0x2C3F628B, 0xAB4FD7AD)),
        ((0x243F6A88, 0x85A308D3), 0x13198A2E, (0xDD7CE038, 0xF62A4C12)),
    ],
)
def test_the_words_are_those_of_philox(
    counter: tuple[int, int], key: int, words: tuple[int, int]
) -> None:
    """As its authors' Random123 tests them."""
    assert philox(*counter, key) == words


@pytest.mark.parametrize("count", [0, 1, 7, 8, 21, CHUNK + 9])
def test_a_number_follows_from_its_key_and_its_place(count: int) -> None:
    key = key_of(2**64 - 1, 1)
    words = [philox(place, key >> 32, key & MASK) for place in range(count)]
    assert drawn(count, key).tolist() == [first >> 1 for first, _ in words]
    assert drawn(count, key, upper=False).tolist() == [second >> 1 for _, second in words]


def test_sizes_that_are_fed() -> None:
    size = tirx.Var("n", "int64")

    def noise(x: relax.Var, emit: object) -> relax.Call:
        return random_bits(size * 3, 5, upper=True)

    [bits] = run(graph(noise, tensor(size, 3)), np.zeros((4, 3), "f"))
    np.testing.assert_array_equal(bits, drawn(12, 5))


@pytest.mark.parametrize("upper", [True, False])
def test_each_bit_is_set_as_often_as_not(upper: bool) -> None:
    """Of 2^16 words; the widest of 31 bits is 3.5 standard deviations off in one of 70 keys."""
    bits = drawn(1 << 16, key_of(3, 0), upper=upper).view(np.uint32)
    shares = [((bits >> place) & 1).mean() for place in range(31)]
    np.testing.assert_allclose(shares, 0.5, atol=3.5 * 0.5 / 2**8)
    pairs = np.corrcoef(bits[:-1], bits[1:])[0, 1]
    assert abs(pairs) < 4 / 2**8


def test_halves_and_keys_are_independent() -> None:
    draws = [drawn(1 << 15, key_of(k, 0), upper=u) for k in (0, 1) for u in (True, False)]
    assert np.abs(np.corrcoef(draws) - np.eye(4)).max() < 4 / 2**7.5
    assert len({key_of(number, kind) for number in range(4) for kind in range(3)} | {0}) == 13


@pytest.mark.parametrize(
    ("machine", "register"), [(AVX2, "ymm"), (AVX512, "zmm")], ids=["avx2", "avx512"]
)
def test_they_are_made_in_vectors(machine: Machine, register: str) -> None:
    module = lower(graph(lambda *_: random_bits(1 << 14, 7, upper=True), tensor(1))).module
    [function] = kernels_of(schedule(module, machine.target).module)
    products = re.findall(r"vpmuludq\s.*", libraries.assembly(function, machine.target))
    assert sum(register in line for line in products) >= ROUNDS - 1
