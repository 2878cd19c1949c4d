"""Names as users write them: several in one text, in any case, with spaces or without."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tvmfuse.errors import ConfigurationError

Names = str | type | Iterable[Any]
"""Names of passes or steps: several, or one text in which commas or semicolons separate them.

Among passes may be such of the caller's own; see `passes/plugged.py`."""

SEPARATORS: Final = str.maketrans({";": ",", "\n": ","})


def split_names(names: Names, option: str, what: str) -> list[str]:
    """Return the names in some texts; one text may hold several, by comma, semicolon or line.

    Args:
        names: A text, or several.
        option: The argument that they came by, for the error.
        what: Of what they are the names, likewise.

    Raises:
        ConfigurationError: One of them is no text.

    >>> split_names("FuseOps; ConvBNFusion,", "disabled_pass", "passes")
    ['FuseOps', 'ConvBNFusion']
    """
    if not isinstance(names, Iterable):
        raise ConfigurationError(f"{option}: expected names of {what}, found {names!r}")
    texts = listed(names)
    for text in texts:
        if not isinstance(text, str):
            raise ConfigurationError(
                f"{option}: expected names of {what}, found {text!r} among them"
            )
    parts = (part.strip() for text in texts for part in text.translate(SEPARATORS).split(","))
    return [part for part in parts if part]


def listed(names: Names) -> list[Any]:
    """Return what several names are, or the one that there is.

    >>> listed("FuseOps"), listed(("a", "b"))
    (['FuseOps'], ['a', 'b'])
    """
    if isinstance(names, Iterable) and not isinstance(names, str):
        return [*names]
    return [names]


def folded(name: str) -> str:
    """Return what of a name counts where names are compared.

    >>> folded("Conv BatchNorm_Fusion") == folded("convbatchnormfusion")
    True
    """
    return name.casefold().replace(" ", "").replace("_", "").replace("-", "")
