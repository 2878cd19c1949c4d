"""CUDA kernels compiled ahead of time, on a machine that needs no GPU.

TVM compiles kernels for the GPU only where its CUDA runtime loads, which takes the driver; without
it, what it saves is CUDA's source, to be compiled by whoever loads it. Here the source always goes
through nvcc, to a fat binary: machine code for the architecture asked for, and PTX, from which the
driver of a newer GPU makes its own.
"""

from __future__ import annotations

import os
import shutil
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tvm import IRModule, relax, tirx
from tvm.ir import Call, Expr, GlobalVar, Op
from tvm.ir.transform import Sequential
from tvm.target import Target
from tvm_ffi import VisitInterrupt, structural_walk

from tvmfuse import _tvm
from tvmfuse.build.c_code import for_c
from tvmfuse.build.empty_launches import PIPELINE
from tvmfuse.build.scratch import temporary_folder
from tvmfuse.build.tools import run_tool
from tvmfuse.errors import CompilationError
from tvmfuse.ir.dataflow import op_name

CALL_TIR: Final = Op.get("relax.call_tir")

#: How a kernel calls a registered function.
CALL_PACKED: Final = "tirx.tvm_call_packed"

#: TVM writes sizes so.
SIZE: Final = struct.Struct("<Q")

#: Makes TVM leave the source as it is also where the driver is installed.
KEEP_SOURCE: Final = "TVM_COMPILE_FORCE_FALLBACK"

#: nvcc 13.0 reads what a kernel has just written, a running maximum, as if nobody wrote it
#: (``ld.global.nc`` of one of two restricted pointers, of which the other is read only).
NO_RESTRICT: Final = "-D__restrict__="

#: Who shuffles numbers among the threads of a warp is all of it. TVM asks who happens to be at that
#: place, and after a branch that may be half of them.
WARP: Final = """
static __device__ __forceinline__ unsigned tvmfuse_warp() {
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned left = threads - (thread & ~31u);
  return left < 32u ? (1u << left) - 1u : 0xffffffffu;
}
#define __activemask() tvmfuse_warp()
"""

#: Where nvcc is installed when the PATH does not say so.
USUAL_PLACE: Final = Path("/usr/local/cuda/bin/nvcc")


def build(module: IRModule, target: Target, passes: Sequential) -> tuple[Any, bytes | None]:
    """Return the executable without its kernels, and the kernels as TVM's CUDA runtime reads them.

    Raises:
        CompilationError: nvcc is not installed, or refuses the kernels; or one has no threads.
    """
    _check_threads(module)
    module = for_c(module)
    with _source_kept():
        executable = relax.build(module, target, relax_pipeline=passes, tir_pipeline=PIPELINE)
    launchers = executable.mod.imports[0]
    if not launchers.imports:
        return executable, None
    (kernels,) = launchers.imports
    header, source = _split(
        _tvm.serialized_imports(executable.mod), kernels.inspect_source().encode()
    )
    launchers.clear_imports()
    binary = _nvcc(_with_whole_warps(source.decode()), str(target.attrs["arch"]))
    return executable, _string(b"fatbin") + header + _string(binary)


def _check_threads(module: IRModule) -> None:
    """Refuse a kernel that TVM would run on the CPU, on the GPU's memory, or cannot compile."""
    kernels: set[GlobalVar] = set()

    def visit(expr: Expr) -> None:
        if isinstance(expr, Call) and expr.op == CALL_TIR:
            kernels.add(expr.args[0])

    relax.analysis.post_order_visit(module["main"], visit)
    for kernel in kernels:
        if not _has_threads(module[kernel]):
            raise CompilationError(f"the kernel {kernel.name_hint} was not scheduled for a GPU")
        if _calls_the_cpu(module[kernel]):
            raise CompilationError(
                f"the kernel {kernel.name_hint} calls a function of the CPU's, as sorting does but "
                "for the best of float32: expected what a GPU can run; compile it for a CPU"
            )


def _has_threads(kernel: tirx.PrimFunc) -> bool:
    def stop(loop: tirx.For) -> VisitInterrupt | None:
        return VisitInterrupt(loop) if loop.kind == tirx.ForKind.THREAD_BINDING else None

    return structural_walk(kernel.body, (tirx.For, stop)) is not None


def _calls_the_cpu(kernel: tirx.PrimFunc) -> bool:
    def stop(call: Call) -> VisitInterrupt | None:
        return VisitInterrupt(call) if op_name(call) == CALL_PACKED else None

    return structural_walk(kernel.body, (Call, stop)) is not None


def _split(blob: bytes, source: bytes) -> tuple[bytes, bytes]:
    """Return how the kernels are called, and their source, out of TVM's serialization.

    That reads ``"cuda"``, a size, and then ``"cuda"`` as the source's format, a table of the
    kernels with their arguments and launch dimensions, and the source; strings follow their size.
    """
    start = _string(b"cuda")
    begin = blob.index(start) + len(start)
    (size,) = SIZE.unpack_from(blob, begin)
    begin += SIZE.size
    entry = blob[begin : begin + size]
    if not (entry.startswith(start) and entry.endswith(_string(source))):
        raise CompilationError("this TVM serializes CUDA kernels in another way than expected")
    return entry[len(start) : -len(_string(source))], source


def _with_whole_warps(source: str) -> str:
    """Put what kernels call before the first of them, behind the headers."""
    head, first, kernels = source.partition('extern "C"')
    return f"{head}{WARP}{first}{kernels}"


def _string(data: bytes) -> bytes:
    return SIZE.pack(len(data)) + data


def _nvcc(source: str, arch: str) -> bytes:
    """Compile CUDA's source to machine code for `arch` and to PTX for later ones."""
    nvcc = shutil.which("nvcc") or (str(USUAL_PLACE) if USUAL_PLACE.is_file() else None)
    if nvcc is None:
        raise CompilationError(
            "compiling for CUDA takes nvcc and a C++ compiler, and there is no nvcc in the PATH: "
            "install NVIDIA's CUDA toolkit; a GPU is not needed"
        )
    number = arch.removeprefix("sm_")
    with temporary_folder() as folder:
        code, binary = folder / "kernels.cu", folder / "kernels.fatbin"
        code.write_text(source)
        wanted = f"-gencode=arch=compute_{number},code=[sm_{number},compute_{number}]"
        options = ["--fatbin", "-O3", "-w", "-std=c++17", NO_RESTRICT, wanted]
        command = [nvcc, *options, "-o", str(binary), str(code)]
        done = run_tool(command, folder)
        if done.returncode:
            raise CompilationError(f"nvcc refuses the kernels for {arch}: {done.stderr.strip()}")
        return binary.read_bytes()


@contextmanager
def _source_kept() -> Iterator[None]:
    before = os.environ.get(KEEP_SOURCE)
    os.environ[KEEP_SOURCE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[KEEP_SOURCE]
        else:
            os.environ[KEEP_SOURCE] = before
