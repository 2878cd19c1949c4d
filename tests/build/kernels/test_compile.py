"""compile: each kernel once, several at a time, and not at all where the cache has it."""

import threading
from pathlib import Path
from typing import Any, Never

import numpy as np
import onnx
import pytest
from graphs import onnx_model, tensor as floats
from onnx import helper
from relax_models import model
from tvm import IRModule, relax
from tvm.tirx import PrimFunc

import tvmfuse
from tvmfuse.build.assemble import build
from tvmfuse.build.kernels import compile as driver, key
from tvmfuse.build.kernels.cache import KernelCache
from tvmfuse.build.kernels.compile import compile_kernels
from tvmfuse.build.kernels.machine_code import llvm_module
from tvmfuse.errors import CompilationError
from tvmfuse.progress import Step
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.resolve import resolve

RNG = np.random.default_rng(0)
X = RNG.standard_normal((2, 8), dtype="float32")


def network(*, columns: int = 8) -> onnx.ModelProto:
    """Return three products, of which two are the same, and a softmax."""
    node = helper.make_node
    nodes = [
        node("MatMul", ["x", "a"], ["t"]), node("Relu", ["t"], ["u"]),
        node("MatMul", ["u", "b"], ["v"]), node("Relu", ["v"], ["w"]),
        node("MatMul", ["w", "c"], ["z"]), node("Softmax", ["z"], ["y"], axis=1),
    ]  # fmt: skip
    weights = {
        name: RNG.standard_normal((8, out), dtype="float32")
        for name, out in [("a", 8), ("b", 8), ("c", columns)]
    }
    return onnx_model(nodes, {"x": ("float32", X.shape)}, {"y": "float32"}, weights)


