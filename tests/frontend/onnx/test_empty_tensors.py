"""Operators on tensors that are known to have no elements."""

from typing import Any

import numpy as np
import pytest

LINES = np.zeros((3, 0, 4), "float32")
IMAGES = np.zeros((2, 0, 4, 6), "float32")
ONE = np.array([1])
NO_INDICES = np.zeros((3, 0, 1), "int64")


@pytest.mark.parametrize("fixed", [[1], []], ids=["known", "fed"])
@pytest.mark.parametrize("axis", [0, 2])
def test_the_largest_of_no_lines(node_agrees: Any, axis: int, fixed: list[int]) -> None:
    node_agrees("TopK", LINES, ONE, fixed=fixed, axis=axis, outputs=("float32", "int64"))


def test_places_and_different_elements(node_agrees: Any) -> None:
    node_agrees("NonZero", LINES, outputs=("int64",))
    node_agrees("Unique", LINES, outputs=("float32", "int64", "int64", "int64"))


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_blocks_of_an_image_without_channels(node_agrees: Any, mode: str) -> None:
    node_agrees("DepthToSpace", IMAGES, blocksize=2, mode=mode)


def test_images_without_channels(node_agrees: Any) -> None:
    node_agrees("SpaceToDepth", IMAGES, blocksize=2)
    node_agrees("LRN", IMAGES, size=3)


def test_nothing_is_scattered_where_only_indices_are_known_to_be_none(node_agrees: Any) -> None:
    x = np.ones((5, 4), "float32")
    node_agrees("ScatterND", x, NO_INDICES, LINES, fixed=[1], dims={2: ("a", "b", "c")}, opset=16)
    none = np.zeros((5, 0), "int64")
    updates = none.astype("float32")
    node_agrees("ScatterElements", x, none, updates, fixed=[1], dims={2: ("a", "b")}, axis=1)
