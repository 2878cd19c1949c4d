"""Traits of operators: complete, true, and stated once."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from firing import CASES as FIRING
from operator_cases import CASES
from operator_models import REFUSED, model_of
from tvm import IRModule, relax
from tvm.ir import Op
from zoo import EXPORTS

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import TUPLE_GET_ITEM, Dataflow, op_name
from tvmfuse.ops.traits import Kind, Traits, operators, traits_of
from tvmfuse.ops.traits.relax_operators import NOT_EMITTED, RUNTIME_PREFIXES
from tvmfuse.ops.traits.table import UNKNOWN
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.target.resolve import resolve

ROOT = Path(__file__).parents[2]
SOURCES = [f for d in ("passes", "schedules", "tvmfuse") for f in (ROOT / d).rglob("*.py")]


def called(module: IRModule) -> Iterator[str]:
    """Yield the operators that a module calls, in branches, too."""
    functions = [f for f in module.functions.values() if isinstance(f, relax.Function)]
    for function in functions:
        for _, value in Dataflow.of(function).bindings:
            if (name := op_name(value)) and name != TUPLE_GET_ITEM:
                yield name


def unknown(names: Counter[str]) -> set[str]:
    """Return the names without a record, and those of which it says that nobody emits them."""
    return {n for n in names if traits_of(n) is UNKNOWN or traits_of(n).why == NOT_EMITTED}


@cache
def registered() -> frozenset[str]:
    return frozenset(
        name
        for name in Op.list_op_names()
        if name.startswith(("relax.", "tvmfuse.")) and not name.startswith(RUNTIME_PREFIXES)
    )


def test_every_registered_operator_has_a_record_or_a_reason() -> None:
    assert registered() == set(operators())


def test_an_operator_of_no_class_says_why() -> None:
    with pytest.raises(ValueError, match="says why it is of no class"):
        Traits(kind=Kind.OTHER)
    with pytest.raises(ValueError, match="or belongs to one"):
        Traits(kind=Kind.RESHAPE, why="it does not")


def test_nothing_is_known_of_what_is_not_in_the_table() -> None:
    assert traits_of("relax.new") is traits_of(None) is traits_of(relax.const(1)) is UNKNOWN


@pytest.mark.parametrize("opset", [17, 20, 21])
def test_the_table_has_what_converters_emit(opset: int) -> None:
    cases = [c for n, c in CASES.items() if c.opset == opset and n not in REFUSED]
    names = Counter(called(import_model(model_of(cases)[0]).module))
    assert names
    assert not unknown(names)


@pytest.mark.parametrize(("name", "exporter"), EXPORTS)
@pytest.mark.sampled(4)
def test_the_table_has_what_models_need(exported: Any, name: str, exporter: str) -> None:
    names = Counter(called(import_model(exported(name, exporter)).module))
    assert names
    assert not unknown(names)


@pytest.mark.parametrize("case", FIRING, ids=lambda case: case.rule)
def test_the_table_has_what_passes_create(case: Any) -> None:
    module = import_model(case.model()).module
    selection = Selection.of("all", case.disabled, [case.rule] if case.enabled else [])
    names = Counter(called(optimize(module, selection, target=resolve("avx2")).operators))
    assert not unknown(names)


def test_the_table_has_every_operator_that_the_sources_name() -> None:
    """Also those that no model of the tests has: as text, or as a function of Relax's."""
    named: set[str] = set()
    for file in SOURCES:
        text = file.read_text()
        named |= set(re.findall(r'"((?:relax|tvmfuse)\.[a-z_0-9.]+)"', text)) & registered()
        for path in re.findall(r"relax\.op\.([a-z_0-9.]+)", text):
            named.add(f"relax.{path.rstrip('.')}")
    made = {n for n in named if n in Op.list_op_names()}
    assert len(made) > 100
    assert {n for n in made if unknown(Counter([n]))} == set()


def test_no_source_keeps_a_list_of_operators() -> None:
    """Tables of functions by name are no lists: each operator stands in them for what it does."""
    found = []
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Tuple | ast.List | ast.Set):
                said = [e.value for e in node.elts if isinstance(e, ast.Constant)]
                if sum(isinstance(s, str) and s in registered() for s in said) > 2:
                    found.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert found == []
