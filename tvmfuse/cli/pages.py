"""Writing pages: what that takes is asked for before the long work starts."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final

from tvmfuse.errors import ConfigurationError

NEEDED: Final = ("jinja2", "matplotlib", "grandalf")


def require_pages(output: Path | None) -> None:
    """Refuse to write a page where its libraries are not installed.

    Raises:
        ConfigurationError: It names them, and how to install them.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if output is not None and missing:
        raise ConfigurationError(
            f"writing {output} takes {', '.join(missing)}, which the extra `report` installs: "
            "python -m pip install 'tvmfuse[report]'"
        )
