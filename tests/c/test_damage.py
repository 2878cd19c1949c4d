"""A damaged file is an error in words, or runs as before: never a signal."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import resealed
from reliability.damaging import accidents

from tvmfuse.target.host_cpu import FLAGS, cpu_features


def test_a_truncated_file(
    in_watched_c: Callable[..., str], model_file: Callable[[str], Path]
) -> None:
    in_watched_c(
        """
        content = open(given[0], "rb").read()
        rng = np.random.default_rng(1)
        near_the_end = len(content) - 1 - np.arange(80)
        for size in [0, 1, *near_the_end, *rng.integers(0, len(content), 120)]:
            assert status_of(content[: int(size)] or b"x") == DAMAGED
            assert error()
        assert status_of(content + b"x") == DAMAGED
        assert status_of(content) == OK
        """,
        model_file("convolution"),
    )


def test_an_altered_byte(
    in_watched_c: Callable[..., str], model_file: Callable[[str], Path]
) -> None:
    in_watched_c(
        """
        content = open(given[0], "rb").read()
        rng = np.random.default_rng(2)
        index = content.rindex(b'{"header"')
        parts = (0, 64), (64, index), (index, len(content) - 60), (len(content) - 60, len(content))
        for begin, end in parts:
            for place in rng.integers(begin, end, 75):
                changed = bytearray(content)
                changed[place] ^= int(rng.integers(1, 256))
                assert status_of(bytes(changed)) in (DAMAGED, INCOMPATIBLE)
        """,
        model_file("convolution"),
    )


READS_ALL = """
def run(model):
    fed = [np.ones([2 if isinstance(n, str) else n for n in s], t) for _, t, s in model.inputs]
    outputs = (Tensor * len(model.outputs))()
    status = model.status(tensors(fed), outputs)
    found = bits([array_of(output) for output in outputs]) if status == OK else None
    for output in outputs:
        c.tvmfuse_free(output.data)
    return status, found


def types(model):
    return [tensor[1:] for tensor in (*model.inputs, *model.outputs)]


whole, refused = Model(given[0]), 0
_, expected = run(whole)
for name in os.listdir(given[1]):
    try:
        model = Model(f"{given[1]}/{name}")
    except OSError as failed:
        assert failed.args[0] in (DAMAGED, INCOMPATIBLE), (name, failed)
        refused += 1
        continue
    if types(model) == types(whole):  # compiled code relies on them: others may be read beyond
        status, found = run(model)
        assert status in (INVALID, FAILED) or found == expected, (name, status, error())
    model.close()
