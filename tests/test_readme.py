"""The README's tables are generated, and its commands are the ones that CI runs."""

import json
import re
from pathlib import Path

from bench.ladder_record import Ladder
from tvmfuse.passes.selection import list_passes
from tvmfuse.views.terminal import passes_markdown

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_pass_table_is_the_catalogues() -> None:
    """To renew it: `tvmfuse passes --markdown`."""
    table = re.search(r"<!-- passes -->\n(.*?)\n<!-- /passes -->", README, re.DOTALL)
    assert table, "the README has a pass table between its marks"
    assert table[1] == passes_markdown(list_passes())


def test_the_levels_table_is_the_newest_measurements() -> None:
    """To renew it: `python -m bench.ladder --from bench/results/<the newest>-ladder.json --markdown`."""
    table = re.search(r"<!-- ladder -->\n(.*?)<!-- /ladder -->", README, re.DOTALL)
    assert table, "the README has the levels' table between its marks"
    files = sorted((ROOT / "bench/results").glob("*-ladder.json"))
    measured = [Ladder.from_json(json.loads(file.read_text())) for file in files]
    assert table[1] == (measured[-1].markdown() + "\n" if measured else "")


def test_ci_runs_the_readmes_two_commands() -> None:
    ci = (ROOT / ".ci/run").read_text()
    commands = [
        line.strip() for line in README.splitlines() if line.startswith("    python -m pip")
    ]
    assert len(commands) == 2
    for command in commands:
        for part in command.split(" && "):
            assert part.replace("install ", "install --quiet ") in ci
