"""Many wrong models, in one process: a crash is a signal, and shows."""

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from malformed import X, node, small_model
from onnx import TensorProto, helper, numpy_helper
from relax_models import python, succeeds

FUZZ = """
import collections, json, resource, traceback
from pathlib import Path
from tvmfuse.errors import TvmfuseError
from tvmfuse.frontend.onnx import import_model

resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))  # a MemoryError, not the whole machine
seen = collections.Counter()
for path in sorted(Path(sys.argv[1]).iterdir()):
    print(path.name, flush=True, file=sys.stderr)
    try:
        import_model(path.read_bytes())
    except TvmfuseError as error:
        said = str(error)
        assert said and "Traceback" not in said and "InternalError" not in said, said
        seen[type(error).__name__] += 1
    except BaseException:
        traceback.print_exc()
        seen["escaped"] += 1
    else:
        seen["imported"] += 1
print(json.dumps(seen))
"""


def survives(models: list[bytes], folder: Path) -> dict[str, int]:
    """Import models one after the other; return how many ended how."""
    for i, model in enumerate(models):
        (folder / f"{i:03}").write_bytes(model)
    process = python(FUZZ, folder)
    counts: dict[str, int] = json.loads(succeeds(process).splitlines()[-1])
    assert sum(counts.values()) == len(models)
    assert "escaped" not in counts, process.stderr
    return counts


def test_truncated_models(tmp_path: Path) -> None:
    data = small_model().SerializeToString()
    rng = np.random.default_rng(0)
    lengths = sorted({*range(1, 40), *rng.integers(40, len(data), 60).tolist()})
    counts = survives([data[:length] for length in lengths], tmp_path)
    assert counts["MalformedModelError"] >= len(lengths) - 5  # only opset and metadata come last


@pytest.mark.parametrize("seed", range(2))
def test_models_with_flipped_bits(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = np.frombuffer(small_model().SerializeToString(), np.uint8)
    weights = numpy_helper.to_array(small_model().graph.initializer[-1]).tobytes()
    start = data.tobytes().find(weights)
    places = np.r_[0:start, start + len(weights) : len(data)]  # bits of weights are only numbers
    models = []
    for _ in range(150):
        wrong = data.copy()
        for place in rng.choice(places, rng.integers(1, 4)):
            wrong[place] ^= 1 << rng.integers(8)
        models.append(wrong.tobytes())
    counts = survives(models, tmp_path)
    assert len(counts) > 1


def test_models_with_shuffled_fields(tmp_path: Path) -> None:
    """Fields that are each well-formed, and do not belong together."""
    rng = np.random.default_rng(2)
    models = []
    for _ in range(150):
        model = small_model()
        for _ in range(rng.integers(1, 3)):
            _mutate(model, rng)
        models.append(model.SerializeToString())
    survives(models, tmp_path)


def _mutate(model: onnx.ModelProto, rng: np.random.Generator) -> None:
    graph = model.graph
    nodes, other = graph.node, graph.node[rng.integers(len(graph.node))]
    chosen = nodes[rng.integers(len(nodes))]
    names = [name for n in nodes for name in (*n.input, *n.output)]
    match rng.integers(9):
        case 0:
            chosen.op_type = other.op_type
        case 1:
            chosen.input[rng.integers(len(chosen.input))] = rng.choice(names)
        case 2:
            chosen.output[0] = str(rng.choice(names))
        case 3:
            chosen.attribute.extend([*other.attribute])
        case 4:
            del chosen.input[-1]
        case 5:
            nodes.remove(chosen)
        case 6:
            tensor = graph.initializer[rng.integers(len(graph.initializer))]
            tensor.CopyFrom(
                numpy_helper.from_array(rng.integers(-9, 9, rng.integers(0, 5)), tensor.name)
            )
        case 7:
            graph.input[0].type.tensor_type.shape.dim[rng.integers(4)].dim_value = int(
                rng.integers(-2, 9)
            )
        case 8:
            graph.input[0].type.tensor_type.elem_type = int(rng.integers(0, 24))


def test_a_deep_model_does_not_exhaust_the_stack(tmp_path: Path) -> None:
    nodes = [node("Relu", [f"v{i}"], [f"v{i + 1}"]) for i in range(3000)]
    model = onnx_model(nodes, {"v0": ("float32", (2,))}, {"v3000": "float32"})
    survives([model.SerializeToString()], tmp_path)


def test_deeply_nested_branches_do_not_exhaust_the_stack(tmp_path: Path) -> None:
    def nested(depth: int) -> onnx.NodeProto:
        inner = nested(depth - 1) if depth else node("Relu", ["x"], ["o0"])
        out = [helper.make_tensor_value_info(f"o{depth}", TensorProto.FLOAT, None)]
        graph = helper.make_graph([inner], f"g{depth}", [], out)
        return node("If", ["c"], [f"o{depth + 1}"], then_branch=graph, else_branch=graph)

    model = onnx_model([nested(8)], X | {"c": ("bool", ())}, {"o9": "float32"})
    survives([model.SerializeToString()], tmp_path)
