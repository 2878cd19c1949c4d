"""cuda_code: kernels compiled ahead of time, with no GPU, and refused in words where none is."""

import shutil
import struct
from pathlib import Path

import pytest
from onnx import parser
from relax_models import Model, affine, model
from tvm import relax
from tvm.s_tir import dlight

import tvmfuse
from tvmfuse.build import cuda_code
from tvmfuse.build.artifact import LibraryCode
from tvmfuse.errors import CompilationError, IncompatibleArtifactError
from tvmfuse.format.file import inspect, open_artifact, read_builds
from tvmfuse.runtime.compatibility import Host
from tvmfuse.runtime.loading import load
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
        place = read_builds(file, "model")[0].device_code
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
    monkeypatch.setattr(Host, "here", lambda manifest: Host(frozenset(), (9, 0)))
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


#: Models whose kernels TVM writes wrongly, or whose schedules it cannot lower, without our care.
MODELS = {
    "a value named by a number": '(float[4,8] "0") => (float[4,8] y) { y = Relu("0") }',
    "constants that wrap around": "(int32[5] a, int32[5] b) => (int32[5] y) { y = Div(a, b) }",
    "a fusion that ends in a reshape": "(float[2,3,4] x) => (float[2,12] y) "
    "{ t = Transpose<perm=[0,2,1]>(x) e = Exp(t) s = Constant<value_ints=[2,12]>() "
    "y = Reshape(e, s) }",
    "bfloat16's infinity": "(bfloat16[4,8] x) => (bfloat16[4,8] y) { y = Softmax(x) }",
    "a reduction of two values": "(float[4,8] x) => (int64[4,1] y) { y = ArgMax<axis=1>(x) }",
    "a scan": "(float[4,8] x) => (float[4,8] y) "
    "{ axis = Constant<value_int=1>() y = CumSum(x, axis) }",
    "a size with a slash": '(float["a/b",8] x) => (float["a/b",8] y) { y = Exp(x) }',
}


@needs_nvcc
@pytest.mark.parametrize("name", MODELS)
def test_models_compile(name: str) -> None:
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["" : 22]> g {MODELS[name]}')
    artifact = tvmfuse.compile(model, target="cuda", level="all", strict=True)
    assert len(artifact.manifest.kernels) >= 1


@needs_nvcc
def test_what_the_cpu_sorts_is_refused_in_words() -> None:
    body = "(int64[9] x) => (int64[3] v, int64[3] i) { k = Constant<value_ints=[3]>() v, i = TopK(x, k) }"
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["" : 22]> g {body}')
    with pytest.raises(CompilationError, match="topk calls a function of the CPU's"):
        tvmfuse.compile(model, target="cuda", strict=True)


def test_a_warp_is_whole_after_the_headers() -> None:
    source = '#include <x.h>\nextern "C" void one();\nextern "C" void one() {}\n'
    head, first, _ = cuda_code._with_whole_warps(source).partition('extern "C"')
    assert head.startswith("#include <x.h>\n")
    assert head.endswith("#define __activemask() tvmfuse_warp()\n")
    assert first
