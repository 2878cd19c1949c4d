"""The application: an ingress that checks requests and picks a version, and each version's own."""

# FastAPI reads annotations of a class that Ray has pickled: they have to be no strings.
import asyncio
import random
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from ray import serve
from ray.exceptions import RayActorError
from ray.serve.exceptions import BackPressureError
from ray.serve.handle import DeploymentHandle
from ray.serve.metrics import Counter

from examples.serve.feeds import read_body, read_feeds
from examples.serve.refusals import RefusedError
from examples.serve_load.engine import Arrays
from examples.serve_ray.predictor import Predictor
from examples.serve_ray.settings import Settings, Version
from tvmfuse import TensorSpec

http = FastAPI(title="tvmfuse")
Weights = dict[str, dict[str, float]]


@serve.deployment(max_ongoing_requests=1000, ray_actor_options={"num_cpus": 0})
@serve.ingress(http)
class Ingress:
    """Answers HTTP.

    Args:
        settings: Limits.
        versions: What runs each version of each model.
    """

    def __init__(
        self, settings: Settings, versions: dict[str, dict[str, DeploymentHandle]]
    ) -> None:
        self._settings, self._versions = settings, versions
        self._weights: Weights = {}
        self._inputs: dict[DeploymentHandle, list[TensorSpec]] = {}
        self._requests = Counter(
            "tvmfuse_requests", "Predictions by HTTP status", ("model", "version", "status")
        )

    def reconfigure(self, weights: Weights) -> None:
        """Take other weights, while requests are answered.

        Raises:
            ValueError: They are not those of the versions there are, or all are 0.
        """
        named = {model: set(versions) for model, versions in self._versions.items()}
        found = {model: set(shares) for model, shares in weights.items()}
        if found != named or not all(any(shares.values()) for shares in weights.values()):
            raise ValueError(f"expected weights, some above 0, of {named}, found {weights}")
        self._weights = weights

    @http.post("/v1/models/{model}/predict")
    async def predict(self, model: str, request: Request) -> Response:
        """Answer with ``{"outputs": {...}}``, or ``{"error": "..."}``."""
        version = ""
        try:
            version = self._picked(model)
            outputs = await self._predicted(self._versions[model][version], request)
            response = JSONResponse({"outputs": {n: a.tolist() for n, a in outputs.items()}})
        except RefusedError as refusal:
            response = JSONResponse({"error": refusal.words}, refusal.status)
            if refusal.status == 503:
                response.headers["Retry-After"] = "1"
        response.headers["X-Model-Version"] = version
        known = model if version else ""  # a label for each name that a stranger sends would grow
        self._requests.inc(
            1, {"model": known, "version": version, "status": str(response.status_code)}
        )
        return response

    @http.get("/readyz")
    async def ready(self) -> Response:
        """Answer with 200 once every version has a replica; until then, wait."""
        await asyncio.gather(*(self._specs(v) for m in self._versions.values() for v in m.values()))
        return Response()

    async def _specs(self, version: DeploymentHandle) -> list[TensorSpec]:
        if version not in self._inputs:
            self._inputs[version] = await version.inputs.remote()
        return self._inputs[version]

    def _picked(self, model: str) -> str:
        if model not in self._versions:
            known = ", ".join(self._versions)
            raise RefusedError(404, f"there is no model {model!r}; known: {known}")
        shares = self._weights[model]
        return random.choices(list(shares), list(shares.values()))[0]

    async def _predicted(self, version: DeploymentHandle, request: Request) -> Arrays:
        limits = self._settings
        body = await read_body(request, limits.max_body, limits.timeout_s)
        try:
            async with asyncio.timeout(limits.timeout_s):
                feeds = read_feeds(body, await self._specs(version), limits.max_batch)
                outputs: Arrays = await version.predict.remote(feeds)
                return outputs
        except TimeoutError as error:
            raise RefusedError(504, f"no answer in {limits.timeout_s:g} s") from error
        except BackPressureError as error:
            raise RefusedError(503, f"{limits.max_queue} requests wait: try again") from error
        except RayActorError as error:
            raise RefusedError(503, "the replica that had the request died: try again") from error


def build(arguments: dict[str, Any]) -> serve.Application:
    """Return the application of some `Settings`; ``serve run`` calls it with ``args``."""
    settings = Settings.model_validate(arguments)
    versions = {
        model: {name: _bound(settings, f"{model}-{name}", one) for name, one in named.items()}
        for model, named in settings.models.items()
    }
    weights = {
        model: {name: one.weight for name, one in named.items()}
        for model, named in settings.models.items()
    }
    ingress = Ingress.options(  # type: ignore[attr-defined]  # Serve's decorator makes it one
        user_config=weights, num_replicas=settings.ingresses
    )
    return ingress.bind(settings, versions)


def _bound(settings: Settings, name: str, version: Version) -> serve.Application:
    return (
        serve.deployment(Predictor)
        .options(
            name=name,
            max_ongoing_requests=4 * settings.max_batch,
            max_queued_requests=settings.max_queue,
            health_check_period_s=5,
            ray_actor_options={"num_cpus": settings.cpus},
            autoscaling_config={
                "min_replicas": version.min_replicas,
                "max_replicas": version.max_replicas,
                "target_ongoing_requests": settings.max_batch / 2,
                "upscale_delay_s": 5,
            },
        )
        .bind(
            str(version.path.resolve()), settings.threads, settings.max_batch, settings.max_wait_ms
        )
    )
