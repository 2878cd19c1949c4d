"""ONNX's backend interface: `prepare` compiles a model, and what it returns runs it.

::

    import tvmfuse.backend as backend

    y = backend.prepare(model, "CPU", level="all").run([x])[0]

The options are those of `tvmfuse.compile` (``target``, ``level``, ``disabled_pass``, ``strict``,
``dims`` and so on) and ``num_threads`` of `tvmfuse.load`. Source: the interface of
`onnx.backend.base`, in https://onnx.ai/onnx/api/backend.html.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.backend.base import Backend, BackendRep, Device, DeviceType, namedtupledict

from tvmfuse import api
from tvmfuse.errors import ConfigurationError, InputError, ModelError
from tvmfuse.frontend.onnx.operands import VALUE_OPERANDS
from tvmfuse.runtime.executable import Executable

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

    def __init__(self, executable: Executable) -> None:
        self.executable = executable
        names = [spec.name for spec in executable.outputs]
        self._outputs = namedtupledict("Outputs", names)

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Run the model.

        Args:
            inputs: A sequence with an array for each input in the model's order, a mapping from
                names to arrays, or one array where the model has one input.
            kwargs: There are none.

        Returns:
            The outputs in order; one can be had by its name, too: ``outputs["y"]``.

        Raises:
            InputError: They do not fit the model.
        """
        _no_options(kwargs)
        feeds = inputs
        if not isinstance(inputs, Mapping):
            given = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
            feeds = _named([spec.name for spec in self.executable.inputs], given)
        return self._outputs(*self.executable.run(None, feeds))


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
    def prepare(
        cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any
    ) -> TvmfuseBackendRep:
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
        artifact = api.compile(model, **_compile_options(device, kwargs))
        return TvmfuseBackendRep(artifact.load(num_threads=threads))

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


def _named(names: Sequence[str] | Mapping[str, Any], arrays: Sequence[Any]) -> dict[str, Any]:
    if len(names) != len(arrays):
        raise InputError(f"expected {len(names)} inputs ({', '.join(names)}), found {len(arrays)}")
    return dict(zip(names, arrays, strict=True))


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
