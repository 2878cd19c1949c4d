"""What must hold before a model is looked at more closely, said in the model's own names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import onnx
from onnx import defs

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.onnx.equations import check_equations
from tvmfuse.frontend.onnx.graph import STANDARD, branches_of, canonical, opset_of
from tvmfuse.frontend.onnx.schema_functions import state_defaults
from tvmfuse.frontend.onnx.without_weights import all_nodes


def check_text(model: onnx.ModelProto) -> None:
    """Check that names are text: protobuf hands over as bytes what is no UTF-8.

    Raises:
        MalformedModelError: One is not.
    """
    for name in _texts(model):
        if not isinstance(name, str):
            raise MalformedModelError(f"{name!r} is no name: it is not UTF-8; is the file damaged?")


def _texts(model: onnx.ModelProto) -> Iterator[object]:
    yield from (o.domain for o in model.opset_import)
    yield from _graph_texts(model.graph)
    for function in model.functions:
        yield from (function.name, function.domain, *function.input, *function.output)
        yield from (o.domain for o in function.opset_import)
        yield from _node_texts(function.node)


def _graph_texts(graph: onnx.GraphProto) -> Iterator[object]:
    yield graph.name
    for value in (*graph.input, *graph.output):
        yield value.name
        yield from (d.dim_param for d in value.type.tensor_type.shape.dim)
    yield from _initializers(graph)
    yield from _node_texts(graph.node)


def _node_texts(nodes: Iterable[onnx.NodeProto]) -> Iterator[object]:
    for node in all_nodes(nodes):
        yield from (node.op_type, node.domain, node.name, node.overload, *node.input, *node.output)
        yield from (a.name for a in node.attribute)
        for branch in branches_of(node):
            yield from (o.name for o in (*branch.input, *branch.output, *branch.initializer))


def check_names(model: onnx.ModelProto) -> None:
    """Check that each value has one definition, before its uses, and each domain a version.

    Args:
        model: Its nodes are sorted and have names.

    Raises:
        MalformedModelError: A name is undefined or defined twice; an operator does not exist.
    """
    _check_operators(model)
    graph = model.graph
    inputs = [i.name for i in graph.input]
    for name, times in Counter(inputs).items():
        if times > 1:
            raise MalformedModelError(f"two graph inputs are called {name!r}")
    if "" in inputs:
        raise MalformedModelError("a graph input has no name")
    _check_scope(graph, set(inputs), "the graph")


def _check_scope(graph: onnx.GraphProto, visible: set[str], where: str) -> None:
    defined = visible | set(_initializers(graph))
    for node in graph.node:
        _check_node(node, defined)
        defined.update(filter(None, node.output))
    if not graph.output:
        raise MalformedModelError(f"{where} has no output")
    for output in graph.output:
        if output.name not in defined:
            raise MalformedModelError(
                f"{where} has the output {output.name!r}, and nothing computes it"
            )


def _check_node(node: onnx.NodeProto, defined: set[str]) -> None:
    said = f"node {node.name!r} ({node.op_type})"
    if not any(node.output):
        raise MalformedModelError(f"{said} has no output")
    for name in filter(None, node.input):
        if name not in defined:
            raise MalformedModelError(
                f"{said} reads {name!r}, which is no graph input, no initializer, and no output of "
                "a node"
            )
    for branch in branches_of(node):
        inner = {i.name for i in branch.input}
        _check_scope(branch, defined | inner, f"a branch of node {node.name!r}")
    for name, times in Counter(filter(None, node.output)).items():
        if name in defined or times > 1:
            raise MalformedModelError(
                f"{said} defines {name!r}, which is defined already; a value has one definition"
            )


def _initializers(graph: onnx.GraphProto) -> Iterator[str]:
    yield from (t.name for t in graph.initializer)
    yield from (s.values.name for s in graph.sparse_initializer)


def check_initializers(model: onnx.ModelProto) -> None:
    """Check that no two initializers share a name, and that each is what its input says.

    Args:
        model: The whole model, weights included.

    Raises:
        MalformedModelError: Two do, or one has no name, or another type or shape than its input.
    """
    _check_defaults(model.graph)
    seen: set[str] = set()
    for name in _initializers(model.graph):
        if not name:
            raise MalformedModelError("an initializer has no name")
        if name in seen:
            raise MalformedModelError(f"two initializers are called {name!r}")
        seen.add(name)


def _check_defaults(graph: onnx.GraphProto) -> None:
    inputs = {i.name: i.type.tensor_type for i in graph.input}
    for tensor in graph.initializer:
        if (given := inputs.get(tensor.name)) is None:
            continue
        stated = [d.dim_value if d.HasField("dim_value") else None for d in given.shape.dim]
        fits = len(stated) == len(tensor.dims) and all(
            s in (None, d) for s, d in zip(stated, tensor.dims, strict=True)
        )
        if given.elem_type != tensor.data_type or (given.HasField("shape") and not fits):
            raise MalformedModelError(
                f"initializer {tensor.name!r} is {_type_name(tensor.data_type)}"
                f"{list(tensor.dims)}, and the input of that name "
                f"{_type_name(given.elem_type)}{['?' if s is None else s for s in stated]}"
            )


def _type_name(number: int) -> str:
    kinds = onnx.TensorProto.DataType
    return str(kinds.Name(number)).lower() if number in kinds.values() else f"type {number}"


def _check_operators(model: onnx.ModelProto) -> None:
    opsets = {canonical(o.domain): int(o.version) for o in model.opset_import}
    functions = {(f.domain, f.name, f.overload): f for f in model.functions}
    _check_nodes(model.graph.node, opsets, functions, "")
    for function in model.functions:
        _check_function(function)
        versions = {canonical(o.domain): int(o.version) for o in function.opset_import}
        _check_nodes(function.node, versions, functions, f"function {function.name!r}: ")


def _check_nodes(
    nodes: Iterable[onnx.NodeProto],
    opsets: dict[str, int],
    functions: Mapping[tuple[str, str, str], onnx.FunctionProto],
    where: str,
) -> None:
    for node in all_nodes(nodes):
        said = f"{where}node {node.name!r} ({node.op_type})"
        if not node.op_type:
            raise MalformedModelError(f"{where}node {node.name!r} names no operator")
        if called := functions.get((node.domain, node.op_type, node.overload)):
            _check_call(said, node, called)
            continue
        if canonical(node.domain) not in opsets:
            raise MalformedModelError(
                f"{said} is of the domain {node.domain!r}, which the model does not import"
            )
        opset = opset_of(node, opsets)
        if node.domain in STANDARD and not defs.has(node.op_type, opset, ""):
            raise MalformedModelError(f"{said}: ONNX opset {opset} has no such operator")


def _check_function(function: onnx.FunctionProto) -> None:
    if not function.name:
        raise MalformedModelError("a function has no name")
    computed = {*function.input, *(name for node in function.node for name in node.output)}
    for output in function.output:
        if output not in computed:
            raise MalformedModelError(
                f"function {function.name!r} has the output {output!r}, and nothing computes it"
            )


def _check_call(said: str, node: onnx.NodeProto, function: onnx.FunctionProto) -> None:
    """Check that a node gives a function no more than it takes, and takes no more than it gives."""
    for what, has, most in (
        ("operands", len(node.input), len(function.input)),
        ("outputs", len(node.output), len(function.output)),
    ):
        if has > most:
            raise MalformedModelError(f"{said} has {has} {what}, and its function {most}")
    known = {*function.attribute, *(a.name for a in function.attribute_proto)}
    for attribute in node.attribute:
        if attribute.name not in known:
            raise MalformedModelError(
                f"{said} has the attribute {attribute.name!r}, and its function has none of that "
                "name"
            )


def check_types(model: onnx.ModelProto) -> onnx.ModelProto:
    """Check types and attributes against the operators' schemas.

    Args:
        model: Its names are in order.

    Returns:
        The same with the type of each value, as far as it follows; an output need not state its
        own. What shapes the model states for its outputs is forgotten: whoever edits a model rarely
        updates them.

    Raises:
        MalformedModelError: An operand has the wrong type, an attribute is missing or unknown.
    """
    opsets = {canonical(o.domain): int(o.version) for o in model.opset_import}
    for node in all_nodes(model.graph.node):
        # onnx looks into the operator's own function, and finds no attribute where none is stated.
        if node.op_type == "MeanVarianceNormalization" and node.domain in STANDARD:
            state_defaults(node, opset_of(node, opsets))
    check_equations(model.graph.node)
    values = [*model.graph.input, *model.graph.output]
    typeless = [value for value in model.graph.output if value.type.WhichOneof("value") is None]
    for value in typeless:  # the checker insists on one
        value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    shapeless = [t for t in _tensors(values) if not t.HasField("shape")]
    try:
        for tensor in shapeless:
            tensor.shape.SetInParent()  # the checker insists on one
        _check_model(model)
        for tensor in (*shapeless, *_tensors(model.graph.output)):
            tensor.ClearField("shape")
        for value in typeless:
            value.ClearField("type")
        return onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    except Exception as error:  # whatever onnx's C++ raises, it says that the model is wrong
        raise MalformedModelError(_wrong_tensor(model.graph) or _words(error)) from error


def _check_model(model: onnx.ModelProto) -> None:
    """Let onnx check a model, and its functions each by the operator sets that it imports.

    onnx refuses a function that imports another version of an operator than the model does. What
    is in a function means what that function imports, as onnx's reference evaluator has it.
    """
    opsets = {canonical(o.domain): o.version for o in model.opset_import}
    imported = [(canonical(o.domain), o.version) for f in model.functions for o in f.opset_import]
    if all(opsets.get(domain, version) == version for domain, version in imported):
        onnx.checker.check_model(model)
        return
    graph = onnx.ModelProto()
    graph.CopyFrom(model)
    del graph.functions[:]
    onnx.checker.check_model(graph)
    for function in model.functions:
        context = onnx.checker.C.CheckerContext()
        context.ir_version = model.ir_version
        context.opset_imports = {o.domain: o.version for o in function.opset_import}
        onnx.checker.check_function(function, context)


def _wrong_tensor(graph: onnx.GraphProto) -> str:
    """Return what is wrong with an initializer, of which onnx says no name; else nothing."""
    for tensor in graph.initializer:
        try:
            onnx.checker.check_tensor(tensor)
        except onnx.checker.ValidationError as error:
            return f"initializer {tensor.name!r}: {_words(error)}"
    return ""


def _tensors(values: Iterable[onnx.ValueInfoProto]) -> list[onnx.TypeProto.Tensor]:
    return [v.type.tensor_type for v in values if v.type.HasField("tensor_type")]


def _words(error: Exception) -> str:
    """Return what onnx says, in our way of naming nodes."""
    text = str(error)
    said = [line.strip() for line in text.splitlines() if line.strip()]
    words = " ".join(line for line in said if not line.startswith("==>")) or " ".join(said)
    words = re.sub(r"\[(Shape|Type)InferenceError\] |Inference error\(s\): ", "", words)
    words = re.sub(r"\(op_type:(\w+), node name: (.*?)\):", r"node '\2' (\1):", words)
    context = re.search(r"Name: (.*) OpType: (\w+)", text)
    where = f"node {context[1]!r} ({context[2]}): " if context else ""
    words = re.sub(r"(?<=type: )\((\d+)\) vs \((\d+)\)", _clash, words)
    return where + words[:600]


def _clash(numbers: re.Match[str]) -> str:
    """Name two element types, which onnx counts."""
    kinds = onnx.TensorProto.DataType
    known = {str(number): kind.lower() for kind, number in kinds.items()}
    return " vs ".join(str(known.get(n, n)) for n in numbers.groups())
