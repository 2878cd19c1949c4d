"""Which passes of the catalogue a request means: levels, names, aliases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from tvmfuse.errors import ConfigurationError, UnknownPassError
from tvmfuse.levels import Level, level_of, name_of
from tvmfuse.names import Names, folded, listed, split_names
from tvmfuse.passes import plugged
from tvmfuse.passes.catalogue import ABSENT
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.nchwc.winograd_costs import Layer
from tvmfuse.passes.phase import Phase

#: ONNX Runtime's name for all the rewrite rules of its Level 1, and those that are here.
RULES: Final = "Level1_RuleBasedTransformer"
LEVEL1_RULES: Final = frozenset({
    "EliminateIdentity", "EliminateSlice", "UnsqueezeElimination", "EliminateDropout",
    "ExpandElimination", "CastElimination", "CastChainElimination", "PreShapeNodeElimination",
    "NoopElimination", "DivMulFusion", "FuseReluClip", "GemmSumFusion", "GemmTransposeFusion",
    "NotWhereFusion", "ConvAddFusion", "ConvMulFusion", "ConvBNFusion", "Pad_Fusion",
    "MatMul_BatchNormalization_Fusion",
})  # fmt: skip


@dataclass(frozen=True)
class PassInfo:
    """One pass of the catalogue, in words.

    Attributes:
        name: How it is switched off.
        tier: The level that brings it in; `none` for what every level does.
        aliases: Other names that mean it.
        summary: What it does.
        default: Whether it runs unless asked for by name.
        phase: When it runs; phases follow each other.
        required: Whether it runs at every level and cannot be switched off.
    """

    name: str
    tier: str
    aliases: tuple[str, ...]
    summary: str
    default: bool
    phase: str
    required: bool


@dataclass(frozen=True)
class Selection:
    """What a caller asked for.

    Attributes:
        level: How far to optimize.
        disabled: Names of passes that do not run.
        enabled: Names of passes that run though they are off by default.
        only: Names of the passes that run, of whatever tier; empty for those of the level.
        apart: The ONNX nodes of each kernel that is not to be one.
        tiles: Convolutions of which timing told the size of Winograd's tiles; 0 for none.
        own: The caller's own passes among all of these.
    """

    level: Level
    disabled: frozenset[str]
    enabled: frozenset[str]
    only: frozenset[str] = frozenset()
    apart: frozenset[tuple[str, ...]] = frozenset()
    tiles: tuple[tuple[Layer, int], ...] = ()
    own: tuple[GraphPass, ...] = ()

    @classmethod
    def of(
        cls,
        level: str | int,
        disabled: Names = (),
        enabled: Names = (),
        only: Names = (),
    ) -> Selection:
        """Resolve names and aliases.

        Args:
            level: A name, a number or a `GraphOptimizationLevel`.
            disabled: Names; one text may hold several, separated by commas or semicolons.
                `Level1_RuleBasedTransformer` means ONNX Runtime's rewrite rules, all of them.
            enabled: Likewise, without that one; and passes of the caller's own (`plugged`).
            only: Likewise: these run, of whatever tier, and no other; what does not run is not
                disabled, so that `FuseOps` may do it.

        Raises:
            UnknownPassError: A name means no pass.
            ConfigurationError: A pass is both enabled and disabled, or enabled and not there, or
                enabled and above the level; or a name is no text; or passes are asked for both by
                `only` and in another way.
        """
        # First of all: these make themselves known.
        on = frozenset(map(resolve, names_of(enabled, "enabled_pass")))
        if alone := frozenset(map(resolve, names_of(only, "only_pass"))):
            return cls._of_only(alone, others=(level_of(level), disabled, enabled))
        chosen = level_of(level)
        off = frozenset(n for name in names_of(disabled, "disabled_pass") for n in _meant(name))
        _require_optional(off, "disable")
        if both := sorted(off & on):
            raise ConfigurationError(f"both enabled and disabled: {', '.join(both)}")
        _require_here(on, "enable")
        made = cls(chosen, off - ABSENT.keys(), on, own=_own(off | on))
        if above := sorted(on & made.above(chosen)):
            raise ConfigurationError(
                f"cannot enable {', '.join(above)}: level {name_of(chosen)} leaves it out; "
                "ask for a higher level"
            )
        return made

    @classmethod
    def _of_only(cls, alone: frozenset[str], others: tuple[Level, object, object]) -> Selection:
        level, disabled, enabled = others
        if disabled or enabled or level not in (Level.ORT_DISABLE_ALL, Level.ORT_ENABLE_ALL):
            raise ConfigurationError(
                "only_pass= names all passes that run: leave level, disabled_pass and enabled_pass"
            )
        _require_here(alone, "run")
        return cls(Level.ORT_DISABLE_ALL, frozenset(), frozenset(), alone, own=_own(alone))

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The phases with all passes that there are for this request."""
        return plugged.phases(self.own)

    def entries(self) -> Iterator[tuple[Level, GraphPass]]:
        """Yield every pass that can be switched off, in running order, with its tier."""
        for phase in self.phases:
            for entry in phase.passes:
                if not entry.required:
                    yield phase.tier, entry

    def above(self, level: Level) -> frozenset[str]:
        """Return the names of the passes that a level leaves out."""
        return frozenset(entry.name for tier, entry in self.entries() if tier > level)

    def runs(self, tier: Level, entry: GraphPass) -> bool:
        """Whether a pass of this tier runs."""
        if entry.required:
            return True
        if self.only:
            return entry.name in self.only
        by_default = entry.default and entry not in self.own
        wanted = by_default or entry.name in self.enabled
        return tier <= self.level and wanted and entry.name not in self.disabled


