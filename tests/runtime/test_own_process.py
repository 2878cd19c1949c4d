"""runtime.own_process: models are copied as functions are, and pickled by their files' bytes."""

from __future__ import annotations

import copy
import hashlib
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

import tvmfuse
from tvmfuse.build.artifact import Artifact
from tvmfuse.errors import DamagedArtifactError, UnverifiedArtifactError
from tvmfuse.format.signature import sign, verify

FEEDS = {"x": np.array([[-1, 0, 1, np.nan]], "float32")}
FOUND = np.array([[4, 4, 6, np.nan]], "float32")


@pytest.fixture(scope="module")
def model() -> onnx.ModelProto:
    return onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 17]> g (float[1,4] x) => (float[1,4] y)'
        "<float[1,4] w = {4, 4, 5, 5}> {r = Relu(x) y = Add(r, w)}"
    )


@pytest.fixture(scope="module")
def artifact(model: onnx.ModelProto) -> Artifact:
    return tvmfuse.compile(model)


def file_of(artifact: Artifact, folder: Path) -> bytes:
    artifact.save(folder / "saved.so")
    return (folder / "saved.so").read_bytes()


def again(held: Any) -> Any:
    return pickle.loads(pickle.dumps(held))


def test_copies_are_itself(artifact: Artifact) -> None:
    executable = artifact.load()
    for held in (artifact, executable):
        assert copy.copy(held) is held
        assert copy.deepcopy([held])[0] is held
    np.testing.assert_array_equal(copy.deepcopy(executable)(FEEDS)["y"], FOUND)


def test_an_artifact_is_pickled_whole_and_saves_the_same_file(
    artifact: Artifact, tmp_path: Path
) -> None:
    found = again(artifact)
    assert repr(found) == repr(artifact)
    assert (found.manifest, found.launches) == (artifact.manifest, artifact.launches)
    assert found.report.to_json() == artifact.report.to_json()
    assert found.weights_nbytes == artifact.weights_nbytes
    assert file_of(again(found), tmp_path) == file_of(artifact, tmp_path)
    assert found.nbytes == len(file_of(artifact, tmp_path))
    assert found.save(tmp_path / "a.so") == artifact.save(tmp_path / "b.so")
    np.testing.assert_array_equal(found.load(num_threads=1)(FEEDS)["y"], FOUND)


def test_executables_are_pickled_from_memory_and_from_a_file(
    artifact: Artifact, tmp_path: Path
) -> None:
    artifact.save(tmp_path / "m.so")
    loaded = tvmfuse.load(tmp_path / "m.so", num_threads=1)
    (tmp_path / "m.so").unlink()  # what was loaded is pickled, and not what has its name now
    for executable in (artifact.load(), loaded, again(artifact).load(), again(again(loaded))):
        found = again(executable)
        assert found.manifest.name == artifact.manifest.name
        np.testing.assert_array_equal(found(FEEDS)["y"], FOUND)


def test_a_file_for_several_targets_is_pickled_with_all_of_them(model: onnx.ModelProto) -> None:
    executable = tvmfuse.compile(model, target=["avx2", "x86-64-v2"]).load()
    assert again(executable).manifest.targets == executable.manifest.targets
    assert len(executable.manifest.targets) == 2


def test_a_model_in_parts_is_pickled_as_a_bundle(tmp_path: Path) -> None:
    model = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 20]> g (string[2] s, float[2] x) => '
        "(string[2] t, float[2] y) {t = StringConcat(s, s) y = Relu(x)}"
    )
    artifact = tvmfuse.compile(model)
    artifact.save(tmp_path / "m.bundle")
    feeds = {"s": np.array(["a", "b"], object), "x": np.array([-1, 1], "float32")}
    for executable in (artifact.load(), tvmfuse.load(tmp_path / "m.bundle")):
        assert list(again(executable)(feeds)["t"]) == ["aa", "bb"]
    assert list(again(artifact).load()(feeds)["t"]) == ["aa", "bb"]
    parts = [runs for _, runs in vars(executable)["_parts"]]
    part = next(runs for runs in parts if isinstance(runs, tvmfuse.Executable))
    with pytest.raises(TypeError, match=r"a part of a model.*pickle the whole model"):
        pickle.dumps(part)


def test_another_process_runs_it_without_tvm(artifact: Artifact, tmp_path: Path) -> None:
    (tmp_path / "m.pickle").write_bytes(pickle.dumps(artifact.load(num_threads=1)))
    program = (
        "import pickle, sys; run = pickle.load(open(sys.argv[1], 'rb')); import numpy as np; "
        "print(run(x=np.ones((1, 4), 'float32'))['y'].tolist(), 'tvm' in sys.modules)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "m.pickle")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "[[5.0, 5.0, 6.0, 6.0]] False"


def test_a_byte_that_changed_on_the_way_is_found(artifact: Artifact) -> None:
    sent = bytearray(pickle.dumps(artifact.load()))
    sent[sent.index(b"ELF") + 5000] ^= 1
    with pytest.raises(DamagedArtifactError, match="altered"):
        pickle.loads(bytes(sent))


class Keys:
    """Keys of somebody's, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.private, self.public = folder / "k.pem", folder / "pub.pem"
        key = ed25519.Ed25519PrivateKey.generate()
        pem = serialization.Encoding.PEM
        plain = serialization.NoEncryption()
        self.private.write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
        self.public.write_bytes(
            key.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo)
        )


def test_what_is_signed_stays_signed(artifact: Artifact, tmp_path: Path) -> None:
    keys, path = Keys(tmp_path), tmp_path / "m.so"
    artifact.save(path)
    sign(path, keys.private)
    sent = pickle.dumps(tvmfuse.load(path, key=keys.public))
    again(artifact).save(path)
    verify(path, key=keys.public)  # the same bytes, so the signature is theirs
    for file in (path, keys.public, tmp_path / "m.so.sig"):
        file.unlink()
    np.testing.assert_array_equal(again(pickle.loads(sent))(FEEDS)["y"], FOUND)
    other = tvmfuse.compile(
        onnx.parser.parse_model(
            '<ir_version: 9, opset_import: ["": 17]> g (float[1,4] x) => (float[1,4] y){y = Neg(x)}'
        )
    )
    executable = pickle.loads(sent)
    executable.content = lambda: file_of(other, tmp_path)
    with pytest.raises(UnverifiedArtifactError, match="not signed by this key"):
        again(executable)


def test_a_digest_goes_with_it(artifact: Artifact, tmp_path: Path) -> None:
    artifact.save(tmp_path / "m.so")
    digest = hashlib.sha256((tmp_path / "m.so").read_bytes()).hexdigest()
    executable = again(tvmfuse.load(tmp_path / "m.so", sha256=digest))
    executable.content = lambda: b"another file"
    with pytest.raises(UnverifiedArtifactError, match="not the file that was meant"):
        again(executable)
