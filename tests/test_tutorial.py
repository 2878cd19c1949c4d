"""The tutorial's Python runs as it is printed."""

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


def test_the_tutorials_blocks_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = re.sub(r"duration_s=[\d.]+", "duration_s=0.1", (ROOT / "docs/tutorial.md").read_text())
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs/tutorial.md", "exec"), names)
    assert names["artifact"].report.fired()["ConvBNFusion"] == 1
    assert {effect.name for effect in names["ablation"].effects} >= {"ConvBNFusion", "FuseOps"}
    assert [line for line in names["profile"].lines() if line.microseconds > 0]
