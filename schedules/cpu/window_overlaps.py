"""Pools whose steps overlap, where a store under a mask takes as long as ten others.

::

    shorter than half a vector:  |---|          a part of half a one, under a mask
    than a vector:               |----|         two halves that may overlap
                                   |----|
    than two:                    |--------|     two
                                     |--------|
    longer:                      |--------|--------|        |
                                                |--------|--------|

Of long lines only the first and the last step ask which columns there are.
"""

from __future__ import annotations

from functools import partial

from tvm import tirx
from tvm.tirx import IfThenElse, Stmt

from tvmfuse.schedules.cpu.window_columns import Columns
from tvmfuse.schedules.cpu.window_widths import Nested, Widths
from tvmfuse.schedules.expressions import number
from tvmfuse.schedules.loop_nests import Values, sequence


def overlapping_nests(widths: Widths, others: Nested) -> Stmt | None:
    """Return a nest for each class of widths; `others` is the nest of those that are in none."""
    extent, lanes = widths.extent, widths.plan.lanes
    whole, half = (Columns.of_results(widths.window, n, lanes) for n in (lanes, lanes // 2))
    classes = [
        (extent < half.lanes, partial(widths.one_step, half, masked=True)),
        (extent < lanes, partial(_both_ends, widths, half)),
        (extent <= 2 * lanes, partial(_both_ends, widths, whole)),
        (widths.has_room(whole), partial(widths.steps, whole, 2 * lanes + 1)),
    ]
    return widths.in_classes(classes, others)


def _both_ends(widths: Widths, columns: Columns) -> Stmt | None:
    """Return the nest of lines of one step or of two."""
    extent, lanes = widths.extent, columns.lanes
    end, placed = widths.builder.sealed("last", tirx.max(extent - lanes, 0))
    first = widths.strip(columns, number(0), **widths.sure(0, lanes))
    last = widths.strip(columns, end, **widths.sure(1, lanes))

    def line(at: Values) -> Stmt | None:
        again = last.line(at)
        return sequence([first.line(at), again and IfThenElse(extent > lanes, again, None)])

    return sequence([*placed, *first.bounds, *last.bounds, widths.lines(line)])
