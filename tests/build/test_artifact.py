"""build: right numbers for each target, memory that is the caller's own, failures in words."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from relax_models import Model, N, affine, const, in_parallel, model
from tvm import relax

import tvmfuse
from tvmfuse.build.aliasing import aliased_outputs
from tvmfuse.build.artifact import LibraryCode
from tvmfuse.build.assemble import build
from tvmfuse.demo import wee_net
from tvmfuse.errors import CompilationError, IncompatibleArtifactError
from tvmfuse.manifest import Manifest
from tvmfuse.target.core import describe
from tvmfuse.target.host_cpu import cpu_features
from tvmfuse.target.machine import ZEN4
from tvmfuse.target.resolve import resolve

RNG = np.random.default_rng(0)
WEIGHT = RNG.standard_normal((4, 4), dtype="float32")


def floats(*shape: int) -> relax.TensorType:
    return relax.TensorType(shape, "float32")


@pytest.mark.parametrize("target", ["llvm", "avx2", "avx512"])
def test_computes_what_the_module_says(target: str) -> None:
    affines = affine()
    artifact = affines.build(target)
    if not set(artifact.manifest.cpu_features) <= cpu_features():
        with pytest.raises(IncompatibleArtifactError, match="this machine's CPU lacks avx512"):
            artifact.load()
        return
    run = artifact.load()
    for rows in (1, 7, 0):
        x = RNG.standard_normal((rows, 16), dtype="float32")
        np.testing.assert_allclose(run(x=x)["y"], affines.reference(x)[0], rtol=1e-5, atol=1e-5)


def test_scheduled_kernels_take_inputs_of_any_alignment() -> None:
    rows = in_parallel(affine(64))
    run = rows.build("avx2").load()
    for offset in range(4):
        x = np.zeros(64 * 16 + offset, "float32")[offset:].reshape(64, 16)
        x[...] = RNG.standard_normal((64, 16))
        np.testing.assert_allclose(run(x=x)["y"], rows.reference(x)[0], rtol=1e-5, atol=1e-5)


def test_several_inputs_of_several_dtypes_and_outputs() -> None:
    gather = model(
        lambda emit, table, rows: [
            emit(relax.op.take(table, rows, axis=0, mode="clip")),
            emit(relax.op.add(rows, relax.const(1, "int64"))),
        ],
        outputs=("picked", "next"),
        table=relax.TensorType((N, 3), "float32"),
        rows=relax.TensorType((2,), "int64"),
    )
    table, rows = RNG.standard_normal((5, 3), dtype="float32"), np.array([4, 0])
    outputs = gather.build().load()(table=table, rows=rows)
    assert list(outputs) == ["picked", "next"]
    np.testing.assert_array_equal(outputs["picked"], table[rows])
    np.testing.assert_array_equal(outputs["next"], rows + 1)


def test_without_inputs() -> None:
    run = model(lambda emit: [emit(relax.op.exp(const(WEIGHT)))]).build().load()
    np.testing.assert_allclose(run()["y"], np.exp(WEIGHT), rtol=1e-6)


def test_without_kernels() -> None:
    run = model(lambda emit, x: [x], x=floats(3)).build().load()
    np.testing.assert_array_equal(run(x=np.arange(3, dtype="float32"))["y"], [0, 1, 2])


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "int8", "uint8", "bool"])
def test_other_dtypes_come_through(dtype: str) -> None:
    from tvmfuse.arrays import numpy_dtype

    same = model(
        lambda emit, x: [emit(relax.op.permute_dims(x))], x=relax.TensorType((2, 3), dtype)
    )
    x = np.array([[0, 1, 1], [1, 0, 1]]).astype(numpy_dtype(dtype))
    y = same.build().load()(x=x)["y"]
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, x.T)


# What an output's memory is.


def with_outputs(*which: str) -> Model:
    """Return a model whose outputs are these of its values."""

    def compute(emit: Any, x: Any) -> Any:
        written = emit(relax.op.exp(x))
        later = emit(relax.op.exp(emit(relax.op.negative(written))))
        values = {
            "input": x,
            "reshaped input": emit(relax.op.reshape(x, (16,))),
            "weight": const(WEIGHT),
            "written": written,
            "reshaped": emit(relax.op.reshape(written, (2, 8))),
            "later": later,
        }
        return [values[name] for name in which]

    outputs = [f"y{i}" for i in range(len(which))]
    return model(compute, outputs=outputs, x=floats(4, 4))


@pytest.mark.parametrize(
    ("which", "aliased"),
    [
        (["written", "later"], ()),
        (["reshaped", "later"], ()),
        (["input"], (0,)),
        (["later", "reshaped input"], (1,)),
        (["weight", "later"], (0,)),
        (["written", "reshaped", "later"], (0, 1)),
        (["later", "later"], (0, 1)),
    ],
)
def test_outputs_share_no_memory_with_anything(which: list[str], aliased: Any) -> None:
    chosen = with_outputs(*which)
    viewed = replace(chosen, module=relax.transform.RewriteDataflowReshape()(chosen.module))
    assert aliased_outputs(viewed.module["main"]) == aliased

    run = viewed.build().load()
    x = RNG.standard_normal((4, 4), dtype="float32")
    first = run.run(None, {"x": x})
    expected = [y.copy() for y in first]
    for i, y in enumerate(first):
        assert not np.shares_memory(y, x)
        assert not any(np.shares_memory(y, other) for other in first[:i])
    run(x=np.zeros((4, 4), "float32"))
    for y, kept in zip(first, expected, strict=True):
        np.testing.assert_array_equal(y, kept)
        y[...] = 0
    for y, kept in zip(run.run(None, {"x": x}), expected, strict=True):
        np.testing.assert_array_equal(y, kept)


def test_two_results_of_one_kernel_are_two_and_one_taken_twice_is_one() -> None:
    def compute(emit: Any, x: Any) -> Any:
        halves = emit(relax.op.split(x, 2))
        return [emit(halves[i]) for i in (0, 1, 1)]

    split = model(compute, outputs=("a", "b", "c"), x=floats(4, 4))
    assert aliased_outputs(split.module["main"]) == (1, 2)
    x = RNG.standard_normal((4, 4), dtype="float32")
    a, b, c = split.build().load().run(None, {"x": x})
    np.testing.assert_array_equal(a, x[:2])
    np.testing.assert_array_equal(b, x[2:])
    np.testing.assert_array_equal(c, x[2:])
    assert not np.shares_memory(b, c)


def test_a_weight_of_no_elements() -> None:
    nothing = const(np.zeros((0, 3), "float32"))
    joined = model(lambda emit, x: [emit(relax.op.concat([x, nothing], 0))], x=floats(2, 3))
    x = RNG.standard_normal((2, 3), dtype="float32")
    np.testing.assert_array_equal(joined.build().load()(x=x)["y"], x)


def test_the_manifest_tells_the_machine_that_the_code_is_for() -> None:
    artifact = affine().build("znver4")
    assert artifact.manifest.machine == ZEN4.to_json()
    assert describe(artifact.manifest.machine) == (
        "zen4, avx512, L1d 32 KiB, L2 1024 KiB, L3 share 4096 KiB"
    )


def test_main_must_return_a_tuple() -> None:
    builder = relax.BlockBuilder()
    x = relax.Var("x", floats(3))
    with builder.function("main", [x]):
        builder.emit_func_output(builder.emit(relax.op.exp(x)))
    module = relax.transform.LegalizeOps()(builder.get())
    with pytest.raises(CompilationError, match="main returns a tuple of its outputs"):
        build(module, resolve("avx2"), Manifest("m", (), ()))


# What costs nothing.


def test_weights_are_no_part_of_the_library() -> None:
    artifact = affine().build()
    assert isinstance(artifact.code, LibraryCode)
    weight = max(artifact.code.weights, key=lambda w: w.nbytes)
    assert weight.shape == (16, 8)
    assert weight.tobytes() not in artifact.code.content(artifact.manifest).library
    assert artifact.weights_nbytes == 4 * (16 * 8 + 8)


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))

    def use() -> int:
        artifact = tvmfuse.compile(wee_net(), cache=False)
        artifact.save(tmp_path / "model.so")
        run = artifact.load()
        run.call([np.zeros(spec.shape, spec.dtype) for spec in run.inputs])
        return len(os.listdir("/proc/self/fd"))

    before = use()  # with what a process opens once
    assert use() == before
    assert sorted(f.name for f in tmp_path.iterdir()) == ["model.so", "temporary"]
    assert list((tmp_path / "temporary").iterdir()) == []
