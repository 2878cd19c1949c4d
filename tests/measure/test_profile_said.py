"""What a profile says: its table, its notes, its page."""

from __future__ import annotations

import numpy as np
import pytest
from measure.made_profiles import line, made, text
from rich.console import Console

from tvmfuse.measure.machine import Machine
from tvmfuse.measure.profile import _typical
from tvmfuse.views.terminal import table


def test_shares_add_up_to_the_whole() -> None:
    found = made(line(), line("b", 20.0), line("c", 5.0))
    shares = [each["share"] for each in found.to_json()["launches"]]
    assert shares == [0.25, 0.5, 0.125]
    assert sum(shares) + found.to_json()["between_share"] == pytest.approx(1)


def test_equal_kernels_are_one_line_the_largest_first() -> None:
    found = made(
        line(node="a"), line("b", 15.0), line(node="c", flop=4000, roofline_microseconds=1.0)
    )
    first, second = found.lines()
    assert (first.kernel, first.calls, first.microseconds, first.nodes) == (
        "fused_gemm",
        2,
        20.0,
        ("a", "c"),
    )
    assert (first.flop, first.nbytes, first.roofline_share) == (6000, 800, 6.0 / 20.0)
    assert second.kernel == "b"
    assert [each.microseconds for each in found.lines(each=True)] == [15.0, 10.0, 10.0]


def test_on_80_columns_there_is_room_for_names() -> None:
    console = Console(width=80)
    with console.capture() as captured:
        console.print(made(line("fused_conv_blocked", plan="13 x 16, k by 2")).table())
    rows = [row for row in captured.get().splitlines() if row.startswith("│")]
    assert max(map(len, rows)) <= 80
    assert rows[0].startswith("│ fused_conv_blocked ")
    assert "matmul: 13 x 16" in rows[2]


def test_what_is_not_known_of_one_is_not_known_of_all() -> None:
    (both,) = made(
        line(), line(flop=None, nbytes=None, roofline_bound=None, roofline_microseconds=None)
    ).lines()
    assert (both.gflops, both.gbytes_per_s, both.roofline_share) == (None, None, None)


def test_the_table_fits_the_terminal_and_names_are_no_markup() -> None:
    long = line("fused_" + "conv_" * 30, 123456789.1, "elementwise", "/model/" + "layer/" * 30)
    found = made(long, *(line(f"k{i}[/]", node="[red]") for i in range(30)))
    for shown in (found.table(), found.table(each=True), found.table(top=3)):
        console = Console(width=100)
        with console.capture() as captured:
            console.print(shown)
        lines = captured.get().splitlines()
        assert max(map(len, lines)) <= 100
        assert "[bold]" in lines[0]
    assert "[red]" in text(found.table())
    assert "123456789.1" in text(found.table())
    assert "28 more" in text(found.table(top=3))
    assert "the whole run" in text(found.table(top=3))


def test_of_the_roof_says_which() -> None:
    assert "50% memory" in text(made(line()).table())
    assert "50% compute" in text(made(line(roofline_bound="compute")).table())


@pytest.mark.parametrize("bound", [5.0, 10.0, 10.04])
def test_a_share_up_to_the_whole_is_shown(bound: float) -> None:
    found = made(line(roofline_microseconds=bound))
    assert found.launches[0].roofline_share == bound / 10
    assert not any("no share" in note for note in found.notes)


def test_an_impossible_share_is_blank_and_said_to_be() -> None:
    found = made(line(roofline_microseconds=86.2), line("b"))
    assert found.launches[0].roofline_share is None
    assert found.to_json()["launches"][0]["roofline_share"] is None
    assert ("862" in text(found.table()), "50% memory" in text(found.table())) == (False, True)
    assert any("no share of the roofline: 1 kernel took less" in note for note in found.notes)


def test_on_a_busy_machine_the_profile_has_a_banner_and_is_grey() -> None:
    busy = made(line(), machine=Machine(cores=2, others=0.89))
    shown = " ".join(text(busy.table()).split())
    assert shown.startswith("Not quiet: other processes took 89 % of the time of the 2 cores")
    assert "Not quiet" not in text(table(busy, banner=False))
    page = str(busy.to_html())
    assert (page.count('class="banner"'), page.count('<tr class="doubtful">')) == (1, 3)
    assert "doubtful" not in made(line()).to_html()


def test_the_trace_has_the_run_whose_kernels_are_typical() -> None:
    """The first was preempted in a kernel, the second between kernels, the last is fast."""
    spent = np.array([[9.0, 1.0, 0.1], [2.0, 1.0, 7.0], [2.1, 1.1, 0.2], [1.0, 0.9, 0.1]])
    assert _typical(spent) == 2


def test_winograd_s_operations_are_said_to_be_its_own() -> None:
    words = "fewer than those of the direct convolution"
    assert any(words in note for note in made(line(schedule="winograd")).notes)
    assert not any(words in note for note in made(line()).notes)


def test_a_busy_machine_is_named() -> None:
    words = "preempted by other processes"
    assert any(words in note for note in made(line(), run_milliseconds=0.02).notes)
    assert not any(words in note for note in made(line(), run_milliseconds=0.018).notes)


def test_as_a_page() -> None:
    page = str(made(line("k<b>", node="<i>")).to_html())
    assert "k&lt;b&gt;" in page
    assert "<i>" not in page
    assert "the whole run" in page
    assert "GFLOP/s (float32)" in page
