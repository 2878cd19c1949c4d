"""C runs what Python runs, to the same bits."""

from collections.abc import Callable
from pathlib import Path

import pytest

NAMES = ["perceptron", "convolution", "quantized", "of several types", "without elements"]
each_model = pytest.mark.parametrize("name", NAMES)


@pytest.fixture
def files(
    name: str, model_file: Callable[[str], Path], expected: Callable[[str], Path]
) -> tuple[Path, Path]:
    return model_file(name), expected(name)


@each_model
def test_results_have_the_bits_that_python_computes(
    in_c: Callable[..., str], files: tuple[Path, Path]
) -> None:
    in_c(
        """
        model = Model(given[0])
        inputs, outputs = arrays_of(given[1], model)
        assert bits(model.run(inputs)) == bits(outputs)
        assert bits(model.run([aligned(array, off=4) for array in inputs])) == bits(outputs)
        model.close()
        """,
        *files,
    )


@each_model
def test_results_are_written_to_memory_of_the_caller(
    in_c: Callable[..., str], files: tuple[Path, Path]
) -> None:
    in_c(
        """
        model = Model(given[0])
        inputs, outputs = arrays_of(given[1], model)
        for off in (0, 1):  # written directly, or copied there
            own = [aligned(np.zeros_like(array), off * array.itemsize) for array in outputs]
            check(model.status(tensors(inputs), tensors(own)))
            assert bits(own) == bits(outputs)
        """,
        *files,
    )


@each_model
def test_a_bound_run_reads_its_inputs_anew(
    in_c: Callable[..., str], files: tuple[Path, Path]
) -> None:
    in_c(
        """
        model = Model(given[0])
        inputs, outputs = arrays_of(given[1], model)
        for off in (0, 1):
            inside = [aligned(np.zeros_like(array), off * array.itemsize) for array in inputs]
            outside = [aligned(np.zeros_like(array)) for array in outputs]
            bound = model.bind(tensors(inside), tensors(outside))
            check(c.tvmfuse_run_bound(bound))
            assert bits(outside) == bits(model.run(inside))
            for own, array in zip(inside, inputs):
                own[...] = array
            for _ in range(3):
                check(c.tvmfuse_run_bound(bound))
                assert bits(outside) == bits(outputs)
            c.tvmfuse_unbind(bound)
        """,
        *files,
    )


@each_model
def test_a_function_finds_memory_for_results_when_their_sizes_are_known(
    in_c: Callable[..., str], files: tuple[Path, Path]
) -> None:
    in_c(
        """
        model = Model(given[0])
        inputs, outputs = arrays_of(given[1], model)
        for off in (0, 1):  # written directly, or copied there
            found = {}
            def find(_, place, output):
                assert output[0].dtype.bits == 8 * outputs[place].itemsize
                assert tuple(output[0].sizes[: output[0].rank]) == outputs[place].shape
                found[place] = aligned(np.zeros_like(outputs[place]), off * outputs[place].itemsize)
                output[0].data = found[place].ctypes.data
                return 0
            taken = model.handle, tensors(inputs), len(inputs)
            check(c.tvmfuse_run_into(*taken, FindMemory(find), None))
            assert bits([found[place] for place in range(len(outputs))]) == bits(outputs)
        """,
        *files,
    )


def test_a_result_that_no_memory_is_found_for_is_not_wanted_or_ends_the_run(
    in_watched_c: Callable[..., str],
    model_file: Callable[[str], Path],
    expected: Callable[[str], Path],
) -> None:
    said = in_watched_c(
        """
        model = Model(given[0])
        inputs, outputs = arrays_of(given[1], model)
        halves = np.zeros((3, 5), "f2")
        def find_the_second(_, place, output):
            if place == 1:
                output[0].data = halves.ctypes.data
            return 0
        taken = model.handle, tensors(inputs), len(inputs)
        check(c.tvmfuse_run_into(*taken, FindMemory(find_the_second), None))
        assert bits([halves]) == bits([outputs[1]])
        refuse = FindMemory(lambda _, place, output: place == 2)
        assert c.tvmfuse_run_into(*taken, refuse, None) == FAILED
        print(error())
        assert c.tvmfuse_run_into(*taken, FindMemory(), None) == INVALID
        assert c.tvmfuse_run_into(None, *taken[1:], refuse, None) == INVALID
        """,
        model_file("of several types"),
        expected("of several types"),
    )
    assert said == "output double: the caller finds no memory for it\n"


def test_what_is_bound_outlives_the_model(
    in_c: Callable[..., str], model_file: Callable[[str], Path], expected: Callable[[str], Path]
) -> None:
    in_c(
        """
        model = Model(given[0])
        inputs, outputs = arrays_of(given[1], model)
        allocated = (Tensor * 1)()
        bound = model.bind(tensors(inputs), allocated)
        model.close()
        check(c.tvmfuse_run_bound(bound))
        c.tvmfuse_unbind(bound)
        found = ctypes.string_at(allocated[0].data, outputs[0].nbytes)
        assert found == outputs[0].tobytes()
        c.tvmfuse_free(allocated[0].data)
        """,
        model_file("convolution"),
        expected("convolution"),
    )


