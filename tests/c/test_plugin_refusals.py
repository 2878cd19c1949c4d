"""What onnxruntime's plug-in cannot run is refused in words, and never by a signal."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import onnx
import resealed
from context_graphs import context_node, floats, whole
from onnx import TensorProto, helper

RUNS = {
    "sizes that disagree": (
        "of any size",
        {"a": ("f4", (2, 3)), "b": ("f4", (2, 4))},
        "inputs a and b disagree on the dimension k: it is 3 and 4",
    ),
    "sizes that the model does not take": (
        "sum of two",
        {"a": ("f4", (3,)), "b": ("f4", (4,))},
        "the model takes only sizes with",
    ),
    "indices of nothing": (
        "rows",
        {"ids": ("i8", (4,))},
        "expected indices of elements that there are, of 'Gather_0'",
    ),
    "a rank that onnxruntime does not know": (
        "reshaped",
        {"x": ("f4", (2, 3)), "shape": ("i8", (3,))},
        "input a: expected 2 dimensions, found 3",
    ),
    "another type": (
        "cast",
        {"x": ("f4", (2, 3))},
        "input a: expected float32 (code 2, 32 bits, 1 lanes), found code 2, 64 bits, 1 lanes",
    ),
}


def write_reshaped(context: Path, folder: Path) -> None:
    """Write models where onnxruntime cannot tell what the node gets."""
    shape = helper.make_tensor_value_info("shape", TensorProto.INT64, ["rank"])
    y, s = floats("y", "m", "k"), floats("s", "k")
    node = context_node(context, "a a", "y s")
    reshape = helper.make_node("Reshape", ["x", "shape"], ["a"])
    model = whole([reshape, node], [floats("x", "n", "k"), shape], [y, s])
    onnx.save(model, folder / "reshaped.onnx")
    cast = helper.make_node("Cast", ["x"], ["a"], to=TensorProto.DOUBLE)
    onnx.save(whole([cast, node], [floats("x", "n", "k")], [y, s]), folder / "cast.onnx")


def test_a_run_that_the_model_does_not_take_is_an_error_in_words(
    in_watched_onnxruntime: Callable[..., str], context_model: Callable[..., Path], tmp_path: Path
) -> None:
    for name in ("of any size", "sum of two", "rows"):
        shutil.copy(context_model(name, embed=True), tmp_path / f"{name}.onnx")
    write_reshaped(context_model("of any size", embed=True), tmp_path)
    runs = [(name, feeds) for name, feeds, _ in RUNS.values()]
    said = in_watched_onnxruntime(
        """
        import json
        for name, feeds in json.loads(given[1]):
            model = session(f"{given[0]}/{name}.onnx")
            arrays = {key: np.full(shape, 99, dtype) for key, (dtype, shape) in feeds.items()}
            if "shape" in arrays:
                arrays["shape"] = np.array([1, 2, 3])
            try:
                model.run(None, arrays)
            except Exception as failed:
                print(str(failed).partition("Status Message: ")[2])
        """,
        tmp_path,
        json.dumps(runs),
    ).splitlines()
    assert len(said) == len(RUNS)
    for line, (name, (_, _, words)) in zip(said, RUNS.items(), strict=True):
        assert words in line, name


def with_attributes(model: Path, name: str, **attributes: object) -> Path:
    """Write a model beside another one, whose node has other attributes."""
    changed = onnx.load(model)
    (node,) = changed.graph.node
    kept = [a for a in node.attribute if a.name not in attributes]
    kept += [helper.make_attribute(k, v) for k, v in attributes.items() if v is not None]
    del node.attribute[:]
    node.attribute.extend(kept)
    onnx.save(changed, model.with_name(name))
    return model.with_name(name)


def test_a_model_that_cannot_be_opened_is_an_error_in_words(
    in_watched_onnxruntime: Callable[..., str], context_model: Callable[..., Path], tmp_path: Path
) -> None:
    model = Path(shutil.copy(context_model("of any size"), tmp_path / "m.onnx"))
    content = context_model("of any size").with_name("of any size_tvmfuse.so").read_bytes()

    def need(index: dict[str, Any]) -> None:
        index["header"]["builds"][0]["manifest"]["cpu_features"].append("a feature of next year")

    (tmp_path / "damaged.so").write_bytes(content[:999] + b"!" + content[1000:])
    (tmp_path / "newer.so").write_bytes(resealed.changed(content, need))
    (tmp_path / "one.so").write_bytes(content)
    one_input = onnx.load(model)
    del one_input.graph.node[0].input[1:]
    (context,) = (a for a in one_input.graph.node[0].attribute if a.name == "ep_cache_context")
    context.s = b"one.so"
    onnx.save(one_input, tmp_path / "one.onnx")
    outside = "ep_cache_context: expected a path in the model's folder, found "
    cases: dict[str, tuple[dict[str, object], str]] = {
        "missing": ({"ep_cache_context": "no.so"}, f"cannot read {tmp_path}/no.so: No such file"),
        "damaged": ({"ep_cache_context": "damaged.so"}, "damaged.so"),
        "newer": ({"ep_cache_context": "newer.so"}, 'needs a CPU with "a feature of next year"'),
        "above": ({"ep_cache_context": "../one.so"}, f"{outside}'../one.so'"),
        "round": ({"ep_cache_context": "a/../../one.so"}, f"{outside}'a/../../one.so'"),
        "absolute": ({"ep_cache_context": f"{tmp_path}/one.so"}, f"{outside}'{tmp_path}/one.so'"),
        "nothing": ({"ep_cache_context": None}, "an EPContext node of tvmfuse has no ep_cache_co"),
        "no file": ({"embed_mode": None, "ep_cache_context": "x"}, "the model in memory (1 bytes)"),
    }
    paths = [with_attributes(model, f"{name}.onnx", **a) for name, (a, _) in cases.items()]
    said = in_watched_onnxruntime(
        "for model in given: print(refused(model))", *paths, tmp_path / "one.onnx"
    ).splitlines()
    for line, (name, (_, words)) in zip(said, cases.items(), strict=False):
        assert words in line, name
    assert "an EPContext node has 1 inputs, and its compiled model 2" in said[-1]


def test_the_file_beside_a_model_in_memory_is_where_the_session_says(
    in_watched_onnxruntime: Callable[..., str], context_model: Callable[..., Path]
) -> None:
    said = in_watched_onnxruntime(
        """
        content = open(given[0], "rb").read()
        print(refused(content))
        model = session(content, {"ep.context_file_path": given[0]})
        assert model.run(None, {"ids": np.zeros(4, "i8")})[0].shape == (4, 6)
        session(open(given[1], "rb").read())
        """,
        context_model("rows"),
        context_model("rows", embed=True),
    )
    assert "'rows_tvmfuse.so' lies beside a model that was loaded from memory" in said


def test_options_that_there_are_not_are_refused(
    in_watched_onnxruntime: Callable[..., str], context_model: Callable[..., Path]
) -> None:
    said = in_watched_onnxruntime(
        """
        for options in ({"threads": "-1"}, {"threads": ""}, {"threads": "2x"}, {"thread": "2"}):
            print(refused(given[0], **options))
        """,
        context_model("rows"),
    ).splitlines()
    expects = "'s option threads: expected a number, 0 for one for each core, found "
    assert [line.partition("TvmfuseExecutionProvider")[2] for line in said] == [
        f"{expects}'-1'",
        f"{expects}''",
        f"{expects}'2x'",
        " has no option 'thread': it has 'threads'",
    ]
