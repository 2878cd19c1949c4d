"""cuda_code: kernels compiled ahead of time, with no GPU, and refused in words where none is."""

import shutil
import struct
from pathlib import Path

import pytest
from relax_models import Model, affine, model
from tvm import relax
from tvm.s_tir import dlight

from tvmfuse.build import cuda_code
from tvmfuse.build.artifact import LibraryCode
from tvmfuse.errors import CompilationError, IncompatibleArtifactError
from tvmfuse.format.file import open_artifact, read_index
from tvmfuse.runtime.compatibility import Host
from tvmfuse.runtime.executable import inspect, load
from tvmfuse.target.host_gpu import compute_capability
from tvmfuse.target.resolve import resolve

needs_nvcc = pytest.mark.skipif(
    shutil.which("nvcc") is None and not cuda_code.USUAL_PLACE.is_file(),
    reason="compiling for CUDA takes nvcc (NVIDIA's CUDA toolkit), which is not installed",
)
needs_no_gpu = pytest.mark.skipif(
    compute_capability() is not None, reason="about machines without a GPU; this one has one"
)
FATBIN_MAGIC = 0xBA55ED50


def for_gpu(model: Model, target: str = "cuda") -> Model:
    rules = (dlight.gpu.Matmul(), dlight.gpu.GEMV(), dlight.gpu.Reduction(), dlight.gpu.Fallback())
    with resolve(target):
        module = dlight.ApplyDefaultSchedule(*rules)(model.module)
    return Model(module, model.manifest, model.reference)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("cuda") / "model.so"
    for_gpu(affine(64, depth=64, columns=32)).build("cuda").save(file)
    return file


@needs_nvcc
def test_saves_machine_code_and_no_source(path: Path) -> None:
    with open_artifact(path) as file:
        place = read_index(file, "model").device_code
        assert place is not None
        file.seek(place[0])
        code = file.read(place[1])
    assert code.startswith(cuda_code._string(b"fatbin"))
    assert struct.pack("<I", FATBIN_MAGIC) in code
    assert b"matmul_kernel" in code
    assert b"threadIdx.x" in code  # how it is launched
    assert b"__global__" not in path.read_bytes()


@needs_nvcc
def test_the_manifest_names_the_architecture(path: Path) -> None:
    manifest = inspect(path)
    assert manifest.target == str(resolve("cuda"))
    assert '"arch":"sm_80"' in manifest.target
    assert manifest.cpu_features == ()


@needs_nvcc
@needs_no_gpu
def test_loading_without_a_gpu_is_refused_in_words(path: Path) -> None:
    words = r"was compiled for CUDA \(sm_80\), and this machine has no NVIDIA GPU"
    with pytest.raises(IncompatibleArtifactError, match=words):
        load(path)


@needs_nvcc
@needs_no_gpu
def test_loading_in_process_without_a_gpu_is_refused_in_words() -> None:
    artifact = for_gpu(affine(64, depth=64, columns=32)).build("cuda -arch=sm_90")
    with pytest.raises(IncompatibleArtifactError, match=r"CUDA \(sm_90\).*no NVIDIA GPU"):
        artifact.load()


@needs_nvcc
@needs_no_gpu
def test_a_missing_cuda_runtime_is_refused_in_words(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Host, "here", lambda manifest: Host(manifest.versions["apache-tvm"], frozenset(), (9, 0))
    )
    with pytest.raises(IncompatibleArtifactError, match="TVM's runtime for CUDA does not load"):
        load(path)


def test_a_kernel_without_threads_is_refused() -> None:
    with pytest.raises(CompilationError, match="the kernel .* was not scheduled for a GPU"):
        affine(64).build("cuda")


def test_a_model_without_kernels_runs_anywhere() -> None:
    same = model(lambda emit, x: [x], x=relax.TensorType((2, 3), "float32"))
    code = same.build("cuda").code
    assert isinstance(code, LibraryCode)
    assert code.device_code is None


def test_without_nvcc_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(cuda_code, "USUAL_PLACE", tmp_path / "nvcc")
    with pytest.raises(
        CompilationError, match="install NVIDIA's CUDA toolkit; a GPU is not needed"
    ):
        for_gpu(affine(64, depth=64, columns=32)).build("cuda")


@needs_nvcc
def test_what_nvcc_refuses_is_a_compilation_error() -> None:
    with pytest.raises(CompilationError, match="nvcc refuses the kernels for sm_10"):
        for_gpu(affine(64, depth=64, columns=32), "cuda -arch=sm_10").build("cuda -arch=sm_10")


def test_the_split_refuses_an_unknown_serialization() -> None:
    with pytest.raises(CompilationError, match="serializes CUDA kernels in another way"):
        cuda_code._split(cuda_code._string(b"cuda") + cuda_code._string(b"cuda2 source"), b"source")
