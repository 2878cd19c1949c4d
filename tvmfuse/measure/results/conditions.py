"""What was measured: on how many threads, and at which sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tvmfuse.result import Record


@dataclass(frozen=True)
class Conditions(Record):
    """What stands in the head of every figure.

    Attributes:
        threads: That computed one run; of each variant, where they differ; None where nothing ran.
        sizes: Of the symbolic dimensions.
        shapes: Of the inputs whose shapes somebody gave.
        assumed: The symbolic dimensions that nobody fixed.
    """

    threads: int | tuple[int, ...] | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Threads and sizes in one clause.

        >>> Conditions(2, {"batch": 1, "sequence": 128}).words
        'threads: 2, batch=1, sequence=128'
        >>> Conditions(None, shapes={"x": (1, 3, 32, 32)}).words
        'x: 1x3x32x32'
        >>> Conditions((1, 2)).words
        'threads: 1 and 2'
        """
        each = self.threads if isinstance(self.threads, tuple) else (self.threads,)
        said = [] if self.threads is None else [f"threads: {' and '.join(map(str, each))}"]
        said += [f"{name}={size}" for name, size in self.sizes.items()]
        said += [f"{name}: {'x'.join(map(str, shape))}" for name, shape in self.shapes.items()]
        return ", ".join(said)

    def after(self, title: str) -> str:
        """Return a title with the conditions behind it, as far as they are known.

        >>> Conditions(2).after("against none"), Conditions().after("against none")
        ('against none, threads: 2', 'against none')
        """
        return ", ".join(filter(None, (title, self.words)))

    @property
    def notes(self) -> tuple[str, ...]:
        """Which sizes nobody asked for.

        >>> Conditions(2, {"batch": 1, "n": 7}, assumed=("batch",)).notes
        ('nobody fixed batch, so that it was measured at batch=1: --dim NAME=N takes another size',)
        """
        if not self.assumed:
            return ()
        names, they = ", ".join(self.assumed), "it was" if len(self.assumed) == 1 else "they were"
        sizes = ", ".join(f"{name}={self.sizes[name]}" for name in self.assumed)
        said = f"nobody fixed {names}, so that {they} measured at {sizes}"
        return (f"{said}: --dim NAME=N takes another size",)
