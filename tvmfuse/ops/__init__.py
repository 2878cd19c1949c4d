"""Relax operators of our own, `tvmfuse.*`: ONNX operators that stock Relax takes apart.

Each file defines one: how to build a call, what type it has, how it is lowered. Importing this
package registers them with TVM.
"""

from tvmfuse.ops.conv import conv
from tvmfuse.ops.conv_transpose import conv_transpose
from tvmfuse.ops.gemm import gemm
from tvmfuse.ops.markers import barrier, dropout, identity

__all__ = ["barrier", "conv", "conv_transpose", "dropout", "gemm", "identity"]
