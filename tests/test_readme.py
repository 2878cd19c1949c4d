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
