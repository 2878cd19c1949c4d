"""The README's commands are the ones that CI runs."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_ci_runs_the_readmes_two_commands() -> None:
    ci = (ROOT / ".ci/run").read_text()
    commands = [
        line.strip() for line in README.splitlines() if line.startswith("    python -m pip")
    ]
    assert len(commands) == 2
    for command in commands:
        for part in command.split(" && "):
            assert part.replace("install ", "install --quiet ") in ci


def test_the_figures_are_the_records() -> None:
    record = (ROOT / "bench/results/2026-11-22-parts.md").read_text()
    rows = [line.split(" | ", 1)[1] for line in README.splitlines() if "(1." in line]
    assert len(rows) == 5
    for row in rows:
        assert f" | {row.removesuffix('|')}" in record


def test_ci_makes_every_check_and_ends_with_the_tests() -> None:
    lines = [line.strip() for line in (ROOT / ".ci/run").read_text().splitlines()]
    checks = ["beside languages", "finished", "beside environment", "finished", "ruff check .", "ruff format --check .",
              "beside .ci/types", '.ci/docs "$scratch/site"', ".ci/fuzz", "finished",
              "beside headers", "finished"]  # fmt: skip
    made = [line.partition("  #")[0] for line in lines]
    assert [line for line in made if line in checks] == checks
    assert lines[-1] == "python -m pytest"


def test_ci_keeps_compiled_kernels_out_of_the_users_home() -> None:
    lines = (ROOT / ".ci/run").read_text().splitlines()
    kept = lines.index("export XDG_CACHE_HOME=$scratch/cache")
    assert kept < min(i for i, line in enumerate(lines) if line.strip() == "tvmfuse ab")
