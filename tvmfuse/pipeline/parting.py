"""Which parts a model is compiled in: asked of the importer again and again, until nothing changes.

Nodes that are refused are marked, the others divided into groups, and each group imported as a
model of its own: what is refused then is marked, too. So is what reads or makes a value that
cannot pass a group's border. Last, groups that are not worth their while are given back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import onnx
from onnx.shape_inference import infer_shapes

from tvmfuse.errors import LimitExceededError, ModelError, UnsupportedModelError, first_line
from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.partition.division import Group, divide
from tvmfuse.frontend.onnx.partition.given_back import given_back
from tvmfuse.frontend.onnx.partition.sub_model import pooled_weights, sub_model
from tvmfuse.frontend.onnx.partition.value_types import (
    is_settled,
    names_in,
    refined,
    type_in_words,
    type_of,
    unfit,
)
from tvmfuse.frontend.onnx.partition.whole import WholeModel, reads_of
from tvmfuse.limits import Limits
from tvmfuse.progress import Progress
from tvmfuse.runtime.foreign import ForeignPart, RefusedError
from tvmfuse.tensor_spec import TensorSpec


@dataclass(frozen=True, eq=False)
class Parted:
    """A model in groups.

    Attributes:
        groups: In the order of a run.
        types: Of all values that pass a group's border.
        marked: Why a node is not compiled, by its name.
    """

    groups: Sequence[Group]
    types: Mapping[str, onnx.TypeProto]
    marked: Mapping[str, str]


class Parting:
    """Finds the parts of one model.

    Args:
        whole: The model.
        limits: How much a part may ask for.
        progress: Called with each round.
    """

    def __init__(self, whole: WholeModel, limits: Limits, progress: Progress) -> None:
        self._whole, self._limits, self._progress = whole, limits, progress
        self._imported: dict[object, tuple[TensorSpec, ...]] = {}

    def found(self, refused: Mapping[str, str], *, give_back: bool = True) -> Parted:
        """Return the parts, once nothing changes.

        Args:
            refused: Nodes that are not compiled, and why.
            give_back: Whether small groups go to the other engine.

        Raises:
            LimitExceededError: A part asks for more than the limits admit.
            UnsupportedModelError: onnxruntime does not take a part.
        """
        marked = dict(refused)
        while True:
            self._progress(f"partition: {len(marked)} nodes go over")
            groups = divide(self._whole, marked)
            types, more = self._looked_at(groups)
            if not more and give_back:
                more = given_back(groups, self._whole)
            if not more:
                return Parted(groups, types, marked)
            marked.update((name, why) for name, why in more.items() if name not in marked)

    def blamed(self, error: Exception, nodes: Iterable[str]) -> dict[str, str]:
        """Return the nodes whose fault an error is, and why: those it names, or else all."""
        named = error.nodes if isinstance(error, UnsupportedModelError) else {}
        owners = {self._whole.owner(name): why for name, why in named.items()}
        found = {owner: why for owner, why in owners.items() if owner is not None}
        return found or dict.fromkeys(nodes, first_line(error))

    def foreign(self, parted: Parted, number: int) -> ForeignPart:
        """Open the part of onnxruntime.

        Raises:
            UnsupportedModelError: It does not take it.
        """
        return self._foreign(parted.groups[number], parted.types, number)

    def _looked_at(
        self, groups: Sequence[Group]
    ) -> tuple[dict[str, onnx.TypeProto], dict[str, str]]:
        """Return the types of what passes borders, and the nodes that cannot be compiled."""
        types, more = dict(self._whole.types), dict[str, str]()
        doubtful: set[str] = set()
        made = {name for group in groups if not group.ours for name in group.outputs}
        read = {name for group in groups if not group.ours for name in group.inputs}
        for number, group in enumerate(groups):
            open_ones = [name for name in group.inputs if not _settled(types.get(name))]
            if doubtful.intersection(open_ones):
                doubtful.update(group.outputs)
                continue
            refused: Mapping[str, str] = {}
            if group.ours:
                refused = self._unfit(group, types, made, read) or self._refused(
                    group, types, number
                )
            else:
                types |= self._foreign_types(group, types, number)
            if refused:
                more |= refused
                doubtful.update(group.outputs)
        return types, more

    def _unfit(
        self, group: Group, types: Mapping[str, onnx.TypeProto], made: set[str], read: set[str]
    ) -> dict[str, str]:
        """Return the nodes of a group of ours that read or make what cannot pass its border."""
        found: dict[str, str] = {}
        nodes = [self._whole.nodes[name] for name in (*group.nodes, *group.free)]
        for name in group.inputs:
            if why := unfit(types[name], foreign=name in made, ranked=True):
                readers = [node.name for node in nodes if name in reads_of(node)]
                found |= dict.fromkeys(readers, f"it reads {name!r}, {why}")
        for name in group.outputs:
            if name in types and (why := unfit(types[name], foreign=name in read, ranked=False)):
                makers = [node.name for node in nodes if name in node.outputs]
                found |= dict.fromkeys(makers, f"it makes {name!r}, {why}")
        return found

    def _refused(
        self, group: Group, types: dict[str, onnx.TypeProto], number: int
    ) -> dict[str, str]:
        """Import a group; return the nodes that are refused, or say what it makes in `types`."""
        fed = tuple(types[name].SerializeToString() for name in group.inputs)
        if (group, fed) not in self._imported:
            try:
                model = sub_model(self._whole, group, types, number)
                bounds = self._whole.bounds(group.inputs, types)
                imported = import_model(model, dims=bounds, limits=self._limits)
                self._imported[group, fed] = imported.outputs
            except LimitExceededError:
                raise
            except ModelError as error:
                return self.blamed(error, group.nodes)
        names = names_in(types[name] for name in group.inputs)
        for spec in self._imported[group, fed]:
            types[spec.name] = refined(types.get(spec.name), type_of(spec), names)
        return {}

    def _foreign_types(
        self, group: Group, types: Mapping[str, onnx.TypeProto], number: int
    ) -> dict[str, onnx.TypeProto]:
        """Return what onnx says of a group's outputs, or else onnxruntime."""
        names = names_in(types[name] for name in group.inputs)
        model = infer_shapes(sub_model(self._whole, group, types, number), data_prop=True)
        found = {value.name: value.type for value in model.graph.output}
        known = {name: found[name] for name in group.outputs if is_settled(found[name])}
        open_ones = [n for n in group.outputs if n not in known and not _settled(types.get(n))]
        if open_ones:
            said = self._foreign(group, types, number).types
            known |= {name: type_in_words(*said[name]) for name in open_ones}
        return {name: refined(types.get(name), kind, names) for name, kind in known.items()}

    def _foreign(
        self, group: Group, types: Mapping[str, onnx.TypeProto], number: int
    ) -> ForeignPart:
        content = sub_model(self._whole, group, types, number).SerializeToString()
        try:
            return ForeignPart(
                content, pooled_weights(self._whole, [group]), "the model in onnxruntime"
            )
        except RefusedError as error:
            operators = dict.fromkeys(self._whole.node(name).operator for name in group.nodes)
            raise UnsupportedModelError(
                f"neither tvmfuse nor onnxruntime takes {', '.join(operators)}: {error}",
                dict.fromkeys(group.nodes, str(error)),
            ) from error


def _settled(kind: onnx.TypeProto | None) -> bool:
    return kind is not None and is_settled(kind)
