"""Models of symbolic sizes, one that is written by hand in C: `tests/c/growing.c`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tvmfuse.format.file import write
from tvmfuse.manifest import Manifest
from tvmfuse.tensor_spec import ShapeConstraint, TensorSpec

SOURCE = Path(__file__).with_name("growing.c")


@pytest.fixture
def growing(compiled_c: Callable[..., Path], tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes the model, with inputs that ask for what they are told to."""

    def written(**asked: object) -> Path:
        x = TensorSpec("x", "float32", ("n", "m"), **asked)  # type: ignore[arg-type]
        inputs = x, TensorSpec("y", "float32", ("m",))
        outputs = TensorSpec("z", "float32", ("n", "m")), TensorSpec("t", "int64", ())
        manifest = Manifest("growing", inputs, outputs, target='{"kind": "llvm"}')
        code = compiled_c(SOURCE, "-shared").read_bytes()
        write(tmp_path / "growing.so", code, (), None, (), manifest)
        return tmp_path / "growing.so"

    return written


def test_sizes_are_worked_out_for_each_call(
    in_c: Callable[..., str], growing: Callable[..., Path]
) -> None:
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
        growing(),
    )


def test_sizes_that_do_not_fit_are_refused_in_words(
    in_c: Callable[..., str], growing: Callable[..., Path]
) -> None:
    # For n of 2 or more: n // 2 * 2 == n - n % 2, which is 6 for 6, and has to be at most 6.
    even = ("*", ("//", "n", 2), 2)
    least = ShapeConstraint(("min", even, 6), ("-", "n", ("%", "n", 2)), "n below 8, of 'Add_0'")
    model = growing(min_sizes=(2, 0), max_sizes=(None, 8), shape_constraints=(least,))
    said = in_c(
        """
        model = Model(given[0])
        def status(n, m, other):
            outputs = (Tensor * 2)()
            done = model.status(tensors([np.zeros((n, m), "f4"), np.zeros(other, "f4")]), outputs)
            if done:
                assert outputs[0].data is None
                print(error())
            return done
        for n in (2, 3, 6, 7):
            check(status(n, 3, 3))
        for n, m, other in ((2, 3, 4), (1, 3, 3), (2, 9, 9), (8, 3, 3)):
            assert status(n, m, other) == INVALID
        """,
        model,
    )
    assert said.splitlines() == [
        "inputs x and y disagree on the dimension m: it is 3 and 4",
        "input x: dimension 0 is 1, and the model takes at least 2 for n",
        "input x: dimension 1 is 9, and the model takes at most 8 for m",
        "input x: the model takes only sizes with n below 8, of 'Add_0'",
    ]


def test_the_models_own_errors_are_passed_on(
    in_c: Callable[..., str], growing: Callable[..., Path]
) -> None:
    said = in_c(
        """
        model = Model(given[0])
        for n, first, status in ((101, 0, INVALID), (1, -1, FAILED), (1, -2, FAILED), (1, -3, FAILED)):
            outputs = (Tensor * 2)()
            arrays = [np.full((n, 3), first, "f4"), np.zeros(3, "f4")]
            assert model.status(tensors(arrays), outputs) == status
            assert [output.data for output in outputs] == [None, None]
            print(error())
        """,
        growing(),
    )
    assert said.splitlines() == [
        "more than 100 rows",
        "the first number is -1",
        "the model stopped, and did not say why",
        "the model calls a function of TVM that C does not have",
    ]


def test_a_condition_that_cannot_be_computed_is_damage(
    in_c: Callable[..., str], growing: Callable[..., Path]
) -> None:
    large = ("*", 2**62, "n")
    model = growing(shape_constraints=(ShapeConstraint(large, "n", "no number of 64 bits"),))
    in_c(
        """
        model = Model(given[0])
        arrays = [np.zeros((2, 3), "f4"), np.zeros(3, "f4")]
        assert model.status(tensors(arrays), (Tensor * 2)()) == DAMAGED, error()
        """,
        model,
    )


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
    assert said == "input ids: 4611686018427387904 is no index from -10 to 9: of 'Gather_0'\n"
