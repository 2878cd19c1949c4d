"""What a worker has before it is forked."""

import torch_operators.outcomes
from torch_operators.entries import entries

__all__ = ["entries", "torch_operators"]

entries()
