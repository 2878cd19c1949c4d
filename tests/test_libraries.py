"""libraries: what LLVM made is kept under a digest of what it was given."""

from pathlib import Path
from typing import Any

import libraries
import numpy as np
import pytest
from graphs import graph, run, tensor
from tvm import te
from tvm.relax import const
from tvm.relax.op import add, exp, sum as total
from tvm.target import Target

X = np.linspace(0, 1, 12, dtype="float32").reshape(3, 4)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return a function that counts what is kept, from now on in a folder of its own."""
    monkeypatch.setattr(libraries, "folder", tmp_path)
    return lambda: len(list(tmp_path.rglob("*.kernel")))


def computed(added: float = 1.0) -> np.ndarray:
    module = graph(lambda x, _: exp(total(add(x, const(added, "float32")), 1)), tensor(3, 4))
    return run(module, X)[0]


def test_the_same_kernels_are_linked_once(kept: Any) -> None:
    first = computed()
    assert kept() == 1
    assert computed().tobytes() == first.tobytes()
    assert kept() == 1
    np.testing.assert_allclose(first, np.exp((X + 1).sum(1)), rtol=1e-5)


def test_other_kernels_are_others(kept: Any) -> None:
    np.testing.assert_allclose(computed(2.0) / computed(), np.full(3, np.exp(4)), rtol=1e-4)
    assert kept() == 2


def test_a_damaged_library_is_made_anew(kept: Any) -> None:
    expected = computed()
    assert libraries.folder is not None
    (file,) = libraries.folder.rglob("*.kernel")
    file.write_bytes(file.read_bytes()[:-1])
    assert computed().tobytes() == expected.tobytes()


def test_where_it_is_off_tvm_compiles_just_in_time(kept: Any, just_in_time: Any) -> None:
    computed()
    assert kept() == 0


def test_a_kernel_and_its_text(kept: Any) -> None:
    x = te.placeholder((8,), name="x")
    function = te.create_prim_func([x, te.compute((8,), lambda i: x[i] * 2.0)])
    for _ in range(2):
        texts = {cpu: libraries.assembly(function, Target({"kind": "llvm", "mcpu": cpu}))
                 for cpu in ("core-avx2", "skylake-avx512")}  # fmt: skip
    assert kept() == 2
    assert all("mulps" in text or "addps" in text for text in texts.values())
