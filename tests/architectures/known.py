"""Exports that do not compile yet, and why; each of them is refused in words, none is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NOT_COMPILED: Final[Mapping[str, str]] = {
    "sound:sew-dynamo-symbolic": "TVM divides by 0 where it takes a Reshape of symbolic sizes apart",
    "text:longt5-classic-symbolic": "LLVM does not get the kernel that makes a mask of pads and slices",
    "text:xlnet-classic-symbolic": "EyeLike and Range of symbolic sizes, the latter with a step of -1",
    "text:xmod-dynamo-symbolic": "Expand of a symbolic dimension by a size that shows in the run",
}
"""Export, as its test is called -> the reason."""
