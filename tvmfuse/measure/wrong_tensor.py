"""The first tensor that a wrong rewrite leaves, by its name in the ONNX model.

What a kernel writes is known by proof, as in `measure.accuracy`: each rewrite says which ONNX
values its results are (`Kernel.values`), a wrong one like a right one. What nobody says is not
compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.manifest import StoredValue
from tvmfuse.measure.agreement import Array, differences
from tvmfuse.measure.order import restored
from tvmfuse.measure.reference import Reference
from tvmfuse.measure.results.bisection import WrongTensor
from tvmfuse.measure.trials import Trials
from tvmfuse.runtime.executable import Executable


def first_wrong_tensor(
    graph: SourceGraph,
    reference: Reference,
    trials: Trials,
    before: Executable,
    after: Executable,
) -> WrongTensor | None:
    """Return the first tensor after a rewrite that is not the reference's.

    What is wrong before the rewrite, too, is left out: that is none of its doing.

    Args:
        graph: Its values have the names that kernels say they write.
        reference: What is expected.
        trials: Their inputs and tolerance are taken.
        before: The model just before the rewrite.
        after: The model with it.
    """
    proven = dict.fromkeys(
        stored.name
        for executable in (before, after)
        for kernel in executable.manifest.kernels
        for stored in kernel.values
    )
    expected = reference.tensors(graph, trials.feeds, [*proven])
    known = _wrong(before, trials, expected)
    new = (t for name, t in _wrong(after, trials, expected).items() if name not in known)
    return next(new, None)


def _wrong(
    executable: Executable, trials: Trials, expected: Mapping[str, Array]
) -> dict[str, WrongTensor]:
    """Return the tensors that kernels write wrong, in the order in which they do."""
    found: dict[str, WrongTensor] = {}

    def wrote(place: int, arrays: Sequence[Array]) -> None:
        kernel = executable.manifest.kernels[place]
        for stored in kernel.values:
            name = stored.name
            if name not in expected or name in found:
                continue
            problem = _problem(stored, arrays[stored.result], expected[name], trials)
            if problem is not None:
                found[name] = WrongTensor(name, kernel.nodes, problem)

    executable.watch(trials.feeds, wrote)
    return found


def _problem(stored: StoredValue, array: Array, expected: Array, trials: Trials) -> str | None:
    """Say what is wrong; of what has another shape or dtype than the reference's, nothing."""
    value = restored(stored, array, expected.shape)
    if (value.dtype, value.shape) != (expected.dtype, expected.shape):
        return None
    tolerance = trials.settings.tolerance
    (found,) = differences({"": expected}, {"": value}, tolerance=tolerance)
    return found.problem
