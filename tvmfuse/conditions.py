"""What has to hold as a model runs, as a name.

TVM's errors tell of a shape that does not fit no more than the names of its dimensions. So what is
asked of a node's operands is the name of one.
"""

from __future__ import annotations

import re
from typing import Final

#: Between a node's name and what it asks for: no front end writes it into a name.
ASKS: Final = "__asks_that__"

#: TVM's words for the two dimensions that have to be one.
TOLD: Final = re.compile(rf"R\.Shape\(\[(\w+{ASKS}\w+), \1\]\)")

#: Its parts: the node, and what it asks for.
NAMED: Final = re.compile(rf"(\w+){ASKS}(\w+?)(?:_\d+)?")


def condition(node: str, what: str) -> str:
    """Return the name of what has to hold; a number may be put behind it, where there are several.

    Args:
        node: Whose operands.
        what: Says that it holds, in words of letters and digits, the last one of letters.

    >>> condition("Slice_3", "no step is zero")
    'Slice_3__asks_that__no_step_is_zero'
    """
    return f"{node}{ASKS}{what.replace(' ', '_')}"


def unmet(error: str) -> tuple[str, str] | None:
    """Return the node, with an underscore for what is no letter, and what does not hold.

    Args:
        error: What TVM says. None comes of all else that it may say.

    >>> name = condition("Slice_3", "no step is zero")
    >>> unmet(f"ty=R.Shape([{name}, {name}])")
    ('Slice_3', 'no step is zero')
    >>> unmet("ty=R.Shape([node__to_copy_0, node__to_copy_1])")
    """
    found = TOLD.search(error)
    return meaning(found[1]) if found else None


def meaning(name: str) -> tuple[str, str] | None:
    """Return likewise what a name of `condition` says; None for any other name.

    >>> meaning(condition("Slice_3", "no step is zero") + "_1")
    ('Slice_3', 'no step is zero')
    """
    found = NAMED.fullmatch(name)
    return (found[1], found[2].replace("_", " ")) if found else None
