"""Sessions that begin at once: onnxruntime runs the model until a process beside has compiled it.

Where a test is not about that process's work, its model is kept already and only the start does not
look; where it has to go on, another one holds the lock that it waits for.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from at_once import EXPECTED, X, begin, held, result, until

import tvmfuse
from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.session import InferenceSession, SessionOptions
from tvmfuse.starting import default_way, native_onnxruntime
from tvmfuse.starting.switching import Switching

# From one engine to the other.


def test_onnxruntime_begins_and_what_is_compiled_goes_on(
    path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The process beside compiles; the next session finds what it has kept."""
    caplog.set_level(logging.INFO, "tvmfuse")
    session = begin(path, tmp_path / "kept")
    assert session.engine == "onnxruntime"
    first = result(session)
    assert session.wait(300)
    assert session.engine == "tvmfuse"
    np.testing.assert_allclose(first, EXPECTED, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(result(session), EXPECTED, rtol=1e-5, atol=1e-5)
    words = [r.getMessage() for r in caplog.records if r.name == "tvmfuse"]
    assert [str(path) in word for word in words] == [True, True]
    assert "onnxruntime runs it while it is compiled" in words[0]
    assert "tvmfuse runs it from now on" in words[1]
    assert {r.levelno for r in caplog.records if r.name == "tvmfuse"} == {logging.INFO}
    again = begin(path, tmp_path / "kept")
    assert not isinstance(again, Switching)
    np.testing.assert_array_equal(result(again), result(session))


def test_without_a_cache_the_model_is_compiled_for_this_session(
    path: Path, caplog: pytest.LogCaptureFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    caplog.set_level(logging.INFO, "tvmfuse")
    session = begin(path.read_bytes(), False)
    np.testing.assert_allclose(result(session), EXPECTED, rtol=1e-5, atol=1e-5)
    assert session.wait(300)
    np.testing.assert_allclose(result(session), EXPECTED, rtol=1e-5, atol=1e-5)
    assert "is not kept for the next session" in caplog.text
    assert not [*tmp_path.iterdir()]


def test_threads_run_it_while_the_engines_change(path: Path, folder: Path, unseen: None) -> None:
    found: list[np.ndarray] = []
    engines: set[str] = set()
    done = threading.Event()
    with held(folder):
        session = begin(path, folder)

        def work() -> None:
            while not done.is_set():
                engines.add(session.engine)
                found.append(result(session))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        until(lambda: len(found) > 100)
        assert engines == {"onnxruntime"}
    assert session.wait(300)
    count = len(found)
    until(lambda: len(found) > count + 100)
    done.set()
    for thread in threads:
        thread.join()
    assert engines == {"onnxruntime", "tvmfuse"}
    for each in found:
        np.testing.assert_allclose(each, EXPECTED, rtol=1e-5, atol=1e-5)


def test_it_describes_itself_as_before_and_after(path: Path, folder: Path, unseen: None) -> None:
    def described(one: Any) -> list[Any]:
        groups = (one.inputs, one.outputs, one.overridable)
        values = [[(v.name, v.dtype, [*v.shape]) for v in group] for group in groups]
        words = dict(one.manifest.metadata)
        words.pop("producer_version", None)  # which onnxruntime does not say
        return [*values, words]

    compiled = described(begin(path, folder, "compiled"))
    with held(folder):
        session = begin(path, folder)
        assert described(session) == compiled
        assert session.engine == "onnxruntime"
    assert session.wait(300)
    assert described(session) == compiled
    assert compiled[:3] == [
        [("x", "float32", ["batch", 3])], [("y", "float32", ["batch", 4])], [],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("feeds", "words"),
    [
        ({}, "missing input 'x'"),
        ({"z": X}, "no input 'z'"),
        ({"x": X.astype("float64")}, "float64"),
        ({"x": X[:, :2]}, "dimension 1 is 2 instead of 3"),
        ([X], "expected a mapping"),
    ],
    ids=["missing", "unknown", "dtype", "shape", "list"],
)  # fmt: skip
def test_both_engines_refuse_the_same(
    path: Path, folder: Path, unseen: None, feeds: Any, words: str
) -> None:
    compiled = begin(path, folder, "compiled")
    with held(folder):
        session = begin(path, folder)
        for one in (session, compiled):
            with pytest.raises(InputError, match=words):
                one.run(None, feeds)
            with pytest.raises(InputError, match="no output 'nope'"):
                one.run(["nope"], {"x": X})
        assert session.engine == "onnxruntime"


def test_both_engines_take_lists_and_tensors(path: Path, folder: Path, unseen: None) -> None:
    torch = pytest.importorskip("torch")
    with held(folder):
        session = begin(path, folder)
        for x in (X.tolist(), torch.from_numpy(X)):
            np.testing.assert_allclose(session.run(["y"], {"x": x})[0], EXPECTED, atol=1e-5)
        assert session.engine == "onnxruntime"


# Where nothing is compiled.


def test_a_model_that_is_not_compiled_stays_and_one_warning_says_why(
    path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    session = begin(path, tmp_path / "kept", disabled_pass=["NoSuchPass"])
    assert not session.wait(300)
    assert session.engine == "onnxruntime"
    np.testing.assert_allclose(result(session), EXPECTED, atol=1e-5)
    (warning,) = [r for r in caplog.records if r.levelno == logging.WARNING]
    assert f"{path} stays with onnxruntime" in warning.getMessage()
    assert "no pass is called 'NoSuchPass'" in warning.getMessage()


def test_a_model_that_onnxruntime_does_not_take_is_waited_for(
    path: Path, folder: Path, unseen: None, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    def refuses(*_: Any) -> Any:
        raise ValueError("no kernel")

    caplog.set_level(logging.INFO, "tvmfuse")
    monkeypatch.setattr(native_onnxruntime.state(), "InferenceSession", refuses)
    session = begin(path, folder)
    assert not isinstance(session, Switching)
    assert "waits for the compilation, because onnxruntime does not take it" in caplog.text


def test_a_file_that_changes_meanwhile_is_not_changed_over_to(
    tmp_path: Path, folder: Path, path: Path, unseen: None, caplog: pytest.LogCaptureFixture
) -> None:
    copy = tmp_path / "copy.onnx"
    copy.write_bytes(path.read_bytes())
    with held(folder):
        session = begin(copy, folder)
        result(session)
        later = time.time() + 10
        os.utime(copy, (later, later))
    assert not session.wait(300)
    assert "its file was written to since the session began" in caplog.text


# What is asked for.


def test_a_session_says_which_engine_it_has(path: Path, folder: Path, unseen: None) -> None:
    chosen = SessionOptions()
    chosen.cache, chosen.start = folder, "at once"
    with held(folder):
        session = InferenceSession(str(path), chosen)
        assert session.engine == "onnxruntime"
        assert not session.wait_until_compiled(0.01)
        np.testing.assert_allclose(session.run(["y"], {"x": X})[0], EXPECTED, atol=1e-5)
    assert session.wait_until_compiled(300)
    assert session.engine == "tvmfuse"
    chosen.start = "compiled"
    session = InferenceSession(str(path), chosen)
    assert session.wait_until_compiled(0)
    assert session.engine == "tvmfuse"


def test_a_way_of_starting_that_does_not_exist() -> None:
    chosen = SessionOptions()
    with pytest.raises(ConfigurationError, match="'compiled' or 'at once', found 'soon'"):
        chosen.start = "soon"


def test_at_once_takes_onnxruntime(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_onnxruntime, "is_installed", lambda: False)
    with pytest.raises(ConfigurationError, match=r"tvmfuse\[ort\]"):
        begin(path, False)


def test_at_once_is_the_drop_ins_way(monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_way() == "compiled"
    monkeypatch.setitem(sys.modules, "onnxruntime", tvmfuse)
    assert default_way() == "at once"
    monkeypatch.setattr(native_onnxruntime, "is_installed", lambda: False)
    assert default_way() == "compiled"


DROP_IN = """
import sys
import numpy as np
import tvmfuse
sys.modules["onnxruntime"] = tvmfuse
import onnxruntime

session = onnxruntime.InferenceSession(sys.argv[1])
print(session.run(None, {"x": np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)})[0].tolist())
print(session.engine, [name for name in ("tvm", "tvm_ffi", "torch", "onnx") if name in sys.modules])
del sys.modules["onnxruntime"]
import onnxruntime
print(onnxruntime.__version__, len(onnxruntime.InferenceSession(sys.argv[1]).get_inputs()))
"""


def test_the_drop_in_begins_without_what_compiles(path: Path, tmp_path: Path) -> None:
    """The package itself can be imported later: it has the same module of machine code."""
    done = subprocess.run(
        [sys.executable, "-c", DROP_IN, path], capture_output=True, text=True, check=False,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout == f"{EXPECTED.tolist()}\nonnxruntime []\n{onnxruntime.__version__} 1\n"
    assert done.stderr == ""
