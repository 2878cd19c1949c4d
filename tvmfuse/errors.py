"""Everything tvmfuse raises on purpose.

::

    TvmfuseError
    +-- ConfigurationError           you asked for what does not exist
    |   +-- UnknownPassError
    |   +-- UnknownTargetError
    +-- ModelError                   this model cannot be compiled
    |   +-- MalformedModelError      it breaks the ONNX specification
    |   +-- UnsupportedModelError    it is valid, and beyond what tvmfuse compiles
    |   +-- LimitExceededError       it asks for more than `tvmfuse.Limits` admits
    +-- InputError                   these inputs do not fit the model
    |   +-- IndexOutOfRangeError     an index is of no element, be it fed or computed
    +-- StaleModelError              its weights' new numbers take another compilation
    +-- OutOfMemoryError             this machine's memory ran out
    +-- WrongNumbersError            two arms that should compute the same do not
    +-- NotQuietError                nothing is timed, because others take the cores
    +-- CompilationError             a stage broke its own contract: please report
    |   +-- PassError
    |   |   +-- RewriteDivergedError
    |   +-- KernelError
    |       +-- ScheduleError
    +-- ArtifactError                this file cannot be written, read or run here
        +-- DamagedArtifactError
        +-- IncompatibleArtifactError
        +-- UnverifiedArtifactError  it is not the file that was meant
        +-- LinkerNotFoundError

and warns of::

    LeftOutWarning                   a pass, schedule or fusion failed here, and was left out
    +-- WrongPassWarning             a pass changes this model's numbers
    FallbackWarning                  another engine computes some of the nodes, as was asked for
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType


class TvmfuseError(Exception):
    """Base class: catch this to catch everything tvmfuse raises on purpose."""


class ConfigurationError(TvmfuseError, ValueError):
    """The request cannot be met as written."""


class UnknownPassError(ConfigurationError):
    """A pass name that is not in the catalogue."""

    def __init__(self, name: str, known: Collection[str]) -> None:
        words = _close(name, known) or "`tvmfuse passes` lists them"
        super().__init__(f"no pass is called {name!r}; {words}")
        self.name = name


class UnknownTargetError(ConfigurationError):
    """A target that TVM or LLVM does not know."""


class ModelError(TvmfuseError, ValueError):
    """This model cannot be compiled."""


class MalformedModelError(ModelError):
    """The model breaks the ONNX specification."""


class UnsupportedModelError(ModelError):
    """The model is valid ONNX, and beyond what tvmfuse compiles.

    Attributes:
        nodes: Why, by the names of the nodes that were refused; empty where it is not their fault.
    """

    def __init__(self, message: str, nodes: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(message)
        self.nodes = dict(nodes)


class TooNewModelError(UnsupportedModelError):
    """The model is newer than the installed onnx package, which nothing here reads."""


class LimitExceededError(ModelError):
    """The model asks for more than the limits admit; the message names the node and the limit."""


class InputError(TvmfuseError, ValueError):
    """The inputs do not fit the model."""


class SizesError(InputError):
    """The compiled model takes no inputs of these sizes together; the message names which ones."""


class IndexOutOfRangeError(InputError, IndexError):
    """An index is of no element; the message names the node, the index and the range."""


class StaleModelError(TvmfuseError, ValueError):
    """The weights' new numbers take another compilation: this one held for the old ones."""


class OutOfMemoryError(TvmfuseError, MemoryError):
    """Memory ran out while a model was compiled or run; what was loaded stays usable."""


class WrongNumbersError(TvmfuseError, ArithmeticError):
    """Two arms that should compute the same do not, so neither is timed."""

    def __init__(self, a: str, b: str, problems: Sequence[str]) -> None:
        super().__init__(f"{a} and {b} disagree, so neither is timed: {'; '.join(problems)}")
        self.problems = tuple(problems)


