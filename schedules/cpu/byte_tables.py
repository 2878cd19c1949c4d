"""A function in LLVM's own language that looks a vector of bytes up in a table of 256.

An instruction takes a part of the table: all parts are asked with a byte's lower bits, and its
upper bits choose between the answers. Source: Intel, "64 and IA-32 Architectures Software
Developer's Manual", volume 2, VPSHUFB and VPERMI2B.
"""

from __future__ import annotations

from typing import Final

from tvmfuse.target.isa import ByteLookup

ENTRIES: Final = 256
FUNCTION: Final = "tvmfuse_lookup"

TEXT: Final = """
{declared}
define <{n} x i8> @{name}(<{n} x i8> %byte, ptr %table) #0 {{
{body}
}}
attributes #0 = {{ alwaysinline "target-features"="+{feature}" }}
"""

#: Asks a row of 16 entries, which each 128 bits of a vector have for themselves.
ROW: Final = """
  %at{k} = getelementptr i8, ptr %table, i64 {first}
  %row{k} = load <16 x i8>, ptr %at{k}, align 1
  %rows{k} = shufflevector <16 x i8> %row{k}, <16 x i8> poison, <{n} x i32> <{repeated}>
  %answer0.{k} = call <{n} x i8> @{intrinsic}(<{n} x i8> %rows{k}, <{n} x i8> %lower)"""

#: Asks 128 entries, in two vectors.
HALF: Final = """
  %left_at{k} = getelementptr i8, ptr %table, i64 {first}
  %right_at{k} = getelementptr i8, ptr %table, i64 {middle}
  %left{k} = load <{n} x i8>, ptr %left_at{k}, align 1
  %right{k} = load <{n} x i8>, ptr %right_at{k}, align 1
  %answer0.{k} = call <{n} x i8> @{intrinsic}(<{n} x i8> %left{k}, <{n} x i8> %byte,
    <{n} x i8> %right{k})"""

LOWER: Final = "\n  %lower = and <{n} x i8> %byte, {fifteen}"
BIT: Final = """
  %bit{level} = and <{n} x i8> %byte, {value}
  %is{level} = icmp ne <{n} x i8> %bit{level}, zeroinitializer"""
CHOICE: Final = """
  %answer{next}.{k} = select <{n} x i1> %is{level}, <{n} x i8> %answer{level}.{odd},
    <{n} x i8> %answer{level}.{even}"""


def function_of(instruction: ByteLookup) -> str:
    """Return the function `FUNCTION`: of a vector of bytes, and of the table's address."""
    n, intrinsic = instruction.lanes, instruction.intrinsic
    is_row = instruction.rows == 16
    operands = [f"<{n} x i8>"] * (2 if is_row else 3)
    parts = [_part(instruction, k) for k in range(ENTRIES // instruction.rows)]
    lower = LOWER.format(n=n, fifteen=_all(15, n)) if is_row else ""
    level, chosen = _choices(instruction)
    body = f"{lower}{''.join([*parts, *chosen])}\n  ret <{n} x i8> %answer{level}.0"
    return TEXT.format(
        declared=f"declare <{n} x i8> @{intrinsic}({', '.join(operands)})",
        n=n,
        name=FUNCTION,
        body=body,
        feature=instruction.feature,
    )


def _part(instruction: ByteLookup, k: int) -> str:
    n, rows = instruction.lanes, instruction.rows
    repeated = ", ".join(f"i32 {lane % 16}" for lane in range(n))
    return (ROW if rows == 16 else HALF).format(
        k=k,
        n=n,
        first=k * rows,
        middle=k * rows + n,
        repeated=repeated,
        intrinsic=instruction.intrinsic,
    )


def _choices(instruction: ByteLookup) -> tuple[int, list[str]]:
    """Return how many bits choose between the parts' answers, and the lines that do it."""
    n, left, level, found = instruction.lanes, ENTRIES // instruction.rows, 0, list[str]()
    while left > 1:
        left //= 2
        found.append(BIT.format(n=n, level=level, value=_all(instruction.rows << level, n)))
        found += [
            CHOICE.format(n=n, level=level, next=level + 1, k=k, odd=2 * k + 1, even=2 * k)
            for k in range(left)
        ]
        level += 1
    return level, found


def _all(value: int, lanes: int) -> str:
    """Return a vector of one byte."""
    return f"<{', '.join([f'i8 {value}'] * lanes)}>"
