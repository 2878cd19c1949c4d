"""Each reason that a pass or a schedule gives for a refusal is one that a test asks for, in words."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent


def reasons(tree: ast.AST) -> Iterator[str]:
    """Yield the strings that conditions are yielded with, and those that `Declined` is given."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
            yield from strings(node.value.elts[-1])
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Declined":
            yield from (s for argument in node.args for s in strings(argument))


def strings(tree: ast.AST) -> list[str]:
    """Return all strings in a tree; of one with expressions in it, the parts between them."""
    found = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [value for value in found if isinstance(value, str)]


def parsed(*folders: str) -> Iterator[ast.AST]:
    for folder in folders:
        yield from (ast.parse(file.read_text()) for file in (ROOT / folder).rglob("*.py"))


def test_what_a_reason_is() -> None:
    source = """def requires():
    yield a, "it " "holds"
    yield b, f"{n} is there"
Declined("no sum" if c else "none")"""
    assert set(reasons(ast.parse(source))) == {"it holds", " is there", "no sum", "none"}


def test_a_test_asks_for_each() -> None:
    asked_for = "\n".join(s for tree in parsed("tests") for s in strings(tree))
    given = {reason for tree in parsed("passes", "schedules") for reason in reasons(tree)}
    assert len(given) > 150
    assert [reason for reason in sorted(given) if reason not in asked_for] == []
