"""GeluFusion: the exact gelu, however erf, x and the constants are put together."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from graphs import graph, ops, run, tensor
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check, compute
from tvm import relax
from tvm.relax.op import add, divide, erf, multiply

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ir.types import constant
from tvmfuse.passes.extended.gelu_fusion import GeluFusion
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.testing import assert_rewrites

pytestmark = pytest.mark.sampled(5)

fused = about("GeluFusion")
RULE = GeluFusion()

ROOT, ONE, HALF, TWO = (np.array(c, "float32") for c in (math.sqrt(2), 1, 0.5, 2))
CONSTANTS: dict[str, Any] = {"k": ROOT, "one": ONE, "half": HALF}
DIVIDED = "a = Div(x, k) e = Erf(a) s = Add(e, one)"
BEFORE = f"{DIVIDED} h = Mul(x, half) y = Mul(h, s)"
AFTER = f"{DIVIDED} p = Mul(x, s) y = Mul(p, half)"


def gelu(body: str = AFTER, x: str = "float[2,7] x", outputs: str = "float[] y") -> str:
    return f"({x}) => ({outputs}) {{{body}}}"


@cases(
    fused("halved last", gelu(AFTER), "gelu", **CONSTANTS),
    fused("x halved", gelu(BEFORE), "gelu", **CONSTANTS),
    fused("the weight halved", gelu(f"{DIVIDED} h = Mul(s, half) y = Mul(x, h)"), "gelu", **CONSTANTS),
    fused("divided by 2", gelu(f"{DIVIDED} p = Mul(x, s) y = Div(p, two)"), "gelu", k=ROOT, one=ONE, two=TWO),
    fused("x divided by 2", gelu(f"{DIVIDED} h = Div(x, two) y = Mul(h, s)"), "gelu", k=ROOT, one=ONE, two=TWO),
    fused("a product inside of erf", gelu(AFTER.replace("Div(x, k)", "Mul(x, k)")), "gelu",
        **CONSTANTS | {"k": np.float32(math.sqrt(0.5))}),
    fused("a product the other way round", gelu(AFTER.replace("Div(x, k)", "Mul(k, x)")), "gelu",
        **CONSTANTS | {"k": np.float32(math.sqrt(0.5))}),
    fused("the root as some exporters round it", gelu(AFTER), "gelu",
        **CONSTANTS | {"k": np.float32(1.4142099618911743)}),
    fused("constants of one axis", gelu(AFTER), "gelu", k=ROOT[None], one=ONE[None], half=HALF[None]),
    fused("symbolic shapes", gelu(BEFORE, "float[n,m] x"), "gelu", **CONSTANTS),
    fused("x that others read", gelu(f"x = Exp(i) {AFTER} z = Relu(x)", "float[2,7] i", "float[] y, float[] z"),
        "exp gelu relu", **CONSTANTS),
    fused("what stands before and after",
        gelu(f"x = Mul(i, half) {DIVIDED} h = Mul(x, half) r = Mul(h, s) y = Mul(r, half)", "float[2,7] i"),
        "multiply gelu multiply", **CONSTANTS),
    fused("half precision", gelu(BEFORE, "float16[2,7] x", "float16[] y"), "gelu",
        **{n: c.astype("float16") for n, c in CONSTANTS.items()}, tolerance=2e-3),
    fused("opset 20", "(float[2,7] x) => (float[] y) {y = Gelu(x)}", "gelu", fires=False, opset=20),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


GROUPS = {
    "x (h s)": ("p = Mul({half}, {s})", "y = Mul({x}, {p})"),
    "h (x s)": ("p = Mul({x}, {s})", "y = Mul({half}, {p})"),
    "s (x h)": ("p = Mul({x}, {half})", "y = Mul({s}, {p})"),
}
SWAPS = list(itertools.product([False, True], repeat=3))


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("swaps", SWAPS, ids=str)
def test_every_order_of_operands(group: str, swaps: tuple[bool, bool, bool]) -> None:
    def order(text: str, swap: bool) -> str:
        left, right = text.split("(")[1].rstrip(")").split(", ")
        return text.replace(f"({left}, {right})", f"({right}, {left})") if swap else text

    steps = [s.format(x="x", s="s", half="half", p="p") for s in GROUPS[group]]
    body = [
        "a = Div(x, k) e = Erf(a)",
        *(order(s, w) for s, w in zip(["s = Add(e, one)", *steps], swaps, strict=True)),
    ]
    check(fused(group, gelu(" ".join(body)), "gelu", **CONSTANTS))


ALONE = "nobody else reads what is computed on the way"
INSIDE = "it is the erf of x / sqrt(2)"


@cases(
    *(fused(f"{name} is an output", gelu(AFTER, outputs=f"float[] y, float[] {name}"), None, ALONE, **CONSTANTS)
      for name in "aesp"),
    *(fused(f"{name} is read again", gelu(f"{AFTER} z = Relu({name})", outputs="float[] y, float[] z"),
            None, ALONE, **CONSTANTS)
        for name in "aesp"),
    fused("x halved is an output", gelu(BEFORE, outputs="float[] y, float[] h"), None, ALONE, **CONSTANTS),
    fused("the quotient the other way round", gelu(AFTER.replace("Div(x, k)", "Div(k, x)")), None, INSIDE, **CONSTANTS),
    fused("another root", gelu(AFTER), None, INSIDE, **CONSTANTS | {"k": np.float32(1.4143)}),
    fused("the erf of x", gelu(AFTER.replace("Erf(a)", "Erf(x)")), None, INSIDE, **CONSTANTS),
    fused("the erf of another tensor", gelu(AFTER.replace("Div(x, k)", "Div(z, k)"), "float[2,7] x, float[2,7] z"),
        None, INSIDE, **CONSTANTS),
    fused("a root for each column", gelu(AFTER), None, INSIDE, **CONSTANTS | {"k": np.full(7, ROOT)}),
    fused("a root that is fed", gelu(AFTER, "float[2,7] x, float[1] k"), None, INSIDE, one=ONE, half=HALF),
    fused("another one", gelu(AFTER), None, "1 is added to erf", **CONSTANTS | {"one": np.float32(1.001)}),
    fused("ones for each column", gelu(AFTER), None, "1 is added to erf", **CONSTANTS | {"one": np.ones(7, "float32")}),
    fused("another half", gelu(AFTER), None, "the product is halved", **CONSTANTS | {"half": np.float32(0.501)}),
    fused("doubled by mistake", gelu(f"{DIVIDED} p = Mul(x, s) y = Div(p, half)"), None, "the product is halved",
        **CONSTANTS),
    fused("a constant that adds an axis", gelu(AFTER), None, "no constant adds an axis",
        **CONSTANTS | {"half": np.full((1, 1, 1), 0.5, "float32")}),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(
    fused("a half that is fed", gelu(AFTER, "float[2,7] x, float[1] half"), None, fires=False, k=ROOT, one=ONE),
    fused("erf alone", gelu("y = Erf(x)"), "erf", fires=False),
    fused("1 - erf", gelu(AFTER.replace("Add(e, one)", "Sub(one, e)")), None, fires=False, **CONSTANTS),
)  # fmt: skip
def test_ignores(case: Case) -> None:
    check(case)


def test_the_operator_has_the_nodes_of_all() -> None:
    module = import_model(fused("", gelu(), "gelu", **CONSTANTS).model()).module
    optimized = optimize(module, Selection.of("extended"))
    ((_, nodes),) = kernel_calls(optimized.kernels)
    assert len(nodes) == 5


@pytest.mark.parametrize(
    ("disabled", "kernels"),
    [((), 1), (["GeluFusion"], 3), (["FuseOps"], 1), (["GeluFusion", "FuseOps"], 5)],
)
def test_kernels_of_a_gelu_alone(disabled: Any, kernels: int) -> None:
    """Disabled by name, it leaves three kernels: erf's argument, erf, and what reads erf."""
    module = import_model(fused("", gelu(), None, **CONSTANTS).model()).module
    optimized = optimize(module, Selection.of("extended", disabled))
    assert len(kernel_calls(optimized.kernels)) == kernels


