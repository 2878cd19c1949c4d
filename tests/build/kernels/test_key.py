"""key: equal for what compiles to the same code, different for all else; the same in every process."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from relax_models import python, succeeds
from tvm import te, tirx

from tvmfuse.build.kernels import key
from tvmfuse.build.kernels.key import compiling_for, kernel_key
from tvmfuse.target.resolve import resolve


def kernel(
    name: str = "v7", *, size: int = 8, factor: float = 2.0, dtype: str = "float32"
) -> tirx.PrimFunc:
    x = te.placeholder((size,), dtype, name=name)
    return te.create_prim_func(
        [x, te.compute((size,), lambda i: x[i] * tirx.const(factor, dtype), name="y")]
    )


CONTEXT = "avx2"
ONE = kernel_key("scale", kernel(), CONTEXT)


def test_the_place_in_the_graph_plays_no_part() -> None:
    assert kernel_key("scale", kernel("v1234"), CONTEXT) == ONE
    assert len(ONE) == 64


@pytest.mark.parametrize(
    "other",
    [kernel(size=9), kernel(factor=2.0000002), kernel(factor=-0.0), kernel(dtype="float64"), kernel().with_attr("op_pattern", 8)],
    ids=["size", "constant", "zero", "dtype", "attribute"],
)  # fmt: skip
def test_another_kernel(other) -> None:
    assert kernel_key("scale", other, CONTEXT) != ONE
    assert kernel_key("scale", other, CONTEXT) != kernel_key("scale", kernel(factor=0.0), CONTEXT)


def test_another_name_or_context() -> None:
    assert (
        len({ONE, kernel_key("double", kernel(), CONTEXT), kernel_key("scale", kernel(), "avx512")})
        == 3
    )


def test_the_context_is_target_features_versions_and_sources(monkeypatch) -> None:
    contexts = {
        compiling_for(resolve(t)) for t in ("avx2", "avx512", "llvm -mcpu=core-avx2 -mattr=+vaes")
    }
    for name, value in [("version", lambda name: f"{name} 99"), ("SOURCES", "edited")]:
        with monkeypatch.context() as patch:
            patch.setattr(key, name, value)
            contexts.add(compiling_for(resolve("avx2")))
    assert len(contexts) == 5


def test_an_edited_source_changes_the_context(monkeypatch, tmp_path) -> None:
    package = tmp_path / "edited_package"
    shutil.copytree(Path(key.__file__).parent, package)
    monkeypatch.syspath_prepend(tmp_path)
    before = key.digest_of(["edited_package"])
    assert key.digest_of(["edited_package"]) == before
    (package / "key.py").write_text((package / "key.py").read_text() + "\n")
    assert key.digest_of(["edited_package"]) != before
    sys.modules.pop("edited_package", None)


# Without the sources: somebody may be editing them.
PROGRAM = """
import json
sys.path.insert(0, sys.argv[1])
from kernels.test_key import ONE
from tvmfuse.kernels.key import compiling_for
from tvmfuse.targets import resolve
print(json.dumps([ONE, *json.loads(compiling_for(resolve("avx2")))[:-1]]))
"""


def test_another_process_finds_the_same(tmp_path) -> None:
    said = succeeds(python(PROGRAM, Path(__file__).parent.parent))
    assert json.loads(said) == [ONE, *json.loads(compiling_for(resolve("avx2")))[:-1]]


def test_symbolic_sizes_and_infinite_constants_have_keys() -> None:
    assert kernel_key("scale", kernel(size=tirx.Var("n", "int64"), factor=np.inf), CONTEXT) != ONE
