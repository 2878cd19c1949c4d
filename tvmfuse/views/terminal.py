"""Tables for the terminal, at most 100 columns wide.

Names out of a model go in as `Text`: they may hold brackets, which rich would read as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tvmfuse.measure.array_summary import contents
from tvmfuse.target.core import describe

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tvmfuse.manifest import Manifest
    from tvmfuse.passes.selection import PassInfo
    from tvmfuse.report import OptimizationReport, PassReport
    from tvmfuse.schedules.plans import KernelPlan
    from tvmfuse.schedules.steps import Step

NODES_SHOWN: Final = 3


def passes_table(infos: Iterable[PassInfo]) -> Table:
    """List the passes in running order: phase, tier, default, what each does, its other names."""
    table = Table(title="passes, in running order", title_justify="left", show_lines=True)
    table.add_column("name", no_wrap=True)
    table.add_column("phase", no_wrap=True)
    table.add_column("tier", no_wrap=True)
    table.add_column("default", no_wrap=True)
    table.add_column("what it does")
    for info in infos:
        words = Text(info.summary)
        if info.aliases:
            words.append(f"\nalso: {', '.join(info.aliases)}", style="dim")
        tier, default = info.tier, "on" if info.default else "off"
        if info.required:
            tier, default = "-", "always"
        table.add_row(Text(info.name), info.phase, tier, default, words)
    return table


def passes_markdown(infos: Iterable[PassInfo]) -> str:
    """Write the passes as a Markdown page, one table for each phase."""
    lines = [
        "# The passes",
        "",
        "Written by `tvmfuse passes --markdown`, in running order: one table for each phase.",
        "A tier is the level that brings a pass in. Required passes run at every level.",
    ]
    for phase, members in groupby(infos, key=lambda info: info.phase):
        rows = list(members)
        tier = "required" if rows[0].required else f"tier {rows[0].tier}"
        heading = f"## {phase.capitalize()} ({tier})"
        lines += ["", heading, "", "| pass | what it does |", "|---|---|"]
        for info in rows:
            opt_in = "" if info.default else " *(opt-in)*"
            lines.append(f"| `{info.name}` | {info.summary}{opt_in} |")
    return "\n".join(lines)


def report_tables(report: OptimizationReport) -> tuple[RenderableType, ...]:
    """Show what each pass did, then what it left alone and why, then the passes that were off."""
    ran = [entry for entry in report.passes if entry.status == "ran"]
    head = Text(
        f"level {report.level}: {report.ops_before} operators -> {report.ops_after}, "
        f"{report.kernels} kernels, {report.seconds:.2f} s"
    )
    off = [Text(f"{status}: {', '.join(names)}") for status, names in _off(report.passes).items()]
    off += [Text(f"disabled steps: {', '.join(report.steps_disabled)}")] * bool(
        report.steps_disabled
    )
    declined = [_declined_table(ran)] if any(entry.declined for entry in ran) else []
    notes = [Text(f"{entry.name}: {entry.note}") for entry in report.passes if entry.note]
    return (head, _fired_table(ran), *notes, *declined, *off)


def manifest_tables(manifest: Manifest) -> tuple[RenderableType, ...]:
    """Show the manifest: what it is, inputs and outputs, and its kernels."""
    facts = Table(title=Text(manifest.name), title_justify="left", show_header=False)
    facts.add_column(no_wrap=True)
    facts.add_column(overflow="fold")
    rows = {
        "inputs": "\n".join(map(str, manifest.inputs)),
        "overridable": "\n".join(map(str, manifest.overridable)),
        "outputs": "\n".join(map(str, manifest.outputs)),
        "level": manifest.level,
        "passes": ", ".join(manifest.passes_ran),
        "disabled": ", ".join(manifest.passes_disabled),
        "disabled steps": ", ".join(manifest.steps_disabled),
        "opset": "" if manifest.opset is None else str(manifest.opset),
        "target": manifest.target,
        "machine": describe(manifest.machine) if manifest.machine else "",
        "CPU features": ", ".join(manifest.cpu_features),
        "versions": ", ".join(f"{name} {version}" for name, version in manifest.versions.items()),
        "metadata": "\n".join(
            f"{key}: {value}" for key, value in _flat(manifest.metadata).items() if value
        ),
        "sha256": manifest.sha256,
    }
    for name, value in rows.items():
        if value:
            facts.add_row(name, Text(value))

    kernels = Table(title=f"kernels: {len(manifest.kernels)}", title_justify="left")
    for column in ("kernel", "schedule", "ONNX nodes"):
        kernels.add_column(column, overflow="fold")
    for kernel in manifest.kernels:
        kernels.add_row(Text(kernel.symbol), Text(kernel.schedule), Text(listed(kernel.nodes)))
    return (facts, kernels)


def steps_table(steps: Iterable[Step]) -> Table:
    """List the steps of kernels: what each does, what happens without, its other names."""
    table = Table(title="steps of kernels", title_justify="left", show_lines=True)
    table.add_column("name", no_wrap=True)
    table.add_column("what it does; without it")
    for step in steps:
        words = Text(f"{step.summary}\nWithout: {step.without}")
        if step.by_pass:
            words.append(f"\nthe pass {step.by_pass} does it", style="dim")
        if step.aliases:
            words.append(f"\nalso: {', '.join(step.aliases)}", style="dim")
        table.add_row(Text(step.name), words)
    return table


def plans_table(plans: Mapping[str, KernelPlan]) -> Table:
    """List kernels by name: the schedule of each, its plan in a few words, the steps it takes."""
    table = Table(title=f"kernels: {len(plans)}", title_justify="left")
    for column in ("kernel", "schedule", "plan", "steps"):
        table.add_column(column, overflow="fold")
    for name, plan in plans.items():
        row = (name, plan.schedule, plan.words, ", ".join(plan.steps))
        table.add_row(*map(Text, row))
    return table


def _flat(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Put the model's own properties beside what every model says.

    >>> _flat({"domain": "org", "custom": {"domain": "ours", "license": "MIT"}})
    {'domain': 'org', 'custom domain': 'ours', 'custom license': 'MIT'}
    """
    custom = metadata.get("custom", {})
    words = {key: value for key, value in metadata.items() if key != "custom"}
    return words | {f"custom {key}": value for key, value in custom.items()}


