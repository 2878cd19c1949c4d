"""onnxruntime runs compiled models by the plug-in, to the bits that Python computes."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from context_graphs import context_node, floats, whole
from onnx import helper
from pretended import tvmfuse_cli

import tvmfuse
from tvmfuse.c.ep_context import save_ep_context

NAMES = ["perceptron", "convolution", "quantized", "of several types", "without elements"]


@pytest.mark.parametrize("embed", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_results_have_the_bits_that_python_computes(
    in_onnxruntime: Callable[..., str],
    context_model: Callable[..., Path],
    expected: Callable[[str], Path],
    name: str,
    embed: bool,
) -> None:
    in_onnxruntime(
        """
        model = session(given[0])
        assert model.get_providers()[0] == "TvmfuseExecutionProvider"
        feeds, outputs = arrays_in(given[1], model)
        assert bits(model.run(None, feeds)) == bits(outputs)
        """,
        context_model(name, embed=embed),
        expected(name),
    )


def test_results_of_any_size_have_them_too(
    in_onnxruntime: Callable[..., str], context_model: Callable[..., Path], tmp_path: Path
) -> None:
    path, rng = context_model("of any size"), np.random.default_rng(1)
    model = tvmfuse.load(path.with_name("of any size_tvmfuse.so"))
    for place, (n, m, k) in enumerate([(2, 3, 4), (0, 1, 9), (3, 0, 5), (1, 1, 1), (40, 50, 60)]):
        feeds = {
            "a": rng.standard_normal((n, k)).astype(np.float32),
            "b": rng.standard_normal((m, k)).astype(np.float32),
        }
        np.savez(tmp_path / f"{place}.npz", *feeds.values(), *model(feeds).values())
    in_onnxruntime(
        """
        model = session(given[0])
        assert [value.shape for value in model.get_outputs()] == [["n + m", "k"], ["k"]]
        for name in os.listdir(given[1]):
            feeds, outputs = arrays_in(f"{given[1]}/{name}", model)
            assert bits(model.run(None, feeds)) == bits(outputs)
        """,
        path,
        tmp_path,
    )


def test_threads_run_one_session_while_others_are_made(
    in_onnxruntime: Callable[..., str],
    context_model: Callable[..., Path],
    expected: Callable[[str], Path],
) -> None:
    in_onnxruntime(
        """
        from concurrent.futures import ThreadPoolExecutor
        model = session(given[0], threads="2")
        feeds, outputs = arrays_in(given[1], model)
        def work(number):
            own = session(given[number % 2 * 2]) if number % 3 == 0 else model
            return all(bits(own.run(None, feeds)) == bits(outputs) for _ in range(50))
        with ThreadPoolExecutor(8) as threads:
            assert all(threads.map(work, range(16)))
        """,
        context_model("convolution"),
        expected("convolution"),
        context_model("convolution", embed=True),
    )


def test_as_many_threads_compute_a_run_as_the_option_says(
    in_onnxruntime: Callable[..., str], tmp_path: Path
) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("this process may use one CPU only")
    weights = onnx.numpy_helper.from_array(np.ones((512, 512), np.float32), "w")
    product = helper.make_node("MatMul", ["x", "w"], ["y"])
    model = whole([product], [floats("x", 256, 512)], [floats("y", 256, 512)])
    model.graph.initializer.append(weights)
    save_ep_context(tvmfuse.compile(model), tmp_path / "m.onnx")
    in_onnxruntime(
        """
        def started(threads):
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            options.add_provider_for_devices(devices(), {"threads": threads})
            before = len(os.listdir("/proc/self/task"))
            model = onnxruntime.InferenceSession(given[0], options)
            model.run(None, {"x": np.ones((256, 512), "f4")})
            return len(os.listdir("/proc/self/task")) - before
        assert started("1") == 0
        assert started("2") == 1
        """,
        tmp_path / "m.onnx",
    )


def test_onnxruntime_chooses_it_by_a_policy(
    in_onnxruntime: Callable[..., str],
    context_model: Callable[..., Path],
    expected: Callable[[str], Path],
) -> None:
    in_onnxruntime(
        """
        options = onnxruntime.SessionOptions()
        policy = onnxruntime.OrtExecutionProviderDevicePolicy.PREFER_CPU
        options.set_provider_selection_policy(policy)
        options.add_session_config_entry("ep.tvmfuseexecutionprovider.threads", "1")
        model = onnxruntime.InferenceSession(given[0], options)
        feeds, outputs = arrays_in(given[1], model)
        assert bits(model.run(None, feeds)) == bits(outputs)
        """,
        context_model("convolution"),
        expected("convolution"),
    )


def test_a_library_that_is_taken_back_can_be_registered_again(
    in_onnxruntime: Callable[..., str],
    context_model: Callable[..., Path],
    expected: Callable[[str], Path],
) -> None:
    in_onnxruntime(
        """
        import gc
        for _ in range(3):
            model = session(given[0])
            feeds, outputs = arrays_in(given[1], model)
            assert bits(model.run(None, feeds)) == bits(outputs)
            del model
            gc.collect()
            onnxruntime.unregister_execution_provider_library("tvmfuse")
            assert devices() == []
            path = os.environ["TVMFUSE_PLUGIN"]
            onnxruntime.register_execution_provider_library("tvmfuse", path)
        """,
        context_model("convolution"),
        expected("convolution"),
    )


def test_a_session_that_ended_leaves_nothing_open(
    in_onnxruntime: Callable[..., str], context_model: Callable[..., Path]
) -> None:
    in_onnxruntime(
        """
        import gc
        def mapped():
            return open("/proc/self/maps").read().count("_tvmfuse.so")
        kept = session(given[0])
        before = mapped()
        assert before
        others = [session(given[0]) for _ in range(3)]
        assert mapped() == 4 * before
        del others
        gc.collect()
        assert mapped() == before
        """,
        context_model("perceptron"),
    )


# --- Parts of graphs -----------------------------------------------------------------------------


def test_it_computes_its_nodes_and_onnxruntime_the_others(
    in_onnxruntime: Callable[..., str], context_model: Callable[..., Path]
) -> None:
    """A node gets a value twice, nobody reads one of its results; another gets an initializer."""
    path = context_model("of any size")
    nodes = [
        helper.make_node("Neg", ["x"], ["a"]),
        context_node(path, "a a", "shares unread"),
        helper.make_node("Exp", ["shares"], ["e"]),
        helper.make_node("ReduceMax", ["e", "last"], ["s"], keepdims=0),
        context_node(context_model("sum of two"), "s bias", "y"),
    ]
    between = floats("shares", "rows", "k"), floats("unread", "k")
    model = whole(nodes, [floats("x", "n", "k")], [floats("y", "rows")], between)
    constants = {"last": np.array([1]), "bias": np.arange(10, dtype=np.float32)}
    model.graph.initializer.extend(onnx.numpy_helper.from_array(v, k) for k, v in constants.items())
    onnx.save(model, path.with_name("parts.onnx"))
    in_onnxruntime(
        """
        x = np.random.default_rng(0).standard_normal((5, 4)).astype("f4")
        (found,) = session(given[0]).run(None, {"x": x})
        both = np.exp(-np.concatenate([x, x]).astype("f8"))
        shares = both / both.sum(1, keepdims=True)
        np.testing.assert_allclose(found, np.exp(shares).max(1) + np.arange(10), rtol=1e-5)
        """,
        path.with_name("parts.onnx"),
    )


def test_a_model_without_such_nodes_is_onnxruntimes(
    in_onnxruntime: Callable[..., str], context_model: Callable[..., Path], tmp_path: Path
) -> None:
    exponential = helper.make_node("Exp", ["x"], ["y"])
    onnx.save(whole([exponential], [floats("x", 3)], [floats("y", 3)]), tmp_path / "exp.onnx")
    model = onnx.load(context_model("rows", embed=True))
    (source,) = (a for a in model.graph.node[0].attribute if a.name == "source")
    source.s = b"another"
    onnx.save(model, tmp_path / "another.onnx")
    said = in_onnxruntime(
        """
        entries = {"session.record_ep_graph_assignment_info": "1"}
        model = session(given[0], entries)
        (part,) = model.get_provider_graph_assignment_info()
        assert part.ep_name == "CPUExecutionProvider"
        x = np.array([0, 1, 2], "f4")
        np.testing.assert_allclose(model.run(None, {"x": x})[0], np.exp(x), rtol=1e-6)
        print(refused(given[1]))
        """,
        tmp_path / "exp.onnx",
        tmp_path / "another.onnx",
    )
    assert "EPContext node generated by 'another' is not compatible" in said


# --- The library ---------------------------------------------------------------------------------


def test_it_needs_libc_alone_and_shows_what_is_looked_for(plugin: Path) -> None:
    if shutil.which("nm") is None or shutil.which("ldd") is None:
        pytest.skip("nm and ldd are not installed")
    needed = subprocess.run(["ldd", plugin], capture_output=True, text=True, check=True).stdout
    names = {Path(line.split()[0]).name.partition(".so")[0] for line in needed.splitlines()}
    assert names <= {"libc", "libdl", "libpthread", "linux-vdso", "ld-linux-x86-64"} | {
        "ld-linux-aarch64"
    }
    shown = subprocess.run(
        ["nm", "-D", "--defined-only", plugin], capture_output=True, text=True, check=True
    ).stdout
    assert {line.split()[-1] for line in shown.splitlines()} == {
        "CreateEpFactories",
        "ReleaseEpFactory",
    }


def test_the_command_builds_it(headers: Path, tmp_path: Path) -> None:
    done = tvmfuse_cli("plugin", "-o", tmp_path / "p.so", "--headers", headers, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["bytes"] == (tmp_path / "p.so").stat().st_size