def test_eight_threads_open_files_and_run_one_model(
    in_c: Callable[..., str], model_file: Callable[[str], Path], expected: Callable[[str], Path]
) -> None:
    in_c(
        """
        from concurrent.futures import ThreadPoolExecutor
        def opened(_):
            return Model(given[0], Options(ctypes.sizeof(Options), 2, 1))
        with ThreadPoolExecutor(8) as threads:
            model, *others = threads.map(opened, range(8))
        inputs, outputs = arrays_of(given[1], model)
        for other in others:
            other.close()
        def work(thread):
            return all(bits(model.run(inputs)) == bits(outputs) for _ in range(100))
        with ThreadPoolExecutor(8) as threads:
            assert all(threads.map(work, range(8)))
        """,
        model_file("convolution"),
        expected("convolution"),
    )


def test_a_file_is_opened_from_memory_and_several_times(
    in_c: Callable[..., str], model_file: Callable[[str], Path], expected: Callable[[str], Path]
) -> None:
    in_c(
        """
        content = open(given[0], "rb").read()
        models = [Model(given[0]), Model(content), Model(given[0])]
        inputs, outputs = arrays_of(given[1], models[0])
        models[0].close()
        for model in models[1:]:
            assert bits(model.run(inputs)) == bits(outputs)
        off = aligned(np.frombuffer(content, np.uint8), off=1)
        handle = ctypes.c_void_p()
        check(c.tvmfuse_open_memory(off.ctypes.data, len(off), None, ctypes.byref(handle)))
        c.tvmfuse_close(handle)
        """,
        model_file("convolution"),
        expected("convolution"),
    )


def test_two_files_that_had_one_name_are_two_models(
    in_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path
) -> None:
    in_c(
        """
        import shutil
        models = []
        for source in given[:2]:
            shutil.copy(source, given[2] + ".new")
            os.rename(given[2] + ".new", given[2])
            models.append(Model(given[2]))
        assert [model.outputs[0][2] for model in models] == [(4, 8), (2, 5)]
        for model in models:
            model.run([np.zeros(shape, dtype) for _, dtype, shape in model.inputs])
        """,
        model_file("perceptron"),
        model_file("convolution"),
        tmp_path / "model.so",
    )


def test_a_child_of_fork_runs_models_of_its_parent_and_opens_new_ones(
    in_c: Callable[..., str], model_file: Callable[[str], Path], expected: Callable[[str], Path]
) -> None:
    in_c(
        """
        options = Options(ctypes.sizeof(Options), 2, 1)
        model = Model(given[0], options)
        inputs, outputs = arrays_of(given[1], model)
        for _ in range(20):
            model.run(inputs)
        child = os.fork()
        if not child:
            again = Model(given[0], options)
            same = [bits(m.run(inputs)) == bits(outputs) for m in (model, again, model)]
            os._exit(0 if all(same) else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert bits(model.run(inputs)) == bits(outputs)
        """,
        model_file("convolution"),
        expected("convolution"),
    )


def test_a_model_that_is_closed_leaves_nothing_open(
    in_c: Callable[..., str], model_file: Callable[[str], Path]
) -> None:
    in_c(
        """
        def libraries():
            lines = open("/proc/self/maps").read().splitlines()
            return {line.split()[4] for line in lines if "memfd:tvmfuse" in line}
        first = Model(given[0])  # whose launcher of threads stays
        files = len(os.listdir("/proc/self/fd"))
        models = [Model(given[0]) for _ in range(5)]
        assert len(libraries()) == 6
        for model in [first, *models]:
            model.close()
        assert len(libraries()) == 1
        assert len(os.listdir("/proc/self/fd")) == files
        """,
        model_file("perceptron"),
    )


def test_a_model_says_what_it_takes_and_gives(
    in_c: Callable[..., str], model_file: Callable[[str], Path]
) -> None:
    in_c(
        """
        import json
        assert c.tvmfuse_api_version() == 1
        model = Model(given[0])
        assert model.inputs == [("x", "float32", (3, 5)), ("i", "int64", (7,))]
        names = ["positive", "half", "double", "sum", "negative"]
        assert [name for name, *_ in model.outputs] == names
        manifest = json.loads(c.tvmfuse_manifest(model.handle))
        assert [said["name"] for said in manifest["outputs"]] == names
        assert c.tvmfuse_level(model.handle) == b"all"
        """,
        model_file("of several types"),
    )


def test_memory_for_tensors_is_aligned(in_c: Callable[..., str]) -> None:
    in_c(
        """
        memory = [c.tvmfuse_allocate(size) for size in (0, 1, 64, 1000)]
        assert all(memory) and not any(data % 64 for data in memory)
        for data in memory:
            c.tvmfuse_free(data)
        assert c.tvmfuse_allocate(2**63) is None
        """
    )
