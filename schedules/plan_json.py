"""Plans as JSON's types, and back: what does not fit is refused in words."""

from __future__ import annotations

import functools
import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tvmfuse.errors import ConfigurationError
from tvmfuse.schedules.attention_plan import AttentionPlan
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.plans import (
    BlockDotsPlan,
    ContractionPlan,
    DepthwisePlan,
    FusedPaddingPlan,
    MatrixUnitPlan,
    NestPlan,
    PointwisePlan,
    ReductionPlan,
    RepeatingPlan,
    RowsPlan,
    WindowPlan,
    WinogradPlan,
)
from tvmfuse.schedules.steps import in_order, resolve

NESTS: Final[Mapping[str, type[NestPlan]]] = {
    plan.kind: plan
    for plan in (
        *(ContractionPlan, DepthwisePlan, ReductionPlan, PointwisePlan, RowsPlan),
        *(FusedPaddingPlan, WinogradPlan, AttentionPlan, RepeatingPlan, WindowPlan),
        *(BlockDotsPlan, MatrixUnitPlan),
    )
}
"""Every kind of nest, by its name in JSON."""

Plan = TypeVar("Plan", bound=NestPlan)


def to_json(plan: KernelPlan) -> dict[str, Any]:
    """Return a kernel's plan as JSON's types."""
    return {
        "schedule": plan.schedule,
        "steps": list(plan.steps),
        "nests": [_nest_to_json(nest) for nest in plan.nests],
    }


def from_json(value: Any, what: str = "a plan") -> KernelPlan:
    """Return the plan that `to_json` took apart.

    Args:
        value: What was read.
        what: Whose plan it is, for the message.

    Raises:
        ConfigurationError: It is none; the message says what was expected and what was found.
    """
    if isinstance(value, KernelPlan):
        return value
    if not isinstance(value, Mapping) or not {"schedule", "nests"} <= set(value):
        raise ConfigurationError(
            f"{what}: expected an object with schedule, steps and nests, found {value!r}"
        )
    if unknown := sorted(set(value) - {"schedule", "steps", "nests"}):
        raise ConfigurationError(
            f"{what}: expected schedule, steps and nests, found {', '.join(unknown)}"
        )
    names = _typed(value.get("steps", ()), tuple[str, ...], f"{what}: steps")
    nests = _typed(value["nests"], tuple[NestPlan, ...], f"{what}: nests")
    schedule = _typed(value["schedule"], str, f"{what}: schedule")
    return KernelPlan(schedule, in_order(resolve(name).name for name in names), nests)


def _nest_to_json(plan: NestPlan) -> dict[str, Any]:
    return {"kind": plan.kind, **{f.name: _plain(getattr(plan, f.name)) for f in fields(plan)}}


def _plain(value: Any) -> Any:
    if isinstance(value, NestPlan):
        return _nest_to_json(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _nest_from_json(value: Any, expected: type[Plan], what: str) -> Plan:
    if isinstance(value, expected):
        return value
    kinds = [kind for kind, plan in NESTS.items() if issubclass(plan, expected)]
    kind = value.get("kind") if isinstance(value, Mapping) else None
    if kind not in kinds:
        raise ConfigurationError(
            f"{what}: expected an object of the kind {' or '.join(kinds)}, found {value!r}"
        )
    plan: Any = NESTS[str(kind)]
    known = {f.name: f for f in fields(plan)}
    needed = {n for n, f in known.items() if f.default is MISSING}
    given = {name: item for name, item in value.items() if name != "kind"}
    if lacking := sorted(needed - given.keys()):
        raise ConfigurationError(f"{what}: a {kind} plan needs {', '.join(lacking)}")
    if unknown := sorted(given.keys() - known.keys()):
        raise ConfigurationError(
            f"{what}: a {kind} plan has {', '.join(known)}; found {', '.join(unknown)}"
        )
    hints = _hints(plan)
    values = {name: _typed(item, hints[name], f"{what}: {name}") for name, item in given.items()}
    made: Plan = plan(**values)
    return made


@functools.cache
def _hints(plan: type[NestPlan]) -> Mapping[str, Any]:
    return get_type_hints(plan)


def _typed(value: Any, hint: Any, what: str) -> Any:
    """Return a value of JSON as a field's type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in args:
            return None
        (hint,) = (arg for arg in args if arg is not type(None))
        return _typed(value, hint, what)
    if origin is Literal:
        if value in args:
            return value
        raise ConfigurationError(f"{what}: expected {' or '.join(map(str, args))}, found {value!r}")
    if origin is tuple:
        if isinstance(value, Sequence) and not isinstance(value, str):
            return tuple(_typed(item, args[0], what) for item in value)
        raise ConfigurationError(f"{what}: expected a list, found {value!r}")
    if isinstance(hint, type) and issubclass(hint, NestPlan):
        return _nest_from_json(value, hint, what)
    # A bool is an int to Python, and none to a reader.
    if not isinstance(value, hint) or isinstance(value, bool) != (hint is bool):
        raise ConfigurationError(f"{what}: expected {_named(hint)}, found {value!r}")
    return value


def _named(hint: type) -> str:
    return {int: "an integer", bool: "true or false", str: "a text"}.get(hint, hint.__name__)
