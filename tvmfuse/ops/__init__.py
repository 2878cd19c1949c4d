"""Relax operators of our own, `tvmfuse.*`.

They are ONNX operators that stock Relax takes apart, and what stands for them in other layouts.

Each file defines one: how to build a call, what type it has, how it is lowered. Importing this
package registers them with TVM.
"""

from tvmfuse.ops.attention import attention
from tvmfuse.ops.batch_matmul import batch_matmul
from tvmfuse.ops.bias_softmax import bias_softmax
from tvmfuse.ops.blocked import from_blocked, to_blocked
from tvmfuse.ops.conv import conv
from tvmfuse.ops.conv_blocked import conv_blocked
from tvmfuse.ops.conv_transpose import conv_transpose
from tvmfuse.ops.gemm import gemm
from tvmfuse.ops.markers import barrier, dropout, identity
from tvmfuse.ops.winograd import winograd, winograd_weights

__all__ = [
    "attention",
    "barrier",
    "batch_matmul",
    "bias_softmax",
    "conv",
    "conv_blocked",
    "conv_transpose",
    "dropout",
    "from_blocked",
    "gemm",
    "identity",
    "to_blocked",
    "winograd",
    "winograd_weights",
]
