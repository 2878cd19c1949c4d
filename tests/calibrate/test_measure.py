"""calibrate.measure: numbers of this machine, whatever it is and whoever else it works for."""

from tvmfuse.calibrate.measure import measure
from tvmfuse.target.calibration import Calibration
from tvmfuse.target.resolve import resolve


def test_the_numbers_are_those_of_a_cpu() -> None:
    found = measure(resolve("llvm"))
    assert 0.02 < found.fma_ns < found.chain_ns < 100
    assert found.fma_ns < 2 * found.broadcast_ns
    assert found.memory < found.l1
    assert Calibration.from_json(found.to_json()) == found
