"""What was taken for granted of sizes as torch exported a program, and as it was taken apart.

Where Python asks whether a size is even, or less than 16, the program has one of the two answers in
it. torch notes each such question as a guard, and its own programs refuse other sizes.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

import torch
from torch._subclasses import FakeTensor
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind
from torch.fx import Graph
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
from torch.utils._sympy.printers import PythonPrinter
from torch.utils._sympy.value_ranges import ValueRanges, bound_sympy

from tvmfuse.errors import UncheckedSizesWarning

_TORCH: Final = Path(torch.__file__).parent
#: Here torch finds out how results lie in memory, which is not how they lie in an artifact.
LAYOUTS: Final = tuple(_TORCH / name for name in ("_prims", "_prims_common", "_refs"))
#: Whose questions decide what operators are taken apart into.
PARTS: Final = (_TORCH / "_decomp", Path(__file__).parent)
SUPPOSED: Final = 2
"""The smallest size that torch supposes where it is told nothing, and that it does not ask for."""

#: What a program was exported with: taking it apart adds to its guards, and it may be again.
_EXPORTED: Final = WeakKeyDictionary[ExportedProgram, list[Any]]()


def of_export(program: ExportedProgram) -> list[Any]:
    """Return the guards on a program's sizes; where it was read from a file, these are code."""
    if program not in _EXPORTED:
        found = recorded(program.graph)
        _EXPORTED[program] = found if found or not program._guards_code else _read(program)
    return _EXPORTED[program]


def _read(program: ExportedProgram) -> list[Any]:
    check: Any = getattr(program.module(), "_guards_fn", None)
    if check is None:
        warnings.warn(
            f"torch.export took for granted that {' and '.join(program._guards_code)}, and torch "
            "makes no check of it without example inputs: feed the artifact no other sizes",
            UncheckedSizesWarning,
            stacklevel=2,
        )
        return []
    given = {
        spec.arg.name
        for spec in program.graph_signature.input_specs
        if spec.kind is InputKind.USER_INPUT
    }
    placeholders = program.graph.find_nodes(op="placeholder")
    check(*(node.meta["val"] for node in placeholders if node.name in given))  # that notes them
    return recorded(program.graph)


def recorded(graph: Graph) -> list[Any]:
    """Return the guards so far on the sizes of a graph's inputs."""
    for node in graph.find_nodes(op="placeholder"):
        value = node.meta.get("val")
        if isinstance(value, FakeTensor) and value.fake_mode.shape_env is not None:
            return list(value.fake_mode.shape_env.guards)
    return []


def granted(program: ExportedProgram, exported: Sequence[Any], since: Sequence[Any]) -> list[Any]:
    """Return what has to hold of the program's symbols, and does not for all in their ranges.

    Args:
        program: Whose symbols.
        exported: The guards when it was exported.
        since: Those since then.
    """
    guards = [g for g in exported if not _is_from(g, LAYOUTS)]
    guards += [g for g in since if _is_from(g, PARTS)]
    ranges = program.range_constraints
    asked = dict.fromkeys(g.expr for g in guards if g.expr.free_symbols <= ranges.keys())
    # What a run computes is asserted in the graph, if at all.
    fed = [expr for expr in asked if not free_unbacked_symbols(expr)]
    taken = {symbol: _taken(found) for symbol, found in ranges.items()}
    return [expr for expr in fed if not _always_holds(expr, taken)]


def _taken(found: Any) -> Any:
    """Return a range with the 0 and 1 that programs take where torch supposes 2."""
    return ValueRanges(0, found.upper) if found.lower == SUPPOSED else found


def written(expr: Any, names: Mapping[str, str]) -> str:
    """Return a condition in Python, with what we call the symbols."""
    said = re.sub(
        r"\b[a-z]\w*", lambda word: names.get(word[0], word[0]), PythonPrinter().doprint(expr)
    )
    said = re.sub(r"torch\.sym_float\((\w+)\)", r"\1", said)
    return re.sub(r"\d+\.\d{6,}", lambda number: str(float(number[0])), said)


def _is_from(guard: Any, places: Collection[Path]) -> bool:
    frame = guard.sloc.framework_loc
    asked = Path(getattr(frame, "filename", ""))
    return any(asked.is_relative_to(place) for place in places)


def _always_holds(expr: Any, ranges: Mapping[Any, Any]) -> bool:
    found = bound_sympy(expr, dict(ranges))
    return bool(found.is_singleton()) and bool(found.lower)
