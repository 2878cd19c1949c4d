"""Documents name files that exist, link to what is there, and generated pages are not stale."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from bench.ladder_record import Ladder
from tvmfuse.passes.selection import list_passes
from tvmfuse.schedules.steps import STEPS
from tvmfuse.target.core import Core, Tuning
from tvmfuse.views.terminal import passes_markdown, steps_markdown

ROOT = Path(__file__).parent.parent
COLUMNS = 120
HIDDEN = (".github",)
DOCUMENTS = sorted(
    file.relative_to(ROOT)
    for file in ROOT.rglob("*.md")
    if not any(
        part.startswith((".", "build", "dist", "node_modules")) and part not in HIDDEN
        for part in file.relative_to(ROOT).parts
    )
)
FOLDERS = ("tvmfuse", "passes", "schedules", "tests", "bench", "examples", "docs", ".ci", ".github")
PATH = re.compile(rf"`((?:{'|'.join(map(re.escape, FOLDERS))})/[\w./-]*)`")
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)")

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=str)


def prose(document: Path) -> str:
    return re.sub(r"^```.*?^```$", "", (ROOT / document).read_text(), flags=re.M | re.S)


def anchor(heading: str) -> str:
    """Return a heading's anchor, as GitHub and MkDocs make it."""
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


@every_document
def test_no_line_is_longer_than_120_columns(document: Any) -> None:
    lines = (ROOT / document).read_text().splitlines()
    assert [i for i, line in enumerate(lines, 1) if len(line) > COLUMNS] == []


@every_document
def test_every_path_that_is_named_exists(document: Any) -> None:
    if document.parts[:2] == ("bench", "results") or document.name == "CHANGELOG.md":
        pytest.skip("records what was there at the time")
    assert [p for p in PATH.findall(prose(document)) if not (ROOT / p).exists()] == []


@every_document
def test_every_relative_link_leads_somewhere(document: Any) -> None:
    wrong = []
    for path, fragment in LINK.findall(prose(document)):
        target = (ROOT / document).parent / path if path else ROOT / document
        if not target.exists():
            wrong.append(path)
        elif fragment and target.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
            wrong += [path + fragment] * (fragment[1:] not in map(anchor, headings))
    assert wrong == []


@pytest.mark.parametrize("folder", ["passes", "schedules"])
def test_the_map_of_a_folder_names_what_is_in_it(folder: str) -> None:
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / folder / "README.md").read_text(), re.MULTILINE)
    named = {name.rstrip("/") for row in rows for name in re.findall(r"`([\w./]+)`", row)}
    there = {f.name for f in (ROOT / folder).glob("*") if f.suffix == ".py" or f.is_dir()}
    assert there - {"__init__.py", "__pycache__"} == {n for n in named if "/" not in n}
    assert all((ROOT / folder / name).exists() for name in named)


def test_the_index_lists_every_decision_in_order() -> None:
    index = (ROOT / "docs/decisions/index.md").read_text()
    decisions = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
    listed = re.findall(r"^\| (\d{4}) \| \[(.*)\]\((.*)\) \|", index, re.MULTILINE)
    titles = [file.read_text().splitlines()[0].removeprefix("# ") for file in decisions]
    assert [(f"{number}. {title}", path) for number, title, path in listed] == [
        (title, file.name) for title, file in zip(titles, decisions, strict=True)
    ]


def test_design_is_short() -> None:
    assert len((ROOT / "DESIGN.md").read_text().splitlines()) <= 60


@pytest.mark.parametrize(
    "decision", sorted((ROOT / "docs/decisions").glob("[0-9]*.md")), ids=lambda f: f.stem
)
def test_a_decision_has_a_context_a_decision_and_a_consequence(decision: Any) -> None:
    text = decision.read_text()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Context", "Decision", "Consequence"]
    assert len(text.splitlines()) <= 25


@pytest.mark.parametrize(
    ("name", "value"), [(f.name, f.default) for kind in (Core, Tuning) for f in fields(kind)]
)
def test_the_machine_model_has_every_number_with_its_value(name: Any, value: Any) -> None:
    shown = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if name.startswith(("l1_", "l2_", "l3_", "panel_budget")) and value >= size:
            shown = f"{value // size} {unit}"
            break
    page = " ".join((ROOT / "docs/machine-model.md").read_text().split())
    assert re.search(rf"`{name}` = {re.escape(shown)}[:,]", page)


def test_the_page_of_passes_is_the_catalogues() -> None:
    """To renew it: `tvmfuse passes --markdown > docs/passes.md`."""
    assert (ROOT / "docs/passes.md").read_text() == passes_markdown(list_passes()) + "\n"


def test_the_page_of_steps_is_the_tables() -> None:
    """To renew it: `tvmfuse passes --steps --markdown > docs/steps.md`."""
    assert (ROOT / "docs/steps.md").read_text() == steps_markdown(STEPS) + "\n"


def test_the_page_of_levels_is_the_newest_measurements() -> None:
    """To renew it: `python -m bench.ladder --from bench/results/<the newest>-ladder.json --markdown`."""
    newest = sorted((ROOT / "bench/results").glob("*-ladder.json"))[-1]
    ladder = Ladder.from_json(json.loads(newest.read_text()))
    assert (ROOT / "docs/levels.md").read_text() == ladder.markdown() + "\n"
