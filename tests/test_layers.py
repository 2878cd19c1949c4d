"""The rooms of the house, and who may import whom.

Imports inside functions, and those for type checkers only, count, too.
"""

import ast
import graphlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: From the ground up. A room imports rooms of earlier lines; those of one line import none of each
#: other.
LAYERS = (
    {
        "errors",
        "conditions",
        "progress",
        "json_safe",
        "demo",
        "narrow_types",
        "real_onnxruntime",
        "recipes",
        "report",
        "grouping",
        "tensor_spec",
        "without_torch",
    },
    {"manifest", "unfinished", "background"},
    {"interruption"},
    {"levels", "limits", "names", "out_of_memory", "result", "size_ranges"},
    {"tvm_runtime", "_tvm", "arrays"},
    {"tensors"},
    {"target", "format", "ir", "recipe_json", "text"},
    {"ops"},
    {"frontend", "passes", "schedules"},
    {"runtime"},
    {"build"},
    {"calibrate", "c"},
    {"pipeline", "testing"},
    {"measure", "doctor"},
    {"quantization", "tuning"},
    {"views"},
    {"verify"},
    {"api"},
    {"starting"},
    {"onnxruntime_api", "backend", "torch_backend", "fleet"},
    {"session", "as_onnxruntime"},
    {"tvmfuse"},
    {"cli"},
    {"integrations"},
    {"__main__"},
)


def module(file: Path) -> str:
    """Return the dotted name that a file is imported by."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    parts = parts if parts[0] == "tvmfuse" else ("tvmfuse", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module(f): f for d in ("tvmfuse", "passes", "schedules") for f in (ROOT / d).rglob("*.py")
}


def room(name: str) -> str:
    return name.split(".")[1] if "." in name else "tvmfuse"


def imported(file: Path) -> Iterator[str]:
    """Yield the modules of ours that a file imports anywhere."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tvmfuse":
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else str(node.module)
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name in MODULES)


@pytest.fixture(scope="module")
def imports() -> Mapping[str, set[str]]:
    return {name: set(imported(file)) for name, file in MODULES.items()}


def test_every_room_stands_in_one_layer() -> None:
    rooms = [r for layer in LAYERS for r in layer]
    assert sorted(rooms) == sorted(set(rooms)) == sorted({room(name) for name in MODULES})


def test_imports_go_down(imports: Mapping[str, set[str]]) -> None:
    level = {r: place for place, layer in enumerate(LAYERS) for r in layer}
    wrong = {
        f"{name} imports {other}"
        for name, others in imports.items()
        for other in others
        if room(name) != room(other) and level[room(other)] >= level[room(name)]
    }
    assert not wrong


def test_no_circle_between_files(imports: Mapping[str, set[str]]) -> None:
    graphlib.TopologicalSorter(imports).prepare()


def test_no_circle_between_rooms(imports: Mapping[str, set[str]]) -> None:
    rooms: dict[str, set[str]] = defaultdict(set)
    for name, others in imports.items():
        rooms[room(name)] |= {room(o) for o in others} - {room(name)}
    graphlib.TopologicalSorter(rooms).prepare()


#: Who may know what is private or version-bound in TVM: the compiler's side and the runtime's.
TVM_FILES = {"tvmfuse._tvm", "tvmfuse.tvm_runtime"}
TVM_PACKAGES = {"tvm", "tvm_ffi"}


def private_uses(tree: ast.AST) -> Iterator[str]:
    """Yield the private names of TVM that a file uses, and functions taken by their names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in TVM_PACKAGES:
            names = [*str(node.module).split("."), *(a.name for a in node.names)]
            yield from (n for n in names if n.startswith("_"))
            yield from (n for n in names if n == "get_global_func")
        elif isinstance(node, ast.Attribute) and node.attr == "get_global_func":
            yield node.attr
        elif isinstance(node, ast.Attribute) and re.match("_[a-z]", node.attr):
            root: ast.expr = node
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in TVM_PACKAGES | {
                "relax",
                "tirx",
                "builder",
            }:
                yield node.attr


@pytest.mark.parametrize(
    "code",
    [
        "from tvm.ir import _ffi_api as api",
        "from tvm._ffi import base",
        "tvm.get_global_func('relax.VMLink')",
        "from tvm_ffi import get_global_func",
        "relax.frontend.onnx._get_convert_map()",
        "builder._end_block()",
    ],
)
def test_private_uses_are_found(code: str) -> None:
    assert [*private_uses(ast.parse(code))]


def test_one_file_knows_what_is_private_in_tvm() -> None:
    found = {n: [*private_uses(ast.parse(f.read_text()))] for n, f in MODULES.items()}
    assert {n for n, uses in found.items() if uses} <= TVM_FILES
    suppressed = {n for n, f in MODULES.items() if "noqa: SLF001" in f.read_text()}
    assert suppressed <= TVM_FILES
