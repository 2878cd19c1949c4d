"""Start the server: ``python -m examples.serve_v2 folder-of-models``."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from kserve import ModelServer
from kserve.model_server import parser as kserve_parser

from examples.serve_v2.model import CompiledModel


def files(named: Iterable[Path]) -> Iterator[Path]:
    """Yield the files, and those that end in ``.so`` in the folders, that were named."""
    for path in named:
        yield from sorted(path.glob("*.so")) if path.is_dir() else (path,)


def main() -> None:
    """Serve compiled models under the names of their files; KServe has the other options."""
    parser = argparse.ArgumentParser(
        prog="python -m examples.serve_v2", description=main.__doc__, parents=[kserve_parser]
    )
    parser.add_argument(
        "models", nargs="*", type=Path, help="compiled models, or folders of them; else two small"
    )
    parser.add_argument("--threads", type=int, help="that compute one request; else all cores")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        named = said.models
        if not named:
            from examples.serve_v2.demo import save_demos

            named = save_demos(Path(folder))
        found = {path.stem: path for path in files(named)}
        if not found:
            parser.error(f"expected compiled models, found none in {', '.join(map(str, named))}")
        threads = said.threads or max(1, len(os.sched_getaffinity(0)) // said.workers)
        models = [CompiledModel(name, path, threads) for name, path in found.items()]
        ModelServer(enable_latency_logging=False).start(models)


if __name__ == "__main__":
    main()
