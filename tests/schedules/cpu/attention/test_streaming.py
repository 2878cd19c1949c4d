"""schedules.cpu.heads.streaming: keys in blocks, the same numbers, memory that does not grow."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import tirx

from tvmfuse.ops import attention
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.core import Tuning
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine

pytestmark = pytest.mark.sampled(5)

B, S, T = (tirx.Var(name, "int64") for name in "BST")
BLOCK = 48


def f32(*shape: Any) -> Any:
    return shape, "float32"


def attend(*operands: Any, **options: Any) -> Any:
    return attention(*operands, scale=0.25, **options)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let blocks be `BLOCK` keys long, from 86 keys on."""
    monkeypatch.setattr(
        Machine, "of", lambda target: replace(AVX2, tuning=Tuning(l2_budget=32 << 10))
    )


def scheduled(lab: Any, machine: Any, *inputs: Any, **options: Any) -> Any:
    module = lab.lowered(lambda *a: attend(*a, **options), *inputs)
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    return function


def reference(
    q: Any, k: Any, v: Any, mask: Any, zero_where: Any = None, *, zero_masked_rows: bool = False
) -> Any:
    """Compute in float64, with numpy."""
    scores = np.einsum("bihc,bjhc->bhij", q.astype("float64"), k) * 0.25 + mask
    with np.errstate(invalid="ignore"):
        exps = np.exp(scores - scores.max(-1, keepdims=True))
        weights = exps / exps.sum(-1, keepdims=True)
        if zero_where is not None:
            weights = np.where(zero_where, 0, weights)
        if zero_masked_rows:
            weights = np.where(np.isnan(weights), 0, weights)
        return np.einsum("bhij,bjhd->bihd", weights, v)


def draw(s: Any, t: Any, *, b: int = 1, h: int = 2, c: int = 16, e: int = 24) -> Any:
    rng = np.random.default_rng(s + t)
    return [rng.standard_normal((b, n, h, d), "float32") for n, d in ((s, c), (t, c), (t, e))]


