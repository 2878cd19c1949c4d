"""Further networks: one of each kind, of published or reduced sizes, with seeded random weights.

Nothing is downloaded. `python -m bench.networks` times them on several engines.
"""

from __future__ import annotations

from bench.networks.network import Network
from bench.networks.table import NETWORKS

__all__ = ["NETWORKS", "Network"]
