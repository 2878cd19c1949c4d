"""Words that several results share, as the field has them."""

from __future__ import annotations

from typing import Final

INTERRUPTED: Final = "interrupted: this is what was measured until then"
NOT_WARM: Final = "warm-up did not converge"
IDENTICAL: Final = "identical kernels, not timed"
BY_MAGNITUDE: Final = "normalized by max abs of the reference"


def scientific(number: float) -> str:
    """Write a small number as people do.

    >>> scientific(1e-4), scientific(1.5e-3), scientific(0.1), scientific(0)
    ('1e-4', '1.5e-3', '0.1', '0')
    """
    if number == 0 or number >= 0.01:
        return f"{number:g}"
    mantissa, _, exponent = f"{number:.6e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def largest_error(error: float, tolerance: float) -> str:
    """Say how large the largest error is, and what is tolerated.

    >>> largest_error(1.2e-6, 1e-4)
    'the largest error is 1.2e-06 (normalized by max abs of the reference), tolerance 1e-4'
    """
    size = f"{error:.1e} ({BY_MAGNITUDE})" if error else "0"
    return f"the largest error is {size}, tolerance {scientific(tolerance)}"


def simultaneous(confidence: float) -> str:
    """Say at which confidence all intervals together hold the truth.

    >>> simultaneous(0.99)
    'simultaneous 99 % CIs (Bonferroni)'
    """
    return f"simultaneous {confidence * 100:g} % CIs (Bonferroni)"


def counted(count: int, what: str) -> str:
    """Write a number with its noun.

    >>> counted(1, "kernel"), counted(2, "kernel")
    ('1 kernel', '2 kernels')
    """
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
