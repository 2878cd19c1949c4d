"""fleet.batch_predictor on a cluster of Ray's: two nodes of two CPUs on this machine."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import tvmfuse
from examples.batch_ray.cluster import PLACE, two_nodes
from tvmfuse.fleet.batch_predictor import BatchPredictor

ray: Any = pytest.importorskip("ray", reason="takes tvmfuse[ray]")
pytestmark = pytest.mark.fleet

ROWS = 2000


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    with two_nodes(memory=100 << 20):
        yield


class Watched(BatchPredictor):
    """Says in columns of their own where it ran, and how it was given its rows."""

    def __init__(self, model: Any, **options: Any) -> None:
        super().__init__(model, keep=["id"], **options)
        self.threads = self._model.on_cpu._main._workers.threads

    def __call__(self, batch: Any) -> dict[str, np.ndarray]:
        rows, lies = len(batch["id"]), batch["x"]
        copied = lies.flags.owndata or lies.ctypes.data % 64 != 0
        seen = {
            "node": ray.get_runtime_context().get_node_id(),
            "threads": self.threads,
            "copied": copied,
            "rows": rows,
        }
        return {**super().__call__(batch), **{k: np.full(rows, v) for k, v in seen.items()}}


@pytest.fixture(scope="module", params=["n", 48])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "net.so"
    n = request.param
    graph = f"net (float[{n}, 32] x) => (float[{n}, 32] y) {{ y = Add(x, x) }}"
    tvmfuse.compile(onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 20]> {graph}')).save(path)  # fmt: skip
    return path


def rows_of(ids: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {**ids, "x": np.repeat(ids["id"][:, None], 32, axis=1).astype(np.float32)}


def mapped(data: Any, model: Any, *, cpus: int = 1, size: int = 2, **options: Any) -> Any:
    return data.map_batches(
        Watched,
        fn_constructor_kwargs={"model": model, **options},
        compute=ray.data.ActorPoolStrategy(size=size),
        num_cpus=cpus,
        resources={PLACE: 1} if size == 2 else None,
        batch_size=64,
        batch_format="numpy",
        zero_copy_batch=True,
    )


@pytest.fixture(scope="module")
def data(cluster: None) -> Any:
    numbers = ray.data.range(ROWS, override_num_blocks=8)
    return numbers.map_batches(rows_of, batch_size=None).materialize()


def test_each_row_comes_back_once_from_either_node(
    data: Any, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ray.data.DataContext.get_current()
    monkeypatch.setattr(context, "wait_for_min_actors_s", 60)
    found = {row["id"]: row for row in mapped(data, str(model)).take_all()}
    assert sorted(found) == [*range(ROWS)]
    assert all((row["y"] == 2 * number).all() for number, row in found.items())
    assert len({row["node"] for row in found.values()}) == 2
    assert {row["threads"] for row in found.values()} == {1}
    assert not any(row["copied"] for row in found.values())
    assert {row["rows"] for row in found.values()} == {64, ROWS // 8 % 64}


@pytest.mark.parametrize("given", ["bytes", "reference"])
def test_a_node_that_does_not_see_the_file_is_given_its_bytes(
    data: Any, model: Path, given: str
) -> None:
    content = model.read_bytes()
    given_model = ray.put(content) if given == "reference" else content
    rows = mapped(data, given_model, size=1).take_all()
    assert all((row["y"] == 2 * row["id"]).all() for row in rows)


def test_an_actor_of_two_cpus_computes_on_two_threads(data: Any, model: Path) -> None:
    rows = mapped(data, str(model), cpus=2, size=1).take_all()
    assert {row["threads"] for row in rows} == {2}


def test_a_row_that_does_not_fit_is_named(cluster: None, model: Path) -> None:
    rows = [{"id": n, "x": np.zeros(32 if n != 5 else 31, np.float32)} for n in range(8)]
    with pytest.raises(ray.exceptions.RayError) as error:
        mapped(ray.data.from_items(rows, override_num_blocks=1), str(model), size=1).take_all()
    assert "column 'x', row 5: expected float32[32] for input 'x', found float32[31]" in str(error.value)  # fmt: skip
