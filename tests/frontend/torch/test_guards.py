"""What a program takes for granted of sizes: an artifact refuses what torch's own program refuses."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.export import Dim

import tvmfuse
from tvmfuse.errors import (
    ConfigurationError,
    InputError,
    UncheckedSizesWarning,
    UnsupportedModelError,
)

pytestmark = pytest.mark.sampled(5)

Size = tuple[int, ...]


def exported(function: Callable[..., Any], *shapes: Size, **settings: Any) -> Any:
    """Export a function of matrices or images, all of whose sizes are symbolic."""

    class Module(torch.nn.Module):
        def forward(self, *tensors: torch.Tensor) -> Any:
            return function(*tensors)

    module = function if isinstance(function, torch.nn.Module) else Module()
    given = tuple(torch.randn(shape) for shape in shapes)
    dims = tuple(dict.fromkeys(range(len(shape)), Dim.AUTO) for shape in shapes)
    return torch.export.export(
        module.eval(), given, dynamic_shapes=dims if module is function else (dims,), **settings
    )


def called(run: tvmfuse.Executable, *shapes: Size) -> tuple[list[torch.Tensor], list[np.ndarray]]:
    tensors = [torch.randn(shape) for shape in shapes]
    fed = zip((spec.name for spec in run.inputs), tensors, strict=True)
    return tensors, list(run({name: tensor.numpy() for name, tensor in fed}).values())


def even_is_doubled(x: torch.Tensor) -> torch.Tensor:
    return x * 2 if x.shape[0] % 2 == 0 else x * 3


def read_again(program: Any) -> Any:
    stored = io.BytesIO()
    torch.export.save(program, stored)
    stored.seek(0)
    return torch.export.load(stored)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("loaded", [False, True])
def test_a_branch_on_a_size(strict: bool, loaded: bool) -> None:
    program = exported(even_is_doubled, (6, 5), strict=strict)
    run = tvmfuse.compile(read_again(program) if loaded else program).load()
    [x], [y] = called(run, (8, 3))
    np.testing.assert_array_equal(y, x.numpy() * 2)
    words = r"only sizes with \(s\d+ % 2\) == 0, as torch.export took for granted; here.* 1 == 0"
    with pytest.raises(InputError, match=words):
        called(run, (7, 3))


CONDITIONS: list[tuple[Callable[[int, int], bool], Size, Size]] = [
    (lambda n, m: n % 3 > 1, (8, 5), (7, 5)),
    (lambda n, m: min(n // 2, m) >= 4, (8, 5), (8, 3)),
    (lambda n, m: max(n, 2 * m) < 11, (8, 5), (8, 6)),
    (lambda n, m: n != 2 * m, (8, 5), (8, 4)),
    (lambda n, m: n <= m * m, (9, 3), (10, 3)),
]


@pytest.mark.parametrize(("holds", "taken", "refused"), CONDITIONS)
def test_conditions(holds: Callable[[int, int], bool], taken: Size, refused: Size) -> None:
    program = exported(lambda x: x + 1 if holds(*x.shape) else x - 1, (8, 5))
    run = tvmfuse.compile(program, level="none").load()
    [x], [y] = called(run, taken)
    np.testing.assert_array_equal(y, x.numpy() + (1 if holds(*taken) else -1))
    refused, taken = (refused, taken) if holds(8, 5) else (taken, refused)
    with pytest.raises(InputError, match=r"as torch\.export took for granted"):
        called(run, refused)


def test_a_part_of_torch_that_looks_at_sizes() -> None:
    """Nine rows are three threes, eight are 3, 3 and 2: the program has one of the two."""
    run = tvmfuse.compile(exported(lambda x: x.tensor_split(3), (8, 5)), level="none").load()
    [x], parts = called(run, (11, 4))
    for ours, theirs in zip(parts, x.tensor_split(3), strict=True):
        np.testing.assert_array_equal(ours, theirs.numpy())
    with pytest.raises(InputError, match=r"\(s\d+ % 3\) > 0"):
        called(run, (9, 4))


def test_how_torch_lays_tensors_out_is_no_condition() -> None:
    """torch notes that no image has one pixel, as it would lie in memory in both ways."""
    network = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, 2, 1), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
        torch.nn.MaxPool2d(3, 2, 1), torch.nn.Conv2d(8, 8, 3, 2, 1), torch.nn.BatchNorm2d(8),
    )  # fmt: skip
    program = exported(network, (2, 3, 64, 48))
    assert program._guards_code
    run = tvmfuse.compile(program).load()
    for size in ((8, 8), (33, 64), (5, 7)):
        [x], [y] = called(run, (2, 3, *size))
        with torch.no_grad():
            np.testing.assert_allclose(y, network(x).numpy(), rtol=1e-4, atol=1e-5)


def test_a_size_that_a_fraction_makes() -> None:
    """Python's `int` asks which number it is, and the program has that one."""
    program = exported(lambda x: x[: int(x.shape[0] * 0.75)], (8, 5))
    run = tvmfuse.compile(program, level="none").load()
    [x], [y] = called(run, (9, 4))
    np.testing.assert_array_equal(y, x[:6].numpy())
    with pytest.raises(InputError, match=r"trunc\(0\.75\*s\d+\) == 6, .*; here that is 12 == 6"):
        called(run, (16, 4))


