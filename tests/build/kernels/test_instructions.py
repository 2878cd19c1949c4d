"""Kernels that become the same instructions are the same, whatever they are called before."""

from __future__ import annotations

import pytest
import tvm
from onnx import ModelProto, parser
from tvm.script import tirx as T

import tvmfuse
from tvmfuse.build.kernels.instructions import digest_of_code
from tvmfuse.build.kernels.machine_code import llvm_module, object_file


def model(op: str) -> ModelProto:
    return parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> g (float[batch,16] x) => (float[batch,16] y)'
        f"{{y = {op}(x)}}"
    )


def test_a_pass_that_changes_only_annotations_leaves_identical_code() -> None:
    """FuseOps annotates the softmax, so that the kernel's source is another one."""
    every, none = (tvmfuse.compile(model("Softmax"), level=level) for level in ("all", "none"))
    assert every.launches == none.launches
    assert tvmfuse.compile(model("LogSoftmax")).launches != every.launches


@pytest.mark.parametrize("target", ["avx2", "avx512"])
def test_other_instructions_are_other_code(target: str) -> None:
    launches = {tvmfuse.compile(model("Exp"), t).launches for t in (target, "neoverse-n1")}
    assert len(launches) == 2


def test_a_changed_instruction_is_another_digest() -> None:
    def code(name: str, factor: float) -> bytes:
        @T.prim_func
        def double(  # type: ignore[no-untyped-def]  # noqa: ANN202
            x: T.Buffer((8,), "float32"),  # type: ignore[valid-type]
            y: T.Buffer((8,), "float32"),  # type: ignore[valid-type]
        ):
            for i in range(8):
                y[i] = x[i] * T.float32(factor)

        return object_file(llvm_module({name: double}, tvm.target.Target("llvm")))

    assert digest_of_code(code("one", 2), "one") == digest_of_code(code("two", 2), "two")
    assert digest_of_code(code("one", 2), "one") != digest_of_code(code("one", 3), "one")
