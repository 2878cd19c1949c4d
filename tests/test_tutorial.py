"""The tutorials' Python runs as it is printed."""

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


def run(page: str) -> dict[str, Any]:
    """Run a page's blocks one after the other; return what is there at the end."""
    text = re.sub(r"duration_s=[\d.]+", "duration_s=0.1", (ROOT / page).read_text())
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    return names


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = run("docs/tutorial.md")
    assert names["artifact"].report.fired()["ConvBNFusion"] == 1
    assert {effect.name for effect in names["ablation"].effects} >= {"ConvBNFusion", "FuseOps"}
    assert [line for line in names["profile"].lines() if line.microseconds > 0]


@pytest.mark.long
def test_the_tutorial_of_torch_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = run("docs/torch-tutorial.md")
    assert len(names["losses"]) == 3
    assert names["scores"].shape == (2, 10)
