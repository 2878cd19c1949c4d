"""A cache that is an input and an output stays where it is, as with Python's `share=True`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import resealed

import tvmfuse
from tvmfuse.tensors import as_array, as_tensor

CAPACITY, ROWS, STEPS = 2048, 2, 4
NAME = "with caches"


@pytest.fixture(scope="module")
def steps(model_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of what several steps are given, and what each gives in Python."""
    rng = np.random.default_rng(0)
    model = tvmfuse.load(model_file(NAME))
    assert model.manifest.shared == {"all keys": "keys", "all values": "values"}
    caches = [as_array(as_tensor(np.zeros((CAPACITY, 8), np.float32))) for _ in range(2)]
    kept: dict[str, np.ndarray] = {}
    for step in range(STEPS):
        x = rng.standard_normal((ROWS, 8)).astype(np.float32)
        at = np.arange(ROWS)[:, None] + step * ROWS
        y, *caches, places = model.call([x, at, *caches], share=True)
        made = {"x": x, "at": at, "y": y, "places": places}
        made |= {"keys": caches[0].copy(), "values": caches[1].copy()}
        kept |= {f"{name}{step}": array for name, array in made.items()}
    path = tmp_path_factory.mktemp("steps") / "steps.npz"
    np.savez(path, allow_pickle=False, **kept)
    return path


LINES = """
import mmap
model, kept = Model(given[0]), np.load(given[1])
STEPS = [{name: kept[f"{name}{step}"] for name in "x at y places keys values".split()}
         for step in range(4)]

def caches(off=0):
    return [aligned(np.zeros_like(STEPS[0]["keys"]), off) for _ in range(2)]

def ends(step, keys, values, y=None):
    # What a step is given, and where its results go; those without a place are allocated.
    inputs = tensors([step["x"], step["at"], keys, values])
    outputs = tensors([step["y"], keys, values, step["places"]])
    outputs[0] = Tensor() if y is None else tensors([y])[0]
    outputs[3] = Tensor()
    return inputs, outputs

def check_step(step, keys, values, outputs):
    assert bits([array_of(outputs[0]), keys, values, array_of(outputs[3])]) == bits(
        [step[name] for name in ("y", "keys", "values", "places")])
    assert outputs[1].data == keys.ctypes.data and outputs[2].data == values.ctypes.data
    for place in (0, 3):
        c.tvmfuse_free(outputs[place].data)
"""


@pytest.fixture
def in_steps(
    in_watched_c: Callable[..., str], model_file: Callable[[str], Path], steps: Path
) -> Callable[[str], str]:
    """Return a function that runs lines of Python with the model and the steps."""
    return lambda lines: in_watched_c(LINES + lines, model_file(NAME), steps)


def test_a_model_says_which_output_may_take_the_memory_of_which_input(
    in_steps: Callable[[str], str],
) -> None:
    in_steps("assert model.shared == [-1, 2, 3, -1]")


@pytest.mark.parametrize("off", [0, 4])
def test_steps_go_on_in_one_memory_with_the_bits_that_python_computes(
    in_steps: Callable[[str], str], off: int
) -> None:
    in_steps(f"""
keys, values = caches({off})  # what is not aligned is copied, and copied back
for step in STEPS:
    inputs, outputs = ends(step, keys, values)
    check(model.status(inputs, outputs))
    check_step(step, keys, values, outputs)
""")


def test_nothing_but_the_new_rows_is_stored(in_steps: Callable[[str], str]) -> None:
    in_steps("""
def guarded():
    # A cache of which all pages but the first cannot be written to: a store ends the process.
    memory = mmap.mmap(-1, STEPS[0]["keys"].nbytes)
    cache = np.frombuffer(memory, "f4").reshape(-1, 8)
    behind = ctypes.c_void_p(cache.ctypes.data + mmap.PAGESIZE)
    nbytes = cache.nbytes - mmap.PAGESIZE
    assert nbytes > 0
    assert ctypes.CDLL(None).mprotect(behind, ctypes.c_size_t(nbytes), mmap.PROT_READ) == 0
    return cache
keys, values = guarded(), guarded()
for step in STEPS:
    inputs, outputs = ends(step, keys, values)
    check(model.status(inputs, outputs))
    check_step(step, keys, values, outputs)
""")


