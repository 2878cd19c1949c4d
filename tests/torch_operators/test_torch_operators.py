"""Each entry of torch's table ends as is expected: it passes, or is refused for the reason written down.

``python -m pytest tests/torch_operators``; of ``python -m pytest`` a few entries are a part, see
``tests/frontend/torch/test_operator_table.py``. With ``--renew`` what is found is what is expected
from then on.
"""

from __future__ import annotations

import pytest
from outcome import Outcome, deviations
from torch_operators.entries import names
from torch_operators.expectations import expected
from torch_operators.page import PAGE, page

EXPECTED = expected()


def test_entry(name: str, dtype: str, outcome: Outcome, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--renew"):
        assert not deviations({(name, dtype): outcome}, EXPECTED)


def test_nothing_is_expected_of_entries_that_do_not_exist() -> None:
    assert all(name in names(dtype) for name, dtype in EXPECTED)


def test_the_page_is_what_is_expected(request: pytest.FixtureRequest) -> None:
    """To renew it: `python -m pytest tests/torch_operators -k page --renew`."""
    if not request.config.getoption("--renew"):
        assert PAGE.read_text() == page(EXPECTED)