def arrays_table(title: str, arrays: Mapping[str, npt.NDArray[np.generic]]) -> Table:
    """Show what is in some arrays: name, type, shape, range of the finite elements, the others."""
    table = Table(title=title, title_justify="left")
    table.add_column("name", overflow="fold")
    table.add_column("type and shape", overflow="fold")
    for column in ("min", "mean", "max", "NaN or infinite"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, array in arrays.items():
        held = contents(name, array)
        span = (held.min, held.mean, held.max)
        cells = ["-" if value is None else f"{value:.6g}" for value in span]
        shape = f"{held.dtype}[{', '.join(map(str, held.shape))}]"
        table.add_row(Text(name), shape, *cells, str(held.nan + held.infinite))
    return table


def _fired_table(ran: Iterable[PassReport]) -> Table:
    table = Table(title="what the passes did", title_justify="left")
    table.add_column("pass", no_wrap=True)
    table.add_column("tier", no_wrap=True)
    for column in ("fired", "operators", "ms", "declined"):
        table.add_column(column, justify="right", no_wrap=True)
    for entry in ran:
        table.add_row(
            Text(entry.name),
            entry.tier,
            str(entry.fired),
            f"{entry.ops_before} -> {entry.ops_after}",
            f"{entry.seconds * 1e3:.1f}",
            str(sum(decline.count for decline in entry.declined)),
            style=None if entry.fired else "dim",
        )
    return table


def _declined_table(ran: Iterable[PassReport]) -> Table:
    table = Table(title="left alone, because the condition did not hold", title_justify="left")
    table.add_column("pass", overflow="fold")
    table.add_column("places", justify="right", no_wrap=True)
    table.add_column("condition", overflow="fold")
    table.add_column("ONNX nodes", overflow="fold")
    for entry in ran:
        for decline in entry.declined:
            nodes = Text(listed(decline.nodes))
            table.add_row(Text(entry.name), str(decline.count), Text(decline.reason), nodes)
    return table


def _off(passes: Iterable[PassReport]) -> dict[str, list[str]]:
    off: dict[str, list[str]] = {}
    for entry in passes:
        if entry.status != "ran":
            off.setdefault(entry.status, []).append(entry.name)
    return off


def listed(nodes: Sequence[str], shown: int = NODES_SHOWN) -> str:
    """Name the first few nodes, and what all names begin with only once.

    >>> listed(("/layer.0/query/MatMul", "/layer.0/query/Add"))
    '/layer.0/query/: MatMul, Add'
    >>> listed(("conv", "relu"))
    'conv, relu'
    >>> listed("abcdef")
    'a, b, c and 3 more'
    """
    parts = [node.split("/")[:-1] for node in nodes]
    shared = takewhile(lambda names: len(set(names)) == 1, zip(*parts, strict=False))
    prefix = "".join(f"{name}/" for name, *_ in shared) if len(nodes) > 1 else ""
    rest = len(nodes) - shown
    names = ", ".join(node[len(prefix) :] for node in nodes[:shown])
    head = f"{prefix}: " if len(prefix) > 1 else prefix
    return head + names + (f" and {rest} more" if rest > 0 else "")
