"""What `tvmfuse.torch_backend.report` says of graphs, and what `fullgraph` makes an error."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner, Result
from torch import nn
from torch._dynamo.exc import BackendCompilerFailed

import tvmfuse.torch_backend
from tvmfuse.cli import main
from tvmfuse.torch_backend.backend import tvmfuse_backend
from tvmfuse.torch_backend.report import TorchReport, forget


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    forget()
    torch._dynamo.reset()
    torch._dynamo.utils.clear_compilation_metrics()
    yield
    torch._dynamo.reset()


def reported(function: Any, *calls: tuple[Any, ...], **options: Any) -> TorchReport:
    call: Any = torch.compile(function, backend=tvmfuse_backend, options=options)
    for arguments in calls:
        call(*arguments)
    return tvmfuse.torch_backend.report()


def broken(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    print("here")
    return y * 2


def determinant(x: torch.Tensor) -> torch.Tensor:
    found: torch.Tensor = torch.linalg.det(x + 1)
    return found


def test_groups_and_nodes_in_eager() -> None:
    found = reported(determinant, (torch.randn(3, 3),))
    (graph,) = found.graphs
    assert graph.kind == "inference"
    assert [(group.operators, group.kernels) for group in graph.groups] == [
        (("aten.add.Tensor",), 1)
    ]
    where = f"{__file__}:{determinant.__code__.co_firstlineno + 1}"
    why = "tvmfuse has no converter for this operator"
    assert str(found).splitlines() == [
        "inference: 1 nodes in 1 groups, 1 kernels",
        f"  in eager: aten._linalg_det.default (_linalg_det, {where}): {why}",
    ]


def test_a_broken_graph() -> None:
    found = reported(broken, (torch.randn(3),))
    first, second = found.graphs
    assert first.broken.startswith(f"{__file__}:{broken.__code__.co_firstlineno + 2}: ")
    assert "print" in first.broken
    assert not second.broken
    assert f"the graph breaks at {first.broken}" in str(found)


def test_what_is_compiled_again() -> None:
    def times(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    found = reported(times, (torch.ones(3),), (torch.ones(3).double(),))
    assert len(found.graphs) == 2
    (frame,) = found.recompiled
    assert frame.function == "times"
    assert "dtype mismatch. expected Float, actual Double" in frame.why
    assert f"compiled again: {frame}" in str(found)


def test_nothing_is_captured_of_a_recurrent_layer() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.LSTM(3, 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            found: torch.Tensor = self.layer(x + 1)[0]
            return found

    found = reported(Model(), (torch.randn(2, 1, 3),))
    said = str(found).splitlines()
    assert said[0] == "no graph came to tvmfuse"
    assert said[1].startswith(f"Dynamo captured nothing of forward ({__file__}:")
    assert "torch._dynamo.config.allow_rnn" in said[1]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (broken, r"UnsupportedModelError: the graph breaks at .*test_report.py:\d+: .*print"),
        (determinant, r"of the inference graph stay in eager, 1 in all:\n  aten._linalg_det"),
    ],
)
def test_a_full_graph_has_neither(function: Any, words: str) -> None:
    with pytest.raises(BackendCompilerFailed, match=words):
        reported(function, (torch.randn(3, 3),), fullgraph=True)


def test_an_error_is_not_said_to_be_a_function_without_graphs() -> None:
    with pytest.raises(BackendCompilerFailed, match="there is no option 'levl'"):
        reported(broken, (torch.randn(3),), levl="none")
    found = tvmfuse.torch_backend.report()
    assert not found.uncaptured
    (frame,) = found.failed
    assert "there is no option 'levl'; did you mean level?" in frame.why
    assert f"an error ended the compilation of broken ({__file__}:" in str(found)


class TestPrograms:
    """`tvmfuse explain program.py`."""

    @pytest.fixture
    def program(self, tmp_path: Path) -> Path:
        path = tmp_path / "train.py"
        path.write_text(
            "import sys, torch\n"
            "layer = torch.nn.Linear(3, 4).eval()\n"
            "def net(x): return torch.linalg.det(layer(x)[:, :3] + 1)\n"
            "with torch.no_grad(): torch.compile(net, backend='tvmfuse')(torch.ones(3, 3))\n"
            "print('arguments:', *sys.argv[1:])\n"
            "if 'fail' in sys.argv: raise ValueError('no such data')\n"
            "if 'exit' in sys.argv: sys.exit(7)\n"
            "if 'say' in sys.argv: sys.exit('no such file')\n"
        )
        return path

    def explained(self, program: Path, *arguments: str) -> Result:
        before = sys.argv, [*sys.path]
        result = CliRunner().invoke(main, ["explain", str(program), *arguments])
        assert (sys.argv, sys.path) == before
        return result

    def test_its_graphs_are_reported(self, program: Path) -> None:
        result = self.explained(program, "--", "--epochs", "1")
        assert result.exit_code == 0, result.output
        first, graph, eager = result.stdout.splitlines()
        assert first == "arguments: --epochs 1"
        assert graph.startswith("inference: ")
        assert graph.endswith(" MB of weights beside the module's")
        assert f"({program}:3)" in eager.replace("_linalg_det, ", "")

    @pytest.mark.parametrize(("end", "code"), [("fail", 1), ("exit", 7), ("say", 1)])
    def test_json_of_one_that_ends_early(self, program: Path, end: str, code: int) -> None:
        result = self.explained(program, "--json", "--", end)
        assert result.exit_code == code
        (graph,) = json.loads(result.stdout)["graphs"]
        (group,) = graph["groups"]
        assert group["held_nbytes"] == 4 * 3 * 4  # the bias lies in the module
        assert [node["operator"] for node in graph["eager"]] == ["aten._linalg_det.default"]
        assert ("ValueError: no such data" in result.stderr) == (end == "fail")
        assert ("no such file" in result.stderr) == (end == "say")

    def test_without_torch(self, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "tvmfuse.torch_backend.program", None)
        result = self.explained(program)
        assert result.exit_code == 2
        assert "install it with: python -m pip install 'tvmfuse[torch]'" in result.stderr

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["train.py", "--level", "none"], "--level is for models"),
            (["net.onnx", "--", "x"], "only a program (.py) takes arguments, found 'x'"),
        ],
    )
    def test_options_of_the_other_kind(
        self, tmp_path: Path, arguments: list[str], words: str
    ) -> None:
        path = tmp_path / arguments[0]
        path.touch()
        result = CliRunner().invoke(main, ["explain", str(path), *arguments[1:]])
        assert result.exit_code == 2
        assert words in result.stderr
