"""A package that adds a pass and an operator to tvmfuse."""

from my_plugin.double_negation import DoubleNegation
from my_plugin.scaled import scaled
from tvmfuse.passes import Plugin

PLUGIN = Plugin(passes=[DoubleNegation()], converters={"my.domain::Scaled": scaled})
