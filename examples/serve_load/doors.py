"""How each server is started and asked: one class for each way in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, Protocol

import httpx
import numpy as np

from examples.serve.process import Server, free_port, running

LOGGING: Final = Path(__file__).parents[1] / "serve_v2" / "logging.yaml"
INPUT: Final = "image"
OUTPUT: Final = "probabilities"


class Door(Protocol):
    """A server's way in.

    Attributes:
        replicas: Words in the command lines of processes of which one may be killed at a time:
            another one stands in for it.
    """

    replicas: tuple[str, ...]

    def started(self, model: Path, replicas: int) -> AbstractContextManager[Server]:
        """Start the server with one model, so that so many processes answer."""

    async def open(self, server: Server, clients: int) -> None:
        """Make what clients share; inside of their event loop."""

    def prepared(self, images: np.ndarray) -> Any:
        """Return a request, as far as it can be made beforehand."""

    async def ask(self, prepared: Any) -> np.ndarray:
        """Return the answer; what a client raises is an error."""

    async def close(self) -> None:
        """End what `open` made."""


class Ray:
    """Ray Serve, asked in JSON over HTTP."""

    replicas: tuple[str, ...] = (
        "ray::ServeReplica:tvmfuse:Ingress",
        "ray::ServeReplica:tvmfuse:classifier",
    )
    _http: httpx.AsyncClient

    def started(self, model: Path, replicas: int) -> AbstractContextManager[Server]:
        """Start a cluster with so many ingresses, and as many replicas of the model."""
        port = free_port()
        command = ["examples.serve_ray", model, "--port", port, "--metrics-port", free_port()]
        command += ["--replicas", replicas]
        return running(command, f"http://127.0.0.1:{port}", "/readyz")

    async def open(self, server: Server, clients: int) -> None:
        """Make one pool of connections."""
        limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
        headers = {"content-type": "application/json"}
        self._http = httpx.AsyncClient(
            base_url=server.url, limits=limits, headers=headers, timeout=30
        )

    def prepared(self, images: np.ndarray) -> bytes:
        """Return a body."""
        return json.dumps({"inputs": {INPUT: images.tolist()}}).encode()

    async def ask(self, prepared: bytes) -> np.ndarray:
        """Return the answer.

        Raises:
            RuntimeError: It has another status than 200.
        """
        answer = await self._http.post("/v1/models/classifier/predict", content=prepared)
        if answer.status_code != 200:
            raise RuntimeError(f"{answer.status_code}: {answer.text[:200]}")
        return np.asarray(answer.json()["outputs"][OUTPUT], np.float32)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


class V2:
    """KServe's server, asked by Triton's client over HTTP, with binary tensors."""

    replicas: tuple[str, ...] = ("multiprocessing.spawn",)
    _grpc_port = 0

    def __init__(self) -> None:
        self._triton = self._library()
        self._client: Any = None

    def _library(self) -> Any:
        import tritonclient.http.aio

        return tritonclient.http.aio

    def started(self, model: Path, replicas: int) -> AbstractContextManager[Server]:
        """Start it with so many workers; gRPC has its parent process."""
        port, self._grpc_port = free_port(), free_port()
        command = ["examples.serve_v2", model, "--http_port", port, "--grpc_port", self._grpc_port]
        command += ["--workers", replicas, "--log_config_file", LOGGING]
        return running(command, f"http://127.0.0.1:{port}", "/v2/models/classifier/ready")

    async def open(self, server: Server, clients: int) -> None:
        """Make one client, with as many connections as there are clients."""
        place = server.url.removeprefix("http://")
        self._client = self._triton.InferenceServerClient(place, conn_limit=clients)

    def prepared(self, images: np.ndarray) -> Sequence[Any]:
        """Return the request's tensors."""
        tensor = self._triton.InferInput(INPUT, images.shape, "FP32")
        tensor.set_data_from_numpy(images)
        return [tensor]

    async def ask(self, prepared: Sequence[Any]) -> np.ndarray:
        """Return the answer."""
        answer = await self._client.infer("classifier", prepared)
        return np.asarray(answer.as_numpy(OUTPUT))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


class V2Grpc(V2):
    """The same over gRPC: all clients on one connection."""

    replicas: tuple[str, ...] = ()

    def _library(self) -> Any:
        import tritonclient.grpc.aio

        return tritonclient.grpc.aio

    async def open(self, server: Server, clients: int) -> None:
        """Make one client."""
        del server, clients
        self._client = self._triton.InferenceServerClient(f"127.0.0.1:{self._grpc_port}")


DOORS: Final[dict[str, type[Door]]] = {"v2": V2, "v2-grpc": V2Grpc, "ray": Ray}
