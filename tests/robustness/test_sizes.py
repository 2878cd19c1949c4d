"""Sizes that a model with symbolic dimensions cannot take: refused in words before anything runs.

Nothing is read out of bounds, and no number is wrong: each case is fed what fits, compared with
onnxruntime, and what does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper, parser
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError, ModelError, SizesError

Shapes = Mapping[str, tuple[int, ...]]
RNG = np.random.default_rng(0)


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, dtype="float32")


@dataclass(frozen=True)
class Case:
    graph: str
    fits: Sequence[Shapes]
    wrong: Sequence[tuple[Shapes, str]] = ()
    constants: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.graph.partition("{")[2].strip("} ").replace(" ", ";")


def model_of(graph: str, constants: Mapping[str, np.ndarray]) -> onnx.ModelProto:
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {graph}')
    model.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in constants.items())
    return model


def fed(model: onnx.ModelProto, shapes: Shapes) -> dict[str, np.ndarray]:
    """Return inputs of these shapes; integers are 0 or 1, so that they are indices, too."""
    feeds = {}
    for given in model.graph.input:
        dtype = onnx.helper.tensor_dtype_to_np_dtype(given.type.tensor_type.elem_type)
        feeds[given.name] = np.asarray(RNG.integers(0, 2, shapes[given.name])).astype(dtype)
        if dtype == np.float32:
            feeds[given.name] = floats(*shapes[given.name])
    return feeds


FIRST = {"z": np.array([0]), "o": np.array([1])}
ONE_ROW = "a = Slice(x, z, o, z)"
NO_ROWS = r"only sizes with min\(1, N\) == 1, of '\w+'; here that is 0 == 1"
BROADCAST = r"M == N, of '\w+' \(a size of 1 is broadcast where dims= fixes it\); here"

MEETING = [
    # The first row, and all rows.
    Case(
        f"(float[N, 4, 4] x) => (float[] y) {{ {ONE_ROW} y = MatMul(x, a) }}",
        [{"x": (5, 4, 4)}, {"x": (1, 4, 4)}],
        [({"x": (0, 4, 4)}, NO_ROWS)],
        FIRST,
    ),
    Case(
        f"(float[N, 4] x) => (float[] y) {{ {ONE_ROW} s = Shape(x) y = Expand(a, s) }}",
        [{"x": (5, 4)}, {"x": (1, 4)}],
        [({"x": (0, 4)}, NO_ROWS)],
        FIRST,
    ),
    *(
        Case(
            f"(float[N, 4] x) => (float[] y) {{ {ONE_ROW} b = {op}(x, a) y = Relu(b) }}",
            [{"x": (5, 4)}, {"x": (1, 4)}],
            [({"x": (0, 4)}, NO_ROWS)],
            FIRST,
        )
        for op in ("Add", "Sub", "Max")
    ),
    Case(
        f"(float[N, 4] x) => (float[] y) {{ {ONE_ROW} y = Add(c, a) }}",
        [{"x": (5, 4)}, {"x": (1, 4)}],
        constants=FIRST | {"c": floats(3, 4)},
    ),
    Case(
        f"(float[N, 4] x) => (float[] y) {{ {ONE_ROW} y = Add(x, a) }}",
        [{"x": (5, 4)}, {"x": (64, 4)}, {"x": (0, 4)}],
        [({"x": (65, 4)}, r"min\(64, N\) == N")],
        {"z": np.array([0]), "o": np.array([64])},
    ),
    Case(
        "(float[N, 4] x) => (float[] y) { y = Add(x, c) }",
        [{"x": (5, 4)}],
        [({"x": (1, 4)}, "N == 5"), ({"x": (2, 4)}, "N == 5")],
        {"c": floats(5, 4)},
    ),
    # Two symbols.
    *(
        Case(
            f"(float[N, 4] x, float[M, 4] w) => (float[] y) {{ {body} }}",
            [{"x": (5, 4), "w": (5, 4)}, {"x": (1, 4), "w": (1, 4)}],
            [({"x": (5, 4), "w": (n, 4)}, BROADCAST) for n in (1, 3)],
        )
        for body in (
            "a = Add(x, w) y = Relu(a)",
            "a = Add(x, w) b = Add(a, x) y = Relu(b)",
            "y = Max(x, w, x)",
            "b = Less(x, w) y = Where(b, x, w)",
        )
    ),
    Case(
        "(float[N, 4] x, float[M, 4] w) => (float[] y) { s = Shape(w) y = Expand(x, s) }",
        [{"x": (5, 4), "w": (5, 4)}],
        [({"x": (1, 4), "w": (5, 4)}, r"N == M, of 'Expand_1' \(a size of 1")],
    ),
    Case(
        "(float[N, 3] x, float[L, 4] c) => (float[] y) { y = Gemm(x, w, c) }",
        [{"x": (5, 3), "c": (5, 4)}],
        [({"x": (5, 3), "c": (1, 4)}, "L == N")],
        {"w": floats(3, 4)},
    ),
    Case(
        "(float[N, 3, 4] x, float[M, 4, 3] w) => (float[] y) { y = MatMul(x, w) }",
        [{"x": (5, 3, 4), "w": (5, 4, 3)}],
        [({"x": (5, 3, 4), "w": (1, 4, 3)}, BROADCAST)],
    ),
]

DEMANDED = [
    Case(
        "(float[N, C, H, W] x) => (float[] y) { y = Conv(x, w) }",
        [{"x": (2, 3, 5, 5)}],
        [({"x": (2, 1, 5, 5)}, "C == 3, of 'Conv_0'; here that is 1 == 3")],
        {"w": floats(4, 3, 3, 3)},
    ),
    Case(
        "(float[N, C, H, W] x) => (float[] y) { y = ConvTranspose(x, w) }",
        [{"x": (2, 3, 5, 5)}],
        [({"x": (2, 4, 5, 5)}, "C == 3")],
        {"w": floats(3, 2, 2, 2)},
    ),
    *(
        Case(
            "(float[N, 4] x) => (float[] y) { y = Reshape(x, s) }",
            [{"x": fits}],
            [({"x": (2, 4)}, words)],
            {"s": np.array(shape)},
        )
        for shape, fits, words in (
            ([1, 4], (1, 4), r"N\*4 == 4"),
            ([4, 4], (4, 4), r"N\*4 == 16"),
            ([-1, 3], (3, 4), r"N\*4 == N\*4//3\*3"),
        )
    ),
    Case(
        "(float[N, K] x) => (float[] y) { y = Reshape(x, s) }",
        [{"x": (4, 2)}, {"x": (1, 6)}],
        [({"x": (4, 3)}, "here that is 12 == 8"), ({"x": (0, 4)}, r"N == max\(N, 1\)")],
        {"s": np.array([0, -1, 2])},
    ),
    *(
        Case(
            f"(float[N, K] x) => (float[] y) {{ y = {op}(x, w) }}",
            [{"x": (2, 3)}, {"x": (0, 3)}],
            [({"x": (2, 40)}, f"K == 3, of '{op}_0'"), ({"x": (2, 1)}, "K == 3")],
            {"w": floats(3, 4)},
        )
        for op in ("MatMul", "Gemm")
    ),
    Case(
        '(float[N, K] x, float[J, M] w) => (float[] y) { y = Einsum<equation="ij,jk->ik">(x, w) }',
        [{"x": (4, 3), "w": (3, 2)}],
        [({"x": (4, 3), "w": (4, 2)}, "J == K")],
    ),
    Case(
        "(float[N, 4] x) => (float[] y, float[] u) { y, u = Split<axis = 0>(x, s) }",
        [{"x": (5, 4)}],
        [({"x": (2, 4)}, "N == 5"), ({"x": (6, 4)}, "N == 5")],
        {"s": np.array([2, 3])},
    ),
    Case(
        "(float[N, K] x) => (float[] y) { y = LayerNormalization(x, s) }",
        [{"x": (2, 4)}],
        [({"x": (2, 6)}, "K == 4")],
        {"s": floats(4)},
    ),
    Case(
        "(float[N, C, H, W] x) => (float[] y) { y = DepthToSpace<blocksize = 2>(x) }",
        [{"x": (1, 8, 2, 2)}],
        [({"x": (1, 6, 2, 2)}, "C == C//4\\*4")],
    ),
    Case(
        "(float[N, C, H, W] x) => (float[] y) { y = SpaceToDepth<blocksize = 2>(x) }",
        [{"x": (1, 3, 4, 2)}],
        [({"x": (1, 3, 3, 2)}, "H == H//2\\*2")],
    ),
    Case(
        "(float[N, S] x) => (float[] y) { y = Squeeze(x, z) }",
        [{"x": (1, 4)}],
        [({"x": (2, 4)}, "N == 1")],
        FIRST,
    ),
    *(
        Case(
            f"(float[N, K] x) => (float[] y) {{ y = Gather(x, {index}) }}",
            [{"x": (3, 4)}, {"x": (5, 4)}],
            [({"x": (2, 4)}, r"N == max\(N, 3\), of 'Gather_0'")],
            {"last": np.array([0, 2]), "first": np.array([-3])},
        )
        for index in ("last", "first")
    ),
    Case(
        "(float[N, K] x) => (int64[] y) { y = ArgMax(x) }",
        [{"x": (3, 4)}, {"x": (1, 4)}],
        [({"x": (0, 4)}, r"N == max\(N, 1\)")],
    ),
    Case(
        "(float[N, K] x, int64[A, B] i) => (float[] y) { y = GatherElements<axis = 1>(x, i) }",
        [{"x": (4, 3), "i": (4, 5)}, {"x": (4, 3), "i": (2, 1)}],
        [({"x": (4, 3), "i": (5, 5)}, r"A == min\(A, N\)")],
    ),
    Case(
        "(float[N, K] x, int64[A, 1] i, float[C, D] u) => (float[] y) { y = ScatterND(x, i, u) }",
        [{"x": (4, 3), "i": (1, 1), "u": (1, 3)}],
        [
            ({"x": (4, 3), "i": (2, 1), "u": (1, 3)}, "C == A"),
            ({"x": (4, 3), "i": (2, 1), "u": (2, 2)}, "D == K"),
        ],
    ),
    *(
        Case(
            f"(float[N, C, H, W] x) => (float[] y) {{ {body} }}",
            [{"x": (2, 3, 5, 5)}, {"x": (1, 3, 1, 2)}],
            [({"x": (2, 1, 5, 5)}, "C == 3")],
            {"s": np.abs(floats(3)) + 1},
        )
        for body in (
            "y = BatchNormalization(x, s, s, s, s)",
            "y = InstanceNormalization(x, s, s)",
            "t = Transpose<perm = [0, 1, 3, 2]>(x) y = BatchNormalization(t, s, s, s, s)",
        )
    ),
]


@pytest.mark.parametrize(
    ("case", "level"),
    # What an operator demands is said as it is imported, which knows no levels.
    [*((case, level) for case in MEETING for level in ("none", "all")),
     *((case, "all") for case in DEMANDED)],
    ids=str,
)  # fmt: skip
@pytest.mark.sampled(3)
def test_what_fits_is_right_and_what_does_not_is_refused(case: Case, level: str) -> None:
    model = model_of(case.graph, case.constants)
    run = tvmfuse.compile(model, level=level).load()
    for shapes in case.fits:
        feeds = fed(model, shapes)
        assert_agrees(run(feeds), reference(model, feeds))
    for shapes, words in case.wrong:
        with pytest.raises(InputError, match=words):
            run(fed(model, shapes))


ADVICE = re.compile(
    r"here that is \d+ == \d+: compile with dims=\{'(\w+)': 1\}, in a session's options "
    r"add_free_dimension_override_by_name\('\1', 1\)$"
)
ROWS = [(1, 5), (5, 1), (1, 0), (0, 1)]


@pytest.mark.parametrize(
    ("body", "x", "w", "rows"),
    [
        ("y = Add(x, w)", (4,), (4,), ROWS),
        ("a = Exp(x) b = Sub(a, w) c = Mul(b, a) y = Relu(c)", (4,), (1,), ROWS),
        ("b = Less(x, w) y = Where(b, w, x)", (4,), (4,), ROWS[:2]),
        ("y = MatMul(x, w)", (3, 4), (4, 2), ROWS[:2]),
        ("s = Shape(w) y = Expand(x, s)", (4,), (4,), ROWS[:2]),
        ("a = Concat<axis = 0>(x, x) y = Add(a, w)", (4,), (4,), [(3, 1)]),
    ],
)
def test_the_error_says_how_a_dimension_of_one_is_broadcast(
    body: str, x: Sequence[int], w: Sequence[int], rows: Sequence[tuple[int, int]]
) -> None:
    """What is compiled then broadcasts, for all sizes of the other dimension."""
    listed = (", ".join(map(str, shape)) for shape in (x, w))
    graph = "(float[N, {}] x, float[M, {}] w) => (float[] y)".format(*listed) + f"{{ {body} }}"
    model = model_of(graph, {})
    run = tvmfuse.compile(model).load()
    for n, m in rows:
        feeds = fed(model, {"x": (n, *x), "w": (m, *w)})
        feeds["x"].flat[:2] = [np.nan, np.inf][: feeds["x"].size]
        with pytest.raises(SizesError, match="input 'w': ") as error:
            run(feeds)
        name = advised(error.value)
        assert name == ("N" if n == 1 else "M")
        fixed = tvmfuse.compile(model, dims={name: 1}).load()
        assert_agrees(fixed(feeds), reference(model, feeds))
    with pytest.raises(SizesError, match=r"here that is \d+ == \d+$"):
        run(fed(model, {"x": (2, *x), "w": (3, *w)}))


def test_each_error_says_one_more_dimension_to_fix() -> None:
    graph = "(float[N] x, float[M] w, float[K] u) => (float[] y) { a = Add(x, w) y = Mul(a, u) }"
    model = model_of(graph, {})
    dims: dict[str, int] = {}
    feeds = fed(model, {"x": (1,), "w": (5,), "u": (1,)})
    for name in ("N", "K"):
        with pytest.raises(SizesError) as error:
            tvmfuse.compile(model, dims=dims).load()(feeds)
        assert advised(error.value) == name
        dims[name] = 1
    assert_agrees(tvmfuse.compile(model, dims=dims).load()(feeds), reference(model, feeds))


def test_a_session_s_options_broadcast_a_dimension_of_one() -> None:
    model = model_of("(float[N, 4] x, float[M, 4] w) => (float[] y) { y = Add(x, w) }", {})
    options = tvmfuse.SessionOptions()
    feeds = fed(model, {"x": (1, 4), "w": (5, 4)})
    with pytest.raises(SizesError) as error:
        tvmfuse.InferenceSession(model.SerializeToString(), options).run(None, feeds)
    options.add_free_dimension_override_by_name(advised(error.value), 1)
    [found] = tvmfuse.InferenceSession(model.SerializeToString(), options).run(None, feeds)
    assert_agrees({"y": found}, reference(model, feeds))


def advised(error: SizesError) -> str:
    """Return the dimension that an error says to fix."""
    found = ADVICE.search(str(error).splitlines()[0])
    assert found, error
    return found[1]


def test_a_demand_survives_the_file(tmp_path: Path) -> None:
    model = model_of("(float[N, K] x) => (float[] y) { y = Gemm(x, w) }", {"w": floats(3, 4)})
    tvmfuse.compile(model, save_optimized=tmp_path / "a.graph").save(tmp_path / "a.so")
    again = tvmfuse.compile(tmp_path / "a.graph")
    for run in (tvmfuse.load(tmp_path / "a.so"), again.load()):
        with pytest.raises(InputError, match="K == 3, of 'Gemm_0'"):
            run(x=floats(2, 5))


def test_sizes_that_contradict_each_other_are_refused_at_once() -> None:
    graph = "(float[N, K] x) => (float[] y, float[] u) { y = Gemm(x, w) u = Gemm(x, v) }"
    model = model_of(graph, {"w": floats(3, 4), "v": floats(5, 4)})
    with pytest.raises(
        ModelError, match=r"node 'Gemm_1'\): the dimensions 3 and 5 have to be equal"
    ):
        tvmfuse.compile(model)


BRANCH = """(float[N, 4] x, float[M, 4] w, bool b) => (float[] y) {{
    y = If(b) <
        then_branch = then_graph () => (float[] p) {{ {body} p = Relu(q) }},
        else_branch = else_graph () => (float[] n) {{ n = Neg(x) }}
    >
}}"""


@pytest.mark.parametrize("level", ["none", "all"])
@pytest.mark.parametrize(
    ("body", "wrong"),
    [("q = Add(x, w)", [(5, 3), (5, 1)]), ("q = Reshape(x, s)", [(2, 2)])],
    ids=["two symbols", "a reshape"],
)
def test_a_branch_is_checked_where_it_is_taken(
    body: str, wrong: list[tuple[int, ...]], level: str
) -> None:
    model = model_of(BRANCH.format(body=body), {"s": np.array([5, 4])})
    run = tvmfuse.compile(model, level=level).load()
    for taken in (True, False):
        feeds = fed(model, {"x": (5, 4), "w": (5, 4), "b": ()}) | {"b": np.array(taken)}
        assert_agrees(run(feeds), reference(model, feeds))
    for n, m in wrong:
        feeds = fed(model, {"x": (n, 4), "w": (m, 4), "b": ()}) | {"b": np.array(False)}
        assert_agrees(run(feeds), reference(model, feeds))
        with pytest.raises(InputError, match="asks for a shape that it cannot have"):
            run(feeds | {"b": np.array(True)})


@pytest.mark.parametrize("level", ["none", "all"])
def test_sizes_that_show_as_the_model_runs_are_checked_then(level: str) -> None:
    graph = "(bool[A] x, float[B] w) => (float[] y) { a = NonZero(x) b = Cast<to = 1>(a) c = Add(b, w) y = Relu(c) }"
    model = model_of(graph, {})
    run = tvmfuse.compile(model, level=level).load()
    feeds = {"x": np.array([True, True, False]), "w": floats(2)}
    assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError, match="asks for a shape that it cannot have"):
        run(feeds | {"w": floats(3)})
