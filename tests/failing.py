"""Passes and schedules that fail on purpose: they raise, do not come to an end, or leave nonsense."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
from firing import CASES
from graphs import onnx_model
from reference import assert_agrees, reference
from tvm import IRModule, relax, tirx
from tvm.tirx import PrimFunc

import tvmfuse
from tvmfuse.errors import CompilationError, LeftOutWarning, PassError, ScheduleError
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.passes.catalogue import PIPELINE
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.phase import FIXPOINT, Phase
from tvmfuse.passes.trace import Trace
from tvmfuse.schedules import schedule as driver
from tvmfuse.schedules.catalogue import CATALOGUE
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.protocol import Declined, Schedule, Subject

#: A pass's own work, and what it makes of a module.
Fault = Callable[[GraphPass, IRModule, Trace], Any]


def _raises(_self: GraphPass, _module: IRModule, _trace: Trace) -> Any:
    raise ZeroDivisionError("by design")


def _goes_on(_self: GraphPass, module: IRModule, trace: Trace) -> Any:
    trace.fire(("planted",))
    return IRModule(dict(module.functions_items()), attrs=module.attrs)


def _unbound(_self: GraphPass, module: IRModule, _trace: Trace) -> Any:
    """Return a variable that nothing binds."""
    main = module["main"]
    body = relax.SeqExpr(list(main.body.blocks), relax.Var("loose", main.ret_ty))
    functions = dict(module.functions_items())
    broken = relax.Function(main.params, body, main.ret_ty)
    functions[module.get_global_var("main")] = broken
    return IRModule(functions, attrs=module.attrs)


def _loses_an_output(_self: GraphPass, module: IRModule, _trace: Trace) -> Any:
    builder, main = relax.BlockBuilder(), module["main"]
    with builder.function("main", [relax.Var(param.name, param.ty) for param in main.params]):
        builder.emit_func_output(relax.Tuple([]))
    functions = dict(module.functions_items())
    functions[module.get_global_var("main")] = builder.get()["main"]
    return IRModule(functions, attrs=module.attrs)


PASS_FAULTS: Mapping[str, tuple[Fault, str]] = {
    "raises": (_raises, "ZeroDivisionError: by design"),
    "goes on": (_goes_on, "it still fires after 10 rounds on its own results"),
    "unbound": (_unbound, "its result is not well-formed: "),
    "no output": (_loses_an_output, "its result is not well-formed: main: expected "),
    "no module": (lambda *_: None, "TypeError: expected a module, found NoneType"),
}
"""How a pass fails, and what is said of it."""

#: Those that run for a CPU.
PASSES = [(phase, entry) for phase in PIPELINE for entry in phase.passes if "llvm" in entry.targets]


def failures() -> list[tuple[GraphPass, str]]:
    """Return each pass with each fault that it can have: one that runs once comes to an end."""
    return [
        (entry, fault)
        for phase, entry in PASSES
        for fault in PASS_FAULTS
        if fault != "goes on" or _repeats(phase)
    ]


def _repeats(phase: Phase) -> bool:
    return phase.repeat is FIXPOINT


def plant_in_pass(patch: pytest.MonkeyPatch, entry: GraphPass, fault: str) -> str:
    """Let a pass fail; return what is said of it."""
    work, said = PASS_FAULTS[fault]

    def fails(self: GraphPass, module: IRModule, trace: Trace | None = None) -> Any:
        return work(self, module, trace or Trace())

    patch.setattr(type(entry), "__call__", fails)
    return said


@dataclass(frozen=True)
class FailingSchedule:
    """A schedule that takes what another takes, and fails.

    Attributes:
        own: The other one.
        fault: How it fails.
    """

    own: Schedule
    fault: str

    @property
    def name(self) -> str:
        return self.own.name

    def plan(self, subject: Subject) -> KernelPlan | Declined:
        """Plan as the other does, or fail."""
        plan = self.own.plan(subject)
        if isinstance(plan, Declined):
            return plan
        if self.fault == "plan raises":
            raise ZeroDivisionError("by design")
        return self.plan(subject) if self.fault == "plan goes on" else plan

    def misfit(self, subject: Subject, plan: KernelPlan) -> str | None:
        """Say what the other says."""
        return self.own.misfit(subject, plan)

    def emit(self, subject: Subject, plan: KernelPlan) -> PrimFunc:
        """Fail, or return what no compiler takes."""
        del plan
        if self.fault == "emit raises":
            raise ZeroDivisionError("by design")
        return subject.function.with_body(tirx.Evaluate(tirx.Var("loose", "int32") + 1))


SCHEDULE_FAULTS = {
    "plan raises": "ZeroDivisionError: by design",
    "plan goes on": "RecursionError: maximum recursion depth exceeded",
    "emit raises": "ZeroDivisionError: by design",
    "ill-formed": "ValueError: its code is not well-formed: ",
}
"""How a schedule fails, and what is said of it."""

SCHEDULES = [entry for entry in CATALOGUE["llvm"] if entry.name != "as_written"]


def plant_in_schedule(patch: pytest.MonkeyPatch, name: str, fault: str) -> None:
    """Let a schedule fail on each kernel that it takes: the generic one gets them from another."""
    names = {name, "elementwise"} if name == "generic" else {name}
    broken = tuple(
        FailingSchedule(entry, fault) if entry.name in names else entry
        for entry in CATALOGUE["llvm"]
    )
    patch.setattr(driver, "CATALOGUE", {"llvm": broken})


def model_for(name: str) -> onnx.ModelProto:
    """Return a model with a kernel that a schedule takes, the generic one where others fail."""
    if name == "attention":
        return next(case for case in CASES if case.rule == "AttentionFusion").model()
    if name == "winograd":
        weights = {"w": np.random.default_rng(0).standard_normal((64, 64, 3, 3), "float32")}
        conv = onnx.helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])
        return onnx_model([conv], {"x": ("float32", (1, 64, 28, 28))}, {"y": "float32"}, weights)
    if name == "block_dots":
        weights = {"b": np.ones((16, 1, 16), "uint8"), "s": np.ones(16, "float32")}
        said: dict[str, Any] = {"K": 32, "N": 16, "bits": 4, "block_size": 32, "accuracy_level": 4}
        domain = "com.microsoft"
        product = onnx.helper.make_node(
            "MatMulNBits", ["x", *weights], ["y"], domain=domain, **said
        )
        x, y = {"x": ("float32", (3, 32))}, {"y": "float32"}
        return onnx_model([product], x, y, weights, domains=[domain])
    if name == "lookup":
        node, step = onnx.helper.make_node, ["s", "z"]
        nodes = [
            node("DequantizeLinear", ["x", *step], ["a"]),
            node("Sigmoid", ["a"], ["b"]),
            node("QuantizeLinear", ["b", *step], ["y"]),
        ]
        steps = {"s": np.array(0.1, "float32"), "z": np.array(3, "uint8")}
        return onnx_model(nodes, {"x": ("uint8", (7, 53))}, {"y": "uint8"}, steps)
    graph = f'<ir_version: 8, opset_import: ["": 17]> g {GRAPHS[name]}'
    return onnx.parser.parse_model(graph)


GRAPHS = {
    "elementwise": "(float[7,53] x) => (float[7,53] y) { y = Relu(x) }",
    "conv": "(float[1,5,13,17] x, float[7,5,3,3] w) => (float[1,7,7,9] y) "
    "{ y = Conv<strides=[2, 2], pads=[1, 1, 1, 1]>(x, w) }",
    "repeating": "(float[3,2,4] x, float[1,5,4] w, float[1,5,5] r) => (float[3,1,2,5] y) "
    "{ y = RNN<hidden_size=5>(x, w, r) }",
    "matmul": "(float[37,45] x, float[45,53] w) => (float[37,53] y) { y = MatMul(x, w) }",
    "matvec": "(float[512,64] x, float[64] w) => (float[512] y) { y = MatMul(x, w) }",
    "reduction": "(float[9,37] x) => (float[9,37] y) { y = Softmax(x) }",
    "generic": "(float[7,53] x) => (float[7,53] y) { y = Relu(x) }",
}


def assert_pass_is_left_out(patch: pytest.MonkeyPatch, entry: GraphPass, fault: str) -> None:
    """Whether a pass that fails is named, left out where it can be, and an error where asked."""
    said, tiny = plant_in_pass(patch, entry, fault), model_for("elementwise")
    enabled = () if entry.default or entry.required else (entry.name,)
    words = f"{re.escape(entry.name)} failed.*{re.escape(said)}"
    with pytest.raises(CompilationError, match=words) as caught:
        tvmfuse.explain(tiny, enabled_pass=enabled, strict=True)
    assert isinstance(caught.value, PassError) is not entry.required
    if entry.required:
        with pytest.raises(CompilationError, match=words):
            tvmfuse.explain(tiny)
        return
    with pytest.warns(LeftOutWarning, match=f"pass {words}") as warned:
        report = tvmfuse.explain(tiny, enabled_pass=enabled)
    assert len(warned) == 1
    assert report[entry.name].status == "disabled"
    assert report[entry.name].note.startswith("left out: ")


def assert_schedule_is_left_out(
    patch: pytest.MonkeyPatch, name: str, fault: str, *, strict: bool
) -> None:
    """Whether a schedule that fails is named, and the model is right without it."""
    model = model_for(name)
    words = f"the schedule {name} failed on the kernel .*{SCHEDULE_FAULTS[fault]}"
    plant_in_schedule(patch, name, fault)
    if strict:
        first = words.replace("generic", "elementwise")
        with pytest.raises(ScheduleError, match=first):
            tvmfuse.compile(model, cache=False, strict=True)
    with pytest.warns(LeftOutWarning, match=words):
        artifact = tvmfuse.compile(model, cache=False)
    assert name not in {kernel.schedule for kernel in artifact.manifest.kernels}
    run = artifact.load()
    feeds = random_inputs(run.inputs, seed=0)
    assert_agrees(run(feeds), reference(model, feeds))