def agree(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


LENGTHS = [
    (1, 1),
    (3, 2),
    (7, 47),
    (23, 48),
    (24, 49),
    (25, 95),
    (48, 96),
    (49, 97),
    (2, 1023),
    (5, 2048),
    (1, 2049),
    (2049, 3),
]


def test_any_length_with_one_kernel(lab: Any, small: None) -> None:
    shapes = [(B, S, 2, 16), (B, T, 2, 16), (B, T, 2, 24), (B, 1, S, T)]
    run = lab.runnable(scheduled(lab, AVX2, *(f32(*shape) for shape in shapes)))
    for s, t in LENGTHS:
        q, k, v = draw(s, t)
        causal = np.where(np.arange(t) > np.arange(s)[:, None], -np.inf, 0).astype("float32")[
            None, None
        ]
        out = np.full((1, s, 2, 24), np.nan, "float32")
        result = tvm.runtime.tensor(out)
        run(*(tvm.runtime.tensor(a) for a in (q, k, v, causal)), result)
        agree(result.numpy(), reference(q, k, v, causal))


def test_no_keys_at_all(lab: Any) -> None:
    run = lab.runnable(scheduled(lab, AVX2, f32(1, 3, 1, 8), f32(1, T, 1, 8), f32(1, T, 1, 8)))
    q, k, v = draw(3, 0, h=1, c=8, e=8)
    result = tvm.runtime.tensor(np.full((1, 3, 1, 8), np.nan, "float32"))
    run(*(tvm.runtime.tensor(a) for a in (q, k, v)), result)
    np.testing.assert_array_equal(result.numpy(), 0)


FIXED = {
    "whole blocks": (2, 48, 96, 2, 32, 32),
    "ragged everything": (2, 7, 101, 3, 20, 12),
    "a last block of one key": (1, 101, 97, 1, 16, 24),
    "few elements": (1, 9, 130, 2, 3, 5),
}


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.usefixtures("small")
def test_any_shape(lab: Any, name: str) -> None:
    b, s, t, h, d, e = FIXED[name]
    lab.assert_same_numbers(lab.lowered(attend, f32(b, s, h, d), f32(b, t, h, d), f32(b, t, h, e)))


def test_blocks_of_the_usual_length(lab: Any) -> None:
    shapes = f32(1, 60, 2, 64), f32(1, 1001, 2, 64), f32(1, 1001, 2, 64)
    lab.assert_same_numbers(lab.lowered(attend, *shapes), AVX2)
    lab.assert_same_numbers(lab.lowered(attend, *shapes), SSE2)


@pytest.mark.parametrize(
    "shape", [(2, 3, 7, 101), (2, 1, 7, 101), (1, 3, 1, 101), (7, 101), (101,), (1, 1, 7, 1), ()]
)
@pytest.mark.usefixtures("small")
def test_any_mask(lab: Any, shape: Any) -> None:
    given = f32(2, 7, 3, 16), f32(2, 101, 3, 16), f32(2, 101, 3, 16)
    lab.assert_same_numbers(lab.lowered(attend, *given, f32(*shape)))


def computed(
    lab: Any, q: Any, k: Any, v: Any, mask: Any, zero_where: Any = None, **options: Any
) -> Any:
    def kernel(q: Any, k: Any, v: Any, mask: Any, zero_where: Any = None) -> Any:
        return attend(q, k, v, mask, zero_where, **options)

    arrays = [a for a in (q, k, v, mask, zero_where) if a is not None]
    module = lab.lowered(kernel, *((a.shape, str(a.dtype)) for a in arrays))
    (function,) = lab.kernels(schedule(module, AVX2.target).module).values()
    result = tvm.runtime.tensor(np.empty((*q.shape[:3], v.shape[3]), "float32"))
    lab.runnable(function)(*map(tvm.runtime.tensor, arrays), result)
    return result.numpy()


def elements(array: Any, key: Any) -> Any:
    """Return where a number of a key of the first head lies."""
    return int(np.ravel_multi_index((0, key, 0, 3), array.shape))


PLACES: dict[str, Callable[..., object]] = {
    "none": lambda q, k, v, mask: None,
    "query": lambda q, k, v, mask: q.put(5, np.nan),
    "key": lambda q, k, v, mask: k.put(elements(k, 60), np.nan),
    "value": lambda q, k, v, mask: v.put(elements(v, 60), np.nan),
    "empty row": lambda q, k, v, mask: mask.put(range(101, 202), -np.inf),
    "empty row over a value": lambda q, k, v, mask: (
        mask.put(range(101, 202), -np.inf),
        v.put(elements(v, 60), np.nan),
    ),
    "empty block": lambda q, k, v, mask: mask.put(range(49), -np.inf),
    "lowest block": lambda q, k, v, mask: mask.put(range(48), np.finfo("float32").min),
    "infinite score": lambda q, k, v, mask: mask.put(60, np.inf),
    "infinite value": lambda q, k, v, mask: v.put(elements(v, 0), np.inf),
    "infinite query": lambda q, k, v, mask: q.put(-1, np.inf),
    "infinite key": lambda q, k, v, mask: k.put(elements(k, 100), np.inf),
}


@pytest.mark.parametrize("zero_masked_rows", [False, True])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.usefixtures("small")
@pytest.mark.filterwarnings("ignore:invalid value")
def test_nan_and_infinities(lab: Any, place: str, zero_masked_rows: bool) -> None:
    q, k, v = draw(9, 101)
    mask = np.where(np.random.default_rng(0).random((1, 1, 9, 101)) < 0.3, -np.inf, 0).astype(
        "float32"
    )
    mask[..., 49] = 0
    PLACES[place](q, k, v, mask)
    expected = reference(q, k, v, mask, zero_masked_rows=zero_masked_rows)
    agree(computed(lab, q, k, v, mask, zero_masked_rows=zero_masked_rows), expected)


@pytest.mark.parametrize("last", [1, 101])
@pytest.mark.usefixtures("small")
@pytest.mark.filterwarnings("ignore:invalid value")
def test_zeros_in_place_of_weights(lab: Any, last: int) -> None:
    """Rows of which nothing, something and all is zeroed, with a total and without."""
    q, k, v = draw(9, 101)
    mask, zero_where = np.zeros((1, 1, 9, 101), "float32"), np.zeros((1, 1, 9, last), bool)
    mask[0, 0, 4:] = -np.inf
    zero_where[0, 0, [2, 5]] = True
    zero_where[0, 0, [3, 6], : last // 2] = True
    v[0, 70, 1, 2] = np.nan
    agree(computed(lab, q, k, v, mask, zero_where), reference(q, k, v, mask, zero_where))


@pytest.mark.usefixtures("small")
def test_a_peak_that_grows_from_block_to_block(lab: Any) -> None:
    """Scores of some hundred, each block's larger than all before it."""
    q, k, v = draw(5, 200)
    mask = np.linspace(0, 900, 200, dtype="float32").reshape(1, 1, 1, 200)
    agree(computed(lab, q, k, v, mask), reference(q, k, v, mask))
    agree(computed(lab, q, k, v, mask[..., ::-1].copy()), reference(q, k, v, mask[..., ::-1]))


def allocated(function: Any) -> Any:
    """Return the sizes of a function's buffers, in elements."""
    return re.findall(r"alloc_buffer\(\((.*?),\)", function.script())


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
def test_memory_does_not_depend_on_the_number_of_keys(lab: Any, machine: Machine) -> None:
    def sizes(keys: Any) -> Any:
        given = f32(1, 96, 2, 64), f32(1, keys, 2, 64), f32(1, keys, 2, 64)
        return allocated(scheduled(lab, machine, *given))

    few, many = sizes(2304 * 8), sizes(2304 * 64)
    assert few == many, "whole blocks"
    ends = [re.search(r"(\d+)\)$", size) for size in few]
    largest = max(int(end[1]) for end in ends if end)
    assert 4 * largest <= machine.tuning.l2_budget
    assert sizes(T)
    assert not any(re.search(r"\bT\b(?!\.)", size) for size in sizes(T))


def test_few_keys_are_one_block(lab: Any) -> None:
    """682 are the most whose scores, of 48 queries, take half of AVX2's second-level cache."""

    def streams(keys: Any) -> Any:
        given = f32(1, 96, 2, 64), f32(1, keys, 2, 64), f32(1, keys, 2, 64)
        return "peaks" in scheduled(lab, AVX2, *given).script()

    assert [streams(keys) for keys in (128, 682, 683)] == [False, False, True]
