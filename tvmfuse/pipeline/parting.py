"""Which parts a model is compiled in: asked of the importer again and again, until nothing changes.

Nodes that are refused are marked, the others divided into groups, and each group imported as a
model of its own: what is refused then is marked, too. So is what reads or makes a value that
cannot pass a group's border. Last, groups that are not worth their while are given back to
onnxruntime; `tvmfuse.text` takes what is of strings and maps, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import onnx
from onnx.shape_inference import infer_shapes

from tvmfuse.errors import LimitExceededError, ModelError, UnsupportedModelError, first_line
from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.partition.division import Group, divide
from tvmfuse.frontend.onnx.partition.given_back import given_back
from tvmfuse.frontend.onnx.partition.sub_model import pooled_weights, sub_model
from tvmfuse.frontend.onnx.partition.value_types import (
    STRING,
    element_of,
    is_settled,
    names_in,
    refined,
    type_in_words,
    type_of,
    unfit,
)
from tvmfuse.frontend.onnx.partition.whole import WholeModel, reads_of
from tvmfuse.frontend.refusals import CannotConvertError, Refusal, refused
from tvmfuse.limits import Limits
from tvmfuse.manifest import TEXT
from tvmfuse.progress import Progress
from tvmfuse.runtime.foreign import ForeignPart, RefusedError
from tvmfuse.runtime.other_parts import OtherPart, open_other
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.text.table import is_taken
from tvmfuse.text.types import types_of_outputs


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
        engine: Who computes what is not compiled: `TEXT`, or one of `OTHERS`.
    """

    def __init__(self, whole: WholeModel, limits: Limits, progress: Progress, engine: str) -> None:
        self._whole, self._limits, self._progress = whole, limits, progress
        self._engine = engine
        self._imported: dict[object, tuple[TensorSpec, ...]] = {}

    def found(
        self, refused: Mapping[str, str] = MappingProxyType({}), *, give_back: bool = True
    ) -> Parted:
        """Return the parts, once nothing changes.

        Args:
            refused: Nodes that are not compiled, and why; others are found.
            give_back: Whether small groups go to the other engine.

        Raises:
            LimitExceededError: A part asks for more than the limits admit.
            UnsupportedModelError: The engine does not take a part.
        """
        marked, types = dict(refused), self._whole.types
        while True:
            self._check_taken(marked, types)
            self._progress(f"partition: {len(marked)} nodes go over")
            groups = divide(self._whole, marked)
            types, more = self._looked_at(groups)
            if not more and give_back and self._engine != TEXT:
                more = given_back(groups, self._whole)
            if not more:
                return Parted(groups, types, marked)
            marked.update((name, why) for name, why in more.items() if name not in marked)

    def _check_taken(self, marked: Mapping[str, str], types: Mapping[str, onnx.TypeProto]) -> None:
        """Refuse what is neither compiled nor computed by `tvmfuse.text`, where that is to be.

        Raises:
            UnsupportedModelError: There is such a node.
        """
        if self._engine != TEXT:
            return
        known = ((name, element_of(kind)) for name, kind in types.items())
        numbers = {name for name, element in known if element not in ("", STRING)}
        numbers |= {
            name
            for name, tensor in self._whole.initializers.items()
            if tensor.data_type != onnx.TensorProto.STRING
        }
        left = {n: why for n, why in marked.items() if not is_taken(self._whole.protos[n], numbers)}
        if left:
            raise refused_nodes(self._whole, left)

    def blamed(self, error: Exception, nodes: Iterable[str]) -> dict[str, str]:
        """Return the nodes whose fault an error is, and why: those it names, or else all."""
        named = error.nodes if isinstance(error, UnsupportedModelError) else {}
        if self._engine == TEXT and not named:
            return {}
        owners = {self._whole.owner(name): why for name, why in named.items()}
        found = {owner: why for owner, why in owners.items() if owner is not None}
        return found or dict.fromkeys(nodes, first_line(error))

    def foreign(self, parted: Parted, number: int) -> OtherPart:
        """Open a part that is not compiled.

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
                if found := self.blamed(error, group.nodes):
                    return found
                raise
        names = names_in(types[name] for name in group.inputs)
        for spec in self._imported[group, fed]:
            types[spec.name] = refined(types.get(spec.name), type_of(spec), names)
        return {}

    def _foreign_types(
        self, group: Group, types: Mapping[str, onnx.TypeProto], number: int
    ) -> dict[str, onnx.TypeProto]:
        """Return what onnx says of a group's outputs, or else the engine."""
        names = names_in(types[name] for name in group.inputs)
        model = sub_model(self._whole, group, types, number)
        if self._engine == TEXT:
            found = types_of_outputs(model)
        else:
            inferred = infer_shapes(model, data_prop=True)
            found = {value.name: value.type for value in inferred.graph.output}
        known = {name: found[name] for name in group.outputs if is_settled(found[name])}
        open_ones = [n for n in group.outputs if n not in known and not _settled(types.get(n))]
        if open_ones:
            part = self._foreign(group, types, number)
            if not isinstance(part, ForeignPart):
                raise refused_nodes(
                    self._whole, dict.fromkeys(group.nodes, f"the rank of {open_ones[0]!r} is open")
                )
            known |= {name: type_in_words(*part.types[name]) for name in open_ones}
        return {name: refined(types.get(name), kind, names) for name, kind in known.items()}

    def _foreign(self, group: Group, types: Mapping[str, onnx.TypeProto], number: int) -> OtherPart:
        content = sub_model(self._whole, group, types, number).SerializeToString()
        try:
            weights = pooled_weights(self._whole, [group])
            return open_other(self._engine, content, weights, f"the model in {self._engine}")
        except RefusedError as error:
            if self._engine == TEXT:
                raise UnsupportedModelError(
                    f"tvmfuse does not take it: {error}", dict.fromkeys(group.nodes, str(error))
                ) from error
            operators = dict.fromkeys(self._whole.node(name).operator for name in group.nodes)
            raise UnsupportedModelError(
                f"neither tvmfuse nor onnxruntime takes {', '.join(operators)}: {error}",
                dict.fromkeys(group.nodes, str(error)),
            ) from error


def refused_nodes(whole: WholeModel, why: Mapping[str, str]) -> UnsupportedModelError:
    """Return the error that lists nodes that cannot be compiled."""
    nodes = ((name, str(whole.nodes[name]), said) for name, said in why.items())
    return refused([Refusal(*node, CannotConvertError(node[2])) for node in nodes])


def _settled(kind: onnx.TypeProto | None) -> bool:
    return kind is not None and is_settled(kind)
