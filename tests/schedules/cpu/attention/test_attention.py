"""schedules.cpu.attention: blocks of queries, their softmax in place, any shape and order."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import tirx

from tvmfuse.ops import attention
from tvmfuse.schedules.cpu.attention.attention import attention as attention_schedule
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine

pytestmark = pytest.mark.sampled(5)

B, S, T = (tirx.Var(name, "int64") for name in "BST")


def f32(*shape: Any) -> Any:
    return shape, "float32"


def operands(b: Any, s: Any, t: Any, h: Any, d: Any, e: Any) -> Any:
    return f32(b, s, h, d), f32(b, t, h, d), f32(b, t, h, e)


def attend(*operands: Any, scale: float = 0.25, **options: Any) -> Any:
    return attention(*operands, scale=scale, **options)


SHAPES = {
    "whole tiles": (1, 48, 64, 2, 32, 32),
    "ragged everything": (2, 7, 9, 3, 20, 12),
    "longer than a strip": (1, 101, 33, 1, 16, 24),
    "many keys": (1, 5, 1000, 2, 8, 16),
    "one query": (1, 1, 37, 2, 16, 16),
    "one key": (2, 5, 1, 2, 8, 8),
    "one of all": (1, 1, 1, 1, 1, 1),
    "few elements": (1, 9, 17, 2, 3, 5),
    "wide heads": (1, 13, 19, 1, 160, 160),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("machine", [AVX2, SSE2], ids=lambda machine: machine.name)
@pytest.mark.sampled(4)
def test_any_shape(lab: Any, name: str, machine: Machine) -> None:
    scheduled = lab.assert_same_numbers(lab.lowered(attend, *operands(*SHAPES[name])), machine)
    assert {d.schedule for d in scheduled.report.decisions.values()} == {"attention"}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", ["whole tiles", "ragged everything", "many keys"])
@pytest.mark.sampled(3)
def test_keys_and_values_in_half(lab: Any, name: str, dtype: str) -> None:
    queries, *stored = operands(*SHAPES[name])
    stored = [(shape, dtype) for shape, _ in stored]
    mask = (queries[0][1], stored[0][0][1]), dtype
    scheduled = lab.assert_same_numbers(lab.lowered(attend, queries, *stored, mask))
    assert {d.schedule for d in scheduled.report.decisions.values()} == {"attention"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "shape",
    [(2, 3, 7, 9), (2, 1, 7, 9), (1, 3, 1, 9), (2, 1, 1, 9), (7, 9), (9,), (1, 1, 7, 1), ()],
)
def test_any_mask(lab: Any, shape: Any) -> None:
    lab.assert_same_numbers(lab.lowered(attend, *operands(2, 7, 9, 3, 16, 16), f32(*shape)))


@pytest.mark.parametrize("shape", [(2, 3, 7, 9), (2, 1, 7, 1), (7, 1)])
def test_zeros_in_place_of_weights(lab: Any, shape: tuple[int, ...]) -> None:
    def zero_where(q: Any, k: Any, v: Any, where: Any) -> Any:
        return attend(q, k, v, zero_where=where)

    def masked(q: Any, k: Any, v: Any, mask: Any, where: Any) -> Any:
        return attend(q, k, v, mask, where)

    given, where = operands(2, 7, 9, 3, 16, 16), (shape, "bool")
    lab.assert_same_numbers(lab.lowered(zero_where, *given, where))
    lab.assert_same_numbers(lab.lowered(masked, *given, f32(7, 9), where))


def test_one_kernel_serves_every_length(lab: Any) -> None:
    module = lab.lowered(attend, *operands(B, S, T, 2, 16, 16), f32(B, 1, S, T))
    lengths = [(1, 1), (1, 40), (2, 2), (7, 7), (31, 31), (64, 64), (65, 129)]
    each = [{"B": b, "S": s, "T": t} for b in (1, 2) for s, t in lengths]
    lab.assert_same_numbers(module, each=each)


@pytest.mark.parametrize("threads", [False, True], ids=["serial", "parallel"])
def test_in_threads_and_not(lab: Any, monkeypatch: pytest.MonkeyPatch, threads: bool) -> None:
    lab.tune(monkeypatch, parallel_operations=0 if threads else 1 << 60)
    lab.assert_same_numbers(lab.lowered(attend, *operands(3, 20, 30, 2, 16, 16)))


ORDERS = {
    "as they are": ("bshd", "bshd", "bshd"),
    "heads first": ("bhsd", "bhsd", "bhsd"),
    "transposed keys": ("bhsd", "bhds", "hbds"),
    "packed": ("bs0hd", "bs1hd", "bs2hd"),
    "packed heads": ("bsh0d", "1bshd", "bshd2"),
}


@pytest.mark.parametrize("name", ORDERS)
def test_any_order(lab: Any, name: str) -> None:
    sizes: dict[str, Any] = {"b": 2, "h": 3, "d": 8, **dict.fromkeys("012", 3)}

    def shape(axes: Any, length: Any) -> Any:
        return f32(*({**sizes, "s": length}[a] for a in axes))

    given = [shape(axes, n) for axes, n in zip(ORDERS[name], (10, 21, 21), strict=True)]
    said: dict[str, Any] = dict(zip(("q_axes", "k_axes", "v_axes"), ORDERS[name], strict=True))
    lab.assert_same_numbers(lab.lowered(lambda *a: attend(*a, **said), *given))


GROUPS = {
    "three share": (6, 2, 2),
    "all share": (6, 1, 1),
    "keys alone": (6, 2, 6),
    "keys in twos, values in threes": (12, 6, 4),
}


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("keys", [21, 700])
def test_heads_that_share_keys(lab: Any, name: str, keys: int) -> None:
    of_q, of_k, of_v = GROUPS[name]
    given = f32(2, 10, of_q, 8), f32(2, keys, of_k, 8), f32(2, keys, of_v, 8)
    lab.assert_same_numbers(lab.lowered(attend, *given))


@pytest.mark.parametrize("lengths", [(64, 64), (S, T)], ids=["fixed", "any"])
@pytest.mark.parametrize(
    ("heads", "packed"),
    [
        ((32, 32, 32), 32),
        ((32, 8, 8), 8),
        ((32, 4, 4), 8),
        ((32, 1, 1), 8),
        ((32, 8, 32), 32),
        ((4, 1, 1), 4),
    ],
    ids=str,
)
def test_shared_keys_are_packed_once(
    lab: Any, heads: tuple[int, ...], packed: int, lengths: Any
) -> None:
    """As long as threads have enough to do."""
    (s, t), (of_q, of_k, of_v) = lengths, heads
    module = lab.lowered(attend, f32(1, s, of_q, 64), f32(1, t, of_k, 64), f32(1, t, of_v, 64))
    (function,) = lab.kernels(schedule(module, AVX2.target).module).values()
    assert re.findall(r"= piece \* T.int64\((\d+)\)", function.script()) == [str(packed)]


def reference(q: Any, k: Any, v: Any, mask: Any, *, zero_masked_rows: Any) -> Any:
    """Compute in float64, with numpy."""
    scores = np.einsum("bihc,bjhc->bhij", q.astype("float64"), k) * 0.25 + mask
    with np.errstate(invalid="ignore"):
        exps = np.exp(scores - scores.max(-1, keepdims=True))
        weights = exps / exps.sum(-1, keepdims=True)
        if zero_masked_rows:
            weights = np.where(np.isnan(weights), 0, weights)
        return np.einsum("bhij,bjhd->bihd", weights, v)


def computed(lab: Any, *arrays: Any, **options: Any) -> Any:
    module = lab.lowered(lambda *a: attend(*a, **options), *(f32(*a.shape) for a in arrays))
    (function,) = lab.kernels(schedule(module, AVX2.target).module).values()
    run = lab.runnable(function)
    tensors = [tvm.runtime.tensor(a) for a in arrays]
    (b, s, h, _), (*_, e) = arrays[0].shape, arrays[2].shape
    out = tvm.runtime.tensor(np.empty((b, s, h, e), "float32"))
    run(*tensors, out)
    return out.numpy()


PLACES: dict[str, Callable[..., None]] = {
    "none": lambda q, k, v, mask: None,
    "query": lambda q, k, v, mask: q.put(5, np.nan),
    "key": lambda q, k, v, mask: k.put(130, np.nan),
    "value": lambda q, k, v, mask: v.put(130, np.nan),
    "empty row": lambda q, k, v, mask: mask.put(range(20, 40), -np.inf),
    "infinite value": lambda q, k, v, mask: v.put(-1, np.inf),
    "infinite query": lambda q, k, v, mask: q.put(-1, np.inf),
}


@pytest.mark.parametrize("zero_masked_rows", [False, True])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_nan_and_infinities(lab: Any, place: str, zero_masked_rows: bool) -> None:
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((1, n, 2, 16), "float32") for n in (9, 20, 20))
    mask = np.where(rng.random((1, 1, 9, 20)) < 0.3, -np.inf, 0).astype("float32")
    mask[..., 0] = 0
    PLACES[place](q, k, v, mask)
    expected = reference(q, k, v, mask, zero_masked_rows=zero_masked_rows)
    found = computed(lab, q, k, v, mask, zero_masked_rows=zero_masked_rows)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_long_rows_are_shifted_by_their_peak(lab: Any) -> None:
    """Scores of some hundred would overflow without it."""
    rng = np.random.default_rng(1)
    q, k, v = (30 * rng.standard_normal((1, n, 1, 32), "float32") for n in (5, 300, 300))
    expected = reference(q, k, v, np.float32(0), zero_masked_rows=False)
    np.testing.assert_allclose(computed(lab, q, k, v), expected, rtol=1e-3, atol=1e-3)


def test_scores_are_never_stored_as_a_whole(lab: Any) -> None:
    module = lab.lowered(attend, *operands(1, 2048, 2048, 2, 64, 64))
    (function,) = lab.kernels(schedule(module, AVX2.target).module).values()
    sizes = [int(n) for n in re.findall(r"alloc_buffer\(\(T.int64\((\d+)\),\)", function.script())]
    assert sizes
    assert max(sizes) <= 2048 * 64, "a head's keys or values"


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
def test_products_stay_in_registers(lab: Any, machine: Machine) -> None:
    module = lab.lowered(attend, *operands(1, 96, 96, 2, 64, 64))
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    code = lab.assembly(function, machine)
    assert "expf" not in code
    blocks = re.split(r"^[.\w]+:|^\tj\w+.*$", code, flags=re.MULTILINE)
    # The shift is exp's: its polynomial is no product.
    products = [b for b in blocks if b.count("vfmadd") >= 10 and "vpslld" not in b]
    assert len(products) >= 2
    assert not any("rsp" in block for block in products), "a spill"


def test_declines_what_is_no_attention(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(lambda a: a + a, f32(3, 4))).values()
    found = attention_schedule(Subject(function, AVX2.target))
    assert found == Declined("it is no attention in float32")


@pytest.mark.parametrize(
    ("elements", "dtype", "reason"),
    [
        (8, "float16", "it rounds, or computes more than an attention"),
        (0, "float32", "it has nothing to add up"),
    ],
    ids=["half precision", "no elements"],
)
def test_declines(lab: Any, elements: int, dtype: str, reason: str) -> None:
    inputs = [(shape, dtype) for shape, _ in operands(1, 5, 7, 2, elements, 8)]
    (decision,) = schedule(lab.lowered(attend, *inputs), AVX2.target).report.decisions.values()
    assert decision.declined["attention"] == reason
