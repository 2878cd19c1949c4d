"""A process in which ``import onnxruntime`` means tvmfuse: each test is one of its own."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import onnx
import pytest
from onnxruntime_api.drop_in import ordered, product, scaled

import tvmfuse
import tvmfuse.session
from tvmfuse import as_onnxruntime


def python(folder: Path, *arguments: str) -> str:
    """Run Python, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def script(folder: Path, code: str) -> str:
    """Write a program, and return its name."""
    (folder / "program.py").write_text(textwrap.dedent(code))
    return "program.py"


def test_a_program_runs_with_it_and_onnxruntime_s_own_modules_with_onnxruntime(
    tmp_path: Path,
) -> None:
    onnx.save(product(), tmp_path / "m.onnx")
    onnx.save(ordered(), tmp_path / "texts.onnx")
    program = script(
        tmp_path,
        """
        import importlib.metadata, importlib.util, sys, warnings
        import numpy as np
        import onnxruntime as ort
        from onnxruntime.capi._pybind_state import Fail, OrtValueVector, quantize_matmul_4bits
        from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument, NoSuchFile
        from onnxruntime.capi.onnxruntime_inference_collection import InferenceSession
        from onnxruntime.quantization import QuantType, calibrate, quantize_dynamic
        from onnxruntime.transformers.io_binding_helper import TypeHelper
        from tvmfuse.measure.onnxruntime_session import open_session, package
        from tvmfuse.runtime import foreign

        assert ort.InferenceSession is InferenceSession
        assert InferenceSession.__module__.startswith("tvmfuse.")
        assert importlib.util.find_spec("onnxruntime") is ort.__spec__
        assert importlib.metadata.version("onnxruntime") == ort.__version__
        assert sys.argv == ["program.py", "an argument"], sys.argv
        assert __name__ == "__main__"

        # Theirs are onnxruntime's own, and so are our reference and our fallback.
        real = package()
        assert real is foreign.package() is not ort
        assert calibrate.onnxruntime is real
        assert not real.InferenceSession.__module__.startswith("tvmfuse")

        x = np.ones((2, 3), np.float32)
        quantize_dynamic("m.onnx", "q.onnx", weight_type=QuantType.QInt8)
        for name in ("m.onnx", "q.onnx"):
            expected = open_session(name).outputs({"x": x})
            np.testing.assert_allclose(ort.InferenceSession(name).run(None, {"x": x}), expected, 1e-5)
        assert TypeHelper.get_input_type(ort.InferenceSession("m.onnx"), "x") == "tensor(float)"

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            session = ort.InferenceSession("texts.onnx")
        assert [w.category.__name__ for w in caught] == ["FallbackWarning"]
        feed = np.array([["a", "b"], ["c", "d"]], object)
        assert session.run(None, {"x": feed})[0].tolist() == ["a", "b", "c", "d"]

        for wrong, kind in ((lambda: ort.InferenceSession("no.onnx"), NoSuchFile),
                            (lambda: session.run(["no"], {"x": feed}), InvalidArgument)):
            try:
                wrong()
            except kind:
                pass
            else:
                raise AssertionError(kind)
        del sys.modules["onnxruntime"]
        import onnxruntime
        assert onnxruntime is ort
        """,
    )
    run = ("-W", "ignore", "-m", "tvmfuse.as_onnxruntime", "--start", "compiled")
    python(tmp_path, *run, program, "an argument")


def test_it_is_there_where_onnxruntime_is_not_installed(tmp_path: Path) -> None:
    onnx.save(scaled(), tmp_path / "m.onnx")
    onnx.save(ordered(), tmp_path / "texts.onnx")
    program = script(
        tmp_path,
        """
        import sys
        sys.modules["onnxruntime"] = None  # as if it were not installed
        import importlib.metadata, importlib.util
        import numpy as np
        import tvmfuse
        tvmfuse.replace_onnxruntime()
        import onnxruntime
        from onnxruntime.capi._pybind_state import NotImplemented

        assert importlib.util.find_spec("onnxruntime") is onnxruntime.__spec__
        assert importlib.metadata.version("onnxruntime")
        x = np.ones((3, 2), np.float32)
        assert onnxruntime.InferenceSession("m.onnx").run(None, {"X": x})[0].shape == (3, 2)
        try:
            onnxruntime.InferenceSession("texts.onnx")
        except NotImplemented as error:
            assert "pip install 'tvmfuse[ort]'" in str(error), error
        else:
            raise AssertionError
        try:
            import onnxruntime.quantization
        except ModuleNotFoundError:
            pass
        else:
            raise AssertionError
        """,
    )
    # What metadata there is stays: only importing it fails.
    python(tmp_path, "-W", "ignore", program)


def test_a_module_is_run_and_no_fallback_is_an_option(tmp_path: Path) -> None:
    script(
        tmp_path,
        "import onnxruntime, sys; print(onnxruntime.SessionOptions().fallback, *sys.argv[1:])",
    )
    run = ("-m", "tvmfuse.as_onnxruntime")
    assert python(tmp_path, *run, "-m", "program", "a", "-b").split() == ["onnxruntime", "a", "-b"]
    assert python(tmp_path, *run, "--no-fallback", "program.py").split() == ["None"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Missing argument 'PROGRAM'"),
        (["--strat", "compiled", "program.py"], "No such option '--strat'"),
        (["--start", "soon", "program.py"], "'compiled', 'at once'"),
        (["no.py"], "there is no file 'no.py'"),
        (["tests"], "'tests' has no __main__.py"),
    ],
)
def test_what_cannot_be_run_is_said(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        as_onnxruntime.main(arguments)
    assert ended.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "ends", "words"),
    [
        ("input()", 1, "EOFError"),
        ("raise KeyboardInterrupt", -2, "KeyboardInterrupt"),
        ("raise OSError(32, 'a socket is gone')", 1, "BrokenPipeError"),
        ("import click; raise click.ClickException('boom')", 1, "Traceback"),
        ("import sys; sys.exit(3)", 3, ""),
    ],
)
def test_a_program_ends_as_it_would(tmp_path: Path, code: str, ends: int, words: str) -> None:
    command = [sys.executable, "-m", "tvmfuse.as_onnxruntime", script(tmp_path, code)]
    done = subprocess.run(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == ends
    assert words in done.stderr


@pytest.mark.parametrize("module", ["no.module", "tvmfuse.views"])
def test_a_module_that_cannot_be_run_is_said(module: str) -> None:
    command = [sys.executable, "-m", "tvmfuse.as_onnxruntime", "-m", module]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"there is no module '{module}' to run" in done.stderr


def test_tvmfuse_itself_has_the_names_of_onnxruntime() -> None:
    """`import tvmfuse as ort`, which is how it was replaced before."""
    assert tvmfuse.IOBinding is tvmfuse.session.IOBinding
    assert tvmfuse.get_all_providers()[-1] == "CPUExecutionProvider"
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        tvmfuse.no_such_name  # noqa: B018
