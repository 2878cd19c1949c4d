"""compile_many: files equal to those compiled alone, a row for each, and runs that go on."""

from __future__ import annotations

import fcntl
import hashlib
import io
import json
import os
import shutil
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from rich.console import Console

import tvmfuse
from tvmfuse.errors import ArtifactError, ConfigurationError, UnknownTargetError
from tvmfuse.fleet.executor import LostError, Outcome, Task
from tvmfuse.fleet.result import CompiledModels
from tvmfuse.format.atomic import atomic_write
from tvmfuse.format.signature import verify
from tvmfuse.passes import plugged

MY_PLUGIN = Path(__file__).parents[1] / "my_plugin" / "my_plugin"


@dataclass
class Here:
    """Runs tasks in this process, and keeps them.

    Attributes:
        before: Called with each, before it runs.
    """

    before: Callable[[Any], object] = lambda _: None
    sees_files: bool = True
    capacity: int = 3
    tasks: list[Any] = field(default_factory=list)

    def submit(self, task: Task) -> Future[Outcome]:
        self.tasks.append(task)
        future: Future[Outcome] = Future()
        try:
            self.before(task)
            future.set_result(task.run())
        except LostError as error:
            future.set_exception(error)
        return future

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        pass


def all_of(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.onnx"))


def states(found: CompiledModels) -> dict[str, str]:
    return {model.file: model.state for model in found.models}


def compiled_alone(model: Path, target: str, folder: Path) -> bytes:
    tvmfuse.compile(model, target).save(folder / "alone.so")
    return (folder / "alone.so").read_bytes()


def test_processes_compile_what_is_equal_to_what_is_compiled_alone(
    models: Path, tmp_path: Path, just_in_time: None
) -> None:
    rows, steps = list[str](), list[str]()
    found = tvmfuse.compile_many(
        all_of(models), tmp_path / "out", targets=["avx2", "avx512"], jobs=2,
        progress=steps.append, finished=lambda row: rows.append(row.file),
    )  # fmt: skip
    assert states(found) == {
        **{f"{name}.{t}.so": "compiled" for name in ("a/net", "b/net", "b/again")
           for t in ("avx2", "avx512")},
        "broken.avx2.so": "refused", "broken.avx512.so": "refused",
    }  # fmt: skip
    assert sorted(rows) == sorted(states(found))
    assert steps[-1] == "8 of 8 are done"
    assert not found.all_done
    assert found.sentence.endswith("out: 6 compiled, 2 refused")
    for model in found.models:
        place = tmp_path / "out" / model.file
        assert place.exists() == model.is_done
        if model.is_done:
            assert place.read_bytes() == compiled_alone(Path(model.model), model.target, tmp_path)
            assert verify(place, sha256=model.sha256) == model.sha256
        else:
            assert model.reason.startswith(f"'{model.model}': not a valid ONNX file")
    listed = json.loads(Path(found.manifest).read_text())["models"]
    assert {row["file"]: row["sha256"] for row in listed} == {
        m.file: m.sha256 for m in found.models
    }
    x = np.ones((2, 8), "float32")
    assert tvmfuse.load(tmp_path / "out/a/net.avx2.so")(x=x)["y"].shape == (2, 4)


def test_a_run_goes_on_where_the_last_one_stopped(models: Path, tmp_path: Path) -> None:
    def run(*names: Path, before: Any = lambda _: None, **settings: Any) -> CompiledModels:
        workers = Here(before)
        found = tvmfuse.compile_many(
            names or all_of(models), tmp_path / "out", executor=workers, **settings
        )
        tasks.append([Path(task.model).name for task in workers.tasks])
        return found

    def interrupt(task: Any) -> None:
        if len(tasks) == 0 and task.model.endswith("b/net.onnx"):
            raise KeyboardInterrupt

    tasks: list[list[str]] = []
    found = run(before=interrupt)
    assert found.interrupted
    assert states(found) == {
        "a/net.llvm.so": "interrupted", "b/again.llvm.so": "interrupted",
        "b/net.llvm.so": "interrupted", "broken.llvm.so": "interrupted",
    }  # fmt: skip
    assert set(states(run()).values()) == {"compiled", "refused"}
    again = run()
    assert states(again)["b/net.llvm.so"] == "kept"
    assert tasks[1:] == [["net.onnx", "net.onnx", "broken.onnx"], ["broken.onnx"]]

    # Another folder in common: the same keys, so that nothing is compiled, under other names.
    moved = run(models / "a/net.onnx", models / "a/../a/net.onnx")
    assert states(moved) == {"net.llvm.so": "kept"}
    first, second = (tmp_path / "out" / name for name in ("net.llvm.so", "a/net.llvm.so"))
    assert first.read_bytes() == second.read_bytes()
    assert tasks.pop() == []

    # What changed is compiled again: a file that was damaged, another model, other settings.
    second.write_bytes(b"half")
    first.unlink()
    assert states(run(models / "a/net.onnx", models / "b/net.onnx")) == {
        "a/net.llvm.so": "kept", "b/net.llvm.so": "kept",
    }  # fmt: skip
    (tmp_path / "out/b/again.llvm.so").unlink()
    (tmp_path / "out/a/net.llvm.so").unlink()
    assert states(run(models / "a/net.onnx")) == {"net.llvm.so": "compiled"}
    assert states(run(models / "a/net.onnx", level="none")) == {"net.llvm.so": "compiled"}
    assert states(run(models / "a/net.onnx", level="none", map_weights=True)) == {
        "net.llvm.so": "kept"
    }
    weights = models / "b/net.bin"
    weights.write_bytes(bytes(weights.stat().st_size))
    assert states(run(models / "b/net.onnx")) == {"net.llvm.so": "compiled"}


def test_workers_elsewhere_get_the_files_and_this_machine_s_target(
    models: Path, tmp_path: Path
) -> None:
    workers = Here(sees_files=False)
    places = [models / "b/net.onnx", models / "broken.onnx"]
    found = tvmfuse.compile_many(places, tmp_path / "out", executor=workers)
    assert [*workers.tasks[0].files] == ["net.onnx", "net.bin"]
    assert "mcpu" in workers.tasks[0].target
    assert found.models[0].target == "llvm"
    alone = compiled_alone(places[0], "llvm", tmp_path)
    assert (tmp_path / "out/b/net.llvm.so").read_bytes() == alone
    assert found.models[1].reason.startswith(f"'{places[1]}': not a valid ONNX file")


def test_workers_elsewhere_look_for_the_same_tuned_plans(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TVMFUSE_DATABASE", str(tmp_path / "tuned"))

    def on_another_node(_: object) -> None:
        monkeypatch.delenv("TVMFUSE_DATABASE", raising=False)

    workers = Here(on_another_node, sees_files=False)
    found = tvmfuse.compile_many([models / "a/net.onnx"], tmp_path / "out", executor=workers)
    assert found.models[0].reason.startswith("database: expected a folder, and there is none")


def test_a_model_that_is_written_to_meanwhile_is_named(models: Path, tmp_path: Path) -> None:
    names = [models / "a/net.onnx", models / "b/net.onnx", models / "broken.onnx"]

    def write(task: Any) -> None:
        if "a/net" in task.model:
            (models / "b/net.bin").write_bytes((models / "b/net.bin").read_bytes())

    found = tvmfuse.compile_many(names, tmp_path / "out", executor=Here(write))
    assert [model.state for model in found.models] == ["compiled", "refused", "refused"]
    assert found.models[1].reason == "its file was written to since it was looked at: run it again"

    workers = Here(lambda _: names[1].unlink(), sees_files=False, capacity=1)
    found = tvmfuse.compile_many(names[:2], tmp_path / "out2", executor=workers)
    assert [model.state for model in found.models] == ["compiled", "refused"]
    assert found.models[1].reason.startswith(f"cannot read {names[1]}")


def test_a_worker_with_another_compiler_is_refused(models: Path, tmp_path: Path) -> None:
    from dataclasses import replace

    workers = Here()
    tvmfuse.compile_many([models / "a/net.onnx"], tmp_path / "out", executor=workers)
    (task,) = workers.tasks
    outcome = replace(task, compiler=("0.0.1", "0.26", "abcdefghij")).run()
    assert not outcome.content
    assert "expected 0.0.1 0.26, sources abcdefgh, found" in outcome.reason


def test_what_dies_or_is_a_defect_is_named_and_the_rest_completes(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meet(task: Any) -> None:
        if "again" in task.model:
            raise LostError("3 processes died of it")
        if "b/net" in task.model:
            monkeypatch.setattr("tvmfuse.fleet.compile_task.compile_model", lambda *_, **__: 1 // 0)

    names = [models / "a/net.onnx", models / "b/again.onnx", models / "b/net.onnx"]
    (models / "b/again.onnx").write_bytes((models / "b/again.onnx").read_bytes() + b"\x3a\x00")
    found = tvmfuse.compile_many(names, tmp_path / "out", executor=Here(meet))
    assert [(m.state, m.reason) for m in found.models] == [
        ("compiled", ""), ("lost", "3 processes died of it"),
        ("refused", "unexpected ZeroDivisionError: integer division or modulo by zero; please report"),
    ]  # fmt: skip
    assert {m["state"] for m in json.loads(Path(found.manifest).read_text())["models"]} == {
        "compiled", "lost", "refused"
    }  # fmt: skip


@pytest.mark.parametrize("name", ["passes", "enabled_pass"])
def test_passes_of_the_caller_s_run_and_count(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """One that was edited is another one: what an earlier run compiled with it is made anew."""
    monkeypatch.syspath_prepend(tmp_path)
    rule, found = (MY_PLUGIN / "double_negation.py").read_text(), []
    for number, text in enumerate((rule, rule, rule + "# edited\n")):
        module = f"rule_of_{name}_{max(number - 1, 0)}"
        (tmp_path / f"{module}.py").write_text(text)
        settings: dict[str, Any] = {name: [f"{module}:DoubleNegation"]}
        one = [models / "a/net.onnx"]
        run = tvmfuse.compile_many(one, tmp_path / "out", executor=Here(), **settings)
        found.append(run.models[0].state)
        plugged.forget()
    assert found == ["compiled", "kept", "compiled"]


def test_what_the_compiler_warns_of_is_in_the_row(models: Path, tmp_path: Path) -> None:
    found = tvmfuse.compile_many(
        [models / "a/net.onnx"], tmp_path / "out", executor=Here(), cache=tmp_path / "file/cache",
    )  # fmt: skip
    assert found.models[0].warnings == ()
    (tmp_path / "file").rename(tmp_path / "other")
    (tmp_path / "file").write_text("")
    found = tvmfuse.compile_many(
        [models / "a/net.onnx"], tmp_path / "out2", executor=Here(), cache=tmp_path / "file/cache",
    )  # fmt: skip
    assert "are not kept for the next time" in found.models[0].warnings[0]
    text = io.StringIO()
    Console(width=300, file=text).print(found.table())
    assert "warning: compiled kernels are not kept" in " ".join(text.getvalue().split())


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"models": "net.onnx"}, ConfigurationError, "models: expected a list, found 'net.onnx'"),
        ({"models": []}, ConfigurationError, "models: expected one or more, found none"),
        ({"models": [3]}, ConfigurationError, "models: expected names, found 3"),
        ({"models": ["not_there.onnx"]}, ConfigurationError, "not_there.onnx: No such file"),
        ({"models": ["."]}, ConfigurationError, "cannot read .: it is a folder"),
        ({"models": ["memory://not/there.onnx"]}, ConfigurationError, "memory://not/there.onnx"),
        ({"targets": "avx2"}, ConfigurationError, "targets: expected a list, found 'avx2'"),
        ({"targets": ["avx3"]}, UnknownTargetError, "'avx3'; did you mean avx2"),
        ({"jobs": 0}, ConfigurationError, "jobs: expected a number of 1 or more, found 0"),
        ({"levle": 1}, ConfigurationError, "no setting 'levle': did you mean level?"),
        ({"dump_ir": "x"}, ConfigurationError, "no setting 'dump_ir'"),
        ({"level": "most"}, ConfigurationError, "most"),
        (
            {"cache": 3},
            ConfigurationError,
            "cache: expected True, False, a folder, a URL or a SharedCache, found 3",
        ),
    ],
)
def test_what_is_wrong_is_said_before_any_work(
    given: dict[str, Any], error: type[Exception], words: str, models: Path, tmp_path: Path
) -> None:
    workers = Here()
    some = {"models": [models / "a/net.onnx"], "output": tmp_path / "out", "executor": workers}
    with pytest.raises(error) as caught:
        tvmfuse.compile_many(**{**some, **given})
    assert words in str(caught.value)
    assert not workers.tasks


def test_a_folder_that_cannot_be_written_to_is_told_before_any_work(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(output: Path) -> str:
        workers = Here()
        with pytest.raises(ArtifactError) as caught:
            tvmfuse.compile_many([models / "a/net.onnx"], output, executor=workers)
        assert not workers.tasks
        return str(caught.value)

    (tmp_path / "file").write_text("")
    assert "cannot make the folder" in refused(tmp_path / "file")
    assert "cannot make the folder" in refused(tmp_path / "file/out")
    out = tmp_path / "out"
    out.mkdir()
    (out / "compile-many.json").write_text("[]")
    assert "is no list of compiled models: remove it" in refused(out)
    (out / "compile-many.json").write_text('{"format": 9}')
    assert "is in format 9, and this tvmfuse has 1" in refused(out)
    (out / "compile-many.json").unlink()
    descriptor = os.open(out, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    assert "another compile-many writes into" in refused(out)
    os.close(descriptor)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(9, 8, 1))
    assert "has room for 1 byte" in refused(out)


def test_a_disk_that_fills_up_ends_the_run_and_keeps_what_is_done(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Any, **options: Any) -> Any:
        if "b/" in str(path):
            raise ArtifactError(f"cannot write {path}: No space left on device")
        return atomic_write(path, **options)

    monkeypatch.setattr("tvmfuse.fleet.manifest.atomic_write", full)
    with pytest.raises(ArtifactError, match="No space left"):
        tvmfuse.compile_many(all_of(models), tmp_path / "out", executor=Here())
    (kept,) = json.loads((tmp_path / "out/compile-many.json").read_text())["models"]
    content = (tmp_path / "out" / kept["file"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == kept["sha256"]