@pytest.mark.parametrize(
    "body", [AFTER, BEFORE, "y = Gelu(x)"], ids=["after", "before", "opset 20"]
)
@pytest.mark.parametrize("dtype", ["float", "float16"])
def test_ends_the_product_before_it(body: Any, dtype: str) -> None:
    case = fused(
        "",
        gelu(f"m = MatMul(i, w) x = Add(m, b) {body}", f"{dtype}[2,5] i", f"{dtype}[] y"),
        None,
        opset=20,
    )
    kind = "float32" if dtype == "float" else dtype
    rng = np.random.default_rng(0)
    constants: dict[str, Any] = {
        "w": rng.standard_normal((5, 7)),
        "b": rng.standard_normal(7),
        **CONSTANTS,
    }
    case = fused(
        "", case.graph, None, opset=20, **{n: np.asarray(c, kind) for n, c in constants.items()}
    )
    optimized = optimize(import_model(case.model()).module, Selection.of("extended"))
    assert ops(optimized.operators) == ["gemm", "gelu"]
    assert len(kernel_calls(optimized.kernels)) == 1


EDGES = np.array(
    [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-40, 1e30, -1e30, 1e38, -1e38, -6, 6, -13, 5e-5],
    "float32",
)


@pytest.mark.parametrize(
    "body", [AFTER, BEFORE, "y = Gelu(x)"], ids=["after", "before", "opset 20"]
)
def test_nan_infinities_and_the_ends_of_the_range(body: Any) -> None:
    constants = {
        n: c
        for n, c in CONSTANTS.items()
        if n in body.replace("(", " ").replace(")", " ").replace(",", " ").split()
    }
    model = fused("", gelu(body, "float[15] x"), None, opset=20, **constants).model()
    imported = import_model(model)
    optimized = optimize(imported.module, Selection.of("extended"))
    with np.errstate(all="ignore"):
        assert_agrees(compute(imported, optimized, {"x": EDGES}), reference(model, {"x": EDGES}))