#: All that there is without a caller's own passes.
EVERYTHING: Final = Selection(Level.ORT_ENABLE_ALL, frozenset(), frozenset())


def entries() -> Iterator[tuple[Level, GraphPass]]:
    """Yield every pass that can be switched off, in running order, with its tier: no caller's."""
    return EVERYTHING.entries()


def resolve(name: str) -> str:
    """Return the one pass that a name or an alias means; case, space and underscore do not count.

    ``my_package.module:MyRule`` is imported, and known by its name from then on.

    >>> resolve("Conv BatchNorm Fusion")
    'ConvBNFusion'

    Raises:
        UnknownPassError: It means none; the message names the close ones.
        ConfigurationError: It cannot be imported, or is no pass.
    """
    if plugged.is_import_path(name):
        return plugged.own_name(name)
    meanings = _meanings()
    if folded(name) not in meanings:
        raise UnknownPassError(name, sorted({*meanings.values(), RULES} - _required()))
    return meanings[folded(name)]


def absent(names: Names) -> tuple[str, ...]:
    """Return those of the names that mean a pass of ONNX Runtime's which tvmfuse does not have.

    >>> absent("FuseOps; NHWC Transformer")
    ('NhwcTransformer',)

    Raises:
        UnknownPassError: A name means no pass.
        ConfigurationError: A name is no text.
    """
    meant = (n for name in names_of(names, "passes") for n in _meant(name))
    return tuple(dict.fromkeys(name for name in meant if name in ABSENT))


def list_passes() -> tuple[PassInfo, ...]:
    """Return every pass of the catalogue, in running order, with those that always run."""
    return tuple(
        PassInfo(
            name=entry.name,
            tier=name_of(phase.tier),
            aliases=entry.aliases,
            summary=_summary(entry),
            default=entry.default,
            phase=phase.name,
            required=entry.required,
        )
        for phase in EVERYTHING.phases
        for entry in phase.passes
    )


def disabled_pass_for(level: str | int) -> tuple[str, ...]:
    """Return the passes that a level leaves out.

    Compiling at level ``all`` with this list gives the same module as compiling at the level.

    >>> disabled_pass_for("layout")
    ()
    """
    chosen = level_of(level)
    return tuple(p.name for tier, p in EVERYTHING.entries() if tier > chosen)


def _summary(entry: GraphPass) -> str:
    # Python's -OO leaves out what documents a class.
    return (type(entry).__doc__ or "").strip().partition("\n")[0]


def _meant(name: str) -> frozenset[str]:
    return LEVEL1_RULES if folded(name) == folded(RULES) else frozenset({resolve(name)})


def _require_optional(names: frozenset[str], what: str) -> None:
    if required := sorted(names & _required()):
        raise ConfigurationError(
            f"cannot {what} {', '.join(required)}: every level needs it, and always runs it"
        )


def _require_here(names: frozenset[str], what: str) -> None:
    _require_optional(names, what)
    if absent := sorted(names & ABSENT.keys()):
        raise ConfigurationError(
            f"cannot {what} {', '.join(absent)}: this version of tvmfuse does not have it"
        )


def names_of(given: Names, option: str) -> list[str]:
    """Return the names of the passes that a caller lists, and remember his own by theirs.

    Raises:
        ConfigurationError: One is no name and no pass.
    """
    if not (isinstance(given, Iterable) or plugged.is_pass(given)):
        return split_names(given, option, "passes")  # which says what is wrong
    named = [plugged.own_name(one) if plugged.is_pass(one) else one for one in listed(given)]
    return split_names(named, option, "passes")


def _own(names: Collection[str]) -> tuple[GraphPass, ...]:
    found = map(plugged.known, sorted(names))
    return tuple(entry for entry in found if entry is not None)


@cache
def _required() -> frozenset[str]:
    return frozenset(p.name for phase in EVERYTHING.phases for p in phase.passes if p.required)


def _meanings() -> Mapping[str, str]:
    """Return the pass of each name and alias, folded."""
    passes = [*(p for phase in EVERYTHING.phases for p in phase.passes), *plugged.all_own()]
    named = [(p.name, p.aliases) for p in passes] + list(ABSENT.items())
    return {folded(alias): name for name, aliases in named for alias in (name, *aliases)}
