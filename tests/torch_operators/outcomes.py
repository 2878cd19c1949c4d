"""What becomes of an entry in one dtype: all its samples pass, or some are refused, or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from outcome import PASS, REFUSED, WRONG, Outcome, first_line, shortened
from torch.fx import Node
from torch.testing._internal.opinfo.core import SampleInput
from torch.utils import _pytree as pytree
from torch_operators.entries import entries, is_defined, samples, tolerances
from torch_operators.places import with_elements

import tvmfuse
from tvmfuse.errors import ModelError, UnsupportedModelError
from tvmfuse.frontend.torch.convert.table import CONVERTED
from tvmfuse.frontend.torch.decompositions import decompositions

Reasons: TypeAlias = dict[int, tuple[str, str]]
"""Of a sample that is refused, by its identity: the operator, and what is said of it."""

TOGETHER: Final = 40
"""Samples that are compiled as one program."""


class ExportError(Exception):
    """torch cannot export samples."""


class Samples(torch.nn.Module):
    """An operator of several samples, as a function of all their tensors.

    Attributes:
        samples: What it is called with each time.
        tensors: All tensors of the samples.
    """

    def __init__(self, op: Callable[..., Any], given: Sequence[SampleInput]) -> None:
        super().__init__()
        self._op = op
        self._calls = []
        self.samples = given
        self.tensors: list[torch.Tensor] = []
        for sample in given:
            leaves, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
            places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
            self._calls.append((len(self.tensors), leaves, places, spec))
            self.tensors += [leaves[place] for place in places]

    def forward(self, *tensors: torch.Tensor) -> list[list[torch.Tensor]]:
        """Return the results of each sample that are tensors."""
        results = []
        for first, constants, places, spec in self._calls:
            leaves = list(constants)
            for place, tensor in zip(places, tensors[first:], strict=False):
                leaves[place] = tensor
            value, args, kwargs = pytree.tree_unflatten(leaves, spec)
            found = pytree.tree_leaves(self._op(value, *args, **kwargs))
            results.append([leaf for leaf in found if isinstance(leaf, torch.Tensor)])
        return results


def outcome_of(name: str, dtype: str) -> Outcome:
    """Compile all samples of an entry and run them in this process."""
    given = samples(name, dtype)
    alike = sorted(given, key=_likeness)
    reasons: Reasons = {}
    for start in range(0, len(given), TOGETHER):
        wrong = _run(name, alike[start : start + TOGETHER], reasons)
        if wrong:
            return Outcome(WRONG, name, _line(wrong))
    if reasons:
        counted = Counter(reasons[id(sample)] for sample in given if id(sample) in reasons)
        operator, why = counted.most_common(1)[0][0]
        return Outcome(REFUSED, operator, f"{len(reasons)} of {len(given)} samples: {why}")
    return Outcome(PASS)


def _likeness(sample: SampleInput) -> tuple[str, str]:
    """Return what alike samples agree in: compiled together, they have kernels in common."""
    leaves, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    others = [leaf for leaf in leaves if not isinstance(leaf, torch.Tensor)]
    return f"{spec} {others}", str([(tensor.dtype, tensor.shape) for tensor in tensors])


def _run(name: str, given: Sequence[SampleInput], reasons: Reasons) -> str:
    """Run samples, without those that are refused, whose reasons are kept.

    Returns:
        What is wrong with the results of the others, or nothing.
    """
    try:
        module = Samples(entries()[name].op, given)
        program = _exported(module)
    except ExportError as error:
        if len(given) == 1:
            reasons[id(given[0])] = name, _line(str(error))
            return ""
        return "".join(_run(name, [sample], reasons) for sample in given)
    try:
        return _wrong(name, module, program)
    except ModelError as error:
        nodes = error.nodes if isinstance(error, UnsupportedModelError) else {}
        if not nodes and len(given) > 1:
            half = len(given) // 2
            return _run(name, given[:half], reasons) or _run(name, given[half:], reasons)
        why = _refused(module, program, nodes) if nodes else {0: ("", _line(str(error)))}
    reasons.update((id(given[place]), said) for place, said in why.items())
    taken = [sample for place, sample in enumerate(given) if place not in why]
    return _run(name, taken, reasons) if taken else ""


def _exported(module: Samples) -> torch.export.ExportedProgram:
    try:
        with torch.no_grad():
            return torch.export.export(module, tuple(module.tensors), strict=False)
    except Exception as error:
        raise ExportError(f"torch cannot export it: {type(error).__name__}: {error}") from error


def _wrong(name: str, module: Samples, program: torch.export.ExportedProgram) -> str:
    """Return what is wrong with a program's results; raises ModelError."""
    try:
        model = tvmfuse.compile(program, level="none", cache=False).load(num_threads=1)
        fed = [t.contiguous().resolve_conj().resolve_neg().numpy() for t in module.tensors]
        given = model(dict(zip((spec.name for spec in model.inputs), fed, strict=True)))
        results = module(*(tensor.clone() for tensor in module.tensors))
        leaves, tree = pytree.tree_flatten(results)
        found = pytree.tree_unflatten([*map(_tensor, given.values())], tree)
        ours, wanted = (with_elements(name, module.samples, r) for r in (found, results))
        try:
            _compare(name, ours, wanted)
        except AssertionError:
            # Of a function that eager rounds coarsely, its result in double precision counts.
            wide = [t.double() if t.dtype is torch.float32 else t for t in module.tensors]
            exact = pytree.tree_leaves(module(*wide))
            rounded = [e.to(leaf.dtype) for e, leaf in zip(exact, leaves, strict=True)]
            of_each = pytree.tree_unflatten(rounded, tree)
            _compare(name, ours, with_elements(name, module.samples, of_each))
    except ModelError:
        raise
    except Exception as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
    return ""


def _refused(
    module: Samples, program: torch.export.ExportedProgram, nodes: Mapping[str, str]
) -> dict[int, tuple[str, str]]:
    """Return why samples are refused, by their places: the operator, and what is said of it."""
    graph = program.run_decompositions(decompositions(CONVERTED)).graph
    first: dict[Node, Node] = {}
    for node in graph.nodes:
        refused = [node] if node.name in nodes else []
        refused += [first[source] for source in node.all_input_nodes if source in first]
        if refused and node.op != "output":
            first[node] = refused[0]
    why: dict[int, tuple[str, str]] = {}
    results = list(graph.output_node().args[0])[-program.call_spec.out_spec.num_leaves :]
    for place, some in enumerate(pytree.tree_unflatten(results, program.call_spec.out_spec)):
        for node in (first[result] for result in some if result in first):
            why.setdefault(place, (str(node.target), _line(nodes[node.name])))
    assert why, f"no sample reads what is refused: {nodes}"
    return why


def _tensor(ours: np.ndarray) -> torch.Tensor:
    whole = ours.view(np.int16) if ours.dtype == "bfloat16" else ours
    found = torch.from_numpy(np.array(whole))
    return found.view(torch.bfloat16) if whole is not ours else found


def _compare(name: str, found: Iterable[torch.Tensor], wanted: Sequence[torch.Tensor]) -> None:
    for ours, theirs in zip(found, wanted, strict=True):
        _compare_one(name, ours, theirs.detach().resolve_conj().resolve_neg())


def _compare_one(name: str, found: torch.Tensor, wanted: torch.Tensor) -> None:
    if not is_defined(name):
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        return
    rtol, atol = tolerances(name, wanted.dtype)
    torch.testing.assert_close(found, wanted, rtol=rtol, atol=atol, equal_nan=True)


def _line(said: str) -> str:
    return shortened(first_line(said))
