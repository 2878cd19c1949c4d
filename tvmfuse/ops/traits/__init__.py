"""Facts about operators, each stated once.

Relax's operators stand in `relax_operators.py`; an operator of our own states its traits where it
is defined. Passes ask here and keep no lists of operators: an operator that one list has and
another lacks silently blocks rewrites.
"""

from tvmfuse.ops.traits.record import Kind, Traits
from tvmfuse.ops.traits.table import declare, operators, traits_of

__all__ = ["Kind", "Traits", "declare", "operators", "traits_of"]
