"""Hostile models in processes of their own: what each ends in, how long it takes, how much memory.

As a program, `python hostile.py FOLDER STAGE`, it reads the models of a folder one after the other and
writes a line for each. A signal ends it, and so does the timer: the line that is missing names the
model, and `outcomes` goes on with the next one.
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

SECONDS = 5
"""Of the CPU's time, for one model."""

BYTES = 1 << 30
"""Of address space, for one model, beside what the libraries take."""

DEFECTS = ("CompilationError", "PassError", "RewriteDivergedError")
"""Errors of ours that say: please report."""


@dataclass(frozen=True)
class Outcome:
    """What reading one model ended in.

    Attributes:
        kind: The class of the error; "read" if there was none; "SIGSEGV" and the like; "SIGPROF" if
            it took too long; "escaped" if the error was none of ours.
        said: The error's text, or its traceback if it escaped.
        seconds: The CPU's.
        bytes: By which the memory in use grew at most.
    """

    kind: str
    said: str = ""
    seconds: float = 0.0
    bytes: int = 0

    @property
    def is_refusal(self) -> bool:
        """Whether an error of ours was raised, in words."""
        signal_or_none = self.kind in ("read", "escaped") or self.kind.startswith("SIG")
        return not signal_or_none and bool(self.said) and "Traceback" not in self.said

    @property
    def is_fine(self) -> bool:
        """Whether it was read, or refused; what compiles must compile."""
        return self.kind == "read" or (self.is_refusal and self.kind not in DEFECTS)


def outcomes(
    models: Mapping[str, bytes], folder: Path, stage: str = "import"
) -> dict[str, Outcome]:
    """Read models, each as a server would that got it from a stranger.

    Args:
        models: Name -> the file.
        folder: An empty one.
        stage: How far they go: "import", "optimize" or "compile"; with "trap", the files are
            programs, which are run.
    """
    names = sorted(models)
    for place, name in enumerate(names):
        (folder / f"{place:06}").write_bytes(models[name])
    found: dict[str, Outcome] = {}
    while len(found) < len(names):
        command = [sys.executable, __file__, str(folder), stage, str(len(found))]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [line for line in process.stdout.splitlines() if line.startswith("{")]
        found |= {
            names[len(found) + i]: Outcome(**json.loads(line)) for i, line in enumerate(lines)
        }
        if process.returncode < 0:
            number = signal.Signals(-process.returncode).name
            found[names[len(found)]] = Outcome(number, process.stderr[-2000:], SECONDS)
        elif process.returncode:
            raise AssertionError(process.stderr)
    return found


def _main(folder: Path, stage: str, first: int) -> None:
    sys.modules["torch"] = None  # type: ignore[assignment]  # TVM would load it
    from malformed import small_model

    first_of_all = "compile" if stage == "compile" else "optimize"
    assert _read(small_model().SerializeToString(), first_of_all) == ("read", "")  # loads libraries
    own = _status("VmSize")
    resource.setrlimit(resource.RLIMIT_AS, (own + BYTES, own + BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for path in sorted(folder.iterdir())[first:]:
        data = path.read_bytes()
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
        before, begin = _status("VmRSS"), time.process_time()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # its signal ends the process
        kind, said = _read(data, stage)
        signal.setitimer(signal.ITIMER_PROF, 0)
        took, grown = time.process_time() - begin, _status("VmHWM") - before
        line = {"kind": kind, "said": said, "seconds": round(took, 3), "bytes": grown}
        print(json.dumps(line), flush=True)


def _read(data: bytes, stage: str) -> tuple[str, str]:
    import traceback

    import tvmfuse
    from tvmfuse.errors import TvmfuseError
    from tvmfuse.frontend.onnx import import_model

    stages: dict[str, Callable[[bytes], object]] = {
        "import": import_model,
        "optimize": tvmfuse.explain,
        "compile": tvmfuse.compile,
        "trap": lambda data: exec(data),  # for the test of this file
    }
    try:
        stages[stage](data)
    except TvmfuseError as error:
        return type(error).__name__, str(error)[:2000]
    except BaseException:
        return "escaped", traceback.format_exc()[-3000:]
    return "read", ""


def _status(key: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
