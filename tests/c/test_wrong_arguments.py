"""Wrong arguments are refused in words, and never by a signal."""

from collections.abc import Callable
from pathlib import Path

NULLS = """
null, model = ctypes.c_void_p(), Model(given[0])
one = tensors([np.zeros((4, 32), "f4")])
place = ctypes.byref(ctypes.c_void_p())
assert c.tvmfuse_open(None, None, place) == INVALID
assert c.tvmfuse_open(given[0].encode(), None, None) == INVALID
assert c.tvmfuse_open_memory(None, 5, None, place) == INVALID
assert c.tvmfuse_open_memory(one[0].data, 5, None, None) == INVALID
c.tvmfuse_close(None)
c.tvmfuse_unbind(None)
c.tvmfuse_free(None)
assert c.tvmfuse_manifest(None) is c.tvmfuse_level(None) is None
assert c.tvmfuse_input_count(None) == c.tvmfuse_output_count(None) == -1
assert c.tvmfuse_overridable_count(None) == c.tvmfuse_shared_input(None, 0) == -1
assert {c.tvmfuse_shared_input(model.handle, n) for n in (-1, 0, 1, 2**31 - 1)} == {-1}
for describe in (c.tvmfuse_input, c.tvmfuse_output, c.tvmfuse_overridable):
    assert describe(None, 0, None) == describe(model.handle, 0, None) == INVALID
assert c.tvmfuse_run(None, one, 1, (Tensor * 1)(), 1) == INVALID
assert c.tvmfuse_run(model.handle, None, 1, (Tensor * 1)(), 1) == INVALID
assert c.tvmfuse_run(model.handle, one, 1, None, 1) == INVALID
assert c.tvmfuse_bind(model.handle, one, 1, (Tensor * 1)(), 1, None) == INVALID
assert c.tvmfuse_bind(None, one, 1, (Tensor * 1)(), 1, place) == INVALID
assert c.tvmfuse_run_bound(None) == INVALID
assert error() == "expected a bound run, found NULL"
"""


def test_null_is_refused_or_means_nothing(
    in_watched_c: Callable[..., str], model_file: Callable[[str], Path]
) -> None:
    in_watched_c(NULLS, model_file("perceptron"))


RUNS = {
    "one input too many": ("inputs = tensors([x, x])", "the model takes 1 inputs, found 2"),
    "a negative number of inputs": (
        "count = -1",
        "the model takes 1 inputs, found -1",
    ),
    "no output": ("outputs = (Tensor * 0)()", "the model has 1 outputs, found places for 0"),
    "another type": (
        "inputs = tensors([x.astype('f8')])",
        "input x: expected float32 (code 2, 32 bits, 1 lanes), found code 2, 64 bits, 1 lanes",
    ),
    "another rank": ("inputs = tensors([x[0]])", "input x: expected 2 dimensions, found 1"),
    "a rank that cannot be": ("inputs[0].rank = -1", "input x: expected 2 dimensions, found -1"),
    "another size": (
        "inputs = tensors([x[:, :31]])",
        "input x: dimension 1 is 31 instead of 32",
    ),
    "a negative size": (
        "inputs[0].sizes[1] = -32",
        "input x: dimension 1 is -32",
    ),
    "no sizes": (
        "inputs[0].sizes = ctypes.POINTER(ctypes.c_int64)()",
        "input x: its sizes are NULL",
    ),
    "no data": ("inputs[0].data = None", "input x: its data is NULL"),
    "an output of another type": (
        "outputs = tensors([np.zeros((4, 8), 'i4')])",
        "output y: expected float32 (code 2, 32 bits, 1 lanes), found code 0, 32 bits, 1 lanes",
    ),
    "an output of another rank": (
        "outputs = tensors([np.zeros(32, 'f4')])",
        "output y: expected 2 dimensions, found 1",
    ),
    "an output of another size": (
        "outputs = tensors([np.zeros((4, 9), 'f4')])",
        "output y: dimension 1 is 9, and the result's is 8",
    ),
    "an output in an input": (
        "outputs = tensors([x.reshape(-1)[90:122].reshape(4, 8)])",
        "output y overlaps input x",
    ),
}


REFUSED = """
def refused(change):
    model, x = Model(given[0]), np.zeros((4, 32), "f4")
    local = {"x": x, "inputs": tensors([x]), "outputs": (Tensor * 1)(), "count": None}
    exec(change, globals(), local)
    inputs, outputs = local["inputs"], local["outputs"]
    count = len(inputs) if local["count"] is None else local["count"]
    taken = model.handle, inputs, count, outputs, len(outputs)
    assert c.tvmfuse_run(*taken) == INVALID, change
    bound = ctypes.c_void_p()
    assert c.tvmfuse_bind(*taken, ctypes.byref(bound)) == INVALID, change
    assert bound.value is None
    return error()
for change in given[1:]:
    print(refused(change))
"""


def test_a_run_refuses_tensors_that_do_not_fit(
    in_watched_c: Callable[..., str], model_file: Callable[[str], Path]
) -> None:
    changes = [change for change, _ in RUNS.values()]
    said = in_watched_c(REFUSED, model_file("perceptron"), *changes).splitlines()
    found = dict(zip(RUNS, said, strict=True))
    assert found == {name: words for name, (_, words) in RUNS.items()}


def test_places_and_options_that_there_are_not(
    in_c: Callable[..., str], model_file: Callable[[str], Path]
) -> None:
    said = in_c(
        """
        from c_calls import Spec
        model, spec = Model(given[0]), Spec()
        for place in (-1, 1, 2**31 - 1):
            assert c.tvmfuse_input(model.handle, place, ctypes.byref(spec)) == INVALID
        print(error())
        for options in (Options(0, 0, 1), Options(99, 0, 1), Options(16, -1, 1)):
            assert status_of(given[0], options) == INVALID
            print(error())
        assert status_of(given[0], Options(16, 2**31 - 1, 0)) == OK
        """,
        model_file("perceptron"),
    )
    assert said.splitlines() == [
        "input 2147483647: the model has 1, counted from 0",
        "options: their size is 0, and this library's are 16 bytes",
        "options: their size is 99, and this library's are 16 bytes",
        "options: expected 0 or more threads, found -1",
    ]


def test_what_is_no_file_is_not_read(in_c: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("no model\n" * 20)
    said = in_c(
        """
        for name in ("missing", "", "empty", "text"):
            print(status_of(f"{given[0]}/{name}"), error().replace(given[0], ""))
        print(status_of("/dev/null"), error())
        """,
        tmp_path,
    )
    assert said.splitlines() == [
        "2 cannot read /missing: No such file or directory",
        "2 cannot read /: it is no file",
        "3 /empty is empty",
        "3 /text (180 bytes) does not end as a compiled model does: tvmfuse did not write it",
        "2 cannot read /dev/null: it is no file",
    ]


def test_each_thread_has_its_own_error(in_c: Callable[..., str]) -> None:
    in_c(
        """
        from concurrent.futures import ThreadPoolExecutor
        assert status_of("/missing") == CANNOT_READ
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(error).result() == ""
        assert "missing" in error()
        """
    )
