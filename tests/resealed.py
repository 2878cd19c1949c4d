"""Records whose index was changed and whose checksums were computed anew, as one who lies would."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, Final

import xxhash

from tvmfuse.format.record import FOOTER, RecordFormat, footer_of

#: What a number, a word or a list may be replaced by.
VALUES: Final[tuple[Any, ...]] = (
    *(0, 1, -1, 2, 3, 63, 2**31, 2**63 - 1, 2**63, 2**64, 2**70, -(2**63), 10**400),
    *(True, False, None, 0.5, 1e300, float("nan"), float("inf")),
    *(
        "",
        "x",
        "\0",
        "float64",
        "float8_e4m3fn",
        "<f4",
        "object",
        "V16",
        "\u00e9" * 300,
        "-1",
        "{}",
    ),
    *([], [[]], [0], [2**62, 4], ["*", "n", "n"], ["?", 1, 2], {}, {"x": 1}),
)


def index_of(content: bytes) -> dict[str, Any]:
    """Return a record's index."""
    _, contents_size, index_size, *_ = FOOTER.unpack(content[-FOOTER.size :])
    index: dict[str, Any] = json.loads(content[contents_size : contents_size + index_size])
    return index


def resealed(
    content: bytes,
    index: object = None,
    *,
    contents: bytes | None = None,
    text: bytes | None = None,
) -> bytes:
    """Return a record with another index, and with checksums that fit.

    Args:
        content: The record.
        index: The index; by default its own.
        contents: What stands before the index; by default what stood there.
        text: The index as it is written, where it is no JSON.
    """
    version, contents_size, *_, magic = FOOTER.unpack(content[-FOOTER.size :])
    contents = content[:contents_size] if contents is None else contents
    index = index_of(content) if index is None else index
    if isinstance(index, dict) and "sha256" in index:
        index = {**index, "sha256": hashlib.sha256(contents).hexdigest()}
    written = json.dumps(index).encode() if text is None else text
    checksum = xxhash.xxh64_intdigest(contents)
    footer = footer_of(RecordFormat(magic, version), len(contents), checksum, written)
    return contents + written + footer


def changed(content: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return a record with an index that a function has changed in place."""
    index = index_of(content)
    change(index)
    return resealed(content, index)


def shares_its_input(index: dict[str, Any]) -> None:
    """Have a compiled file's index say that its first output has its first input's memory."""
    manifest = index["header"]["builds"][0]["manifest"]
    given, made = manifest["inputs"][0], manifest["outputs"][0]
    made |= {key: given[key] for key in ("dtype", "shape")}
    manifest["shared"] = {made["name"]: given["name"]}


def lies(content: bytes, seed: int) -> Iterator[bytes]:
    """Yield records without end that say something else at one to three places of the index."""
    rng, index = random.Random(seed), index_of(content)
    while True:
        told = copy.deepcopy(index)
        for _ in range(rng.choice((1, 1, 2, 3))):
            _lie(told, rng)
        yield resealed(content, told)


def _lie(tree: Any, rng: random.Random) -> None:
    """Change one place of a tree of JSON: a value, a key, or the number of parts."""
    places: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        keys = list(node) if isinstance(node, dict) else range(len(node))
        places += [(node, key) for key in keys]
        waiting += [node[key] for key in keys if isinstance(node[key], dict | list)]
    if not places:
        return
    # A manifest is mostly kernels: one half of the lies is about what stands in few places.
    near = [place for place in places if place[0] is tree or place[1] in NUMBERS]
    node, key = rng.choice(near if near and rng.random() < 0.5 else places)
    what = rng.random()
    if what < 0.1:
        del node[key]
    elif what < 0.2 and isinstance(node, list):
        node.insert(key, copy.deepcopy(node[key]))
    elif what < 0.3 and isinstance(node[key], int) and not isinstance(node[key], bool):
        node[key] += rng.choice((-64, -8, -1, 1, 8, 64))
    elif what < 0.35:
        other, there = rng.choice(places)
        node[key] = copy.deepcopy(other[there])
    else:
        node[key] = copy.deepcopy(rng.choice(VALUES))


#: Keys that lead into memory, or decide what is read.
NUMBERS: Final = (
    *(
        "builds",
        "payloads",
        "weights",
        "shape",
        "dtype",
        "inputs",
        "outputs",
        "overridable",
        "device_code",
    ),
    *("aliased_outputs", "manifest", "target", "machine", "versions", "report", "level", "kernels"),
)
