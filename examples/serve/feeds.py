"""From a request's body to arrays that fit the model; all else is refused in words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
from fastapi import Request
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import ClientDisconnect

import tvmfuse
from examples.serve.refusals import RefusedError


class Prediction(BaseModel):
    """The body: ``{"inputs": {"x": [[0.1, 0.2], [0.3, 0.4]]}}``, row by row."""

    model_config = ConfigDict(extra="forbid")
    inputs: dict[str, list[Any]]


def check_model(model: tvmfuse.Executable) -> None:
    """Refuse, when the server starts, a model whose rows cannot be put together.

    Raises:
        ValueError: The first dimension of an input or output is not the batch, or another one is
            not fixed.
    """
    batch = {spec.shape[:1] for spec in (*model.inputs, *model.outputs)}
    fixed = all(isinstance(d, int) for spec in model.inputs for d in spec.shape[1:])
    if len(batch) != 1 or not isinstance(next(iter(batch), (1,))[0], str) or not fixed:
        raise ValueError(
            f"expected a model whose inputs and outputs begin with one symbolic dimension, and "
            f"have no other, found {model}"
        )


async def read_body(request: Request, limit: int, timeout_s: float) -> bytes:
    """Return a body of at most `limit` bytes, however it is sent.

    Raises:
        RefusedError: It is no JSON (415), too long (413), or does not arrive in time (408) or
            at all (499).
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusedError(415, f"expected application/json, found {kind or 'no content type'}")
    body = bytearray()
    try:
        async with asyncio.timeout(timeout_s):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise RefusedError(413, f"expected at most {limit} bytes, found more")
    except TimeoutError as error:
        raise RefusedError(408, f"the body did not arrive in {timeout_s:g} s") from error
    except ClientDisconnect as error:  # nobody hears it, but the metrics count it
        raise RefusedError(499, "the client left before the end of the body") from error
    return bytes(body)


def read_feeds(
    body: bytes, specs: Sequence[tvmfuse.TensorSpec], max_rows: int
) -> dict[str, np.ndarray]:
    """Return the inputs by name, each with the same number of rows, 1 to `max_rows`.

    Raises:
        RefusedError: The body is no prediction (400), or does not fit the model (422).
    """
    try:
        given = Prediction.model_validate_json(body).inputs
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise RefusedError(400, f"{where}: {first['msg']}" if where else first["msg"]) from error
    wanted = {spec.name for spec in specs}
    if given.keys() != wanted:
        raise RefusedError(422, f"expected the inputs {sorted(wanted)}, found {sorted(given)}")
    feeds = {spec.name: _array(given[spec.name], spec) for spec in specs}
    rows = {len(array) for array in feeds.values()}
    if len(rows) > 1 or not 1 <= max(rows) <= max_rows:
        found = ", ".join(f"{name}: {len(array)}" for name, array in feeds.items())
        raise RefusedError(422, f"expected the same 1 to {max_rows} rows everywhere, found {found}")
    return feeds


def _array(rows: list[Any], spec: tvmfuse.TensorSpec) -> np.ndarray:
    dtype = np.dtype(spec.dtype)
    try:
        array = np.asarray(rows)
    except ValueError as error:
        raise RefusedError(422, f"{spec.name}: expected rows of one length") from error
    wanted = tuple(spec.shape[1:])
    if array.shape[1:] != wanted:
        shape = list(array.shape[1:])
        raise RefusedError(422, f"{spec.name}: expected rows of {list(wanted)}, found {shape}")
    if array.dtype.kind not in _kinds(dtype):
        raise RefusedError(422, f"{spec.name}: expected {dtype} numbers, found {array.dtype}")
    with np.errstate(over="ignore"):
        cast = array.astype(dtype)
    whole = np.isfinite(cast).all() if dtype.kind == "f" else np.array_equal(cast, array)
    if not whole:
        raise RefusedError(422, f"{spec.name}: a number is not finite, or beyond {dtype}")
    return cast


def _kinds(dtype: np.dtype[Any]) -> str:
    """Return numpy's letters of the JSON numbers that become a type."""
    return {"f": "fiu", "i": "iu", "u": "iu", "b": "b"}.get(dtype.kind, "")