MODEL = network()


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the list of the kernels that LLVM compiled."""
    symbols: list[str] = []
    compile_ = llvm_module

    def counted(functions: Any, target: Any) -> Any:
        symbols.extend(functions)
        return compile_(functions, target)

    monkeypatch.setattr(driver, "llvm_module", counted)
    return symbols


def run(artifact: Any) -> np.ndarray:
    found: np.ndarray = artifact.load()(x=X)["y"]
    return found


def test_numbers_are_the_same_without_cache_cold_and_warm(tmp_path: Path, compiled: Any) -> None:
    without = tvmfuse.compile(MODEL, cache=False)
    assert compiled
    compiled.clear()
    cold = tvmfuse.compile(MODEL, cache=tmp_path)
    assert compiled
    compiled.clear()
    warm = tvmfuse.compile(MODEL, cache=tmp_path)
    assert not compiled
    assert cold.manifest == warm.manifest == without.manifest
    assert run(without).tobytes() == run(cold).tobytes() == run(warm).tobytes()


def test_the_file_is_one_and_the_same(tmp_path: Path) -> None:
    contents = []
    for cache in (False, tmp_path / "cache", tmp_path / "cache"):
        path = tmp_path / "model.so"
        tvmfuse.compile(MODEL, cache=cache).save(path)
        assert tvmfuse.load(path)(x=X)["y"].tobytes() == run(tvmfuse.compile(MODEL)).tobytes()
        contents.append(path.read_bytes())
        path.unlink()
    assert contents[0] == contents[1] == contents[2]


def test_another_model_takes_what_it_shares(tmp_path: Path, compiled: Any) -> None:
    first = tvmfuse.compile(MODEL, cache=tmp_path).manifest.kernels
    compiled.clear()
    second = tvmfuse.compile(network(columns=16), cache=tmp_path).manifest.kernels
    assert 0 < len(compiled) < len({k.symbol for k in second})
    assert len(first) == len(second)


@pytest.fixture
def twins() -> Any:
    """Return a module of two kernels that are the same but for their names, and its manifest."""
    ones = model(lambda emit, x: [emit(relax.op.exp(x))], x=floats(6))
    (kernel,) = (f for _, f in ones.module.functions_items() if isinstance(f, PrimFunc))
    builder, x = relax.BlockBuilder(), relax.Var("x", floats(6))
    # The builder itself gives equal kernels one name.
    names = [builder.add_func(kernel.with_attr("number", n), f"exp{n}") for n in (1, 2)]
    with builder.function("main", [x]):
        with builder.dataflow():
            y = builder.emit(relax.call_tir(names[0], (x,), floats(6)))
            z = builder.emit_output(relax.call_tir(names[1], (y,), floats(6)))
        builder.emit_func_output(relax.Tuple([z]))
    functions = dict(builder.get().functions_items()) | dict.fromkeys(names, kernel)
    return IRModule(functions), ones.manifest


def test_identical_kernels_are_compiled_once(twins: Any, compiled: Any) -> None:
    module, manifest = twins
    made = compile_kernels(module, resolve("llvm"))
    assert len(compiled) == 1
    assert compiled[0].startswith("exp_")
    assert set(made.code) == set(made.report.decisions) == {"exp1", "exp2"}
    y = build(made.module, resolve("llvm"), manifest, code=made.code).load()(
        x=np.zeros(6, "float32")
    )["y"]
    np.testing.assert_allclose(y, np.full(6, np.e), rtol=1e-6)


def test_the_report_is_that_of_the_schedules(tmp_path: Path) -> None:
    kernels = model(lambda emit, x: [emit(relax.op.nn.softmax(x))], x=floats(6, 40)).module
    expected = schedule(kernels, resolve("avx2")).report
    for _ in range(2):
        assert compile_kernels(kernels, resolve("avx2"), KernelCache(tmp_path)).report == expected


@pytest.mark.parametrize(
    "damage", [lambda c: c[: len(c) // 2], lambda c: c[:-9] + b"\0" * 9, lambda c: b"?"]
)
def test_damaged_entries_are_made_anew(tmp_path: Path, compiled: Any, damage: Any) -> None:
    expected = run(tvmfuse.compile(MODEL, cache=tmp_path))
    whole = {f: f.read_bytes() for f in tmp_path.iterdir()}
    for file, content in whole.items():
        file.write_bytes(damage(content))
    compiled.clear()
    assert run(tvmfuse.compile(MODEL, cache=tmp_path)).tobytes() == expected.tobytes()
    assert len(compiled) == len(whole)
    assert {f: f.read_bytes() for f in tmp_path.iterdir()} == whole


def test_a_folder_that_cannot_be_written_costs_the_cache_only(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.warns(UserWarning, match="compiled kernels are not kept for the next time"):
        artifact = tvmfuse.compile(MODEL, cache=tmp_path / "file" / "folder")
    assert run(artifact).tobytes() == run(tvmfuse.compile(MODEL, cache=False)).tobytes()


def test_other_targets_and_versions_miss(
    tmp_path: Path, compiled: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other_version in (False, True):
        if other_version:
            monkeypatch.setattr(key, "version", lambda _: "99")
        for target in ("avx2", "x86-64"):
            compiled.clear()
            tvmfuse.compile(MODEL, target, cache=tmp_path)
            assert compiled, target
    compiled.clear()
    tvmfuse.compile(MODEL, "avx2", cache=tmp_path)
    assert not compiled


def test_the_default_is_the_users_cache_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tvmfuse.compile(MODEL)
    assert list((tmp_path / "tvmfuse" / "kernels").glob("*.kernel"))


@pytest.mark.usefixtures("just_in_time")
@pytest.mark.parametrize("linker", [None, "#!/bin/sh\nexit 1\n"], ids=["none", "broken"])
def test_where_nothing_can_be_linked_it_runs_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, linker: Any
) -> None:
    expected = run(tvmfuse.compile(MODEL, cache=tmp_path / "cache"))
    programs = tmp_path / "bin"
    programs.mkdir()
    if linker:
        (programs / "ld").write_text(linker)
        (programs / "ld").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    for _ in range(2):
        artifact = tvmfuse.compile(MODEL, cache=tmp_path / "cache")
        assert run(artifact).tobytes() == expected.tobytes()


def test_kernels_are_compiled_several_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    both, compile_ = threading.Barrier(2), llvm_module
    seen: list[int] = []

    def meeting(functions: Any, target: Any) -> Any:
        if len(seen) < 2:
            seen.append(threading.get_ident())
            both.wait(timeout=60)
        return compile_(functions, target)

    monkeypatch.setattr(driver, "llvm_module", meeting)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    tvmfuse.compile(MODEL, level="none", cache=False)
    assert len(set(seen)) == 2


def test_it_says_how_much_is_done(tmp_path: Path) -> None:
    steps: list[str] = []
    artifact = tvmfuse.compile(MODEL, cache=tmp_path, progress=steps.append)
    assert [step for step in steps[1:-1] if not isinstance(step, Step)] == []
    shares = [step.share for step in steps if isinstance(step, Step) and " kernels)" in step]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert 0.5 < shares[-1] < 1
    kernels = {k.symbol for k in artifact.manifest.kernels}
    assert any(k in step for k in kernels for step in steps)
    assert steps[0] == "import"
    assert steps[-1] == "link"
    steps.clear()
    tvmfuse.compile(MODEL, cache=tmp_path, progress=steps.append)
    assert not any(" kernels)" in step for step in steps)


def test_a_kernel_that_llvm_refuses_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(functions: Any, target: Any) -> Never:
        raise RuntimeError("Cannot select: node\n\nstack")

    monkeypatch.setattr(driver, "llvm_module", refuse)
    with pytest.raises(
        CompilationError,
        match=r"cannot compile the kernel \w+ for .*: RuntimeError: Cannot select: node$",
    ):
        tvmfuse.compile(MODEL, cache=False, strict=True)
