"""tvmfuse.c.plugin_headers: npm fetches onnxruntime's headers once, and they are what they were."""

import hashlib
from pathlib import Path

import pytest

from tvmfuse.c import plugin_headers
from tvmfuse.c.plugin import build_plugin
from tvmfuse.c.plugin_headers import FOLDER, are_kept, onnxruntime_headers
from tvmfuse.errors import ArtifactError

TEXT = "int header;\n"
NPM = f"""#!/bin/sh
[ "$1 $2 $3" = "pack {plugin_headers.PACKAGE} --pack-destination" ] || exit 1
cd "$4" && mkdir -p '{FOLDER}' && echo '{TEXT.strip()}' > '{FOLDER}/a.h'
tar czf a.tgz package && echo called >> ../calls
"""


@pytest.fixture
def npm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a program in the place of npm, whose package has one header."""
    digests = {"a.h": hashlib.sha256(TEXT.encode()).hexdigest()}
    monkeypatch.setattr(plugin_headers, "DIGESTS", digests)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(NPM)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return program


def test_they_are_fetched_once(npm: Path, tmp_path: Path) -> None:
    folder = onnxruntime_headers()
    assert folder == tmp_path / "cache" / "tvmfuse" / "onnxruntime-headers"
    assert {file.name: file.read_text() for file in folder.iterdir()} == {"a.h": TEXT}
    assert onnxruntime_headers() == folder
    assert (tmp_path / "calls").read_text() == "called\n"
    assert onnxruntime_headers(tmp_path / "own") == tmp_path / "own"
    assert are_kept(tmp_path / "own")


def test_one_that_was_altered_is_fetched_anew(npm: Path) -> None:
    folder = onnxruntime_headers()
    (folder / "a.h").write_text("another")
    assert not are_kept(folder)
    assert (onnxruntime_headers() / "a.h").read_text() == TEXT


def test_one_that_is_not_what_it_was_is_refused(npm: Path, tmp_path: Path) -> None:
    npm.write_text(NPM.replace("int header", "int other"))
    with pytest.raises(ArtifactError, match=r"a\.h: expected SHA-256 \w+, found \w+; or name"):
        onnxruntime_headers(tmp_path / "own")
    assert not (tmp_path / "own").exists()


def test_what_npm_says_is_passed_on(npm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm.write_text("#!/bin/sh\necho no network >&2; exit 1\n")
    with pytest.raises(ArtifactError, match=r"no network; or name a folder that has onnxruntime_c"):
        onnxruntime_headers()
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ArtifactError, match=r"npm is not in the PATH: install it.*; or name a"):
        onnxruntime_headers()


def test_a_folder_without_them_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match=r"expected a folder that has onnxruntime_c_api\.h"):
        build_plugin(tmp_path / "plugin.so", tmp_path)
