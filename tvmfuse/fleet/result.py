"""What became of many models: a row for each model and target."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tvmfuse.result import Record, Result

State: TypeAlias = Literal["compiled", "kept", "refused", "lost", "interrupted"]
"""What became of one: compiled now, or by an earlier run; refused; its workers died; or Ctrl-C."""

DONE: Final = ("compiled", "kept")
"""The states in which there is a file."""


@dataclass(frozen=True)
class CompiledModel(Record):
    """What became of one model for one target.

    Attributes:
        model: Its path or URL, as it was given.
        target: What it is compiled for.
        file: Where its compiled file is, or would be, below the output folder.
        key: What the file follows from: the model, the target, the settings and the compiler.
        state: What became of it.
        reason: Why there is no file; empty where there is one.
        sha256: Of the file, as `sha256sum` prints it; empty where there is none.
        nbytes: Of the file.
        seconds: That it took to compile it.
        warnings: What the compiler warned of.
    """

    model: str
    target: str
    file: str
    key: str
    state: State
    reason: str = ""
    sha256: str = ""
    nbytes: int = 0
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether there is a compiled file."""
        return self.state in DONE


@dataclass(frozen=True)
class CompiledModels(Result):
    """What became of many models.

    Attributes:
        output: The folder of the compiled files.
        manifest: The file that lists them.
        models: One for each model and target, in the order in which they were given.
        seconds: That it took.
        interrupted: Whether Ctrl-C ended it.
    """

    output: str
    manifest: str
    models: tuple[CompiledModel, ...]
    seconds: float
    interrupted: bool

    @property
    def all_done(self) -> bool:
        """Whether there is a compiled file of every model for every target."""
        return all(model.is_done for model in self.models)

    @property
    def sentence(self) -> str:
        """What came of it, in a sentence.

        >>> one = CompiledModel("a.onnx", "avx2", "a.avx2.so", "", "refused", "no model")
        >>> CompiledModels("out", "out/manifest.json", (one,), 1.0, False).sentence
        '0 of 1 files are in out: 1 refused'
        """
        counts = Counter(model.state for model in self.models)
        done = sum(counts[state] for state in DONE)
        said = ", ".join(f"{count} {state}" for state, count in sorted(counts.items()))
        return f"{done} of {len(self.models)} files are in {self.output}: {said}"
