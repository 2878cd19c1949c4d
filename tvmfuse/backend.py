"""ONNX's backend interface: `prepare` compiles a model, and what it returns runs it.

::

    import tvmfuse.backend as backend

    y = backend.prepare(model, "CPU", level="all").run([x])[0]

The options are those of `tvmfuse.compile` (``target``, ``level``, ``disabled_pass``, ``strict``,
``dims`` and so on) and ``num_threads`` of `tvmfuse.load`. A model whose inputs are sequences or
optional is compiled when it runs, for what it is fed: lists, and None for what is absent. Source:
the interface of `onnx.backend.base`, in https://onnx.ai/onnx/api/backend.html.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count, takewhile
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.backend.base import Backend, BackendRep, Device, DeviceType, namedtupledict

from tvmfuse import api
from tvmfuse.errors import ConfigurationError, InputError, ModelError
from tvmfuse.frontend.onnx.operands import VALUE_OPERANDS
from tvmfuse.frontend.onnx.sequence_inputs import element_name
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.feeds import check_names

__all__ = [
    "TvmfuseBackend",
    "TvmfuseBackendRep",
    "is_compatible",
    "prepare",
    "run_model",
    "run_node",
    "supports_device",
]

TARGETS: Final = {DeviceType.CPU: "llvm", DeviceType.CUDA: "cuda"}


class TvmfuseBackendRep(BackendRep):
    """A compiled model.

    Attributes:
        executable: What runs it.
    """

    def __init__(self, executable: Executable, outputs: Sequence[str] = ()) -> None:
        self.executable = executable
        self._names = list(outputs) or [spec.name for spec in executable.outputs]
        self._outputs = namedtupledict("Outputs", self._names)
        self._given = [spec.name for spec in executable.outputs]

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Run the model.

        Args:
            inputs: A sequence with an array for each input in the model's order, a mapping from
                names to arrays, or one array where the model has one input.
            kwargs: There are none.

        Returns:
            The outputs in order, lists for sequences; one can be had by its name, too:
            ``outputs["y"]``.

        Raises:
            InputError: They do not fit the model.
        """
        _no_options(kwargs)
        feeds = _fed([spec.name for spec in self.executable.inputs], inputs)
        found = dict(zip(self._given, self.executable.run(None, feeds), strict=True))
        return self._outputs(*(_whole(name, found) for name in self._names))


class _RepOfSequences(BackendRep):
    """A model that is compiled for each make-up of its sequences and optional inputs.

    Args:
        model: The model.
        compiled: Compiles it, given shapes of those inputs as `tvmfuse.compile` takes them.
    """

    def __init__(
        self, model: onnx.ModelProto, compiled: Callable[[Mapping[str, Any]], TvmfuseBackendRep]
    ) -> None:
        bound = {tensor.name for tensor in model.graph.initializer}
        fed = [i for i in model.graph.input if i.name not in bound]
        self._inputs = [i.name for i in fed]
        self._held = [i.name for i in fed if not i.type.HasField("tensor_type")]
        self._compiled = compiled
        self._reps: dict[str, TvmfuseBackendRep] = {}

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Run the model; see `TvmfuseBackendRep.run` for its arguments, results and errors."""
        fed = _fed(self._inputs, inputs)
        check_names(self._inputs, fed)
        shapes = {name: _shapes(fed[name]) for name in self._held}
        rep = self._reps.get(repr(shapes)) or self._compiled(shapes)
        self._reps[repr(shapes)] = rep
        tensors = {name: value for name, value in fed.items() if name not in self._held}
        for name in self._held:
            held = fed[name] if isinstance(fed[name], list | tuple) else [fed[name]]
            tensors |= {element_name(name, i): v for i, v in enumerate(held) if v is not None}
        return rep.run(tensors, **kwargs)


class TvmfuseBackend(Backend):
    """Compiles ONNX models with TVM."""

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether `prepare` takes the model: it is read and lowered, and no kernel is compiled."""
        options = _compile_options(device, kwargs)
        try:
            api.explain(model, **{"level": "none", **options})
        except ModelError:
            return False
        return True

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> BackendRep:
        """Compile a model.

        Args:
            model: The model.
            device: ``CPU`` or ``CUDA``.
            kwargs: Options of `tvmfuse.compile`, and ``num_threads``.

        Raises:
            ConfigurationError: There is no such device, or an option is wrong.
            ModelError: The model cannot be compiled.
        """
        threads = kwargs.pop("num_threads", None)
        options = _compile_options(device, kwargs)
        outputs = [o.name for o in model.graph.output]

        def compiled(shapes: Mapping[str, Any]) -> TvmfuseBackendRep:
            given = {**options, "shapes": {**(options.get("shapes") or {}), **shapes}}
            artifact = api.compile(model, **given)
            return TvmfuseBackendRep(artifact.load(num_threads=threads), outputs)

        if all(i.type.HasField("tensor_type") for i in model.graph.input):
            return compiled({})
        return _RepOfSequences(model, compiled)

    @classmethod
    def run_model(
        cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any
    ) -> tuple[Any, ...]:
        """Compile a model, and run it once; see `prepare` and `TvmfuseBackendRep.run`."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence[tuple[np.dtype[Any], tuple[int, ...]]] | None = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """Compile one node, and run it once.

        Args:
            node: The node.
            inputs: An array for each operand that is there, in order.
            device: ``CPU`` or ``CUDA``.
            outputs_info: Not looked at: the outputs' types follow.
            kwargs: Those of `prepare`, and ``opset_version``, by default onnx's newest.

        Raises:
            InputError: There are more or fewer arrays than operands.
            ModelError: The node cannot be compiled.

        >>> node = onnx.helper.make_node("Add", ["x", "y"], ["z"])
        >>> run_node(node, [np.float32([1, 2]), np.float32([3])])["z"]
        array([4., 5.], dtype=float32)
        """
        del outputs_info
        opset = kwargs.pop("opset_version", onnx.defs.onnx_opset_version())
        present = [name for name in node.input if name]
        arrays = _named(dict.fromkeys(present), [np.asarray(array) for array in inputs])
        model = _model_of(node, arrays, opset)
        fed = {i.name: arrays[i.name] for i in model.graph.input}
        return cls.run_model(model, fed, device, **kwargs)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether models run on a device here: ``CPU``, and ``CUDA`` where there is a GPU."""
        try:
            target = _target_of(device)
        except ConfigurationError:
            return False
        if target == "llvm":
            return True
        import tvm

        return bool(tvm.cuda().exist)


