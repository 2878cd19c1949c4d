"""runtime: models run where no compiler is, from many threads, and check what they are given."""

import gc
import os
import shutil
import threading
from pathlib import Path
from typing import Any, Never

import numpy as np
import pytest
import torch
from relax_models import affine, in_parallel, model, python, saved, succeeds
from tvm import relax

from tvmfuse.errors import ArtifactError, CompilationError, ConfigurationError, InputError
from tvmfuse.runtime import compatibility
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.loading import load
from tvmfuse.target import host_cpu

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3, 16), dtype="float32")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(affine(), tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def run(path: Path) -> Executable:
    return load(path)


# Processes.

CALLS = """
import numpy as np
from tvmfuse.runtime.loading import load
run = load(sys.argv[1])
x = np.load(sys.argv[2])
np.testing.assert_allclose(run(x=x)["y"], np.load(sys.argv[3]), rtol=1e-5, atol=1e-5)
"""
COMPILER = """
for module in sys.modules:
    assert module.split(".")[0] not in {"tvm", "onnx", "onnx_ir"}, module
    assert module not in {"tvmfuse.build.artifact", "tvmfuse.target.resolve", "tvmfuse.passes"}, module
assert "libtvm_compiler" not in open("/proc/self/maps").read()
"""


@pytest.fixture(scope="module")
def arguments(path: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A copy of the model in another folder, an input and its output."""
    folder = tmp_path_factory.mktemp("elsewhere")
    shutil.copy(path, folder / "a copy")
    np.save(folder / "x.npy", X)
    np.save(folder / "y.npy", affine().reference(X)[0])
    return [folder / "a copy", folder / "x.npy", folder / "y.npy"]


def test_runs_in_a_process_without_a_compiler(arguments: list[Path]) -> None:
    succeeds(python(CALLS + COMPILER, *arguments))


@pytest.mark.parametrize(
    "code",
    [
        "import tvm\n" + CALLS,
        CALLS + "import tvm\n" + CALLS + "assert tvm.runtime.tensor(x).numpy().shape == x.shape",
        "import tvmfuse.build.artifact\n" + CALLS,
    ],
    ids=["tvm first", "tvm later", "compiler first"],
)
def test_runs_beside_tvm_imported_before_or_after(arguments: list[Path], code: Any) -> None:
    succeeds(python(code, *arguments))


def test_runs_beside_torch(arguments: list[Path]) -> None:
    from_torch = "import sys; del sys.modules['torch']; import torch\n"
    succeeds(python(from_torch + CALLS + COMPILER, *arguments))


def test_a_saved_model_computes_what_the_one_in_memory_does(tmp_path: Path) -> None:
    artifact = in_parallel(affine(64)).build("llvm")
    artifact.save(tmp_path / "m")
    x = RNG.standard_normal((64, 16), dtype="float32")
    in_memory, from_file = artifact.load()(x=x)["y"], load(tmp_path / "m")(x=x)["y"]
    np.testing.assert_array_equal(in_memory, from_file)


def test_loads_the_file_by_any_name_and_from_the_folder_it_is_in(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(path, tmp_path / "weights.bin")
    monkeypatch.chdir(tmp_path)
    assert load("weights.bin")(x=X)["y"].shape == (3, 8)


# Calls.


def test_takes_a_mapping_or_keywords_or_both(run: Executable) -> None:
    expected = affine().reference(X)[0]
    for outputs in (run({"x": X}), run(x=X), run({}, x=X)):
        assert list(outputs) == ["y"]
        np.testing.assert_allclose(outputs["y"], expected, rtol=1e-5, atol=1e-5)
    with pytest.raises(InputError, match="input 'x' is given twice"):
        run({"x": X}, x=X)


def test_any_number_of_rows_with_one_model(run: Executable) -> None:
    for rows in (1, 7, 0, 2):
        assert run(x=np.zeros((rows, 16), "float32"))["y"].shape == (rows, 8)


def test_run_picks_outputs_by_name() -> None:
    both = model(
        lambda emit, x: [emit(relax.op.negative(x)), emit(relax.op.exp(x))],
        outputs=("minus", "exp"),
        x=relax.TensorType((2,), "float32"),
    )
    run = both.build().load()
    feeds = {"x": np.array([0, 1], "float32")}
    minus, exp = run.run(None, feeds)
    np.testing.assert_allclose(minus, [0, -1])
    np.testing.assert_allclose(exp, np.exp([0, 1]), rtol=1e-6)
    for chosen, expected in zip(
        run.run(["exp", "minus", "exp"], feeds), [exp, minus, exp], strict=True
    ):
        np.testing.assert_array_equal(chosen, expected)
    assert run.run([], feeds) == []
    with pytest.raises(InputError, match="the model has no output 'expp'; did you mean exp?"):
        run.run(["expp"], feeds)


def test_bound_inputs_are_checked_once_and_give_what_a_call_gives(run: Executable) -> None:
    with pytest.raises(InputError):
        run.bound({"x": X[0]})
    results: Any = run.bound({"x": X})()
    (found,) = results
    np.testing.assert_array_equal(found, run(x=X)["y"])


def test_a_timed_run_has_the_manifest_s_kernels_with_their_times(run: Executable) -> None:
    with pytest.raises(InputError):
        run.timed({"x": X[0]})
    found = run.timed({"x": X})
    assert [kernel for kernel, _, _ in found.launches] == list(run.manifest.kernels)
    assert all(0 < begin < begin + spent < found.milliseconds for _, begin, spent in found.launches)
    np.testing.assert_array_equal(run(x=X)["y"], run.run(None, {"x": X})[0])


def test_says_what_it_takes_and_gives(run: Executable) -> None:
    assert [str(i) for i in run.inputs] == ["x: float32[n, 16]"]
    assert [str(o) for o in run.outputs] == ["y: float32[n, 8]"]
    assert repr(run) == "Executable('affine', (x: float32[n, 16]) -> (y: float32[n, 8]))"
    assert run.manifest.name == "affine"


@pytest.mark.parametrize(
    "x",
    [
        np.asfortranarray(X),
        np.repeat(X, 2, axis=0)[::2],
        np.broadcast_to(X[:1], X.shape).copy()[::-1],
        np.concatenate([np.zeros(1, "float32"), X.ravel()])[1:].reshape(X.shape),
        np.frombuffer(X.tobytes(), "float32").reshape(X.shape),
        X.tolist(),
        torch.from_numpy(X.copy()),
        torch.from_numpy(X.T.copy()).T,
        torch.from_numpy(X.copy()).requires_grad_(),
    ],
    ids="fortran strided reversed unaligned read-only lists torch transposed with-grad".split(),
)
def test_memory_may_be_laid_out_in_any_way(run: Executable, x: Any) -> None:
    values = x.detach().numpy() if isinstance(x, torch.Tensor) else np.asarray(x, "float32")
    expected = affine().reference(values)[0]
    np.testing.assert_allclose(run(x=x)["y"], expected, rtol=1e-5, atol=1e-5)


def test_inputs_stay_as_they_are(run: Executable) -> None:
    x = X.copy()
    run(x=x)
    np.testing.assert_array_equal(x, X)


def test_wrong_inputs_are_refused_before_anything_runs(run: Executable) -> None:
    with pytest.raises(InputError, match="input 'x': expected float32"):
        run(x=X.astype("float64"))
    with pytest.raises(InputError, match="dimension 1 is 15 instead of 16"):
        run(x=X[:, :15])


def test_outputs_outlive_the_model(path: Path) -> None:
    run = load(path)
    y = run(x=X)["y"]
    del run
    gc.collect()
    np.testing.assert_allclose(y, affine().reference(X)[0], rtol=1e-5, atol=1e-5)


def test_a_failure_inside_is_no_fault_of_the_inputs(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = load(path)

    def fail(*_: Any) -> Never:
        raise RuntimeError("out of registers\n(... 15 lines skipped ...)")

    with monkeypatch.context() as patch:
        main: Any = run.on_cpu._main
        patch.setattr(main._turns._idle[0], "run", fail)
        with pytest.raises(
            CompilationError,
            match="affine failed as it ran, on inputs that fit it: out of registers",
        ):
            run(x=X)
    assert run(x=X)["y"].shape == (3, 8)


# Loading more than once.


def test_a_library_is_closed_with_its_model(tmp_path: Path) -> None:
    path, first = saved(affine(), tmp_path), saved(affine(64), tmp_path, "first.so")
    launches = load(first)  # whose library stays, as it launches the loops of all models
    before, run = opened_libraries(), load(path)
    assert opened_libraries() == before + 1
    del run
    gc.collect()
    assert opened_libraries() == before
    assert launches.inputs


def opened_libraries() -> int:
    """Return how many libraries of models this process has opened."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    return len({line.split()[4] for line in lines if "memfd:tvmfuse model" in line})


def test_no_file_stays_open_when_the_model_is_gone(tmp_path: Path) -> None:
    path = saved(affine(), tmp_path)
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    run = load(path)
    assert len(os.listdir("/proc/self/fd")) == before + 1  # the mapped weights
    del run
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before


def test_the_machine_is_asked_before_the_library_is_opened(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_cpu, "cpu_features", frozenset)
    monkeypatch.setattr("tvmfuse.runtime.executable.opened", None)
    with pytest.raises(ArtifactError, match="this machine's CPU lacks avx, avx2"):
        load(path)


def test_another_tvm_is_no_matter_on_the_cpu(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compatibility, "version", lambda _: "0.28.0")
    run = load(path)
    assert run(x=X)["y"].shape == (3, 8)
    assert len(run.timed({"x": X}).launches) == len(run.manifest.kernels)


# Threads.


@pytest.mark.parametrize("num_threads", [None, 1])
def test_eight_threads_compute_what_one_does(tmp_path: Path, num_threads: Any) -> None:
    path = saved(in_parallel(affine(64)), tmp_path)
    run = load(path, num_threads=num_threads)
    inputs = [RNG.standard_normal((64, 16), dtype="float32") for _ in range(8)]
    serial = [run(x=x)["y"] for x in inputs]
    wrong = []

    def work(i: int) -> None:
        same = [np.array_equal(run(x=inputs[i])["y"], serial[i]) for _ in range(1000)]
        if not all(same):
            wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    main: Any = run.on_cpu._main
    assert len(main._turns._idle) <= 8


def test_num_threads_gives_the_same_numbers(tmp_path: Path) -> None:
    path = saved(in_parallel(affine(64)), tmp_path)
    x = RNG.standard_normal((64, 16), dtype="float32")
    expected = load(path)(x=x)["y"]
    for threads in (1, 2, 64):
        np.testing.assert_array_equal(load(path, num_threads=threads)(x=x)["y"], expected)


@pytest.mark.parametrize("wrong", ["x", 1.5, [2], b""], ids=repr)
def test_num_threads_is_a_number(path: Path, wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match="num_threads: expected 1 or more, found "):
        load(path, num_threads=wrong)


def test_num_threads_must_be_positive(path: Path) -> None:
    for wrong in (0, -1):
        with pytest.raises(
            ConfigurationError, match=f"num_threads: expected 1 or more, found {wrong}"
        ):
            load(path, num_threads=wrong)


def test_the_callers_thread_keeps_its_cpus(tmp_path: Path) -> None:
    run = load(saved(in_parallel(affine(64)), tmp_path))
    before = os.sched_getaffinity(0)
    run(x=np.zeros((64, 16), "float32"))
    assert os.sched_getaffinity(0) == before
