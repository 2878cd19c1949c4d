"""`python -m tvmfuse.starting`: compiles one model for a session of another process.

It reads what to do from its standard input, a line of JSON, and answers on its standard output.
The input stays open as long as the other process wants the answer: at its end this one ends.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from tvmfuse.errors import TvmfuseError, first_line
from tvmfuse.starting.compiling import compiled
from tvmfuse.starting.kept_models import KeptModels
from tvmfuse.starting.model_digest import changed_since
from tvmfuse.starting.order import Order
from tvmfuse.unfinished import undo_all

LOOK_S: Final = 0.5
STDIN, STDOUT, STDERR = 0, 1, 2


def main() -> None:
    """Compile what standard input asks for."""
    answers = os.dup(STDOUT)  # what libraries print goes nowhere
    os.dup2(STDERR, STDOUT)
    request = json.loads(_line())
    threading.Thread(target=_end_with, args=(request["parent"],), daemon=True).start()
    with suppress(OSError):
        os.nice(request["nice"])
    with (
        warnings.catch_warnings(record=True, action="always") as caught,
        _answered(request) as answer,
    ):
        warned = [f"{type(w.message).__name__}: {w.message}" for w in caught]
        os.write(answers, json.dumps({**answer, "warned": warned}).encode() + b"\n")
        if "path" in answer:  # it is gone when this process ends, which the other one says
            signal.pause()


def _line() -> bytes:
    """Read the request and no more, so that what follows is seen by who waits for the end."""
    found = b""
    while not found.endswith(b"\n"):
        if not (more := os.read(STDIN, 1 << 16)):
            sys.exit(1)
        found += more
    return found


def _end_with(parent: int) -> None:
    """End this process, and what it has started, with the one that wants its answer."""
    while True:
        ready, _, _ = select.select([STDIN], [], [], LOOK_S)
        if os.getppid() != parent or (ready and not os.read(STDIN, 1)):
            undo_all()
            os.killpg(0, signal.SIGKILL)


@contextmanager
def _answered(request: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    try:
        model = request["model"]
        if model is None:
            with os.fdopen(request["memory"], "rb") as file:
                file.seek(0)
                model = file.read()
        order = Order(model, model, request["settings"], request["cache"], request["written"])
        made = _made(order)
        if isinstance(model, str) and changed_since(model, request["began"]):
            yield {"error": "its file was written to since the session began"}
            return
    except TvmfuseError as error:
        yield {"error": first_line(error)}
        return
    except Exception as error:  # a defect: the other process says what it is
        yield {"error": f"{type(error).__name__}: {first_line(error)}"}
        return
    if isinstance(made, str):
        yield {"key": made}
        return
    from tvmfuse.build.scratch import temporary_folder

    with temporary_folder() as folder:
        path = folder / "model.so"
        try:
            made.save(path)
        except TvmfuseError as error:
            yield {"error": str(error)}
        else:
            yield {"path": str(path)}


def _made(order: Order) -> Any:
    """Return the key under which a model is kept now; or an artifact, where it cannot be."""
    kept = KeptModels.of(order.cache)
    key = None if kept is None else kept.key_of(order)
    if kept is None or key is None:
        return compiled(order, None, None)[0]
    with _alone(kept.folder, key):
        if not kept.has(key):
            artifact, is_kept = compiled(order, kept, key)
            if not is_kept:
                return artifact
        return key


@contextmanager
def _alone(folder: Path, key: str) -> Iterator[None]:
    """Wait for another process that compiles the same model for the same folder."""
    path = folder / f"{key}.lock"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        yield  # nothing can be kept there either, which is said where that is tried
        return
    try:
        with suppress(OSError):  # not every network's file system has locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
        with suppress(OSError):
            path.unlink()  # who waits for it finds the model
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    main()
