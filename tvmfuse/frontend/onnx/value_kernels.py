"""ONNX operators on values: what they make of symbolic dimensions, where they can."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tvmfuse.frontend.onnx.value_arithmetic import ARITHMETIC
from tvmfuse.frontend.onnx.value_movement import MOVEMENT
from tvmfuse.frontend.onnx.value_operands import Kernel

KERNELS: Final[Mapping[str, Kernel]] = {**MOVEMENT, **ARITHMETIC}
