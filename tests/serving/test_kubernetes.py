"""The image and the manifests of `examples/serve_v2` agree with each other, and with the server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import httpx
import pytest

from examples.serve.demo import save_demo
from examples.serve.process import free_port, running

pytestmark = pytest.mark.serving
ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "serve_v2"
DOCKERFILE = (FOLDER / "Dockerfile").read_text()
KINDS = {"PersistentVolumeClaim", "Deployment", "Service", "HorizontalPodAutoscaler",
         "PodDisruptionBudget"}  # fmt: skip


@pytest.fixture(scope="module")
def manifests() -> dict[str, Any]:
    import yaml

    documents = list(yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text()))
    found = {document["kind"]: document for document in documents}
    assert found.keys() == KINDS
    assert len(found) == len(documents)
    return found


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("version", ["1.30", "1.34"])
def test_kubernetes_schemas_accept_each_manifest(
    kind: str, version: str, manifests: dict[str, Any]
) -> None:
    import kubernetes_validate

    kubernetes_validate.validate(manifests[kind], version, strict=True)


def test_selectors_and_names_find_what_they_mean(manifests: dict[str, Any]) -> None:
    deployment = manifests["Deployment"]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels
    assert manifests["Service"]["spec"]["selector"] == labels
    assert manifests["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    target = manifests["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", deployment["metadata"]["name"])
    volumes = {volume["name"]: volume for volume in pod(manifests)["volumes"]}
    claim = volumes["models"]["persistentVolumeClaim"]["claimName"]
    assert claim == manifests["PersistentVolumeClaim"]["metadata"]["name"]
    assert {mount["name"] for mount in container(manifests)["volumeMounts"]} == volumes.keys()


def pod(manifests: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = manifests["Deployment"]["spec"]["template"]["spec"]
    return found


def container(manifests: dict[str, Any]) -> dict[str, Any]:
    (found,) = pod(manifests)["containers"]
    assert isinstance(found, dict)
    return found


#: In a process of its own: KServe and Triton's client describe the same messages to protobuf.
OF_KSERVE = """
import json
from kserve.constants.constants import DEFAULT_GRPC_PORT, DEFAULT_HTTP_PORT
from kserve.model_server import app
from kserve.protocol.dataplane import DataPlane
from kserve.protocol.model_repository_extension import ModelRepositoryExtension
from kserve.protocol.rest.v2_endpoints import register_v2_endpoints
register_v2_endpoints(app, DataPlane(None), ModelRepositoryExtension(None))
print(json.dumps([DEFAULT_HTTP_PORT, DEFAULT_GRPC_PORT, list(app.openapi()["paths"])]))
"""


def test_ports_and_probes_are_the_servers(manifests: dict[str, Any]) -> None:
    said = subprocess.check_output([sys.executable, "-c", OF_KSERVE], text=True)
    http, grpc, known = json.loads(said.splitlines()[-1])
    one = container(manifests)
    ports = {port["name"]: port["containerPort"] for port in one["ports"]}
    assert ports == {"http": http, "grpc": grpc}
    assert f"EXPOSE {http} {grpc}" in DOCKERFILE
    for port in manifests["Service"]["spec"]["ports"]:
        assert port["port"] == ports[port["targetPort"]]
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        asked = one[probe]["httpGet"]
        assert asked["path"] in known
        assert asked["port"] in ports


def test_the_container_is_of_the_image(manifests: dict[str, Any]) -> None:
    one = container(manifests)
    assert f"-t {one['image']} ." in DOCKERFILE
    assert f"USER {pod(manifests)['securityContext']['runAsUser']}" in DOCKERFILE
    mounts = [mount["mountPath"] for mount in one["volumeMounts"]]
    assert one["args"][0] in mounts


def test_the_image_installs_what_a_loaded_file_takes_and_the_server_alone() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    installed = set(re.findall(r'"([^"]*>=[^"]*)"', DOCKERFILE.split("FROM")[-1]))
    runtime = {line for line in project["dependencies"]
               if re.match(r"numpy|ml-dtypes|msgspec|xxhash", line)}  # fmt: skip
    assert installed == runtime | set(project["optional-dependencies"]["serve-v2"])


def test_what_the_image_copies_serves_without_tvm(tmp_path: Path) -> None:
    app, hidden, models = (tmp_path / name for name in ("app", "hidden", "models"))
    for sources, place in re.findall(r"^COPY (examples.*) (\S+)$", DOCKERFILE, re.MULTILINE):
        (app / place).mkdir(parents=True)
        for word in sources.split():
            for file in ROOT.glob(word):
                shutil.copy(file, app / place)
    for name in ("tvm", "tvm_ffi", "onnx", "torch"):
        (hidden / name).mkdir(parents=True)
        (hidden / name / "__init__.py").write_text(f"raise ImportError('no {name} here')\n")
    models.mkdir()
    save_demo(models)
    (entry,) = re.findall(r'^ENTRYPOINT \["python", "-m", (.*)\]$', DOCKERFILE, re.MULTILINE)
    port, path = free_port(), f"{hidden}:{os.environ.get('PYTHONPATH', '')}"
    command = [word.strip('"') for word in entry.split(", ")]
    command += [str(models), "--http_port", str(port), "--grpc_port", str(free_port())]
    ready = "/v2/models/classifier/ready"
    with running(command, f"http://127.0.0.1:{port}", ready, {"PYTHONPATH": path}, app) as server:
        tensor = {"name": "image", "shape": [1, 1, 8, 8], "datatype": "FP32", "data": [0.5] * 64}
        place = f"{server.url}/v2/models/classifier/infer"
        answer = httpx.post(place, json={"inputs": [tensor]}, timeout=60)
        assert answer.status_code == 200, answer.text


def test_the_image_copies_what_the_server_imports() -> None:
    copied = {Path(name) for line in re.findall(r"^COPY (?!-)(.*) \S+$", DOCKERFILE, re.MULTILINE)
              for word in line.split() for name in ROOT.glob(word)}  # fmt: skip
    for file in FOLDER.glob("*.py"):
        for name in re.findall(r"^from (examples\.[.\w]+) import", file.read_text(), re.MULTILINE):
            needed = ROOT.joinpath(*name.split(".")).with_suffix(".py")
            assert needed in copied or file.name == "demo.py"
