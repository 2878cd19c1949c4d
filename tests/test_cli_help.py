"""What the command line says of itself."""

import subprocess
import sys

import pytest
from pretended import tvmfuse_cli

from tvmfuse import measure
from tvmfuse.cli import main

VERBS = sorted(main.commands)


@pytest.mark.parametrize("arguments", [["--help"], ["quantize", "--help"]], ids=" ".join)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    heavy = {"tvm", "onnx", "onnxruntime", "numpy", "torch", "rich", "tvm_ffi"}
    program = (
        "import sys; from tvmfuse.cli import main; "
        f"main({arguments}, standalone_mode=False); print(*{heavy} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_each_verb_has_examples(verb: str) -> None:
    text = tvmfuse_cli(verb, "--help").output
    assert f"Examples:\n    tvmfuse {verb}" in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("verb", ["bisect", "compare"])
def test_what_to_compare_with_has_one_name(verb: str) -> None:
    text = tvmfuse_cli(verb, "--help").output
    assert "--against [onnxruntime|" in text
    assert "--reference" not in text


def test_each_function_that_measures_is_a_verb() -> None:
    functions = {name for name, home in measure._HOMES.items() if name == home}
    assert {"ladder", "profile"} <= functions
    assert {"compare" if name == "accuracy" else name for name in functions} <= set(VERBS)


def test_help_documents_verbs_and_exit_codes() -> None:
    text = tvmfuse_cli("--help").output
    assert all(f"  {verb} " in text for verb in VERBS)
    assert "Exit codes:" in text
    assert "130" in text
    assert "..." not in text.split("Commands:")[1]  # click's sign for a cut sentence
