"""Bullets of a pass's specification as small models: what its tier makes of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import onnx
import onnx.parser
import pytest
from graphs import ops
from onnx import helper, numpy_helper
from reference import TOLERANCE, assert_agrees, reference
from tvm.target import Target

from tvmfuse.build.assemble import build
from tvmfuse.errors import ModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.levels import name_of
from tvmfuse.manifest import Manifest
from tvmfuse.passes.selection import Selection, entries
from tvmfuse.pipeline.optimize import Optimized, optimize
from tvmfuse.target.resolve import resolve

#: This machine's instructions: what overflows narrowly depends on them. LLVM optimizes nothing.
HERE = Target({"kind": "llvm", **resolve("llvm").attrs, "opt-level": 0})

Arrays = Mapping[str, np.ndarray | tuple[int, ...]]


@dataclass(frozen=True)
class Case:
    """One bullet.

    Attributes:
        bullet: What it says.
        rule: The pass that it is about.
        graph: Inputs, outputs and nodes in ONNX's textual syntax. An output without a shape is
            written ``float[] y``.
        left: The operators that remain at the pass's level, in order; None if that is another
            bullet's affair.
        because: Why the pass leaves its place alone; None if it says nothing.
        fires: Whether the pass fires; it does not where it declines, or where the importer has
            already done its work.
        constants: Initializers; a shape stands for random float32 numbers.
        feeds: What is fed; what is not named here is random.
        enabled: Whether the pass has to be asked for.
        disabled: Passes of the tier that would change what this one leaves.
        opset: Of the ONNX domain.
        tolerance: Of an output's largest magnitude. In float16, each intermediate result that a
            fusion does not round is 2^-11 away.
    """

    bullet: str
    rule: str
    graph: str
    left: str | None
    because: str | None = None
    fires: bool = True
    constants: Arrays = field(default_factory=dict)
    feeds: Mapping[str, np.ndarray] = field(default_factory=dict)
    enabled: bool = False
    disabled: tuple[str, ...] = ()
    opset: int = 17
    tolerance: float = TOLERANCE

    def model(self) -> onnx.ModelProto:
        """Return the model, in which every constant is an initializer."""
        made = onnx.parser.parse_graph(f"graph {self.graph}")
        rng = np.random.default_rng(0)
        for name, value in self.constants.items():
            array = draw(rng, value) if isinstance(value, tuple) else value
            made.initializer.append(numpy_helper.from_array(array, name))
        opsets = [helper.make_opsetid("", self.opset)]
        return helper.make_model(made, opset_imports=opsets, ir_version=10)


def about(
    rule: str, *, enabled: bool = False, disabled: tuple[str, ...] = ()
) -> Callable[..., Case]:
    """Return a function that makes cases about one pass; further keywords are constants."""

    def make(
        bullet: str,
        graph: str,
        left: str | None,
        because: str | None = None,
        *,
        fires: bool | None = None,
        opset: int = 17,
        feeds: Mapping[str, np.ndarray] | None = None,
        tolerance: float = TOLERANCE,
        **constants: np.ndarray | tuple[int, ...],
    ) -> Case:
        fires = because is None if fires is None else fires
        return Case(
            bullet,
            rule,
            graph,
            left,
            because,
            fires,
            constants,
            feeds or {},
            enabled,
            disabled,
            opset,
            tolerance,
        )

    return make


def check(case: Case, *, numbers: bool = True, target: str = "avx2") -> Optimized:
    """The pass fires or declines as the bullet says, and the numbers are onnxruntime's.

    The target is what layouts suit. The numbers are computed without schedules, and so anywhere.
    """
    model = case.model()
    enabled = [case.rule] if case.enabled else []
    imported = import_model(model)
    tier = next(name_of(tier) for tier, p in entries() if p.name == case.rule)
    selection = Selection.of(tier, case.disabled, enabled)
    optimized = optimize(imported.module, selection, target=resolve(target))
    report = optimized.report[case.rule]
    assert report.status == "ran"
    left = ops(optimized.operators) if case.left is not None else None
    found = left, [d.reason for d in report.declined], report.fired > 0
    left = case.left.split() if case.left is not None else None
    expected = left, [case.because] if case.because else [], case.fires
    assert found == expected, f"found {found}, expected {expected}"
    feeds = inputs_of(model) | dict(case.feeds)
    computed = compute(imported, optimized, feeds)
    if numbers:
        assert_agrees(computed, reference(model, feeds), tolerance=case.tolerance)
    return optimized


def inputs_of(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Return numbers for all inputs but those that an initializer fills."""
    filled = {t.name for t in model.graph.initializer}
    return {i.name: draw_input(i) for i in model.graph.input if i.name not in filled}


def check_refused(case: Case, *words: str) -> None:
    """The importer says why the model cannot be compiled."""
    with pytest.raises(ModelError) as caught:
        import_model(case.model())
    assert [w for w in words if w not in str(caught.value)] == []


def compute(
    imported: ImportedModel, optimized: Optimized, feeds: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Run the kernels as they are, without schedules and without LLVM's optimizations."""
    manifest = Manifest(
        "model", imported.inputs, imported.outputs, overridable=imported.overridable
    )
    artifact = build(optimized.kernels, HERE, manifest, defaults=imported.defaults)
    return artifact.load()(feeds)


def draw(rng: np.random.Generator, shape: Sequence[int]) -> np.ndarray:
    return rng.standard_normal(shape).astype("float32")


def draw_input(value: onnx.ValueInfoProto) -> np.ndarray:
    """Return numbers for an input; a symbolic dimension is 2."""
    tensor = value.type.tensor_type
    shape = [d.dim_value if d.HasField("dim_value") else 2 for d in tensor.shape.dim]
    dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    numbers = draw(np.random.default_rng(len(value.name)), shape)
    return np.asarray(numbers > 0 if np.dtype(dtype).kind == "b" else numbers, dtype)


def cases(*listed: Case) -> pytest.MarkDecorator:
    """Return the decorator that makes a test of each."""
    return pytest.mark.parametrize("case", listed, ids=lambda case: case.bullet)
