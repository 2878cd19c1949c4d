"""The activation behind a convolution is computed where the convolution is."""

from __future__ import annotations

from tvmfuse.passes.activations import ActivationRule


class ConvActivationFusion(ActivationRule):
    """Compute an activation on a convolution's results before they are stored.

    Before::

        y = conv(x, W, b)
        z = relu(y)              # or whatever one number is made of one, in one operator or several

    After::

        y = conv(x, W, b)        # marked: its kernel computes z
        z = relu(y)

    Pays because `y` is neither written nor read. The kernel is the one that `FuseOps` makes of
    them, in whatever layout the convolution ends; the pass finds the places, names them in the
    report, and switched off by name keeps the activation a kernel of its own. Source: ONNX
    Runtime's pass of this name, which knows six activations, in float32.
    """

    name = "ConvActivationFusion"
    aliases = ("Conv Activation Fusion",)
    product = "tvmfuse.conv"
