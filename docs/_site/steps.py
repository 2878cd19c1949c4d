"""Print the page of the schedules' steps: `python docs/_site/steps.py > docs/steps.md`."""

from __future__ import annotations

from tvmfuse.schedules.steps import STEPS


def page() -> str:
    """Write the steps as a Markdown page, a paragraph for each."""
    lines = [
        "# Steps of schedules",
        "",
        "Written by `python docs/_site/steps.py`. Optimizations of kernels",
    ]
    lines += ["that can be left out by name, as passes can, and what kernels do without them.", ""]
    for step in STEPS:
        by = f" By the pass `{step.by_pass}`." if step.by_pass else ""
        lines += [f"- `{step.name}`: {step.summary}{by}", f"  Without it: {step.without}"]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())  # noqa: T201