is_compatible = TvmfuseBackend.is_compatible
prepare = TvmfuseBackend.prepare
run_model = TvmfuseBackend.run_model
run_node = TvmfuseBackend.run_node
supports_device = TvmfuseBackend.supports_device


def _compile_options(device: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"target": _target_of(device), **given}


def _target_of(device: str) -> str:
    """Return the target of a device of ONNX's, ``CPU`` or ``CUDA:0``."""
    try:
        known = Device(device)
    except (AttributeError, ValueError):
        raise ConfigurationError(f"device: expected 'CPU' or 'CUDA', found {device!r}") from None
    if known.device_id:
        raise ConfigurationError(f"device: expected the first one, found {device!r}")
    return TARGETS[known.type]


def _fed(names: Sequence[str], inputs: Any) -> Mapping[str, Any]:
    """Return what a caller feeds by name, however it is handed over."""
    if isinstance(inputs, Mapping):
        return inputs
    return _named(names, list(inputs) if isinstance(inputs, list | tuple) else [inputs])


def _named(names: Sequence[str] | Mapping[str, Any], arrays: Sequence[Any]) -> dict[str, Any]:
    if len(names) != len(arrays):
        raise InputError(f"expected {len(names)} inputs ({', '.join(names)}), found {len(arrays)}")
    return dict(zip(names, arrays, strict=True))


def _shapes(held: Any) -> Any:
    """Return the shapes of what a sequence or an optional input holds, as `compile` takes them."""
    if isinstance(held, list | tuple):
        return [np.shape(element) for element in held]
    return None if held is None else np.shape(held)


def _whole(name: str, found: Mapping[str, Any]) -> Any:
    """Return an output: a tensor, or the list of a sequence's elements."""
    if name in found:
        return found[name]
    names = takewhile(found.__contains__, (element_name(name, place) for place in count()))
    return [found[element] for element in names]


def _no_options(options: Mapping[str, Any]) -> None:
    if options:
        raise ConfigurationError(f"run takes no options, found {', '.join(options)}")


def _model_of(
    node: onnx.NodeProto, operands: Mapping[str, np.ndarray], opset: int
) -> onnx.ModelProto:
    """Return the model of one node; operands that say how, as axes do, are constants in it."""
    how = {node.input[i] for i in VALUE_OPERANDS.get(node.op_type, ()) if i < len(node.input)}
    graph = helper.make_graph(
        [node],
        node.op_type,
        [
            helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
            )
            for name, array in operands.items()
            if name not in how
        ],
        [helper.make_empty_tensor_value_info(name) for name in node.output if name],
        [numpy_helper.from_array(a, name) for name, a in operands.items() if name in how],
    )
    opsets = [helper.make_opsetid(node.domain, 1)] if node.domain else []
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), *opsets])
    return onnx.shape_inference.infer_shapes(model)
