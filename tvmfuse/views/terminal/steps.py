"""The steps that kernels take, and the plans of a model's kernels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from tvmfuse.schedules.kernel_plan import KernelPlan
    from tvmfuse.schedules.steps import Step


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


def steps_markdown(steps: Iterable[Step]) -> str:
    """Write the steps of kernels as a Markdown page, a paragraph for each."""
    lines = [
        "# Steps of schedules",
        "",
        "Written by `tvmfuse passes --steps --markdown`. Optimizations below the passes, of",
        "kernels and of what calls them. Each can be left out by name with `--disable-step`.",
        "",
    ]
    for step in steps:
        by = f" The pass `{step.by_pass}` does it." if step.by_pass else ""
        lines += [f"- `{step.name}`: {step.summary}{by}", f"  Without it: {step.without}"]
    return "\n".join(lines)
