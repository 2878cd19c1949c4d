"""schedules.cpu.byte_tables: what LLVM is told; test_lookup.py runs it."""

import pytest

from tvmfuse.schedules.cpu.byte_tables import ENTRIES, FUNCTION, function_of
from tvmfuse.target.isa import VPERMI2B, VPSHUFB, VPSHUFB_512, ByteLookup


@pytest.mark.parametrize("instruction", [VPSHUFB, VPSHUFB_512, VPERMI2B])
def test_all_parts_are_asked_and_the_upper_bits_choose(instruction: ByteLookup) -> None:
    text, parts = function_of(instruction), ENTRIES // instruction.rows
    vector = f"<{instruction.lanes} x i8>"
    assert text.count(f"call {vector} @{instruction.intrinsic}(") == parts
    assert text.count(" select ") == parts - 1
    assert text.count(" icmp ne ") == parts.bit_length() - 1
    assert f"define {vector} @{FUNCTION}({vector} %byte, ptr %table)" in text
    assert f'"target-features"="+{instruction.feature}"' in text


@pytest.mark.parametrize("instruction", [VPSHUFB, VPSHUFB_512, VPERMI2B])
def test_each_part_is_read_once(instruction: ByteLookup) -> None:
    text, read = function_of(instruction), min(instruction.rows, instruction.lanes)
    places = [int(line.split()[-1]) for line in text.splitlines() if "getelementptr" in line]
    assert places == [*range(0, ENTRIES, read)]