class NotQuietError(TvmfuseError, RuntimeError):
    """The machine had to be quiet and was not, so nothing was timed."""

    def __init__(self, disturbances: Sequence[str], waited_s: float) -> None:
        why = "; ".join(disturbances) or "/proc/stat does not say what other processes do"
        super().__init__(
            f"expected a quiet machine, and after {waited_s:.0f} s {why}: stop the other work, "
            "wait longer (--wait-quiet), or go without --require-quiet, which gives no verdict"
        )
        self.disturbances = tuple(disturbances)


class CompilationError(TvmfuseError, RuntimeError):
    """A compilation stage broke its own contract."""


class PassError(CompilationError):
    """A pass failed; `nodes` are the ONNX nodes of the place, where the pass has said so."""

    def __init__(self, name: str, why: str, nodes: Sequence[str] = ()) -> None:
        where = f"at {', '.join(nodes)}; " if nodes else ""
        super().__init__(f"pass {name} failed: {why}; {where}compile with disabled_pass=[{name!r}]")
        self.name, self.why, self.nodes = name, why, tuple(nodes)


class RewriteDivergedError(PassError):
    """A rule kept rewriting its own output."""


class KernelError(CompilationError):
    """TVM cannot compile a kernel; `kernel` is its name in the module, `nodes` what it computes."""

    def __init__(self, message: str, kernel: str, nodes: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.kernel, self.nodes = kernel, tuple(nodes)


class ScheduleError(KernelError):
    """A schedule failed on a kernel, or TVM refuses what it made of it."""

    def __init__(self, name: str, kernel: str, why: str) -> None:
        super().__init__(
            f"the schedule {name} failed on the kernel {kernel}: this is a defect of "
            f"tvmfuse, please report it with the model ({why})",
            kernel,
        )
        self.name, self.why = name, why


class ArtifactError(TvmfuseError, OSError):
    """A compiled file cannot be written, read or run here."""


class DamagedArtifactError(ArtifactError):
    """The file is truncated, altered or no tvmfuse file at all."""


class IncompatibleArtifactError(ArtifactError):
    """The file is whole, and made for another machine or another TVM."""


class UnverifiedArtifactError(ArtifactError):
    """The file has another digest than was expected, or is not signed by whom it should be."""


class LinkerNotFoundError(ArtifactError):
    """No C compiler and no linker is installed, and writing a shared library takes one."""


class LeftOutWarning(UserWarning):
    """A pass, schedule or fusion failed on this model, and was left out: please report."""


class WrongPassWarning(LeftOutWarning):
    """A pass changes this model's numbers, and was left out: please report."""


class PluginWarning(UserWarning):
    """What an installed package adds to tvmfuse fails, and is left out: tell its authors."""


class UncalibratedWarning(UserWarning):
    """Random numbers stand in for calibration data: accuracies are of them."""


class UncheckedSizesWarning(UserWarning):
    """The model is right for some sizes only, and what it is fed cannot be checked for it."""


class FallbackWarning(UserWarning):
    """Some nodes are not compiled: another engine computes them, as `fallback` asks for."""


def closest(name: str, known: Collection[str]) -> str:
    """Say which known names are close to this one, or list them all.

    >>> closest("ConvBnFusion", ["ConvBNFusion", "ConvAddFusion"])
    'did you mean ConvBNFusion or ConvAddFusion?'
    """
    return _close(name, known) or f"known: {', '.join(sorted(known))}"


def _close(name: str, known: Collection[str]) -> str | None:
    import difflib  # which takes longer to import than a session to begin

    folded = {k.casefold(): k for k in known}
    near = [folded[f] for f in difflib.get_close_matches(name.casefold(), folded, n=3)]
    return f"did you mean {' or '.join(near)}?" if near else None


def first_line(error: BaseException) -> str:
    r"""Return what an error says, without the listing that TVM puts after it.

    >>> first_line(ValueError("Check failed: a == b\n\nError in pass: P")), first_line(KeyError())
    ('Check failed: a == b', 'KeyError')
    """
    lines = str(error).strip().splitlines()
    return lines[0].strip() if lines else type(error).__name__