@pytest.mark.parametrize("off", [0, 4])
def test_a_function_that_finds_memory_may_find_that_of_inputs(
    in_steps: Callable[[str], str], off: int
) -> None:
    in_steps(f"""
keys, values = caches({off})
for step in STEPS:
    inputs, outputs = ends(step, keys, values)
    def find(_, place, output):
        if place in (1, 2):
            output[0].data = (keys, values)[place - 1].ctypes.data
        elif place == 0:
            output[0].data = found.ctypes.data
        return 0
    found = np.zeros_like(step["y"])
    check(c.tvmfuse_run_into(model.handle, inputs, 4, FindMemory(find), None))
    assert bits([found, keys, values]) == bits([step[n] for n in ("y", "keys", "values")])
""")


def test_without_their_memory_inputs_stay_as_they_are(in_steps: Callable[[str], str]) -> None:
    in_steps("""
keys, values = caches()
inputs, _ = ends(STEPS[0], keys, values)
outputs = (Tensor * 4)()
check(model.status(inputs, outputs))
assert not keys.any() and not values.any()
assert bits(map(array_of, outputs)) == bits(
    [STEPS[0][name] for name in ("y", "keys", "values", "places")])
""")


HALF = (
    "output all keys takes the memory of input keys, and output all values does not take that of "
    "input values: give all outputs that may the memory of their inputs, or none"
)
REFUSALS = {
    "one cache alone": ("outputs[2] = Tensor()", HALF),
    "a row further": (
        "outputs[1].data += 64",
        "output all keys overlaps input keys, whose memory it may take, and begins elsewhere",
    ),
    "the other one's memory": (
        "outputs[1].data = values.ctypes.data",
        "output all keys overlaps input values",
    ),
    "both in one": (
        "outputs[2].data = keys.ctypes.data",
        "output all values overlaps input keys",
    ),
    "one cache for two": (
        "inputs[3].data = keys.ctypes.data",
        "output all keys overlaps input values",
    ),
    "another result in a cache": (
        "outputs[0] = tensors([keys.reshape(-1)[:16].reshape(2, 8)])[0]",
        "output y overlaps input keys",
    ),
    "an input in a cache": (
        "inputs[0].data = keys.ctypes.data",
        "output all keys overlaps input x",
    ),
    "another size": (
        "outputs[1] = tensors([keys[1:]])[0]; outputs[1].data = keys.ctypes.data",
        "output all keys: dimension 0 is 2047, and the result's is 2048",
    ),
}


@pytest.mark.parametrize("how", REFUSALS)
def test_what_is_neither_apart_nor_in_place_is_refused(
    in_steps: Callable[[str], str], how: str
) -> None:
    change, words = REFUSALS[how]
    said = in_steps(f"""
keys, values = caches()
inputs, outputs = ends(STEPS[0], keys, values)
{change}
assert model.status(inputs, outputs) == INVALID
print(error())
def find(_, place, output):
    output[0].data = outputs[place].data
    return 0
if {how != "another size"}:
    assert c.tvmfuse_run_into(model.handle, inputs, 4, FindMemory(find), None) == INVALID
    print(error())
assert not keys.any() and not values.any()
""")
    assert set(said.splitlines()) == {words}


def test_an_index_of_no_row_is_refused_in_words(in_steps: Callable[[str], str]) -> None:
    said = in_steps("""
keys, values = caches(4)
step = STEPS[0] | {"at": np.array([[0], [2048]])}
assert model.status(*ends(step, keys, values)) == INVALID
print(error())
assert not keys.any() and not values.any()  # but for a copy, they may be half written
""")
    assert "2048" in said or "indices" in said


def test_eight_threads_keep_caches_of_their_own(in_steps: Callable[[str], str]) -> None:
    in_steps("""
from concurrent.futures import ThreadPoolExecutor
def work(thread):
    for _ in range(10):
        keys, values = caches(4 * (thread % 2))
        for step in STEPS:
            inputs, outputs = ends(step, keys, values)
            if thread % 3 == 0:  # memory between kernels is laid out in another way
                before = keys.copy()
                results = (Tensor * 4)()
                check(model.status(inputs, results))
                assert bits([array_of(results[3])]) == bits([step["places"]])
                assert bits([keys]) == bits([before])
                for result in results:
                    c.tvmfuse_free(result.data)
            check(model.status(inputs, outputs))
            check_step(step, keys, values, outputs)
with ThreadPoolExecutor(8) as threads:
    list(threads.map(work, range(8)))
""")


