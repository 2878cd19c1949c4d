"""Products of a matrix and a vector: the last layer of a classifier, a step of a decoder.

Each number of the matrix is used once, so that it runs as fast as the matrix comes from memory, if
that is read in one piece: row after row, each by a dot product.
"""

from __future__ import annotations

from tvm.tirx import PrimFunc

from tvmfuse.schedules.contraction import Contraction, contraction
from tvmfuse.schedules.cpu.group_nest import group_nest
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.loop_nests import Writer
from tvmfuse.schedules.protocol import Declined
from tvmfuse.target.machine import Machine


def matvec(kernel: Kernel, machine: Machine) -> PrimFunc | Declined:
    """Reduce the matrix, row after row."""
    products = [contraction(stage) for stage in kernel.stages if stage.reduces]
    if len(products) != 1 or products[0] is None:
        return Declined("it is not one sum of products")
    if not _is_matvec(products[0]):
        return Declined("it is no matrix by a vector")
    writer = Writer(kernel)
    return writer.function([group_nest(writer, group, machine) for group in groups(kernel)])


def _is_matvec(product: Contraction) -> bool:
    """Whether one operand has a number for each product, and the other is used for all results."""
    spatial = product.stage.spatial
    missing = [sum(not product.uses(o, a) for a in spatial) for o in product.operands]
    return min(missing) == 0 < max(missing)
