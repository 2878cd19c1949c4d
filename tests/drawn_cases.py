"""Cases of onnx's own suites whose results numpy has drawn: nobody else draws those."""

from __future__ import annotations

from typing import Final

DRAWN: Final = frozenset(
    {
        *(
            f"test_bernoulli{kind}{form}"
            for kind in ("", "_double", "_seed")
            for form in ("", "_expanded")
        ),
        *(f"test_training_dropout{kind}" for kind in ("", "_default", "_default_mask", "_mask")),
    }
)
"""Of them only the types and the shapes are compared."""