@pytest.mark.parametrize("loaded", [False, True])
def test_a_program_that_is_compiled_twice_takes_the_same_sizes(loaded: bool) -> None:
    """Taken apart, a convolution asks whether there are 16 images, for a layout in memory."""
    network = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU())
    program = exported(network, (2, 3, 8, 9))
    program = read_again(program) if loaded else program
    for _ in range(2):
        run = tvmfuse.compile(program, level="none").load()
        [x], [y] = called(run, (20, 3, 8, 9))
        with torch.no_grad():
            np.testing.assert_allclose(y, network(x).numpy(), rtol=1e-4, atol=1e-5)
    branch = exported(even_is_doubled, (6, 5))
    branch = read_again(branch) if loaded else branch
    for _ in range(2):
        run = tvmfuse.compile(branch, level="none").load()
        with pytest.raises(InputError, match="as torch.export took for granted"):
            called(run, (7, 3))


def test_a_fraction_that_torch_rounds_is_refused() -> None:
    """0.29 * 100 is less than 29 in float64: no fraction of whole numbers tells what torch has."""
    program = exported(
        lambda x: torch.nn.functional.interpolate(
            x, scale_factor=0.29, mode="bilinear", recompute_scale_factor=True
        ),
        (2, 3, 40, 60),
    )
    with pytest.raises(UnsupportedModelError, match=r"the fraction 0\.29.* cannot be computed"):
        tvmfuse.compile(program, level="none")


def test_a_file_without_example_inputs() -> None:
    program = read_again(exported(even_is_doubled, (6, 5)))
    program._example_inputs = None
    with pytest.warns(UncheckedSizesWarning, match=r"% 2\) == 0, and torch makes no check"):
        tvmfuse.compile(program, level="none")


def test_sizes_that_are_given_and_contradict_it() -> None:
    program = exported(even_is_doubled, (6, 5))
    name = next(iter(map(str, program.range_constraints)))
    assert tvmfuse.compile(program, level="none", dims={name: 4}).load().inputs[0].shape[0] == 4
    words = r"took for granted that \(s\d+ % 2\) == 0, which the sizes in dims= contradict"
    with pytest.raises(ConfigurationError, match=words):
        tvmfuse.compile(program, level="none", dims={name: 7})


def test_what_cannot_be_checked_is_said() -> None:
    program = exported(lambda x: x * (2 if x.shape[0] / x.shape[1] > 1.1 else 3), (6, 5))
    with pytest.warns(UncheckedSizesWarning, match=r"took for granted that .*s\d+ ?/ ?s\d+.*1\.1"):
        tvmfuse.compile(program, level="none")


def test_a_program_that_asks_for_nothing_takes_all_sizes() -> None:
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UncheckedSizesWarning)
        run = tvmfuse.compile(exported(layer, (2, 7, 16)), level="none").load()
    assert [spec.shape_constraints for spec in run.inputs] == [()]


@pytest.mark.parametrize("dim", [Dim.AUTO, Dim.DYNAMIC, Dim("b"), Dim("b", min=2)])
def test_a_batch_of_one_of_a_program_that_was_exported_with_two(dim: Any) -> None:
    """torch supposes that no size is 0 or 1, and its programs take them all the same."""
    layer = torch.nn.Sequential(torch.nn.Linear(5, 4), torch.nn.Softmax(-1)).eval()
    program = torch.export.export(layer, (torch.randn(2, 5),), dynamic_shapes=({0: dim},))
    run = tvmfuse.compile(program).load()
    for rows in (1, 0, 3):
        [x], [y] = called(run, (rows, 5))
        with torch.no_grad():
            np.testing.assert_allclose(y, program.module()(x).numpy(), rtol=1e-5)


def test_a_smallest_size_that_is_told() -> None:
    program = torch.export.export(
        torch.nn.ReLU(), (torch.randn(4, 5),), dynamic_shapes=({0: Dim("b", min=3)},)
    )
    run = tvmfuse.compile(program, level="none").load()
    with pytest.raises(InputError, match="the model takes at least 3"):
        called(run, (2, 5))
