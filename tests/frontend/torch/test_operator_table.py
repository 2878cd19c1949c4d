"""Some entries of torch's table of operators, drawn by a seed from those that are cheap.

All of them: ``python -m pytest tests/torch_operators``. torch's table takes seconds to import, which
only the process does that runs these tests.
"""

from __future__ import annotations

import random

import pytest
import torch

pytestmark = pytest.mark.sampled(5)

SEED, COUNT = 18, 5


def drawn(dtype: str) -> list[str]:
    """Return entries that pass, of functions of one or two numbers: they have few samples."""
    from torch_operators.entries import names
    from torch_operators.expectations import expected

    table = expected()
    passing = [name for name in names(dtype) if (name, dtype) not in table and "." not in name]
    return random.Random(SEED).sample([n for n in passing if hasattr(torch.Tensor, n)], COUNT)


def test_entries_that_pass() -> None:
    from outcome import PASS, Outcome
    from torch_operators.outcomes import outcome_of

    names = drawn("float32")
    assert {name: outcome_of(name, "float32") for name in names} == dict.fromkeys(
        names, Outcome(PASS)
    )


@pytest.mark.parametrize(
    ("name", "operator", "why"),
    [
        ("complex", "aten.complex.default", "it computes complex numbers"),
        ("bernoulli", "aten.rand.default", "it draws random numbers"),
        (
            "repeat_interleave",
            "aten.repeat_interleave.Tensor",
            "its result's sizes depend on the numbers",
        ),
        # No operator is named: the samples that it is of are found by halves.
        ("nn.functional.embedding", "", "3 of 10 samples: the program writes to"),
        ("matrix_exp", "aten.linalg_matrix_exp.default", "tvmfuse has no converter"),
    ],
)
def test_an_entry_that_is_refused(name: str, operator: str, why: str) -> None:
    from outcome import REFUSED
    from torch_operators.outcomes import outcome_of

    found = outcome_of(name, "float32")
    assert (found.kind, found.operator) == (REFUSED, operator)
    assert why in found.why


def test_no_entry_is_expected_to_be_wrong() -> None:
    from outcome import WRONG
    from torch_operators.expectations import expected

    assert [key for key, found in expected().items() if found.kind == WRONG] == []


def test_the_page_is_what_is_expected() -> None:
    from torch_operators.expectations import expected
    from torch_operators.page import PAGE, page

    assert PAGE.read_text() == page(expected())
