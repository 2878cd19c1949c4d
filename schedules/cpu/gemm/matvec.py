"""Products of a matrix and a vector: the last layer of a classifier, a step of a decoder.

Each number of the matrix is used once, so that it runs as fast as the matrix comes from memory, if
that is read in one piece: row after row, each by a dot product.
"""

from __future__ import annotations

from tvmfuse.schedules.contraction import Contraction, contraction
from tvmfuse.schedules.cpu.work import Work, prepared, scope_of
from tvmfuse.schedules.protocol import Declined, Subject


def matvec(subject: Subject) -> Work | Declined:
    """Reduce the matrix, row after row."""
    found = prepared(subject)
    if isinstance(found, Declined):
        return found
    products = [contraction(stage) for stage in found.kernel.stages if stage.reduces]
    if len(products) != 1 or products[0] is None:
        return Declined("it is not one sum of products")
    if not _is_matvec(products[0]):
        return Declined("it is no matrix by a vector")
    return found.by_groups(scope_of(subject))


def _is_matvec(product: Contraction) -> bool:
    """Whether one operand has a number for each product, and the other is used for all results."""
    spatial = product.stage.spatial
    missing = [sum(not operand.uses(a) for a in spatial) for operand in product.operands]
    return min(missing) == 0 < max(missing)
