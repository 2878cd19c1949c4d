"""C and Python run models in one process, and each gets the errors of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest

LINES = """
kept = np.load(given[1])
inputs, outputs = [kept["arr_0"]], [kept["arr_1"]]

def run_c():
    assert bits(Model(given[0]).run(inputs)) == bits(outputs)

def run_python():
    import tvm_ffi
    import tvmfuse
    from tvmfuse.tvm_runtime import load_tvm_runtime
    model = tvmfuse.load(given[0])
    assert bits([*model({"x": inputs[0]}).values()]) == bits(outputs)
    load_tvm_runtime()
    try:
        tvm_ffi.load_module(given[2]).complain()
    except ValueError as failed:
        assert str(failed) == "a complaint"
    else:
        raise AssertionError("no complaint")
"""
ORDERS = {"C first": "run_c(); run_python()", "Python first": "run_python(); run_c()"}


@pytest.mark.parametrize("order", ORDERS)
def test_c_and_python_run_models_in_one_process(
    in_c: Callable[..., str],
    compiled_c: Callable[..., Path],
    model_file: Callable[[str], Path],
    expected: Callable[[str], Path],
    tmp_path: Path,
    order: str,
) -> None:
    complains = tmp_path / "complains.so"
    complains.write_bytes(compiled_c(Path(__file__).with_name("growing.c"), "-shared").read_bytes())
    in_c(f"{LINES}\n{ORDERS[order]}", model_file("convolution"), expected("convolution"), complains)
