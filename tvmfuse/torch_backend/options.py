"""What `torch.compile(options=...)` may say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Self

from tvmfuse.errors import ConfigurationError, closest
from tvmfuse.names import Names
from tvmfuse.runtime.threads import check_threads

if TYPE_CHECKING:
    from tvmfuse.pipeline.settings import CompileSettings


@dataclass(frozen=True)
class Options:
    """How graphs of torch's are compiled; see `tvmfuse.compile` for the first ones.

    Attributes:
        target: What the kernels are compiled for.
        level: Which passes run.
        disabled_pass: Those that do not.
        enabled_pass: Those that do though they are opt-in.
        disabled_step: Steps that kernels do not take.
        cache: Whether compiled kernels are kept for other processes, or where.
        num_threads: How many threads compute; by default as many as torch uses at that moment.
        freeze: Whether parameters stay as they are when a graph is compiled for inference. Else
            each call asks whether they have changed.
        precision: In which type parameters are multiplied, in inference.
        fullgraph: Whether a node that stays in eager, or a graph that is broken, is an error.
    """

    target: str = "llvm"
    level: str | int = "all"
    disabled_pass: Names = ()
    enabled_pass: Names = ()
    disabled_step: Names = ()
    cache: bool | str | os.PathLike[str] = True
    num_threads: int | None = None
    freeze: bool = False
    precision: str = "f32"
    fullgraph: bool = False

    @classmethod
    def of(cls, options: Mapping[str, Any] | None) -> Self:
        """Read what a caller says.

        Raises:
            ConfigurationError: There is no such option, or it has no such value.
        """
        given = dict(options or {})
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                raise ConfigurationError(f"there is no option {name!r}; {closest(name, known)}")
        made = cls(**given)
        check_threads(made.num_threads)
        for name in ("freeze", "fullgraph"):
            if not isinstance(value := getattr(made, name), bool):
                raise ConfigurationError(f"{name}: expected True or False, found {value!r}")
        return made

    def settings(self) -> CompileSettings:
        """Return how the groups are compiled.

        Raises:
            ConfigurationError: A target, level, pass, step or precision does not exist.
        """
        # With the passes comes all of TVM, for which a graph that was kept has no use.
        from tvmfuse.pipeline.settings import CompileSettings

        chosen = CompileSettings.of(
            self.target, self.level, disabled_pass=self.disabled_pass,
            enabled_pass=self.enabled_pass, disabled_step=self.disabled_step, cache=self.cache,
            strict=False, precision=self.precision,
        )  # fmt: skip
        return replace(chosen, direct=True)
