"""recipe_json: what is read computes what was written; what has no name, or is too much, is not."""

from __future__ import annotations

import json
import operator
from functools import partial
from typing import Any

import numpy as np
import pytest

from tvmfuse.ir.live_array import LiveArray
from tvmfuse.recipe_json import CannotBeWrittenError, from_json, to_json
from tvmfuse.recipes import Applied, Parameter, finite, parameters_of, value_of

W = Parameter("w", np.arange(24, dtype="float32").reshape(4, 6))
B = Parameter("b", np.arange(4, dtype="float32"))


def live(parameter: Parameter) -> Any:
    return LiveArray(parameter.array, parameter)


MADE: dict[str, Any] = {
    "a parameter": live(W),
    "a view": live(W).T.reshape(2, 3, 4).transpose(1, 0, 2)[..., ::2, None],
    "numbers": np.pad(live(W), [(0, 1), (0, 0)], constant_values=-np.inf) * 0.1,
    "numpy's numbers": live(W) * np.float64(0.1) + np.int8(3),
    "a dtype": live(W).astype(np.float64).astype(np.dtype("float16")),
    "an array": live(W) @ np.arange(6, dtype="float32"),
    "several": np.concatenate([live(W), live(B)[:, None]], axis=1),
    "a part": np.split(live(W), 2)[1],
    "a reduction": np.add.reduce(live(W), axis=0, keepdims=True),
    "a function of ours": LiveArray(W.array, Applied(finite, (W,))),
}


@pytest.mark.parametrize("made", MADE)
def test_what_is_read_computes_what_was_written(made: str) -> None:
    recipe = MADE[made].recipe
    new = {"w": -W.array, "b": B.array + 1}
    said = json.loads(json.dumps(to_json([recipe])))
    (again,) = from_json(said, {"w": W, "b": B})
    assert parameters_of(again).keys() == parameters_of(recipe).keys()
    expected = value_of(recipe, new)
    assert value_of(again, new).dtype == expected.dtype
    np.testing.assert_array_equal(value_of(again, new), expected)


def test_what_several_recipes_are_made_of_is_written_once() -> None:
    turned = live(W).T
    steps, places = to_json([turned.recipe, (turned + 1).recipe, (turned * 2).recipe])
    assert len(steps) == 4
    assert places == [1, 2, 3]


@pytest.mark.parametrize(
    ("function", "operand"),
    [
        (lambda x: x, 0),
        (partial(np.transpose), 0),
        (json.dumps, 0),
        (np.add, np.zeros(1 << 16)),
        (np.add, object()),
    ],
    ids=["no name", "bound", "another package", "large", "an object"],
)
def test_what_has_no_name_or_is_too_much_cannot_be_written(function: Any, operand: Any) -> None:
    with pytest.raises(CannotBeWrittenError):
        to_json([Applied(function, (W, operand))])


GOOD = ["numpy:transpose", [["step", 0]], {}]


@pytest.mark.parametrize(
    "said",
    [
        7, [["w"], [1]], [["v"], [0]], [["w", ["os:remove", [["step", 0]], {}]], [1]],
        [["w", ["numpy:nothing", [], {}]], [1]], [["w", ["numpy:ndarray.reshape"]], [1]],
        [["w", ["numpy:transpose", [["code", 0]], {}]], [1]], [[GOOD, "w"], [0]],
    ],
    ids=["type", "place", "parameter", "package", "name", "operands", "kind", "order"],
)  # fmt: skip
def test_what_is_no_recipe_is_refused(said: Any) -> None:
    assert from_json([["w", GOOD], [1]], {"w": W})
    with pytest.raises(ValueError, match="no recipe says"):
        from_json(said, {"w": W})


def test_a_function_is_known_by_its_place() -> None:
    steps, _ = to_json([Applied(operator.getitem, (W, 0))])
    assert steps[1][0] == "_operator:getitem"
