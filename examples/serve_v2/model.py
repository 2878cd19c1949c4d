"""A model for KServe's server: tensors of the protocol become arrays, and outputs tensors again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from kserve import InferInput, InferOutput, InferRequest, InferResponse, Model
from kserve.errors import InvalidInput
from kserve.utils.numpy_codec import from_np_dtype
from kserve.utils.utils import generate_uuid

from examples.serve_load.engine import load
from tvmfuse import TensorSpec
from tvmfuse.errors import InputError


class CompiledModel(Model):
    """One model under one name; one thread of its own runs it.

    Args:
        name: Under which clients ask.
        path: The file.
        threads: That compute one request.

    Raises:
        ValueError: A tensor's dtype is none of the protocol's.
    """

    def __init__(self, name: str, path: Path, threads: int) -> None:
        super().__init__(name)
        self._made_of = name, path, threads
        self._engine = load(path, threads)
        self._inputs = [_described(spec) for spec in self._engine.inputs]
        self._outputs = [_described(spec) for spec in self._engine.outputs]
        self._thread = ThreadPoolExecutor(1, name)
        self.ready = True

    def __reduce__(self) -> tuple[type[CompiledModel], tuple[str, Path, int]]:
        """Load the file anew in another process: with `--workers`, KServe pickles its models."""
        return type(self), self._made_of

    def get_input_types(self) -> list[dict[str, Any]]:
        """Return the metadata of the inputs; a dimension that is not fixed is -1."""
        return self._inputs

    def get_output_types(self) -> list[dict[str, Any]]:
        """Return the metadata of the outputs."""
        return self._outputs

    async def predict(
        self, payload: object, headers: Mapping[str, str] | None = None
    ) -> InferResponse:
        """Answer one request of the protocol.

        Raises:
            InvalidInput: It does not fit the model: 400 over REST, INVALID_ARGUMENT over gRPC.
        """
        if not isinstance(payload, InferRequest):
            raise InvalidInput(f"expected /v2/models/{self.name}/infer, found another protocol")
        wanted = self._wanted(payload)
        feeds = {tensor.name: _array(tensor) for tensor in payload.inputs}
        if len(feeds) < len(payload.inputs):
            raise InvalidInput("expected each input once, found one twice")
        try:
            loop = asyncio.get_running_loop()
            outputs = await loop.run_in_executor(self._thread, self._engine, feeds)
        except InputError as error:
            raise InvalidInput(str(error)) from error
        return InferResponse(
            payload.id or generate_uuid(),
            self.name,
            [_tensor(name, outputs[name], raw=payload.from_grpc) for name in wanted],
            from_grpc=payload.from_grpc,
            use_binary_outputs=payload.use_binary_outputs,
            requested_outputs=payload.request_outputs,
        )

    def _wanted(self, request: InferRequest) -> list[str]:
        known = [tensor["name"] for tensor in self._outputs]
        asked = [output.name for output in request.request_outputs or ()]
        for name in asked:
            if name not in known:
                raise InvalidInput(f"the model has no output {name!r}; known: {', '.join(known)}")
        return asked or known


def _described(spec: TensorSpec) -> dict[str, Any]:
    try:
        datatype = from_np_dtype(np.dtype(spec.dtype))
    except TypeError:
        datatype = None
    if datatype in (None, "BYTES"):
        raise ValueError(f"{spec.name}: expected a dtype of the protocol, found {spec.dtype}")
    shape = [size if isinstance(size, int) else -1 for size in spec.shape]
    return {"name": spec.name, "datatype": datatype, "shape": shape}


def _array(tensor: InferInput) -> np.ndarray:
    try:
        return np.asarray(tensor.as_numpy())
    except (ValueError, TypeError, OverflowError) as error:
        raise InvalidInput(f"input {tensor.name!r}, {tensor.datatype}: {error}") from error


def _tensor(name: str, array: np.ndarray, *, raw: bool) -> InferOutput:
    tensor = InferOutput(name, list(array.shape), from_np_dtype(array.dtype), array)
    if raw:  # over gRPC KServe asks an array that is left to it whether it is true
        tensor.set_data_from_numpy(array)
    return tensor