@pytest.fixture
def summing(model_file: Callable[[str], Path]) -> Path:
    """Return a model of one cache, none of whose sizes data decide: it can be bound."""
    path = model_file("summing")
    assert tvmfuse.inspect(path).shared == {"changed": "table"}
    return path


@pytest.mark.parametrize("off", [0, 4])
def test_a_bound_run_goes_on_with_what_it_wrote(
    in_watched_c: Callable[..., str], summing: Path, off: int
) -> None:
    in_watched_c(
        f"""
        model = Model(given[0])
        table, total = aligned(np.zeros((9, 4), "f4"), {off}), aligned(np.zeros((), "f4"))
        inputs = [table, aligned(np.array([2])), aligned(np.ones((1, 4), "f4"))]
        bound = model.bind(tensors(inputs), tensors([table, total]))
        model.close()
        for times in range(1, 4):
            check(c.tvmfuse_run_bound(bound))
            assert total == 4 * times and (table[2] == times).all() and table.sum() == total
        inputs[1][...] = 9
        assert c.tvmfuse_run_bound(bound) == INVALID
        assert "at" in error()
        inputs[1][...] = 8
        check(c.tvmfuse_run_bound(bound))
        assert (table[8] == 1).all() and total == 16
        c.tvmfuse_unbind(bound)
        """,
        summing,
    )


def test_a_cache_without_elements_lies_nowhere(
    in_watched_c: Callable[..., str], summing: Path
) -> None:
    in_watched_c(
        """
        model, nothing = Model(given[0]), np.zeros((9, 0), "f4")
        inputs = tensors([nothing, np.array([2]), nothing[:1]])
        for own in (nothing, np.zeros((9, 0), "f4")):
            total = np.ones((), "f4")
            check(model.status(inputs, tensors([own, total])))
            assert total == 0
        total = np.ones((), "f4")
        outputs = tensors([nothing, total])
        inputs[0].data = outputs[0].data = None
        check(model.status(inputs, outputs))
        assert total == 0 and outputs[0].data
        c.tvmfuse_free(outputs[0].data)
        """,
        summing,
    )


def test_what_a_file_says_of_shared_memory_is_checked(
    in_watched_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path
) -> None:
    content = model_file(NAME).read_bytes()
    lies: list[Any] = [
        {"all keys": "x"},
        {"all keys": "at"},
        {"all keys": "nothing"},
        {"nothing": "keys"},
        {"all keys": "keys", "all values": "keys"},
        {"all keys": 5},
    ]
    for number, shared in enumerate(lies):

        def lie(index: dict[str, Any], shared: Any = shared) -> None:
            index["header"]["builds"][0]["manifest"]["shared"] = shared

        (tmp_path / f"{number}.so").write_bytes(resealed.changed(content, lie))
    in_watched_c(
        """
        for name in os.listdir(given[0]):
            assert status_of(f"{given[0]}/{name}") == DAMAGED, name
            assert "an output in the memory of no input that is like it" in error(), name
        """,
        tmp_path,
    )


def test_code_that_has_nothing_for_it_is_refused(
    in_watched_c: Callable[..., str],
    summing: Path,
    model_file: Callable[[str], Path],
    tmp_path: Path,
) -> None:
    content = summing.read_bytes()
    index = content.rindex(b'{"header"')
    symbol = b"__tvm_ffi_main_in_place"
    without = content[:index].replace(symbol, symbol.upper())
    changed = resealed.changed(resealed.resealed(content, contents=without), lambda _: 0)
    (tmp_path / "model.so").write_bytes(changed)
    said = in_watched_c(
        """
        model, table = Model(given[0]), aligned(np.zeros((9, 4), "f4"))
        inputs = tensors([table, np.array([2]), np.ones((1, 4), "f4")])
        check(model.status(inputs, (Tensor * 2)()))
        outputs = tensors([table, np.zeros((), "f4")])
        assert model.status(inputs, outputs) == DAMAGED
        print(error())
        """,
        tmp_path / "model.so",
    )
    assert "its code has nothing for that: compile the model again" in said