def test_is_finite_where_only_its_double_overflows() -> None:
    module = import_model(fused("", gelu(x="float[1] x"), None, **CONSTANTS).model()).module
    x = np.array([3e38], "float32")
    np.testing.assert_array_equal(run(RULE(module), x), [x])


def test_double_precision() -> None:
    """onnxruntime has no erf of it."""

    def number(value: float) -> Any:
        return constant(np.array(value))

    def before(x: Any, emit: Any) -> Any:
        weight = add(number(1.0), erf(divide(x, number(math.sqrt(2)))))
        return multiply(number(0.5), multiply(x, weight))

    x = tensor(2, 7, dtype="float64")
    assert_rewrites(RULE, graph(before, x), graph(lambda x, _: relax.op.nn.gelu(x), x), rtol=1e-12)
    numbers = np.linspace(-6, 6, 14).reshape(2, 7)
    expected = [v * 0.5 * (1 + math.erf(v * math.sqrt(0.5))) for v in numbers.ravel()]
    (found,) = run(RULE(graph(before, x)), numbers)
    np.testing.assert_allclose(found.ravel(), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("exporter", "written_out"), [("classic", 2), ("dynamo", 0)])
@pytest.mark.parametrize("name", ["bert", "vit"])
def test_every_layer_has_a_gelu(exported: Any, name: str, exporter: str, written_out: int) -> None:
    """Each of two ends a product with it; the dynamo exporter writes one node."""
    imported = import_model(exported(name, exporter))
    optimized = optimize(imported.module, Selection.of("extended"))
    fired = {n: optimized.report[n].fired for n in ("GeluFusion", "BiasGeluFusion")}
    assert fired == {"GeluFusion": written_out, "BiasGeluFusion": 0}
    assert ops(optimized.operators).count("gelu") == 2
    with_gelu = [name for name, _ in kernel_calls(optimized.kernels) if "gelu" in name]
    assert [name.startswith("fused_gemm") for name in with_gelu] == [True, True]
