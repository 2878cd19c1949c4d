"""QuickGeluFusion: a product with a sigmoid of itself; with a factor inside, or without (silu)."""

from typing import Any

import numpy as np
import pytest
from graphs import ops
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check, compute

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize

fused = about("QuickGeluFusion")

ALPHA = np.float32(1.702)
QUICK = "a = Mul(x, c) s = Sigmoid(a) y = Mul(x, s)"
SILU = "s = Sigmoid(x) y = Mul(x, s)"


def gate(body: str = QUICK, x: str = "float[2,7] x", outputs: str = "float[] y") -> str:
    return f"({x}) => ({outputs}) {{{body}}}"


@cases(
    fused("as exporters write it", gate(), "quick_gelu", c=ALPHA),
    fused("all operands swapped", gate("a = Mul(c, x) s = Sigmoid(a) y = Mul(s, x)"), "quick_gelu", c=ALPHA),
    fused("a quotient", gate("a = Div(x, c) s = Sigmoid(a) y = Mul(x, s)"), "quick_gelu", c=np.float32(0.6)),
    fused("two factors", gate("b = Mul(x, c) a = Mul(b, d) s = Sigmoid(a) y = Mul(x, s)"), "quick_gelu", c=ALPHA,
        d=np.float32(2)),
    fused("any factor, of one axis", gate(), "quick_gelu", c=np.full(1, -0.3, "float32")),
    fused("a factor of 1", gate("b = Mul(x, c) a = Div(b, c) s = Sigmoid(a) y = Mul(x, s)"), "silu", c=np.float32(2)),
    fused("silu", gate(SILU), "silu"),
    fused("silu the other way round", gate("s = Sigmoid(x) y = Mul(s, x)"), "silu"),
    fused("symbolic shapes", gate(x="float[n,m] x"), "quick_gelu", c=ALPHA),
    fused("x that others read", gate(f"x = Exp(i) {QUICK} z = Relu(x)", "float[2,7] i", "float[] y, float[] z"),
        "exp quick_gelu relu", c=ALPHA),
    fused("half precision", gate(x="float16[2,7] x", outputs="float16[] y"), "quick_gelu", c=ALPHA.astype("float16"),
        tolerance=2e-3),
    fused("double precision", gate(x="double[2,7] x", outputs="double[] y"), "quick_gelu", c=np.float64(1.702)),
    fused("silu in half precision", gate(SILU, "float16[2,7] x", "float16[] y"), "silu", tolerance=2e-3),
    fused("silu in double precision", gate(SILU, "double[2,7] x", "double[] y"), "silu"),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


ALONE = "nobody else reads what is computed on the way"


@cases(
    *(fused(f"{name} is an output", gate(outputs=f"float[] y, float[] {name}"), None, ALONE, c=ALPHA) for name in "as"),
    *(fused(f"{name} is read again", gate(f"{QUICK} z = Relu({name})", outputs="float[] y, float[] z"),
            None, ALONE, c=ALPHA)
        for name in "as"),
    fused("the sigmoid of a sum", gate("a = Add(x, c) s = Sigmoid(a) y = Mul(x, s)"), "add sigmoid multiply",
        "the sigmoid is of x times a constant", c=ALPHA),
    fused("the sigmoid of a square", gate("a = Mul(x, x) s = Sigmoid(a) y = Mul(x, s)"), "multiply sigmoid multiply",
        "the sigmoid is of x times a constant"),
    fused("a factor of 0", gate(), None, "the constant is finite and not 0", c=np.float32(0)),
    fused("a factor that is infinite", gate(), None, "the constant is finite and not 0", c=np.float32(np.inf)),
    fused("a constant that adds an axis", gate(), None, "no constant adds an axis", c=np.full((1, 1, 1), ALPHA)),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(
    fused("the sigmoid of another tensor", gate(x="float[2,7] x, float[2,7] z").replace("Mul(x, c)", "Mul(z, c)"), None,
        fires=False, c=ALPHA),
    fused("a factor that is fed", gate(x="float[2,7] x, float[1] c"), None, fires=False),
    fused("a factor for each column", gate(), None, fires=False, c=np.full(7, ALPHA)),
    fused("the quotient the other way round", gate("a = Div(c, x) s = Sigmoid(a) y = Mul(x, s)"), None, fires=False,
        c=ALPHA),
    fused("a high power", gate("a = Mul(x, x) b = Mul(a, a) s = Sigmoid(b) y = Mul(x, s)"),
        "multiply multiply sigmoid multiply", fires=False),
    fused("a quotient by the sigmoid", gate("s = Sigmoid(x) y = Div(x, s)"), "sigmoid divide", fires=False),
)  # fmt: skip
def test_ignores(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    ("disabled", "kernels"),
    [((), 1), (["QuickGeluFusion"], 3), (["FuseOps"], 1), (["QuickGeluFusion", "FuseOps"], 3)],
)
def test_kernels_of_a_quick_gelu_alone(disabled: Any, kernels: int) -> None:
    """Disabled by name, it leaves three kernels: the product, the sigmoid and what reads it."""
    module = import_model(fused("", gate(), None, c=ALPHA).model()).module
    calls = kernel_calls(optimize(module, Selection.of("extended", disabled)).kernels)
    assert len(calls) == kernels
    assert len({n for _, nodes in calls for n in nodes}) == 3


@pytest.mark.parametrize("dtype", ["float", "float16"])
@pytest.mark.parametrize(("body", "operator"), [(QUICK, "quick_gelu"), (SILU, "silu")])
def test_ends_the_product_before_it(body: Any, operator: str, dtype: str) -> None:
    kind = "float32" if dtype == "float" else dtype
    constants = {"c": ALPHA.astype(kind)} if body is QUICK else {}
    text = gate(
        f"m = MatMul(i, w) x = Add(m, b) {body}",
        f"{dtype}[2,5] i, {dtype}[5,7] w, {dtype}[7] b",
        f"{dtype}[] y",
    )
    optimized = optimize(
        import_model(fused("", text, None, **constants).model()).module, Selection.of("extended")
    )
    assert ops(optimized.operators) == ["gemm", operator]
    assert len(kernel_calls(optimized.kernels)) == 1


CONV = "Conv<pads=[1,1,1,1]>"


def test_runs_on_blocks_of_channels() -> None:
    body = f"x = {CONV}(i, w) {QUICK.replace('y =', 'r =')} y = {CONV}(r, v)"
    case = fused(
        "", gate(body, "float[1,16,12,11] i"), None, c=ALPHA, w=(32, 16, 3, 3), v=(16, 32, 3, 3)
    )
    optimized = optimize(import_model(case.model()).module, Selection.of("all", ["WinogradConv"]))
    found = ops(optimized.operators)
    assert found == ["to_blocked", "conv_blocked", "quick_gelu", "conv_blocked", "from_blocked"]


EDGES = np.array(
    [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-40, 1e30, -1e30, 3e38, -3e38, -6, 6, -90, 5e-5],
    "float32",
)


@pytest.mark.parametrize(("body", "constants"), [(QUICK, {"c": ALPHA}), (SILU, {})])
def test_nan_infinities_and_the_ends_of_the_range(body: Any, constants: Any) -> None:
    model = fused("", gate(body, "float[15] x"), None, **constants).model()
    imported = import_model(model)
    optimized = optimize(imported.module, Selection.of("extended"))
    with np.errstate(all="ignore"):
        assert_agrees(compute(imported, optimized, {"x": EDGES}), reference(model, {"x": EDGES}))
