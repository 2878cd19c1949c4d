"""What a variant is made with: read from words such as ``level=basic,threads=2``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Self

from tvmfuse.errors import ConfigurationError, closest
from tvmfuse.levels import level_of, name_of
from tvmfuse.passes.selection import Selection, absent, names_of, resolve as resolve_pass
from tvmfuse.pipeline.settings import passes_of_precision, with_precision
from tvmfuse.schedules.settings import passes_of
from tvmfuse.target.resolve import resolve

ENGINES: Final = ("tvmfuse", "onnxruntime")
KEYS: Final = (
    *("level", "target", "threads", "precision", "disable", "enable", "only", "disable_step"),
    "engine",
)
OURS: Final = ("target", "precision", "disable", "enable", "only", "disable_step")
"""What means nothing to another engine."""


@dataclass(frozen=True)
class VariantSettings:
    """How one variant is compiled and run.

    Attributes:
        level: Its name; of onnxruntime, too.
        target: As `tvmfuse.compile` takes it.
        threads: That compute one run; None lets the runtime choose.
        disable: Passes that do not run.
        enable: Passes that run though they are off by default.
        only: Passes that run, and no other; then the level does not count.
        disable_step: Steps that kernels do not take.
        precision: As `tvmfuse.compile` takes it.
        engine: ``tvmfuse`` or ``onnxruntime``.

    Raises:
        ConfigurationError: One of them does not exist, or they do not go together.
    """

    level: str = "all"
    target: Any = "llvm"
    threads: int | None = None
    disable: tuple[str, ...] = field(default=())
    enable: tuple[str, ...] = field(default=())
    only: tuple[str, ...] = field(default=())
    engine: str = "tvmfuse"
    disable_step: tuple[str, ...] = field(default=())
    precision: str = "f32"

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise ConfigurationError(
                f"no engine is called {self.engine!r}; {closest(self.engine, ENGINES)}"
            )
        if self.threads is not None and self.threads < 1:
            raise ConfigurationError(f"threads: expected 1 or more, found {self.threads}")
        object.__setattr__(self, "level", name_of(level_of(self.level)))
        object.__setattr__(self, "enable", tuple(names_of(self.enable, "enable")))
        if missing := absent((*self.disable, *self.enable, *self.only)):
            raise ConfigurationError(
                f"this version of tvmfuse does not have {', '.join(missing)}, so that there is "
                "nothing to time; `tvmfuse passes` lists those that it has"
            )
        _ = self.selection
        if self.engine == "tvmfuse":
            resolve(self.target)

    @property
    def selection(self) -> Selection:
        """Which passes run.

        Raises:
            ConfigurationError: They do not go together.
        """
        disabled = (*self.disable, *passes_of(self.disable_step))
        enabled, only = with_precision(self.precision, self.enable, self.only)
        return Selection.of(self.level, disabled, enabled, only)

    def at(self, level: str) -> Self:
        """Return the same at another level; in float32 where that lacks the precision's passes.

        >>> VariantSettings(precision="bf16").at("basic").title
        'level basic'
        """
        left_out = self.selection.above(level_of(level))
        whole = left_out.isdisjoint(passes_of_precision(self.precision))
        enable = tuple(name for name in self.enable if resolve_pass(name) not in left_out)
        precision = self.precision if whole else "f32"
        return replace(self, level=level, precision=precision, enable=enable)

    @property
    def title(self) -> str:
        """The variant in words.

        >>> VariantSettings(disable=("FuseOps", "ConvBNFusion")).title
        'level all without FuseOps, ConvBNFusion'
        >>> VariantSettings(only=("FuseOps", "FuseTIR"), threads=2).title
        'only FuseOps, FuseTIR, threads: 2'
        """
        words = f"only {', '.join(self.only)}" if self.only else f"level {self.level}"
        words += f" with {', '.join(self.enable)}" if self.enable else ""
        off = (*self.disable, *self.disable_step)
        words += f" without {', '.join(off)}" if off else ""
        words += "" if self.precision == "f32" else f" in {self.precision}"
        words += "" if self.target == "llvm" else f", target {self.target}"
        words += f", threads: {self.threads}" if self.threads else ""
        return words if self.engine == "tvmfuse" else f"{self.engine}, {words}"

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON's types."""
        return {**asdict(self), "target": _plain(self.target)}


def read_variant(text: str, defaults: VariantSettings | None = None) -> VariantSettings:
    """Read a variant: ``KEY=VALUE`` separated by commas, names of passes by plus signs.

    >>> read_variant("level=basic,disable=FuseOps+ConvBNFusion,threads=2").title
    'level basic without FuseOps, ConvBNFusion, threads: 2'
    >>> read_variant("engine=onnxruntime").title
    'onnxruntime, level all'

    Args:
        text: Nothing takes the defaults as they are.
        defaults: What is not said is taken from here.

    Raises:
        ConfigurationError: A key or a value means nothing; the close ones are named.
    """
    said: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (equals and value):
            raise ConfigurationError(
                f"a variant: expected KEY=VALUE as in level=basic, found {part!r}"
            )
        if key not in KEYS:
            raise ConfigurationError(f"a variant has no {key!r}; {closest(key, KEYS)}")
        if key in said:
            raise ConfigurationError(f"a variant: expected {key} once, found it again in {text!r}")
        said[key] = value
    base = defaults or VariantSettings()
    if said.get("engine", base.engine) != "tvmfuse":
        if foreign := [key for key in OURS if key in said]:
            raise ConfigurationError(
                f"engine={said.get('engine', base.engine)} takes level and threads; "
                f"found {', '.join(foreign)}"
            )
        alone = VariantSettings(level=base.level, threads=base.threads)
        base = replace(alone, engine=base.engine)
    if "only" in said and not said.keys() & {"level", "disable", "enable"}:
        base = replace(base, level="all", disable=(), enable=())
    values = {key: _value(key, value) for key, value in said.items()}
    return replace(base, **values)


def pools_of_their_own(variants: Iterable[VariantSettings]) -> bool:
    """Whether variants compute on threads of their own, which spin into the next one's time."""
    variants = list(variants)
    own = any(variant.threads is not None or variant.engine != "tvmfuse" for variant in variants)
    return own and any(variant.threads != 1 for variant in variants)


def _value(key: str, value: str) -> Any:
    if key in ("disable", "enable", "only", "disable_step"):
        return tuple(dict.fromkeys(name.strip() for name in value.split("+") if name.strip()))
    if key != "threads":
        return value
    if not (value.isascii() and value.isdigit()):
        raise ConfigurationError(f"threads: expected a number as in threads=2, found {value!r}")
    return int(value)


def _plain(target: Any) -> Any:
    return target if isinstance(target, str | dict) else str(target)
