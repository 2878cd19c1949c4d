"""Which line of a user's program a node comes from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import torch
from torch.fx import Node

TORCH: Final = str(Path(torch.__file__).parent)
FRAME: Final = re.compile(r'File "([^"]+)", line (\d+)')


def where(node: Node) -> str:
    """Return the innermost line outside torch, ``file:line``; empty where torch knows none."""
    frames = FRAME.findall(node.meta.get("stack_trace") or "")
    own = [frame for frame in frames if not frame[0].startswith(TORCH)]
    return ":".join((own or frames)[-1]) if frames else ""
