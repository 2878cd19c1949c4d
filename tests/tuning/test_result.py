"""What tuning found, as a table and as a sentence."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

from rich.console import Console

from tvmfuse.measure.statistics import Ratio
from tvmfuse.tuning.result import TunedKernel, TunedTiles, Tuning

FASTER = Ratio(1.25, 1.2, 1.3, 0.99, 40)
PLANNED = TunedKernel(
    "k1", ("conv",), ("a/very/long/name/" * 9,), 90.0, 0.9, 7, "6 x 16", "6 x 16", None
)
TUNED = replace(PLANNED, key="k2", names=("gemm",), share=0.1, best="4 x 24", speedup=FASTER)
FOUND = Tuning(
    model="net.onnx", target="llvm", threads=1, cpu="a CPU", kernels=(PLANNED, TUNED),
    convolutions=(TunedTiles(("c",), 4, 0, FASTER),), speedup=FASTER, kept=True, plans={},
    trials=14, known=0, seconds=5.0, database="tuned", interrupted=False, finished=False,
    machine=None,
)  # fmt: skip


def drawn(found: Tuning) -> str:
    file = StringIO()
    Console(file=file, width=100).print(found.table())
    return file.getvalue()


def test_each_faster_kernel_has_a_row_that_says_all_of_it() -> None:
    text = drawn(FOUND)
    assert max(map(len, text.splitlines())) <= 100
    for words in ("gemm", "10.0%", "6 x 16", "4 x 24", "1.250 (1.200", "F(4x4)", "as they are"):
        assert words in text
    assert "1 others, as planned" in text
    assert "90.0%" in text


def test_a_sentence_says_what_came_of_it() -> None:
    assert FOUND.sentence.endswith("2 are faster, and so is the whole model: " + str(FASTER))
    doubtful = replace(FOUND, kept=False, speedup=Ratio(1.0, 0.9, 1.1, 0.99, 40))
    assert "is not certain" in doubtful.sentence
    assert doubtful.sentence.endswith("none was kept")
    nothing = replace(FOUND, kernels=(PLANNED,), convolutions=(), speedup=None, kept=False)
    assert nothing.sentence.endswith("none is faster than the planned one")
    assert "interrupted" in replace(nothing, interrupted=True).sentence
