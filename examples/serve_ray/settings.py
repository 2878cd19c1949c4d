"""What is deployed: models, their versions, and which share of the requests each version gets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0)]


class Version(BaseModel):
    """A compiled file, and how many processes run it.

    Attributes:
        path: The file; every machine of the cluster finds it there.
        weight: Its share of the model's requests, beside the other versions' weights.
        min_replicas: Processes that stay without load.
        max_replicas: Processes under the most load.
    """

    model_config = ConfigDict(extra="forbid")
    path: Path
    weight: Share = 1
    min_replicas: Annotated[int, Field(ge=1)] = 1
    max_replicas: Annotated[int, Field(ge=1)] = 4


class Settings(BaseModel):
    """The arguments of `app.build`; ``config.yaml`` has an example.

    Attributes:
        models: By name, versions by name.
        ingresses: Processes that read requests and write answers.
        threads: That compute one batch.
        cpus: That the cluster's scheduler keeps for each replica.
        max_batch: Rows that run together, and that a request may have.
        max_wait_ms: Milliseconds for which the first request of a batch waits for others.
        max_queue: Requests of one version that wait for a replica; one more is refused with 503.
        max_body: Bytes of a request's body.
        timeout_s: Seconds for a request's body to arrive, and again for its answer.
    """

    model_config = ConfigDict(extra="forbid")
    models: dict[str, dict[str, Version]]
    ingresses: Annotated[int, Field(ge=1)] = 1
    threads: Annotated[int, Field(ge=1)] = 1
    cpus: Share = 0.5
    max_batch: Annotated[int, Field(ge=1)] = 32
    max_wait_ms: Share = 2.0
    max_queue: Annotated[int, Field(ge=1)] = 256
    max_body: Annotated[int, Field(ge=1)] = 1 << 20
    timeout_s: Annotated[float, Field(gt=0)] = 10.0
