"""kept: one artifact for all parameters of a type; what else differs is another, or none."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graphs import graph, tensor
from tvm.ir import Expr
from tvm.relax import op

from tvmfuse.build.artifact import Artifact
from tvmfuse.build.kernels.cache import Entry, KernelCache
from tvmfuse.errors import LeftOutWarning, PassError
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.ir.live import parameter
from tvmfuse.ir.provenance import with_nodes
from tvmfuse.ir.types import constant
from tvmfuse.ops import conv
from tvmfuse.passes.basic.mat_mul_add_fusion import MatMulAddFusion
from tvmfuse.pipeline import kept
from tvmfuse.pipeline.compile import compile_model
from tvmfuse.pipeline.kept import compile_imported
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.tensor_spec import TensorSpec

X = np.linspace(-1, 1, 6 * 24, dtype="float32").reshape(6, 24)


def numbers(seed: int, rows: int = 64, dtype: str = "float32") -> np.ndarray:
    return np.random.default_rng(seed).random((rows, 24)).astype(dtype)


def linear(
    weight: np.ndarray,
    shift: float = 0.5,
    node: str = "linear",
    fixed: Callable[..., Expr] = constant,
) -> ImportedModel:
    """Return `x @ weight.T + shift`, whose weight is transposed, packed and followed."""
    rows, dtype = len(weight), weight.dtype.name

    def compute(x: Expr, emit: Callable[..., Expr]) -> Expr:
        turned = emit(op.permute_dims(parameter("w", weight)))
        product = emit(with_nodes(op.matmul(x, turned), [node]))
        return product + fixed(np.full(rows, shift, dtype))

    return ImportedModel(
        graph(compute, tensor(6, 24, dtype=dtype)),
        (TensorSpec("x", dtype, (6, 24)),),
        (TensorSpec("y", dtype, (6, rows)),),
        opset=18,
        nodes=3,
    )


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[ImportedModel]:
    """Return what is compiled, and not taken from the cache."""
    made: list[ImportedModel] = []

    def counted(model: ImportedModel, settings: CompileSettings) -> Artifact:
        made.append(model)
        return compile_model(model, settings)

    monkeypatch.setattr(kept, "compile_model", counted)
    return made


def settings(folder: Path | bool, **options: Any) -> CompileSettings:
    cache = folder if isinstance(folder, bool) else str(folder)
    return CompileSettings.of(cache=cache, strict=False, **options)


def result(artifact: Artifact, x: np.ndarray = X) -> np.ndarray:
    (found,) = artifact.load(num_threads=1).run(None, {"x": x})
    return found


def test_other_numbers_take_what_was_kept(tmp_path: Path, compiled: list[ImportedModel]) -> None:
    first = compile_imported(linear(numbers(0)), settings(tmp_path))
    second = compile_imported(linear(numbers(1)), settings(tmp_path))
    assert len(compiled) == 1
    np.testing.assert_allclose(result(second), X @ numbers(1).T + 0.5, rtol=1e-5)
    assert second.manifest == first.manifest
    assert second.report == first.report
    assert second.launches == first.launches
    assert (second.nbytes, repr(second)) == (first.nbytes, repr(first))
    assert second.report.fired()["PrepackWeights"] == 1


def test_what_was_kept_follows_its_parameters(
    tmp_path: Path, compiled: list[ImportedModel]
) -> None:
    compile_imported(linear(numbers(0)), settings(tmp_path))
    weight = numbers(1)
    artifact = compile_imported(linear(weight), settings(tmp_path))
    executable, live = artifact.load(num_threads=1), artifact.live_weights
    assert live is not None
    weight *= -3
    live.rebind({"w": weight})
    (found,) = executable.run(None, {"x": X})
    np.testing.assert_allclose(found, X @ weight.T + 0.5, rtol=1e-5)
    artifact.save(tmp_path / "model.so")
    assert len(compiled) == 1


OTHERS: dict[str, tuple[Callable[[], ImportedModel], dict[str, Any]]] = {
    "shape": (lambda: linear(numbers(0, rows=128)), {}),
    "dtype": (lambda: linear(numbers(0, dtype="float64")), {}),
    "a number": (lambda: linear(numbers(0), shift=0.25), {}),
    "a number that follows": (lambda: linear(numbers(0), fixed=lambda b: parameter("b", b)), {}),
    "a node's name": (lambda: linear(numbers(0), node="another"), {}),
    "target": (lambda: linear(numbers(0)), {"target": "avx512"}),
    "level": (lambda: linear(numbers(0)), {"level": "basic"}),
    "pass": (lambda: linear(numbers(0)), {"disabled_pass": "PrepackWeights"}),
    "step": (lambda: linear(numbers(0)), {"disabled_step": "Prefetch"}),
}


@pytest.mark.parametrize("other", OTHERS)
def test_what_else_differs_is_another_artifact(
    tmp_path: Path, compiled: list[ImportedModel], other: str
) -> None:
    make, options = OTHERS[other]
    asked = {"target": "avx2", **options}
    compile_imported(linear(numbers(0)), settings(tmp_path, target="avx2"))
    artifact = compile_imported(make(), settings(tmp_path, **asked))
    assert len(compiled) == 2
    again = compile_imported(make(), settings(tmp_path, **asked))
    assert len(compiled) == 2
    assert again.manifest == artifact.manifest


@pytest.mark.parametrize("why", ["off", "no home", "many numbers", "no linker", "no name"])
def test_what_is_not_kept_is_compiled_each_time(
    tmp_path: Path, compiled: list[ImportedModel], monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    place: Path | bool = tmp_path
    warned: Any = nullcontext()
    model = linear(numbers(0))
    if why == "off":
        place = False
    elif why == "no home":
        place, warned = True, pytest.warns(UserWarning, match="this user has no home")
        monkeypatch.setattr("tvmfuse.build.kernels.cache.cache_folder", lambda _: None)
    elif why == "many numbers":
        monkeypatch.setattr(kept, "MOST", 100)
    elif why == "no linker":
        monkeypatch.setattr("tvmfuse.pipeline.stages.linker.installed", lambda _: False)
    else:
        monkeypatch.setattr("tvmfuse.recipe_json.PACKAGES", frozenset())
    for _ in range(2):
        with warned:
            artifact = compile_imported(model, settings(place))
        np.testing.assert_allclose(result(artifact), X @ numbers(0).T + 0.5, rtol=1e-5)
    assert len(compiled) == 2


DAMAGE: dict[str, Callable[[Entry], Entry]] = {
    "no header": lambda e: Entry({}, e.code),
    "another parameter": lambda e: Entry({**e.header, "recipes": [["v"], [0]]}, e.code),
    "a recipe that fails": lambda e: Entry(
        {**e.header, "recipes": [["w", ["numpy:reshape", [["step", 0], 7], {}]], [1]]}, e.code
    ),
    "another weight": lambda e: Entry({**e.header, "recipes": [["w"], [0]]}, e.code),
    "truncated": lambda e: Entry(e.header, e.code[:-1]),
    "no report": lambda e: Entry({**e.header, "report": {}}, e.code),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_entry_is_compiled_anew_with_a_warning(
    tmp_path: Path, compiled: list[ImportedModel], damage: str
) -> None:
    model, asked = linear(numbers(0)), settings(tmp_path)
    compile_imported(model, asked)
    cache = KernelCache(tmp_path)
    found = {f.stem: e for f in tmp_path.iterdir() if (e := cache.get(f.stem)) is not None}
    ((key, entry),) = ((k, e) for k, e in found.items() if "manifest" in e.header)
    cache.put({key: DAMAGE[damage](entry)})
    with pytest.warns(UserWarning, match="a kept entry is not used, and compiled anew") as said:
        artifact = compile_imported(model, asked)
    assert (len(said), len(compiled)) == (1, 2)
    np.testing.assert_allclose(result(artifact), X @ numbers(0).T + 0.5, rtol=1e-5)
    anew = cache.get(key)
    assert anew is not None
    assert anew.code == entry.code


def scaled(scale: np.ndarray) -> ImportedModel:
    """Return a convolution by ones, scaled by channels, which only finite numbers are folded."""

    def compute(x: Expr, emit: Callable[..., Expr]) -> Expr:
        ones = parameter("w", np.ones((4, 4, 3, 3), "float32"))
        found = emit(conv(x, ones, strides=[1, 1], padding=[0] * 4, dilation=[1, 1]))
        return found * parameter("s", scale)

    return ImportedModel(
        graph(compute, tensor(1, 4, 8, 8)),
        (TensorSpec("x", "float32", (1, 4, 8, 8)),),
        (TensorSpec("y", "float32", (1, 4, 6, 6)),),
        opset=18,
        nodes=2,
    )


def test_what_holds_for_finite_numbers_is_compiled_anew_for_others(
    tmp_path: Path, compiled: list[ImportedModel]
) -> None:
    ones = np.ones((4, 1, 1), "float32")
    infinite = ones * np.array([1, np.inf, 1, 1], "float32").reshape(4, 1, 1)
    first = compile_imported(scaled(ones), settings(tmp_path))
    assert first.report.fired()["ConvMulFusion"] == 1
    second = compile_imported(scaled(infinite), settings(tmp_path))
    assert len(compiled) == 2
    image = np.zeros((1, 4, 8, 8), "float32")
    assert np.isnan(result(second, image)[0, 1]).all()
    assert not result(second, image)[0, 0].any()
    compile_imported(scaled(ones * 2), settings(tmp_path))
    assert len(compiled) == 2  # the entry is as it was


def test_a_failure_is_warned_of_by_each_process(
    tmp_path: Path, compiled: list[ImportedModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise PassError("MatMulAddFusion", "planted")

    monkeypatch.setattr(MatMulAddFusion, "__call__", fail)
    for _ in range(2):
        with pytest.warns(LeftOutWarning, match="planted"):
            artifact = compile_imported(linear(numbers(0)), settings(tmp_path))
        np.testing.assert_allclose(result(artifact), X @ numbers(0).T + 0.5, rtol=1e-5)
    assert len(compiled) == 4  # strictly, then without the pass
