"""What happens around each invocation of a pass: instruments, as TVM calls them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from tvm import IRModule

from tvmfuse.errors import CompilationError, PassError
from tvmfuse.ir.well_formed import why_ill_formed
from tvmfuse.levels import Level
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.phase import Phase
from tvmfuse.passes.trace import Nodes, Trace
from tvmfuse.progress import Progress, Step


@dataclass(frozen=True)
class PassInvocation:
    """One invocation of a pass, of which it has several in a phase that is repeated.

    Attributes:
        name: The pass.
        tier: The level that brings it in.
        fired: For each rewrite, in order, the ONNX nodes that it replaced.
        phase: The phase's name.
        required: Whether the pass cannot be switched off.
    """

    name: str
    tier: Level
    fired: tuple[Nodes, ...]
    phase: str
    required: bool = False


@dataclass(frozen=True)
class PassRun:
    """An invocation that is over, with the modules before and after it.

    Attributes:
        invocation: Which pass, and what it fired.
        before: The module that the pass got.
        after: The module that it returned.
        trace: What it did and what it declined.
        seconds: The time that it took.
    """

    invocation: PassInvocation
    before: IRModule
    after: IRModule
    trace: Trace
    seconds: float


class Instrument:
    """Hooks around the invocations of passes; a subclass overrides those that it needs."""

    def enter(self, module: IRModule) -> None:
        """See the module before the first pass."""

    def limit(self, place: int) -> int | None:
        """Return after how many rewrites an invocation stops; None for no limit.

        Args:
            place: The number of invocations of passes that can be switched off before this one.
                Passes that are required have no place, and no limit.
        """

    def before(self, phase: Phase, entry: GraphPass, module: IRModule) -> None:
        """See the module that a pass gets."""

    def after(self, run: PassRun) -> None:
        """See what a pass did."""


@dataclass(frozen=True)
class Stop(Instrument):
    """Stop after one rewrite: those of all invocations have one order. Bisection needs this.

    Attributes:
        invocation: The place, from 0, of the invocation that is the last one; -1 for none at all.
        rewrites: After how many of its rewrites.
    """

    invocation: int
    rewrites: int

    def limit(self, place: int) -> int | None:
        """Return no limit before the last invocation, and no rewrite after it."""
        if place < self.invocation:
            return None
        return self.rewrites if place == self.invocation else 0


@dataclass(frozen=True)
class Watch(Instrument):
    """Call a function after each invocation of a pass. A diff needs this."""

    seen: Callable[[PassRun], None]

    def after(self, run: PassRun) -> None:
        """Call it."""
        self.seen(run)


class ShowProgress(Instrument):
    """Say which pass comes next, and which share of the chosen ones has run at least once.

    Args:
        progress: Told.
        chosen: The names of the passes that will run, and can be switched off.
    """

    def __init__(self, progress: Progress, chosen: Collection[str]) -> None:
        self._progress = progress
        self._chosen = chosen
        self._ran: set[str] = set()

    def before(self, phase: Phase, entry: GraphPass, module: IRModule) -> None:
        """Name the pass."""
        del phase, module
        if not entry.required:
            self._progress(Step(entry.name, len(self._ran) / len(self._chosen)))
            self._ran.add(entry.name)


class WellFormed(Instrument):
    """Check after each pass that the module is well-formed.

    That takes a fifth of the optimizer's time on BERT, so that it is asked for.
    """

    def enter(self, module: IRModule) -> None:
        """Keep the imported module, which says what `main` takes and returns."""
        self._imported = module

    def after(self, run: PassRun) -> None:
        """Check a module that changed.

        Raises:
            PassError: The pass left a module that breaks a rule of Relax, TIR, or ours of `main`.
        """
        if run.after is run.before:
            return
        if why := why_ill_formed(run.after, self._imported):
            raise failure(run.invocation, f"its result is not well-formed: {why}")


def failure(invocation: PassInvocation, why: str, nodes: Nodes = ()) -> CompilationError:
    """Return the error that says that a pass failed; one that is required cannot be left out."""
    if invocation.required:
        return CompilationError(f"{invocation.name} failed: {why}")
    return PassError(invocation.name, why, nodes)
