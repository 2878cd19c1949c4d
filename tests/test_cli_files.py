"""No verb writes over a file that it reads, whichever options name them, in whichever order."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from quantized_models import network

from tvmfuse.cli import main
from tvmfuse.cli.files import NamedArray, ReadPath, Verb, WrittenPath

VERBS = dict(sorted(main.commands.items()))


def reading(verb: click.Command) -> list[click.Parameter]:
    return [p for p in verb.params if isinstance(p.type, ReadPath | NamedArray)]


def writing(verb: click.Command) -> list[click.Parameter]:
    return [p for p in verb.params if isinstance(p.type, WrittenPath)]


def test_every_verb_knows_its_files() -> None:
    """What a verb's own function takes as a path is declared as read or as written."""
    assert all(isinstance(verb, Verb) for verb in VERBS.values())
    for verb in VERBS.values():
        paths = [p for p in verb.params if isinstance(p.type, click.Path)]
        assert {*paths} <= {*reading(verb), *writing(verb)}, verb.name
    assert {"quantize", "run", "compile", "sign", "bisect"} <= {
        name for name, verb in VERBS.items() if reading(verb) and writing(verb)
    }


def cases() -> Iterator[Any]:
    for name, verb in VERBS.items():
        for one, other in itertools.product(writing(verb), reading(verb)):
            yield pytest.param(name, one, other, id=f"{name} {one.name} {other.name}")


def command(verb: click.Command, files: dict[click.Parameter, str], *, turned: bool) -> list[str]:
    """Return a command line with these files, and what else the verb asks for."""
    arguments = [files[p] for p in verb.params if p in files and isinstance(p, click.Argument)]
    options = [[p.opts[-1], files[p]] for p in files if isinstance(p, click.Option)]
    return [*arguments, *itertools.chain(*(options[::-1] if turned else options))]


@pytest.mark.parametrize("same", ["itself", "symbolic", "hard"])
@pytest.mark.parametrize(("name", "written", "read"), [*cases()])
def test_no_verb_writes_over_what_it_reads(
    tmp_path: Path, name: str, written: click.Parameter, read: click.Parameter, same: str
) -> None:
    verb = VERBS[name]
    place = tmp_path / "file"
    place.write_bytes(b"{}")
    target = {"itself": "file", "symbolic": "symbolic", "hard": "hard"}[same]
    if same == "symbolic":
        (tmp_path / "symbolic").symlink_to(place)
    elif same == "hard":
        os.link(place, tmp_path / "hard")
    files: dict[click.Parameter, str] = {}
    for param in verb.params:
        if param is read:
            files[param] = f"x={place}" if isinstance(param.type, NamedArray) else str(place)
        elif param is written:
            files[param] = str(tmp_path / target)
        elif param.required:
            other = tmp_path / f"other {param.name}"
            if param in reading(verb):
                other.write_bytes(b"{}")
            files[param] = str(other)
    before = sorted(os.listdir(tmp_path))
    for turned in (False, True):
        done = CliRunner().invoke(main, [name, *command(verb, files, turned=turned)])
        assert done.exit_code == 2, (done.output, done.exception)
        assert place.read_bytes() == b"{}"
        assert sorted(os.listdir(tmp_path)) == before
        if same != "symbolic":  # which is refused where it would be replaced by a file
            folder = written.type.file_okay is False  # type: ignore[attr-defined]
            assert ("would overwrite" in done.stderr) or folder, done.stderr


def test_weights_beside_a_model_and_files_of_a_folder_are_read_too(tmp_path: Path) -> None:
    model, data = tmp_path / "net.onnx", tmp_path / "data"
    onnx.save(network(), model, save_as_external_data=True, location="w.bin", size_threshold=0)
    data.mkdir()
    np.savez(data / "0.npz", x=np.zeros(1))
    before = {path: path.read_bytes() for path in (tmp_path / "w.bin", data / "0.npz")}
    for place, options, words in (
        ("w.bin", ["compile", str(model)], "--output would overwrite a file of MODEL"),
        (
            "data/0.npz",
            ["quantize", str(model), "--calibration", str(data)],
            "--output would overwrite a file of --calibration",
        ),
    ):
        done = CliRunner().invoke(main, [*options, "-o", str(tmp_path / place)])
        assert (done.exit_code, words in done.stderr) == (2, True), done.stderr
    assert {path: path.read_bytes() for path in before} == before


def test_a_file_that_is_there_is_written_over_as_ever(tmp_path: Path) -> None:
    model, output = tmp_path / "net.onnx", tmp_path / "outputs.npz"
    onnx.save(network(), model)
    output.write_bytes(b"old")
    done = CliRunner().invoke(main, ["run", str(model), "-o", str(output)])
    assert done.exit_code == 0, done.output
    assert np.load(output)["y"].shape == (2, 5)
