"""pipeline.specialize: the sizes of a model that kernels have code of their own for."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from click.testing import CliRunner
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.cli import main
from tvmfuse.errors import ConfigurationError, LeftOutWarning
from tvmfuse.pipeline.compile import optimize_model
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.specialize import sizes_among, with_sizes
from tvmfuse.schedules import schedule
from tvmfuse.schedules.specialize import sizes_of

RNG = np.random.default_rng(0)
SIZES = {"n": 2, "h": 9, "w": 16}


def pooled() -> onnx.ModelProto:
    """Return a convolution at a stride, and a pool of half its height and width again."""
    nodes = [
        helper.make_node("Conv", ["x", "k"], ["c"], strides=[2, 2], pads=[1] * 4),
        helper.make_node("MaxPool", ["c"], ["y"], kernel_shape=[2, 2], strides=[2, 2]),
    ]
    kernel = np.random.default_rng(1).standard_normal((8, 3, 3, 3), "float32")
    inputs = {"x": ("float32", ("n", 3, "h", "w"))}
    return onnx_model(nodes, inputs, {"y": "float32"}, {"k": kernel})


def noted(model: onnx.ModelProto, specialize: Any) -> list[list[dict[str, int]]]:
    """Return, for each kernel that has any, the sizes that it has code of its own for."""
    settings = CompileSettings.of("avx2", "basic", specialize=specialize)
    graph = optimize_model(model, settings)
    module = with_sizes(graph.kernels, graph.inputs, settings.specialize)
    found = [sizes_of(f) for _, f in module.functions_items() if hasattr(f, "body")]
    return [
        [{var.name: size for var, size in each.items()} for each in sizes]
        for sizes in found
        if sizes
    ]


def assert_same(model: Any, specialize: Any, feeds: Sequence[Mapping[str, np.ndarray]]) -> None:
    """An artifact gives the same numbers with code of its own for some sizes and without."""
    general = tvmfuse.compile(model).load()
    special = tvmfuse.compile(model, specialize=specialize, strict=True).load()
    for feed in feeds:
        for name, expected in general(feed).items():
            np.testing.assert_allclose(special(feed)[name], expected, rtol=1e-5, atol=1e-5)


def images(*sizes: tuple[int, int, int]) -> list[dict[str, np.ndarray]]:
    return [{"x": RNG.standard_normal((n, 3, h, w), "float32")} for n, h, w in sizes]


def test_the_same_numbers_at_all_sizes() -> None:
    specialize = [SIZES, {"h": 5}]
    assert_same(pooled(), specialize, images((2, 9, 16), (1, 9, 16), (2, 5, 16), (3, 8, 7)))


def test_a_kernel_s_sizes_follow_from_the_model_s() -> None:
    """Kernels share the model's variables, and their sizes are what these come to."""
    assert noted(pooled(), SIZES) == [[SIZES]] * 2
    assert noted(pooled(), {"h": 9}) == [[{"h": 9}]] * 2


def test_those_that_leave_fewest_symbolic_come_first() -> None:
    given = [{"h": 9}, SIZES, {"n": 2, "h": 9}]
    assert noted(pooled(), given) == [[SIZES, {"n": 2, "h": 9}, {"h": 9}]] * 2


def test_sizes_given_twice_are_noted_once() -> None:
    assert noted(pooled(), [SIZES, SIZES]) == noted(pooled(), SIZES)


def test_nothing_is_noted_of_what_a_run_tells() -> None:
    """How many numbers are not zero is no size of the model's."""
    nodes = [
        helper.make_node("NonZero", ["x"], ["i"]),
        helper.make_node("Cast", ["i"], ["f"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Exp", ["f"], ["y"]),
    ]
    model = onnx_model(nodes, {"x": ("float32", ("n",))}, {"y": "float32"})
    found = noted(model, {"n": 4})
    assert found
    assert all(each == {"n": 4} for sizes in found for each in sizes)
    assert_same(
        model,
        {"n": 4},
        [{"x": np.array([0, 1, 0, 2], "float32")}, {"x": np.array([1, 1], "float32")}],
    )


def test_numbers_that_kernels_are_given_count() -> None:
    """Of an image that is doubled its kernel is given sizes as numbers."""
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Mul", ["s", "two"], ["t"]),
        helper.make_node("Resize", ["x", "", "", "t"], ["y"], mode="linear"),
    ]
    model = onnx_model(
        nodes, {"x": ("float32", (1, 2, "h", "w"))}, {"y": "float32"},
        {"two": np.array([1, 1, 2, 2], "int64")},
    )  # fmt: skip
    fed = [{"x": RNG.standard_normal((1, 2, h, w), "float32")} for h, w in ((4, 6), (5, 3))]
    assert_same(model, {"h": 4, "w": 6}, fed)


def test_a_file_says_so_and_keeps_its_code(tmp_path: Path) -> None:
    artifact = tvmfuse.compile(pooled(), specialize=[SIZES])
    path = tmp_path / "pooled.so"
    artifact.save(path)
    assert tvmfuse.inspect(path).specialized == (SIZES,)
    (feed,) = images((2, 9, 16))
    np.testing.assert_array_equal(tvmfuse.load(path)(feed)["y"], artifact.load()(feed)["y"])


def test_an_optimized_graph_is_specialized_as_it_is_compiled(tmp_path: Path) -> None:
    path = tmp_path / "pooled.graph"
    plain = tvmfuse.compile(pooled(), save_optimized=path)
    special = tvmfuse.compile(path, specialize=SIZES)
    assert special.manifest.specialized == (SIZES,)
    assert special.manifest.kernels == plain.manifest.kernels
    assert special.launches != plain.launches
    with pytest.raises(ConfigurationError, match="no input has a symbolic dimension 'height'"):
        tvmfuse.compile(path, specialize={"height": 9})


def test_a_pytorch_module_s_dimensions_have_names() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU())
    example, batch = torch.zeros(3, 4), torch.export.Dim("batch")
    artifact = tvmfuse.compile(
        module, example_inputs=(example,), dynamic_shapes=({0: batch},), specialize={"batch": 5}
    )
    assert artifact.manifest.specialized == ({"batch": 5},)
    for rows in (5, 6):
        x = torch.randn(rows, 4)
        (found,) = artifact.load().call([x])
        torch.testing.assert_close(found, module(x))


