"""Models of symbolic sizes, one that is written by hand in C: `tests/c/growing.c`."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tvmfuse
from tvmfuse.format.file import Content, write
from tvmfuse.manifest import Manifest
from tvmfuse.tensor_spec import TensorSpec

SOURCE = Path(__file__).with_name("growing.c")


@pytest.fixture
def growing(compiled_c: Callable[..., Path], tmp_path: Path) -> Path:
    """Return the file of the model."""
    inputs = TensorSpec("x", "float32", ("n", "m")), TensorSpec("y", "float32", ("m",))
    outputs = TensorSpec("z", "float32", ("n", "m")), TensorSpec("t", "int64", ())
    manifest = Manifest("growing", inputs, outputs, target='{"kind": "llvm"}')
    code = compiled_c(SOURCE, "-shared").read_bytes()
    write(tmp_path / "growing.so", [Content(manifest, code, (), None, ())])
    return tmp_path / "growing.so"


def test_sizes_are_worked_out_for_each_call(in_c: Callable[..., str], growing: Path) -> None:
    in_c(
        """
        model = Model(given[0])
        assert model.inputs[0] == ("x", "float32", ("n", "m"))
        for n, m in ((2, 3), (0, 3), (3, 0), (100, 7), (1, 1)):
            x = np.arange(n * m, dtype="f4").reshape(n, m)
            y = np.ones(m, "f4")
            z, t = model.run([x, y])
            assert t == n and np.array_equal(z, x + 1)
        """,
        growing,
    )


def test_the_models_own_errors_are_passed_on(in_c: Callable[..., str], growing: Path) -> None:
    said = in_c(
        """
        model = Model(given[0])
        for n, first, status in ((101, 0, INVALID), (1, -1, FAILED), (1, -2, FAILED)):
            outputs = (Tensor * 2)()
            arrays = [np.full((n, 3), first, "f4"), np.zeros(3, "f4")]
            assert model.status(tensors(arrays), outputs) == status
            assert [output.data for output in outputs] == [None, None]
            print(error())
        """,
        growing,
    )
    assert said.splitlines() == [
        "more than 100 rows",
        "the first number is -1",
        "the model stopped, and did not say why",
    ]


def test_results_of_any_size_have_the_bits_that_python_computes(
    in_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path
) -> None:
    model, rng = tvmfuse.load(model_file("of any size")), np.random.default_rng(1)
    for place, (n, m, k) in enumerate([(2, 3, 4), (0, 1, 9), (3, 0, 5), (1, 1, 1), (40, 50, 60)]):
        feeds = {
            "a": rng.standard_normal((n, k)).astype(np.float32),
            "b": rng.standard_normal((m, k)).astype(np.float32),
        }
        np.savez(tmp_path / f"{place}.npz", *feeds.values(), *model(feeds).values())
    in_c(
        """
        model = Model(given[0])
        for name in os.listdir(given[1]):
            inputs, outputs = arrays_of(f"{given[1]}/{name}", model)
            assert bits(model.run(inputs)) == bits(outputs)
        """,
        model_file("of any size"),
        tmp_path,
    )


def test_sizes_that_do_not_fit_each_other_are_refused_in_words(
    in_c: Callable[..., str], model_file: Callable[[str], Path]
) -> None:
    said = in_c(
        """
        for path, *shapes in ((given[0], (2, 3), (2, 4)), (given[1], (3,), (4,))):
            model = Model(path)
            outputs = (Tensor * len(model.outputs))()
            arrays = [np.zeros(shape, "f4") for shape in shapes]
            assert model.status(tensors(arrays), outputs) == INVALID
            assert outputs[0].data is None
            print(error())
        """,
        model_file("of any size"),
        model_file("sum of two"),
    )
    first, second = said.splitlines()
    assert first == "inputs a and b disagree on the dimension k: it is 3 and 4"
    assert "the model takes only sizes with" in second


def test_indices_are_checked_before_each_run(
    in_c: Callable[..., str], model_file: Callable[[str], Path]
) -> None:
    said = in_c(
        """
        model = Model(given[0])
        ids, rows = aligned(np.zeros(4, "i8")), aligned(np.zeros((4, 6), "f4"))
        bound = model.bind(tensors([ids]), tensors([rows]))
        for number, status in ((9, OK), (10, INVALID), (-10, OK), (-11, INVALID), (2**62, INVALID)):
            ids[2] = number
            assert c.tvmfuse_run_bound(bound) == status
        print(error())
        """,
        model_file("rows"),
    )
    assert said == "ids: int64[4]: expected indices of elements that there are, of 'Gather_0'\n"
