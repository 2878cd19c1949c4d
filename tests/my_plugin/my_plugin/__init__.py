"""A package that adds a pass to tvmfuse."""

from my_plugin.double_negation import DoubleNegation
from tvmfuse.passes import Plugin

PLUGIN = Plugin(passes=[DoubleNegation()])
