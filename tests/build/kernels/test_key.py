"""key: equal for what compiles to the same code, different for all else; the same in every process."""

import ast
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from relax_models import python, succeeds
from tvm import te, tirx

from tvmfuse import schedules
from tvmfuse.build.kernels import key
from tvmfuse.build.kernels.key import compiling_for
from tvmfuse.schedules.plan_keys import content_of
from tvmfuse.target.resolve import resolve


def kernel(
    name: str = "v7", *, size: int = 8, factor: float = 2.0, dtype: str = "float32"
) -> tirx.PrimFunc:
    x = te.placeholder((size,), dtype, name=name)
    return te.create_prim_func(
        [x, te.compute((size,), lambda i: x[i] * tirx.const(factor, dtype), name="y")]
    )


CONTEXT = "avx2"


def kernel_key(stem: str, function: tirx.PrimFunc, context: str) -> str:
    return key.kernel_key(stem, content_of(function), context)


ONE = kernel_key("scale", kernel(), CONTEXT)


def test_the_place_in_the_graph_plays_no_part() -> None:
    assert kernel_key("scale", kernel("v1234"), CONTEXT) == ONE
    assert len(ONE) == 64


@pytest.mark.parametrize(
    "other",
    [kernel(size=9), kernel(factor=2.0000002), kernel(factor=-0.0), kernel(dtype="float64"), kernel().with_attr(
    "op_pattern", 8)],
    ids=["size", "constant", "zero", "dtype", "attribute"],
)  # fmt: skip
def test_another_kernel(other: Any) -> None:
    assert kernel_key("scale", other, CONTEXT) != ONE
    assert kernel_key("scale", other, CONTEXT) != kernel_key("scale", kernel(factor=0.0), CONTEXT)


def test_another_name_or_context() -> None:
    assert (
        len({ONE, kernel_key("double", kernel(), CONTEXT), kernel_key("scale", kernel(), "avx512")})
        == 3
    )


def test_the_context_is_target_features_versions_and_sources(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contexts = {
        compiling_for(resolve(t)) for t in ("avx2", "avx512", "llvm -mcpu=core-avx2 -mattr=+vaes")
    }
    for name, value in [("version", lambda name: f"{name} 99"), ("SOURCES", "edited")]:
        with monkeypatch.context() as patch:
            patch.setattr(key, name, value)
            contexts.add(compiling_for(resolve("avx2")))
    assert len(contexts) == 5


def test_an_edited_source_changes_the_digest(tmp_path: Path) -> None:
    copy = tmp_path / "key.py"
    shutil.copy(key.__file__, copy)
    before = key.digest_of({"key": copy})
    assert key.digest_of({"key": copy}) == before
    assert key.digest_of({"yek": copy}) != before
    copy.write_text(copy.read_text() + "\n")
    assert key.digest_of({"key": copy}) != before


def test_what_schedules_and_compiles_is_in_the_digest_and_what_calls_it_is_not() -> None:
    names = key.sources_of(key.ROOT).keys()
    makes = {"build.kernels.compile", "build.kernels.machine_code", "schedules.schedule"}
    assert names >= {"tvmfuse", *(f"tvmfuse.{name}" for name in makes)}
    assert names >= {file_name(f) for f in SCHEDULES.rglob("*.py")}
    rooms = {name.split(".")[1] for name in names if "." in name}
    assert rooms.isdisjoint(
        {"api", "cli", "frontend", "measure", "passes", "pipeline", "session", "views"}
    )


SCHEDULES = Path(schedules.__file__).parent


def file_name(path: Path) -> str:
    parts = path.relative_to(SCHEDULES).with_suffix("").parts
    return ".".join(("tvmfuse.schedules", *(part for part in parts if part != "__init__")))


SCHEDULING = """
from tvm import IRModule, te
from tvmfuse.build.kernels.compile import compile_kernels
from tvmfuse.target.resolve import resolve
print(*(name for name in sys.modules if name.startswith("tvmfuse")))
resolved = set(sys.modules)
x = te.placeholder((8, 8), name="x")
k = te.reduce_axis((0, 8))
kernels = {
    "copy": te.compute((8, 8), lambda i, j: x[i, j] * 2.0),
    "sum": te.compute((8,), lambda i: te.sum(x[i, k], k)),
    "product": te.compute((8, 8), lambda i, j: te.sum(x[i, k] * x[k, j], k)),
}
compile_kernels(IRModule({n: te.create_prim_func([x, y]) for n, y in kernels.items()}), resolve("avx2"))
print(*(name for name in set(sys.modules) - resolved if name.startswith("tvmfuse")))
"""


def test_each_module_that_is_loaded_to_schedule_and_compile_is_in_the_digest() -> None:
    at_first, while_running = succeeds(python(SCHEDULING)).split("\n")[:2]
    assert set(while_running.split()) <= key.sources_of(key.ROOT).keys()
    loaded = set(at_first.split()) - key.sources_of("tvmfuse.target.resolve").keys()
    assert loaded
    assert loaded <= key.sources_of(key.ROOT).keys()


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import tvmfuse.a.b\n", ["tvmfuse.a.b"]),
        ("from tvmfuse.a import b, c as d\n",
            ["tvmfuse.a", "tvmfuse.a.b", "tvmfuse.a.c", "tvmfuse.a.as", "tvmfuse.a.d"]),
        ("from tvmfuse.a import (\n    b,\n    c,\n)\n", ["tvmfuse.a", "tvmfuse.a.b", "tvmfuse.a.c"]),
        ("def f():\n    from tvmfuse.a import b\n", ["tvmfuse.a", "tvmfuse.a.b"]),
        ("if TYPE_CHECKING:\n    from tvmfuse.a import b\n\n    from tvmfuse.b import c\n\nimport tvmfuse.c\n",
            ["tvmfuse.c"]),
        ("import numpy\nfrom tvm import te\n", []),
    ],
    ids=["plain", "from", "several lines", "inside", "types", "others"],
)  # fmt: skip
def test_reads_imports(source: str, names: Any) -> None:
    assert list(key._imports(source)) == names


def test_reads_the_imports_that_the_parser_sees() -> None:
    """Nothing in our own sources is written so that the regular expression misses it."""
    for name, file in key.sources_of("tvmfuse.api").items():
        source = file.read_text()
        seen = {m for m in parsed_imports(ast.parse(source)) if m.startswith("tvmfuse")}
        assert seen <= set(key._imports(source)), name


def parsed_imports(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        assert node.module is not None
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    for child in ast.iter_child_nodes(node):
        yield from parsed_imports(child)


# Without the sources: somebody may be editing them.
PROGRAM = """
import json
sys.path[:0] = sys.argv[1:]
from test_key import ONE
from tvmfuse.build.kernels.key import compiling_for
from tvmfuse.target.resolve import resolve
print(json.dumps([ONE, *json.loads(compiling_for(resolve("avx2")))[:-1]]))
"""


def test_another_process_finds_the_same(tmp_path: Path) -> None:
    said = succeeds(python(PROGRAM, Path(__file__).parent, Path(__file__).parents[2]))
    assert json.loads(said) == [ONE, *json.loads(compiling_for(resolve("avx2")))[:-1]]


def test_symbolic_sizes_and_infinite_constants_have_keys() -> None:
    assert kernel_key("scale", kernel(size=tirx.Var("n", "int64"), factor=np.inf), CONTEXT) != ONE
