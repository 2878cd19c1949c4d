"""NVIDIA's Triton client, unchanged, finds in `examples/serve_v2` what the protocol promises."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import numpy as np
import pytest

import tvmfuse
from examples.serve.demo import PIXELS
from examples.serve.process import Server, free_port, running

pytestmark = pytest.mark.serving
ONE = np.ones((1, 2), np.int8)
IMAGES = np.random.default_rng(0).standard_normal((3, *PIXELS), dtype=np.float32)


class Served:
    """The server with its two models, and both of its ports."""

    def __init__(self, server: Server, grpc_port: int, files: dict[str, Path]) -> None:
        self.server, self.grpc_port, self.files = server, grpc_port, files


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    from examples.serve_v2.demo import save_demos

    folder = tmp_path_factory.mktemp("models")
    files = {path.stem: path for path in save_demos(folder)}
    http, grpc = free_port(), free_port()
    command = ["examples.serve_v2", folder, "--http_port", http, "--grpc_port", grpc]
    with running(command, f"http://127.0.0.1:{http}", "/v2/health/ready") as server:
        yield Served(server, grpc, files)


@pytest.fixture(params=["http", "grpc"])
def protocol(request: pytest.FixtureRequest) -> Any:
    import tritonclient.grpc
    import tritonclient.http

    return tritonclient.http if request.param == "http" else tritonclient.grpc


@pytest.fixture
def client(served: Served, protocol: ModuleType) -> Iterator[Any]:
    over_http = protocol.__name__.endswith("http")
    place = served.server.url if over_http else f"http://127.0.0.1:{served.grpc_port}"
    with protocol.InferenceServerClient(place.removeprefix("http://")) as found:
        yield found


def tensor(protocol: ModuleType, name: str, array: np.ndarray) -> Any:
    from tritonclient.utils import np_to_triton_dtype

    found = protocol.InferInput(name, array.shape, np_to_triton_dtype(array.dtype))
    found.set_data_from_numpy(array)
    return found


def refused(client: Any, protocol: ModuleType, *arguments: Any, **named: Any) -> tuple[str, str]:
    """Return status and words of a request that the server has to refuse."""
    from tritonclient.utils import InferenceServerException

    with pytest.raises(InferenceServerException) as caught:
        client.infer(*arguments, **named)
    return str(caught.value.status()), str(caught.value.message())


WRONG, UNKNOWN = {"400", "StatusCode.INVALID_ARGUMENT"}, {"404", "StatusCode.NOT_FOUND"}


def test_the_server_and_both_models_are_ready(client: Any) -> None:
    assert client.is_server_live()
    assert client.is_server_ready()
    assert client.is_model_ready("classifier")
    assert client.is_model_ready("twice")


def as_json(protocol: ModuleType) -> dict[str, bool]:
    return {} if protocol.__name__.endswith("http") else {"as_json": True}


def test_metadata_of_the_server_names_the_protocols_extensions(
    client: Any, protocol: ModuleType
) -> None:
    found = client.get_server_metadata(**as_json(protocol))
    assert found["name"] == "kserve"
    assert found["extensions"] == ["model_repository_extension"]


def test_metadata_of_a_model_has_its_names_types_and_shapes(
    client: Any, protocol: ModuleType
) -> None:
    found = client.get_model_metadata("classifier", **as_json(protocol))
    (image,), (probabilities,) = found["inputs"], found["outputs"]
    assert (image["name"], image["datatype"]) == ("image", "FP32")
    assert [int(size) for size in image["shape"]] == [-1, 1, 8, 8]
    assert (probabilities["name"], probabilities["datatype"]) == ("probabilities", "FP32")
    assert [int(size) for size in probabilities["shape"]] == [-1, 10]


def test_an_answer_is_the_models_own(client: Any, protocol: ModuleType, served: Served) -> None:
    answer = client.infer("classifier", [tensor(protocol, "image", IMAGES)], request_id="7")
    expected = tvmfuse.load(served.files["classifier"])({"image": IMAGES})["probabilities"]
    np.testing.assert_array_equal(answer.as_numpy("probabilities"), expected)
    response = answer.get_response(**as_json(protocol))
    assert response["id"] == "7"


def test_every_dtype_goes_in_and_comes_out(client: Any, protocol: ModuleType) -> None:
    from examples.serve_v2.demo import DTYPES

    arrays = {name: np.array([[0, 1], [1, 1], [1, 0]], name) for name in DTYPES}
    answer = client.infer("twice", [tensor(protocol, n, a) for n, a in arrays.items()])
    for name, array in arrays.items():
        found = answer.as_numpy(f"twice_{name}")
        assert found.dtype == array.dtype
        np.testing.assert_array_equal(found, np.concatenate([array, array], axis=1))


def test_outputs_that_are_asked_for_alone_come(client: Any, protocol: ModuleType) -> None:
    from examples.serve_v2.demo import DTYPES

    given = [tensor(protocol, name, np.ones((1, 2), name)) for name in DTYPES]
    asked = [protocol.InferRequestedOutput("twice_int8")]
    response = client.infer("twice", given, outputs=asked).get_response(**as_json(protocol))
    assert [output["name"] for output in response["outputs"]] == ["twice_int8"]


def test_a_wrong_shape_is_told_with_what_was_expected(client: Any, protocol: ModuleType) -> None:
    given = [tensor(protocol, "image", IMAGES[..., :7])]
    status, words = refused(client, protocol, "classifier", given)
    assert status in WRONG
    assert "expected float32[batch, 1, 8, 8], found (3, 1, 8, 7)" in words


def test_a_wrong_dtype_is_told_with_what_was_expected(client: Any, protocol: ModuleType) -> None:
    given = [tensor(protocol, "image", IMAGES.astype(np.float64))]
    status, words = refused(client, protocol, "classifier", given)
    assert status in WRONG
    assert "expected float32[batch, 1, 8, 8], found dtype float64" in words


def test_unknown_names_are_told_with_those_that_are_known(
    client: Any, protocol: ModuleType
) -> None:
    given = [tensor(protocol, "image", IMAGES)]
    status, words = refused(client, protocol, "nothing", given)
    assert status in UNKNOWN
    assert "Model with name nothing does not exist" in words
    status, words = refused(client, protocol, "classifier", [tensor(protocol, "picture", IMAGES)])
    assert status in WRONG
    assert "no input 'picture'; known: image" in words
    asked = [protocol.InferRequestedOutput("scores")]
    status, words = refused(client, protocol, "classifier", given, outputs=asked)
    assert status in WRONG
    assert "no output 'scores'; known: probabilities" in words
    status, words = refused(client, protocol, "twice", [tensor(protocol, "int8", ONE)])
    assert status in WRONG
    assert "missing input" in words
    status, words = refused(client, protocol, "classifier", given * 2)
    assert status in WRONG
    assert "found one twice" in words


def test_json_by_hand_is_answered_in_json(served: Served) -> None:
    given = {"name": "image", "shape": [1, *PIXELS], "datatype": "FP32"}
    place = f"{served.server.url}/v2/models/classifier/infer"
    answer = httpx.post(place, json={"inputs": [{**given, "data": IMAGES[0].tolist()}]})
    assert answer.status_code == 200
    (output,) = answer.json()["outputs"]
    expected = tvmfuse.load(served.files["classifier"])({"image": IMAGES[:1]})["probabilities"]
    np.testing.assert_allclose(output["data"], expected[0], rtol=1e-6)
    answer = httpx.post(place, json={"inputs": [{**given, "data": [1, 2]}]})
    assert answer.status_code == 400
    assert "cannot reshape array of size 2 into shape (1,1,8,8)" in answer.json()["error"]


def test_prometheus_finds_seconds_of_each_model(served: Served) -> None:
    text = httpx.get(f"{served.server.url}/metrics").text
    assert 'request_predict_seconds_count{model_name="classifier"}' in text


def test_a_folder_without_models_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(RuntimeError, match="not ready; its exit code is 2"),
        running(["examples.serve_v2", tmp_path], "http://127.0.0.1:9", "/"),
    ):
        pass


def test_it_ends_when_it_is_told(tmp_path: Path) -> None:
    from examples.serve.demo import save_demo

    port = free_port()
    command = ["examples.serve_v2", save_demo(tmp_path), "--http_port", port, "--grpc_port", 0]
    with running(command, f"http://127.0.0.1:{port}", "/v2/health/ready") as server:
        assert server.stop() in (0, -signal.SIGTERM)
