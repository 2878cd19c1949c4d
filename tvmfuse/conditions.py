"""What has to hold as a model runs, as a name.

TVM's errors tell of a shape that does not fit no more than the names of its dimensions. So what is
asked of a node's operands is the name of one.
"""

from __future__ import annotations

import re
from typing import Final

#: TVM's words for the two dimensions that have to be one.
TOLD: Final = re.compile(r"R\.Shape\(\[(\w+)__(\w+?)(?:_\d+)?, \1__\2(?:_\d+)?\]\)")


def condition(node: str, what: str) -> str:
    """Return the name of what has to hold; a number may be put behind it, where there are several.

    Args:
        node: Whose operands.
        what: Says that it holds, in words of letters and digits, the last one of letters.

    >>> condition("Slice_3", "no step is zero")
    'Slice_3__no_step_is_zero'
    """
    return f"{node}__{what.replace(' ', '_')}"


def unmet(error: str) -> tuple[str, str] | None:
    """Return the node, with an underscore for what is no letter, and what does not hold.

    Args:
        error: What TVM says. None comes of all else that it may say.

    >>> unmet("ty=R.Shape([Slice_3__no_step_is_zero, Slice_3__no_step_is_zero])")
    ('Slice_3', 'no step is zero')
    >>> unmet("ty=R.Shape([n, 3])")
    """
    found = TOLD.search(error)
    return (found[1], found[2].replace("_", " ")) if found else None
