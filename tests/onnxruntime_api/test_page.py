"""The page about onnxruntime's API says what the tests do."""

from pathlib import Path

from onnxruntime_api.page import CASES, WHY_NOT, declared, page

PAGE = Path(__file__).parents[2] / "docs/onnxruntime-api.md"


def test_every_case_is_declared_once_or_has_its_reason() -> None:
    found = [case for case, _, _ in declared()]
    assert sorted([*found, *WHY_NOT]) == sorted(CASES)


def test_the_page_is_up_to_date() -> None:
    """`python -m tests.onnxruntime_api.page > docs/onnxruntime-api.md` renews it."""
    assert PAGE.read_text() == page()
