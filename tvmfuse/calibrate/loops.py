"""Loops of one kind of instructions each, in LLVM's own text form.

It is compiled as it stands, without the optimizations that would see through a loop, and what is
loaded is volatile, so that it is loaded again in each iteration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from tvm.target import Target

from tvmfuse.build.native import layout
from tvmfuse.target.machine import Machine

#: Multiply-adds of one iteration that wait for each other.
CHAINED: Final = 16
#: Vectors that one iteration reads, one behind the other.
READ: Final = 16
#: Groups of mixed instructions in one iteration, and how many each has: four on integers, a load
#: and a multiply-add.
GROUPS: Final = 8
MIXED: Final = 6


def independent(machine: Machine) -> int:
    """Return how many multiply-adds of one iteration do not wait for each other."""
    return machine.isa.registers - 4


def text(target: Target) -> str:
    """Return a module of loops: ``multiply_add``, ``chain``, ``broadcast``, ``mixed``, ``read``.

    Each takes the address of float32 numbers, how often it iterates, and, for ``read``, which
    walks through so much memory again and again, the bytes less one, which is a power of two.
    """
    machine = Machine.of(target)
    lanes, features = machine.isa.float_lanes, ",".join(map(str, target.attrs.get("mattr", ())))
    vector, bits = _vector(machine), 32 * lanes
    attributes = {
        "target-cpu": target.attrs["mcpu"],
        "target-features": features,
        "prefer-vector-width": bits,
        "min-legal-vector-width": bits,
    }
    stated = " ".join(f'"{name}"="{value}"' for name, value in attributes.items())
    loops = (_multiply_add, _chain, _broadcast, _mixed, _read)
    return "\n".join([
        layout(target),
        f"declare {vector} @llvm.fmuladd.v{lanes}f32({vector}, {vector}, {vector})",
        *(_function(write, machine) for write in loops),
        f"attributes #0 = {{ nounwind {stated} }}",
    ])  # fmt: skip


def _vector(machine: Machine) -> str:
    return f"<{machine.isa.float_lanes} x float>"


class _Body:
    """What a loop does in one iteration, or before the first.

    Attributes:
        machine: That it is for.
        vector: The type of its vectors.
        lines: The instructions.
        states: How many states each value has, beside the one at an iteration's begin.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.vector = _vector(machine)
        self.lines: list[str] = []
        self.states = Counter[str]()

    def state(self, value: str, code: str) -> None:
        """Write the next state of a value; ``{}`` in its code stands for the one before."""
        before = self.states[value]
        self.states[value] += 1
        self.lines.append(f"%{value}.{before + 1} = {code.format(f'%{value}.{before}')}")

    def multiply_add(self, number: int, factor: str = "%factor") -> None:
        """Write the next state of a sum."""
        name, v = f"@llvm.fmuladd.v{self.machine.isa.float_lanes}f32", self.vector
        self.state(f"sum{number}", f"call {v} {name}({v} {{}}, {v} {factor}, {v} %factor)")

    def load(self, name: str, kind: str, offset: int, base: str = "%base") -> None:
        """Load from so many bytes behind an address."""
        self.lines += [
            f"{name}.at = getelementptr i8, ptr {base}, i64 {offset}",
            f"{name} = load volatile {kind}, ptr {name}.at, align 4",
        ]

    def broadcast(self, name: str, offset: int) -> None:
        """Load a number from so many bytes behind the base into all lanes."""
        lanes, v = self.machine.isa.float_lanes, self.vector
        self.load(f"{name}.one", "float", offset)
        self.lines += [
            f"{name}.in = insertelement {v} poison, float {name}.one, i64 0",
            f"{name} = shufflevector {v} {name}.in, {v} poison, <{lanes} x i32> zeroinitializer",
        ]


def _multiply_add(body: _Body) -> None:
    for number in range(independent(body.machine)):
        body.multiply_add(number)


def _chain(body: _Body) -> None:
    for _ in range(CHAINED):
        body.multiply_add(0)


def _broadcast(body: _Body) -> None:
    for number in range(independent(body.machine)):
        body.broadcast(f"%many{number}", 4 * number)
        body.multiply_add(number, f"%many{number}")


def _mixed(body: _Body) -> None:
    for group in range(GROUPS):
        for number in range(MIXED - 2):
            kind = "add" if group % 2 else "xor"
            body.state(f"integer{number}", f"{kind} i64 {{}}, %times")
        body.load(f"%loaded{group}", body.vector, 64 * group)
        body.multiply_add(group)


def _read(body: _Body) -> None:
    nbytes = 4 * body.machine.isa.float_lanes
    body.lines += [
        f"%walked = mul i64 %i, {READ * nbytes}",
        "%offset = and i64 %walked, %mask",
        "%from = getelementptr i8, ptr %base, i64 %offset",
    ]
    for number in range(READ):
        body.load(f"%loaded{number}", body.vector, number * nbytes, "%from")


def _function(write: Callable[[_Body], None], machine: Machine) -> str:
    """Return a loop as a function that TVM can call: its arguments are 16 bytes each."""
    begin, body = _Body(machine), _Body(machine)
    for place, name in enumerate(("address", "times", "mask")):
        begin.load(f"%{name}", "i64", 16 * place + 8, "%arguments")
    begin.lines.append("%base = inttoptr i64 %address to ptr")
    begin.broadcast("%factor", 0)
    write(body)
    kinds = {"sum": (body.vector, "%factor"), "integer": ("i64", "%times")}
    values = [(v, last, *kinds[v.rstrip("0123456789")]) for v, last in body.states.items()]
    return "\n".join([
        f"define i32 @__tvm_ffi_{write.__name__[1:]}(ptr, ptr %arguments, i32, ptr) #0 {{",
        "begin:",
        *begin.lines,
        "br label %loop",
        "loop:",
        "%i = phi i64 [ 0, %begin ], [ %next, %loop ]",
        *(
            f"%{name}.0 = phi {kind} [ {first}, %begin ], [ %{name}.{last}, %loop ]"
            for name, last, kind, first in values
        ),
        *body.lines,
        "%next = add i64 %i, 1",
        "%more = icmp ult i64 %next, %times",
        "br i1 %more, label %loop, label %end",
        "end:",
        *(
            f"store volatile {kind} %{name}.{last}, ptr %base, align 4"
            for name, last, kind, _ in values
        ),
        "ret i32 0",
        "}",
    ])  # fmt: skip
