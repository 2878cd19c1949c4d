"""What a server is told, by environment variables: each worker process reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

PREFIX: Final = "SERVE_"


@dataclass(frozen=True)
class Settings:
    """One field for each variable: `max_batch` is ``SERVE_MAX_BATCH``.

    Attributes:
        model: The compiled model. The first dimension of each input and output is the batch.
        threads: Threads that compute one batch, in each worker.
        max_batch: Rows that run together, at most; a request has no more.
        max_wait_ms: Milliseconds for which the first request of a batch waits for others.
        max_queue: Requests that wait in one worker; one more is refused with 503.
        max_body: Bytes of a request's body; a longer one is refused with 413.
        timeout_s: Seconds for a request's headers to arrive, again for its body and its answer.
    """

    model: Path
    threads: int = 1
    max_batch: int = 32
    max_wait_ms: float = 2.0
    max_queue: int = 256
    max_body: int = 1 << 20
    timeout_s: float = 10.0

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Settings:
        """Read them.

        Raises:
            ValueError: No model is named, or a value is no number above 0.
        """
        kinds = {"Path": Path, "int": int, "float": float}
        given = {}
        for field in fields(cls):
            name = f"{PREFIX}{field.name.upper()}"
            if name not in environment:
                continue
            try:
                given[field.name] = value = kinds[str(field.type)](environment[name])
            except ValueError as error:
                raise ValueError(f"{name}: expected {field.type}, found {error}") from error
            if not isinstance(value, Path) and not value > 0:
                raise ValueError(f"{name}: expected more than 0, found {value}")
        if "model" not in given:
            raise ValueError(f"{PREFIX}MODEL: expected the path of a compiled model, found nothing")
        return cls(**given)

    def environment(self) -> dict[str, str]:
        """Return the variables that say the same."""
        return {f"{PREFIX}{f.name.upper()}": str(getattr(self, f.name)) for f in fields(self)}
