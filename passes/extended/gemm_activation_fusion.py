"""The activation behind a gemm is computed where the gemm is."""

from __future__ import annotations

from tvmfuse.passes.activations import ActivationRule


class GemmActivationFusion(ActivationRule):
    """Compute an activation on a gemm's results before they are stored.

    Before::

        y = gemm(a, B, c)
        z = relu(y)              # or whatever one number is made of one, in one operator or several

    After::

        y = gemm(a, B, c)        # marked: its kernel computes z
        z = relu(y)

    Pays because `y` is neither written nor read. The kernel is the one that `FuseOps` makes of
    them; the pass finds the places, names them in the report, and switched off by name keeps the
    activation a kernel of its own. Source: ONNX Runtime's pass of this name, which knows ten
    activations, in float32.
    """

    name = "GemmActivationFusion"
    aliases = ("GEMM Activation Fusion", "Gemm Activation Fusion")
    product = "tvmfuse.gemm"
