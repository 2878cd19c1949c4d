"""How long a connection may take for the headers of a request: uvicorn would wait for ever.

Its `timeout_keep_alive` counts from an answer to the next byte only. Whoever connects and sends
nothing, or sends a header every few seconds, would hold one of the connections that there are.
"""

from __future__ import annotations

import asyncio
import os

from uvicorn.protocols.http.h11_impl import H11Protocol

from examples.serve.settings import Settings


class PatientProtocol(H11Protocol):
    """Closes a connection whose next headers have not arrived in time."""

    _closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first headers."""
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take what has arrived, and wait on where it does not end headers."""
        super().data_received(data)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing."""
        self._stop()
        super().connection_lost(exc)

    def _look(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()  # a request has begun: `read_body` and the answer have times of their own
        elif self._closing is None:
            seconds = Settings.read(os.environ).timeout_s
            self._closing = self.loop.call_later(seconds, self.transport.close)

    def _stop(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None