print(refused)
"""


@pytest.fixture
def refused(
    in_watched_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path
) -> Callable[[str, int, int], int]:
    """Return a function that reads damaged files, and counts those that are refused.

    The others have to run as the whole one does, or end in an error.
    """

    def count(how: str, seed: int, files: int) -> int:
        original = model_file(("perceptron", "rows", "quantized", "of any size")[seed % 4])
        damage = {"accidents": accidents, "lies": resealed.lies}[how]
        for number, content in zip(range(files), damage(original.read_bytes(), seed), strict=False):
            (tmp_path / f"{number}").write_bytes(content)
        return int(in_watched_c(READS_ALL, original, tmp_path))

    return count


@pytest.mark.parametrize("seed", range(4))
def test_an_accident_is_refused(refused: Callable[[str, int, int], int], seed: int) -> None:
    assert refused("accidents", seed, 40) == 40


@pytest.mark.parametrize("seed", range(4))
def test_an_index_that_lies_is_refused_or_harmless(
    refused: Callable[[str, int, int], int], seed: int
) -> None:
    assert refused("lies", seed, 60) > 20


@pytest.mark.reliability
@pytest.mark.parametrize("seed", range(4, 14))
def test_many_damaged_files(refused: Callable[[str, int, int], int], seed: int) -> None:
    """Ten times 150: 1,500 files."""
    assert refused("accidents", seed, 75) == 75
    assert refused("lies", seed, 75) > 20


TEXTS = {
    "nothing": "",
    "no end": '{"header": {',
    "deep": "[" * 100_000,
    "deep objects": '{"a":' * 100_000,
    "half an escape": '{"header": "\\u12',
    "a wrong escape": '{"header": "\\x"}',
    "a number that is none": '{"header": -}',
    "a word that is none": '{"header": nul}',
    "a line in a text": '{"a": "\n"}',
    "two values": "{} {}",
    "a comma too many": '{"a": [1,]}',
    "no list": "[]",
    "zeros": "\0\0\0",
}


def test_an_index_that_is_no_json_of_ours(
    in_watched_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path
) -> None:
    content = model_file("rows").read_bytes()
    for name, text in TEXTS.items():
        (tmp_path / name).write_bytes(resealed.resealed(content, text=text.encode()))
    in_watched_c(
        """
        for name in os.listdir(given[0]):
            assert status_of(f"{given[0]}/{name}") == DAMAGED, name
            assert "says of itself what tvmfuse does not write" in error()
        """,
        tmp_path,
    )


def test_names_are_read_as_json_has_them(
    in_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path
) -> None:
    name = 'é"\\/\b\f\n\r\t\u20ac\U0001f600'

    def rename(index: dict[str, Any]) -> None:
        index["header"]["builds"][0]["manifest"]["inputs"][0]["name"] = name

    content = resealed.changed(model_file("rows").read_bytes(), rename)
    (tmp_path / "model.so").write_bytes(content)
    in_c("assert Model(given[0]).inputs[0][0] == given[1]", tmp_path / "model.so", name)


@pytest.mark.parametrize(
    "name", ["\x7f\x80\u07ff", "\u0800\ud7ff\ue000", "\uffff\U00010000\U0010ffff"]
)
def test_names_may_be_in_utf_8(
    in_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    content = called(model_file("rows").read_bytes(), name.encode())
    (tmp_path / "model.so").write_bytes(content)
    in_c("assert Model(given[0]).inputs[0][0] == given[1]", tmp_path / "model.so", name)


NO_UTF_8 = {
    "a byte alone": b"\x80",
    "no first byte": b"\xff",
    "half a character": b"\xe2\x82",
    "too long a form": b"\xc0\xaf",
    "too long a form of three": b"\xe0\x80\xaf",
    "a surrogate": b"\xed\xa0\x80",
    "beyond Unicode": b"\xf4\x90\x80\x80",
    "five bytes": b"\xf8\x88\x80\x80\x80",
}


@pytest.mark.parametrize("name", NO_UTF_8.values(), ids=NO_UTF_8)
def test_names_that_are_no_utf_8_are_refused(
    in_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path, name: bytes
) -> None:
    content = called(model_file("rows").read_bytes(), name)
    (tmp_path / "model.so").write_bytes(content)
    said = in_c("assert status_of(given[0]) == DAMAGED; print(error())", tmp_path / "model.so")
    assert "its index is no JSON" in said


def called(content: bytes, name: bytes) -> bytes:
    """Return a record whose first input has a name that is written as these bytes."""
    text = json.dumps(resealed.index_of(content)).encode()
    return resealed.resealed(content, text=text.replace(b'"name": "ids"', b'"name": "%s"' % name))


def test_a_cpu_feature_that_is_not_here_is_named(
    in_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path
) -> None:
    known = {name for flags in FLAGS.values() for name in flags}
    for feature in (min(known - cpu_features()), "a feature of next year"):

        def need(index: dict[str, Any], feature: str = feature) -> None:
            index["header"]["builds"][0]["manifest"]["cpu_features"].append(feature)

        content = resealed.changed(model_file("rows").read_bytes(), need)
        (tmp_path / "model.so").write_bytes(content)
        said = in_c(
            "assert status_of(given[0]) == INCOMPATIBLE; print(error())", tmp_path / "model.so"
        )
        assert f'needs a CPU with "{feature}", which this machine\'s lacks' in said


def test_a_file_of_another_processor_is_refused(
    in_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path
) -> None:
    content, machines = bytearray(model_file("rows").read_bytes()), (62, 183)  # x86-64 and AArch64
    content[18] = sum(machines) - content[18]
    (tmp_path / "model.so").write_bytes(content)
    said = in_c("assert status_of(given[0]) == INCOMPATIBLE; print(error())", tmp_path / "model.so")
    assert re.search("compiled for (aarch64|x86_64), and this machine is (x86_64|aarch64)", said)


def test_what_c_cannot_run_is_said(
    in_c: Callable[..., str], model_file: Callable[[str], Path], tmp_path: Path
) -> None:
    content = model_file("rows").read_bytes()

    def cuda(index: dict[str, Any]) -> None:
        index["header"]["builds"][0]["manifest"]["target"] = '{"kind": "cuda", "arch": "sm_90"}'

    def of_format(number: int) -> bytes:
        footer = len(content) - 60
        return content[:footer] + bytes([number]) + content[footer + 1 :]

    files = {
        "gpu": resealed.changed(content, cuda),
        "older": of_format(6),
        "newer": of_format(8),
        "no main": resealed.changed(
            resealed.resealed(content, contents=content_without(content, b"__tvm_ffi_main")),
            lambda _: 0,
        ),
        "bundle": b"TVMFUSEB" + bytes(100),
    }
    words = {}
    for name, changed in files.items():
        (tmp_path / name).write_bytes(changed)
        words[name] = in_c(
            "assert status_of(given[0]) == INCOMPATIBLE; print(error())", tmp_path / name
        )
    assert "was compiled for a GPU" in words["gpu"]
    assert "is in format 6, and this library reads format 7" in words["older"]
    assert "is in format 8, and this library reads format 7" in words["newer"]
    assert "has no compiled main that C can call" in words["no main"]
    assert "is a bundle of parts" in words["bundle"]


def content_without(content: bytes, symbol: bytes) -> bytes:
    """Return what stands before a record's index, with another name for a symbol."""
    index = content.rindex(b'{"header"')
    return content[:index].replace(symbol, symbol.upper())
