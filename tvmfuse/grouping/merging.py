"""Groups that become fewer: a producer and its consumer are one where that makes no cycle.

The groups stand in an order in which they can run. A path from one to another has only groups
between the two, so that nothing else is looked at; what is merged puts just those in order that it
touches (Pearce and Kelly, A dynamic topological sort algorithm for directed acyclic graphs, 2006).
"""

from __future__ import annotations

import graphlib
import heapq
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence

from tvmfuse.grouping.flow import Flow


class Merging:
    """Groups that become fewer.

    Args:
        parts: The groups, convex, the items of each in order and of one side.
        flow: The items.
        most: How many arguments a group may have.
    """

    def __init__(self, parts: Sequence[list[int]], flow: Flow, most: int) -> None:
        self._most, self._kept = most, flow.kept
        self._members = {number: list(part) for number, part in enumerate(parts)}
        self._side = [flow.items[part[0]].side for part in parts]
        self._last = [part[-1] for part in parts]
        self._inputs = [flow.inputs(set(part)) for part in parts]
        self._outputs = [flow.outputs(set(part)) for part in parts]
        self._readers: defaultdict[str, set[int]] = defaultdict(set)
        for number, names in enumerate(self._inputs):
            for name in names:
                self._readers[name].add(number)
        group = {place: number for number, part in enumerate(parts) for place in part}
        self._before = [
            {group[p] for place in part for p in flow.before(place)} - {number}
            for number, part in enumerate(parts)
        ]
        self._after: list[set[int]] = [set() for _ in parts]
        for number, before in enumerate(self._before):
            for other in before:
                self._after[other].add(number)
        order = graphlib.TopologicalSorter(dict(enumerate(self._before))).static_order()
        self._turn = {number: turn for turn, number in enumerate(order)}

    def merge(self, alone: Collection[Hashable] = ()) -> None:
        """Merge until nothing changes, consumers and their producers from the last one on.

        Args:
            alone: Sides whose groups stay as they are.
        """
        changed = True
        while changed:
            changed = False
            for consumer in sorted(self._members, key=self._last.__getitem__, reverse=True):
                while consumer in self._members and self._absorb(consumer, alone):
                    changed = True

    def join(self, sides: Collection[Hashable], stages: Sequence[int]) -> None:
        """Merge groups of these sides and one stage, of which none waits for another."""
        of_stage: defaultdict[tuple[Hashable, int], list[int]] = defaultdict(list)
        for number in sorted(self._members, key=self._last.__getitem__):
            if self._side[number] in sides:
                of_stage[self._side[number], stages[self._last[number]]].append(number)
        for numbers in of_stage.values():
            kept: list[int] = []
            for number in numbers:
                if not any(self._joined(number, other) for other in kept):
                    kept.append(number)

    def groups(self) -> list[list[int]]:
        """Return the groups in an order in which they can run; each has its items in order.

        Of those that can run, the one whose last item stands first does.
        """
        missing = {number: len(self._before[number]) for number in self._members}
        ready = [(self._last[number], number) for number, count in missing.items() if not count]
        heapq.heapify(ready)
        order = []
        while ready:
            _, number = heapq.heappop(ready)
            order.append(sorted(self._members[number]))
            for after in self._after[number]:
                missing[after] -= 1
                if not missing[after]:
                    heapq.heappush(ready, (self._last[after], after))
        return order

    def _absorb(self, consumer: int, alone: Collection[Hashable]) -> bool:
        if self._side[consumer] in alone:
            return False
        producers = sorted(self._before[consumer], key=self._last.__getitem__, reverse=True)
        return any(self._merged(producer, consumer) for producer in producers)

    def _joined(self, number: int, other: int) -> bool:
        first, second = sorted((number, other), key=self._turn.__getitem__)
        return second not in self._after[first] and self._merged(first, second, into=other)

    def _merged(self, first: int, second: int, into: int | None = None) -> bool:
        """Merge two, the later one of which takes the other, unless ``into`` says which."""
        if self._side[first] != self._side[second]:
            return False
        inputs = (self._inputs[first] | self._inputs[second]) - self._outputs[first]
        outputs = self._outputs[second] | self._read_elsewhere(first, second)
        if len(inputs) + len(outputs) > self._most:
            return False
        later = self._between(first, second)
        if later is None:
            return False
        self._reorder(first, second, later)
        into = second if into is None else into
        self._take(into, first if into == second else second, outputs, inputs)
        return True

    def _read_elsewhere(self, first: int, second: int) -> set[str]:
        """Return what others than the second group, and the caller, read from the first."""
        own = {first, second}
        return {
            name
            for name in self._outputs[first]
            if name in self._kept or not self._readers[name] <= own
        }

    def _between(self, first: int, second: int) -> set[int] | None:
        """Return what follows the first one up to the second; nothing if the second waits for it.

        The latest are looked at first: where there is a way at all, they are next to its end.
        """
        end = self._turn[second]
        waiting = [-self._turn[n] for n in self._after[first] if self._turn[n] < end]
        at = {self._turn[n]: n for n in self._after[first]}
        heapq.heapify(waiting)
        seen = set()
        while waiting:
            number = at[-heapq.heappop(waiting)]
            if number in seen:
                continue
            if second in self._after[number]:
                return None
            seen.add(number)
            for after in self._after[number]:
                if self._turn[after] < end and after not in seen:
                    at[self._turn[after]] = after
                    heapq.heappush(waiting, -self._turn[after])
        return seen

    def _reorder(self, first: int, second: int, later: Iterable[int]) -> None:
        """Give both one turn: after what the second one waits for, before what follows the first.

        Only these change turns, among themselves.
        """
        start, earlier, waiting = self._turn[first], set[int](), [second]
        while waiting:
            for before in self._before[waiting.pop()] - earlier:
                if self._turn[before] > start:
                    earlier.add(before)
                    waiting.append(before)
        by_turn = self._turn.__getitem__
        order = [*sorted(earlier, key=by_turn), second, *sorted(later, key=by_turn)]
        turns = sorted([start, *map(by_turn, order)])[1:]
        self._turn.update(zip(order, turns, strict=True))
        self._turn[first] = self._turn[second]

    def _take(self, into: int, taken: int, outputs: set[str], inputs: set[str]) -> None:
        """Let one group have what was another's."""
        self._members[into] += self._members.pop(taken)
        self._last[into] = max(self._last[into], self._last[taken])
        for name in self._inputs[taken]:
            self._readers[name].discard(taken)
        for name in self._inputs[into]:
            self._readers[name].discard(into)
        for name in inputs:
            self._readers[name].add(into)
        self._inputs[into], self._outputs[into] = inputs, outputs
        for here, there in ((self._before, self._after), (self._after, self._before)):
            here[into] = (here[into] | here[taken]) - {into, taken}
            for other in here[taken]:
                there[other].discard(taken)
                if other != into:
                    there[other].add(into)
            here[taken] = set()
