"""The optimizations below the graph's passes, by name: each can be left out, as a pass can.

A step says how a kernel is computed and never what: without it the numbers are the same but for the
order of sums, and a kernel that did not take it stays as it is. The last two are of `main`, which
calls the kernels: no kernel changes without them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tvmfuse.errors import ConfigurationError, closest
from tvmfuse.names import Names, folded, split_names


@dataclass(frozen=True)
class Step:
    """One optimization of kernels, or of `main`, which calls them.

    Attributes:
        name: How it is switched off.
        summary: What it does, in one line.
        without: What kernels do without it.
        aliases: Other names that mean it.
        by_pass: The pass of the graph that does it; empty for a step of the schedules.
    """

    name: str
    summary: str
    without: str
    aliases: tuple[str, ...] = ()
    by_pass: str = ""


STEPS: Final[tuple[Step, ...]] = (
    Step(
        "VectorMath",
        "Elementary functions of float32 are polynomials, computed in vectors.",
        "Each function is a call of the C library for one element.",
        ("Polynomials",),
    ),
    Step(
        "PackOperand",
        "An operand whose vectors would be gathered is copied, so that they are contiguous.",
        "Such a product is a reduction of rows, or scalar.",
        ("PackOperands",),
    ),
    Step(
        "PackStrided",
        "The pixels that a 1x1 convolution with a stride reads are copied side by side.",
        "They are read where they lie.",
    ),
    Step(
        "FusedPadding",
        "A padded image is made some lines at a time, right before they are read, or not at all.",
        "The whole padded image is a copy in memory.",
        ("ComputeAt",),
    ),
    Step(
        "RegisterTiling",
        "A tile of mr x nr sums is kept in registers.",
        "One vector of sums is kept in a register.",
        ("RegisterTile", "RegisterBlocking"),
    ),
    Step(
        "MatrixUnit",
        "Products of bytes and of bfloat16 run on the CPU's matrix unit (AMX), where it has one.",
        "They are dot products of vectors.",
        ("AMX", "TileRegisters"),
    ),
    Step(
        "RowPairs",
        "One instruction multiplies two rows by two columns (AArch64's usmmla and bfmmla).",
        "Each row is multiplied by dot products.",
        ("MMLA",),
    ),
    Step(
        "KBlocking",
        "A long sum comes in blocks of k, so that what a block reads stays in a cache.",
        "All of k at once.",
        ("KBlock", "KSplit"),
    ),
    Step(
        "KUnrolling",
        "Several steps of a sum are one body of its loop.",
        "One step in each turn of the loop.",
        ("KUnroll", "Unrolling"),
    ),
    Step(
        "BlockSums",
        "A factor that all terms of a block of a sum share multiplies the block's sum.",
        "It multiplies each term.",
        ("BlockScales",),
    ),
    Step(
        "PanelCopy",
        "A matrix that is no constant is copied panel by panel as register tiles read it.",
        "Its rows are read where they lie.",
    ),
    Step(
        "RowStrips",
        "Rows beyond a cache's size come in strips, each of which stays there for all panels.",
        "All rows pass for each panel, or all panels for each tile of rows.",
        ("RowBlocking", "MBlocking"),
    ),
    Step(
        "Prefetch",
        "The next panel, and what the epilogue reads and writes, is asked for ahead of its use.",
        "Only the core's own prefetchers work.",
        ("Prefetching",),
    ),
    Step(
        "KeyBlocking",
        "Attention to many keys goes through them block by block, with a running softmax.",
        "All scores of a query are kept; still in blocks where the number of keys is not known.",
        ("FlashAttention", "Streaming"),
    ),
    Step(
        "Threads",
        "Loops of enough work run in threads.",
        "Each kernel runs in one thread.",
        ("Parallel",),
    ),
    Step(
        "Winograd",
        "3x3 convolutions with fewer multiplications.",
        "They are direct convolutions.",
        by_pass="WinogradConv",
    ),
    Step(
        "ConstantPanels",
        "Constant matrices lie in panels as register tiles read them.",
        "They are copied, or read where they lie.",
        by_pass="PrepackWeights",
    ),
    Step(
        "MemoryReuse",
        "A tensor between kernels lies where one lay that no later kernel reads.",
        "Each has memory of its own.",
        ("MemoryPlanning", "Arena"),
    ),
    Step(
        "CachesInPlace",
        "A second form of the model writes only a cache's new rows, for calls with `share=True`.",
        "There is none: a cache is copied at each call.",
        ("InPlace", "Sharing"),
    ),
)

NAMES: Final = tuple(step.name for step in STEPS)

#: The steps that change a kernel's stages before its nests are planned.
PREPARING: Final = frozenset({"VectorMath", "PackOperand", "PackStrided", "FusedPadding"})


def resolve(name: str) -> Step:
    """Return the one step that a name or an alias means; case, space and underscore do not count.

    Raises:
        ConfigurationError: It means none; the message names the close ones.

    >>> resolve("k blocking").name, resolve("FlashAttention").name
    ('KBlocking', 'KeyBlocking')
    """
    known = {folded(alias): step for step in STEPS for alias in (step.name, *step.aliases)}
    if folded(name) not in known:
        raise ConfigurationError(f"no step is called {name!r}; {closest(name, NAMES)}")
    return known[folded(name)]


def steps_of(names: Names) -> tuple[Step, ...]:
    """Return the steps that some names mean; one text may hold several, by comma or semicolon.

    Raises:
        ConfigurationError: A name means no step, or is no text.
    """
    listed = split_names(names, "disabled_step", "steps")
    return tuple(dict.fromkeys(map(resolve, listed)))


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of steps in the order of the table, each once."""
    found = set(names)
    return tuple(name for name in NAMES if name in found)