def test_parts_are_specialized_for_what_they_have() -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Det", ["d"], ["e"]),
        helper.make_node("StringNormalizer", ["t"], ["u"]),
        helper.make_node("Exp", ["r"], ["y"]),
    ]
    inputs = {"x": ("float32", ("n", 4)), "d": ("float32", (3, 3)), "t": ("object", ("m",))}
    model = onnx_model(nodes, inputs, {"y": "float32", "e": "float32", "u": "object"})
    artifact = tvmfuse.compile(model, specialize={"n": 3})
    x = RNG.standard_normal((3, 4), "float32")
    feed = {"x": x, "d": np.eye(3, dtype="float32"), "t": np.array(["a"], object)}
    np.testing.assert_allclose(artifact.load()(feed)["y"], np.exp(np.maximum(x, 0)), rtol=1e-5)
    assert artifact.manifest.specialized == ({"n": 3},)
    assert sizes_among({"n"}, [{"n": 1, "m": 2}, {"m": 3}]) == ({"n": 1},)


EXPECTED = (
    "specialize: expected sizes of symbolic dimensions by their names, as in {'batch': 1, 'width': "
    "224}, or a list of such, found "
)
UNKNOWN = "specialize: no input has a symbolic dimension "
REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "unknown": ({"hight": 9}, {}, f"{UNKNOWN}'hight'; known: h, n, w"),
    "fixed": ({"h": 9}, {"dims": {"h": 9}}, f"{UNKNOWN}'h'; known: n, w"),
    "all fixed": ({"h": 9}, {"dims": SIZES}, f"{UNKNOWN}'h'; all are fixed"),
    "beyond": (
        {"h": 9},
        {"dims": {"h": (1, 8)}},
        "specialize: 'h' is to be 9, and the model takes 1 to 8",
    ),
    "zero": ({"h": 0}, {}, "specialize: expected a size of 1 or more for 'h', found 0"),
    "a range": (
        {"h": (1, 9)},
        {},
        "specialize: expected a size of 1 or more for 'h', found (1, 9)",
    ),
    "below": ({"h": -1}, {}, "dimension 'h' is to be -1; expected a number >= 0"),
    "words": ("h=9", {}, f"{EXPECTED}'h=9'"),
    "nothing": ([{}], {}, f"{EXPECTED}[{{}}]"),
    "a GPU": (SIZES, {"target": "cuda"}, "specialize= is for the CPU, found "),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_run_has_is_refused(name: str) -> None:
    specialize, options, said = REFUSED[name]
    with pytest.raises(ConfigurationError) as error:
        tvmfuse.compile(pooled(), specialize=specialize, **options)
    assert str(error.value).startswith(said)


def test_sizes_that_do_not_go_together_are_refused() -> None:
    nodes = [helper.make_node("Concat", ["a", "b"], ["y"], axis=0)]
    inputs = {"a": ("float32", ("n", "p")), "b": ("float32", ("n", "q"))}
    model = onnx_model(nodes, inputs, {"y": "float32"})
    tvmfuse.compile(model, specialize={"p": 3})
    with pytest.raises(ConfigurationError, match="takes only sizes with .*, found p = 3, q = 4"):
        tvmfuse.compile(model, specialize={"p": 3, "q": 4})


def test_code_that_fails_for_some_sizes_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("on purpose")

    monkeypatch.setattr(schedule, "joined", fails)
    with pytest.warns(LeftOutWarning, match="specialize failed on the kernel .*on purpose"):
        artifact = tvmfuse.compile(pooled(), specialize=SIZES, cache=False)
    (feed,) = images((2, 9, 16))
    np.testing.assert_array_equal(
        artifact.load()(feed)["y"], tvmfuse.compile(pooled()).load()(feed)["y"]
    )


def test_on_the_command_line(tmp_path: Path) -> None:
    model, file = tmp_path / "m.onnx", tmp_path / "m.so"
    onnx.save(pooled(), model)
    given = [
        "compile",
        str(model),
        "-o",
        str(file),
        "--specialize",
        "n=1,h=9",
        "--specialize",
        "w=5",
    ]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 0, done.output
    shown = CliRunner().invoke(main, ["inspect", str(file), "--json"])
    assert json.loads(shown.stdout)["specialized"] == [{"n": 1, "h": 9}, {"w": 5}]
    assert "n = 1, h = 9" in CliRunner().invoke(main, ["inspect", str(file)]).stdout
    wrong = CliRunner().invoke(main, [*given, "--specialize", "h:9"])
    assert wrong.exit_code == 2
    assert "expected NAME=N as in batch=1, found 'h:9'" in " ".join(wrong.output.split())
