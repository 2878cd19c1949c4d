"""The README's tables are generated, and its commands are the ones that CI runs."""

import re
from pathlib import Path

from tvmfuse.passes.selection import list_passes
from tvmfuse.tables import passes_markdown

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_pass_table_is_the_catalogues() -> None:
    """To renew it: `tvmfuse passes --markdown`."""
    table = re.search(r"<!-- passes -->\n(.*?)\n<!-- /passes -->", README, re.DOTALL)
    assert table, "the README has a pass table between its marks"
    assert table[1] == passes_markdown(list_passes())


def test_ci_runs_the_readmes_two_commands() -> None:
    ci = (ROOT / ".ci/run").read_text()
    commands = [line.strip() for line in README.splitlines() if line.startswith("    python -m pip")]
    assert len(commands) == 2
    for command in commands:
        for part in command.split(" && "):
            assert part.replace("install ", "install --quiet ") in ci
