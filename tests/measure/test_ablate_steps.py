"""measure.ablate of steps: each step that a kernel takes is left out of level all."""

import json
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from tvmfuse.demo import wee_net
from tvmfuse.measure import ablate


@pytest.fixture(scope="module")
def ablated() -> Any:
    return ablate(wee_net(), steps=True, target="llvm", threads=1, duration_s=0.2)


def test_every_step_that_a_kernel_takes_is_left_out(ablated: Any) -> None:
    names = {effect.name for effect in ablated.effects}
    assert {"RegisterTiling", "Prefetch"} <= names
    assert "KeyBlocking" not in names, "there is no attention"
    assert "measured" in {effect.leave_one_out.status for effect in ablated.effects}
    for effect in ablated.effects:
        assert effect.fired >= 1
        # "identical code" where LLVM unrolls a short loop all the same
        assert effect.leave_one_out.status in ("measured", "not measured", "identical code")
        assert effect.one_at_a_time.status == "not measured"


def test_it_is_a_table_and_json(ablated: Any) -> None:
    file = StringIO()
    Console(file=file, width=100).print(ablated.table())
    text = file.getvalue()
    assert "what each step gains" in text
    assert "one-at-a-time" not in text
    assert json.loads(json.dumps(ablated.to_json()))["of"] == "steps"
