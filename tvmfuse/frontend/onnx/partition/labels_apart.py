"""Strings that are only labels become nodes of their own, so that what is left is of numbers.

A classifier of strings rates classes like any other: it gives their places, and a LabelEncoder
behind it the labels. A OneHotEncoder of strings, and a TfIdfVectorizer, compare and do no more: a
LabelEncoder before them gives the places of categories and words in their table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import onnx
from onnx import helper

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.onnx.graph import canonical

ML: Final = "ai.onnx.ml"

CLASSES: Final = "classlabels_strings"

TABLES: Final = {
    (ML, "LinearClassifier"): (CLASSES, "classlabels_ints"),
    (ML, "OneHotEncoder"): ("cats_strings", "cats_int64s"),
    (ML, "SVMClassifier"): (CLASSES, "classlabels_ints"),
    (ML, "TreeEnsembleClassifier"): (CLASSES, "classlabels_int64s"),
    ("", "TfIdfVectorizer"): ("pool_strings", "pool_int64s"),
}
"""By domain and operator, the attributes that have its table: of strings, and of integers."""


def with_labels_apart(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model whose labels are looked up by nodes of their own; itself, if it has none.

    The new nodes are called as those that they are split from, with ``/labels`` behind that.

    Args:
        model: Is never changed.

    Raises:
        MalformedModelError: A label is no UTF-8.
    """
    if not any(map(is_split, model.graph.node)):
        return model
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    names, version = _Names(model.graph), _with_version(changed)
    del changed.graph.node[:]
    for node in model.graph.node:
        changed.graph.node.extend(_apart(node, names, version))
    return changed


def _with_version(model: onnx.ModelProto) -> int:
    """Let a model import the domain, and return the version.

    It is 2 or newer, but where a LabelEncoder of the model is of version 1: no other operator has
    changed since.
    """
    opsets = [o for o in model.opset_import if o.domain == ML]
    if not opsets:
        opsets = [model.opset_import.add(domain=ML, version=2)]
    for opset in opsets:
        if opset.version == 1 and all(n.op_type != "LabelEncoder" for n in model.graph.node):
            opset.version = 2
    return int(opsets[0].version)


class _Names:
    """Names that a graph does not have."""

    def __init__(self, graph: onnx.GraphProto) -> None:
        self._taken = {name for n in graph.node for name in (n.name, *n.input, *n.output)}
        self._taken |= {value.name for value in (*graph.input, *graph.initializer, *graph.output)}

    def free(self, wish: str) -> str:
        """Return a name, and take it."""
        name, count = wish, 1
        while name in self._taken:
            name, count = f"{wish}_{count}", count + 1
        self._taken.add(name)
        return name


def is_split(node: onnx.NodeProto) -> bool:
    """Whether a node has strings that are only labels."""
    return bool(_strings_of(node))


def _strings_of(node: onnx.NodeProto) -> Sequence[bytes]:
    """Return the strings that a node is to be split off from; none for other nodes."""
    wanted, _ = TABLES.get((canonical(node.domain), node.op_type), ("", ""))
    return next((a.strings for a in node.attribute if a.name == wanted), ())


def _table_of(node: onnx.NodeProto) -> list[str]:
    try:
        return [text.decode() for text in _strings_of(node)]
    except UnicodeDecodeError as error:
        raise MalformedModelError(
            f"{node.op_type} {node.name!r} has a label that is no UTF-8: {error.object!r:.60}"
        ) from error


def _apart(node: onnx.NodeProto, names: _Names, version: int) -> Iterator[onnx.NodeProto]:
    """Yield a node, or two that compute the same."""
    table = _table_of(node)
    if not table:
        yield node
        return
    own = names.free(f"{node.name or node.output[0]}/labels")
    texts, _ = TABLES[canonical(node.domain), node.op_type]
    if texts != CLASSES:
        known = {text: place for place, text in enumerate(dict.fromkeys(table))}
        yield _encoder([node.input[0]], [own], own, _numbers(known, version))
        numbered = _numbered(node, [known[text] for text in table])
        numbered.input[0] = own
        yield numbered
        return
    places = _numbered(node, range(len(table)))
    places.output[0] = own
    yield places
    yield _encoder([own], [node.output[0]], own, _labels(table, version))


def _numbered(node: onnx.NodeProto, numbers: Sequence[int]) -> onnx.NodeProto:
    """Return a copy of a node with numbers in the place of strings."""
    texts, integers = TABLES[canonical(node.domain), node.op_type]
    copy = onnx.NodeProto()
    copy.CopyFrom(node)
    del copy.attribute[:]
    copy.attribute.extend(a for a in node.attribute if a.name not in (texts, integers))
    copy.attribute.append(helper.make_attribute(integers, [*numbers]))
    return copy


def _numbers(known: Mapping[str, int], version: int) -> Mapping[str, Any]:
    """Return what a LabelEncoder says that gives strings their numbers, and others -1."""
    if version == 1:
        return {"classes_strings": [*known]}
    return {"keys_strings": [*known], "values_int64s": [*known.values()]}


def _labels(table: Sequence[str], version: int) -> Mapping[str, Any]:
    """Return what a LabelEncoder says that gives places their strings."""
    if version == 1:
        return {"classes_strings": [*table]}
    return {"keys_int64s": [*range(len(table))], "values_strings": [*table]}


def _encoder(
    inputs: Sequence[str], outputs: Sequence[str], name: str, said: Mapping[str, Any]
) -> onnx.NodeProto:
    return helper.make_node("LabelEncoder", inputs, outputs, name, domain=ML, **said)
