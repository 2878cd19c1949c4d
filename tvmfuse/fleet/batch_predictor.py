"""A compiled model over batches of rows: what Ray Data's `map_batches` makes in each actor.

It takes and returns columns, dicts of numpy's arrays, and works as well without Ray.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import ConfigurationError, InputError, closest
from tvmfuse.runtime.any_feeds import STRING, is_tensor
from tvmfuse.runtime.described import type_name
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.loading import load
from tvmfuse.tensor_spec import TensorSpec

Columns: TypeAlias = Mapping[str, np.ndarray]


class BatchPredictor:
    """Runs a compiled model on batches of rows: a function from columns to columns.

    The first dimension of each input and output counts the rows. Where it is symbolic, a batch
    may have any number of them. Where it is fixed, a batch is run in pieces of that size, and the
    last one is filled up with copies of its last row, whose results are dropped: a row's results
    must not depend on its neighbours.

    A column is read where it lies, if its rows are contiguous, of the model's dtype, and begin at a
    multiple of 64 bytes; else it is copied. Ray Data hands out its own memory with
    ``zero_copy_batch=True``::

        ds.map_batches(
            BatchPredictor,
            fn_constructor_kwargs={"model": "resnet.so", "columns": {"x": "image"}},
            compute=ray.data.ActorPoolStrategy(size=2),
            num_cpus=1,
            batch_size=64,
            batch_format="numpy",
            zero_copy_batch=True,
        )

    Args:
        model: A compiled file: its path, which each node has to see; its bytes; or a reference of
            Ray's to these. Processes of one node share the memory of a path's weights, and none of
            bytes'.
        columns: Which column an input takes, by the input's name; by default the one of its name.
        outputs: Which outputs are returned, by their names, and in which columns; by default all,
            in columns of their names.
        keep: Columns of the batch that are returned, too.
        num_threads: How many threads compute a batch; by default as many as Ray gave this actor
            CPUs, and at least 1. Elsewhere, one for each physical core.

    Raises:
        ConfigurationError: The inputs have no common first dimension, or there is no such input or
            output, or two columns of the result have one name.
        ArtifactError: What `tvmfuse.load` raises.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | bytes | Any,
        *,
        columns: Mapping[str, str] | None = None,
        outputs: Mapping[str, str] | None = None,
        keep: Collection[str] = (),
        num_threads: int | None = None,
    ) -> None:
        threads = _cpus_of_actor() if num_threads is None else num_threads
        self._model = _loaded(model, threads)
        given = [spec.name for spec in self._model.inputs]
        made = [spec.name for spec in self._model.outputs]
        _check_names("input", columns or (), given)
        _check_names("output", outputs or (), made)
        self._columns = {name: name for name in given} | dict(columns or {})
        self._outputs = {name: name for name in made} if outputs is None else dict(outputs)
        self._keep = tuple(keep)
        self._fixed = _rows_of(self._model)
        names = [*self._keep, *self._outputs.values()]
        if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
            raise ConfigurationError(f"the result would have column {twice[0]!r} twice: rename one")

    def __call__(self, batch: Columns) -> dict[str, np.ndarray]:
        """Return the model's outputs for the rows of a batch, and the columns that are kept.

        Args:
            batch: A column for each input: ``[rows, ...]``, of the model's dtype; or an array of
                objects, one array for each row, as Ray makes of lists.

        Raises:
            InputError: A column is missing, or some row does not fit the model; the message names
                column and row, counted from 0 in this batch. Or an output has other rows.
        """
        feeds = {spec.name: self._column(spec, batch) for spec in self._model.inputs}
        counts = {self._columns[name]: len(column) for name, column in feeds.items()}
        rows = next(iter(counts.values()))
        for column, count in counts.items():
            if count != rows:
                raise InputError(
                    f"column {next(iter(counts))!r} has {rows} rows, and {column!r} has {count}"
                )
        kept = {name: _taken(batch, name) for name in self._keep}
        found = self._run(feeds) if self._fixed is None else self._in_pieces(feeds, self._fixed)
        for name in self._outputs:
            if found[name].shape[:1] != (rows,):
                raise InputError(
                    f"output {name!r} has the shape {found[name].shape} for {rows} rows: "
                    "its first dimension is not the batch"
                )
        return kept | {column: found[name] for name, column in self._outputs.items()}

    def _run(self, feeds: Columns) -> dict[str, np.ndarray]:
        outputs = self._model.call(feeds, like="numpy")
        return {spec.name: out for spec, out in zip(self._model.outputs, outputs, strict=True)}

    def _in_pieces(self, feeds: Columns, size: int) -> dict[str, np.ndarray]:
        rows = len(next(iter(feeds.values())))
        pieces = [
            self._run({name: _piece(column, start, size) for name, column in feeds.items()})
            for start in range(0, rows, size)
        ]
        if not pieces:
            raise InputError(f"a model of {size} rows cannot be run on a batch of none")
        return {name: np.concatenate([p[name] for p in pieces])[:rows] for name in self._outputs}

    def _column(self, spec: TensorSpec, batch: Columns) -> np.ndarray:
        """Return the rows of one input, contiguous."""
        name = self._columns[spec.name]
        column = _taken(batch, name)
        if spec.dtype == STRING:
            return column
        if column.dtype == object:
            return _stacked(spec, name, column)
        if problem := _problem(spec, column.dtype, column.shape[1:]):
            raise InputError(f"column {name!r}, row 0 and all others: {problem}")
        return np.ascontiguousarray(column)


def _cpus_of_actor() -> int | None:
    """Return how many CPUs Ray gave this actor, at least 1; None outside of one."""
    ray: Any = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return None
    context = ray.get_runtime_context()
    if context.get_actor_id() is None:
        return None
    return max(1, int(context.get_assigned_resources().get("CPU", 0)))


def _loaded(model: Any, threads: int | None) -> Executable:
    ray: Any = sys.modules.get("ray")
    if ray is not None and isinstance(model, ray.ObjectRef):
        model = ray.get(model)
    if not isinstance(model, bytes):
        return load(model, num_threads=threads)
    with os.fdopen(os.memfd_create("tvmfuse"), "wb") as file:
        file.write(model)
        file.flush()
        return load(f"/proc/self/fd/{file.fileno()}", num_threads=threads)


def _check_names(what: str, names: Collection[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise ConfigurationError(f"the model has no {what} {name!r}; {closest(name, known)}")


def _rows_of(model: Executable) -> int | None:
    """Return how many rows each batch has; None where that is open."""
    for spec in model.inputs:
        if not (is_tensor(spec) and spec.shape):
            raise ConfigurationError(f"input {spec.name!r} has no rows: it is {spec.type_words}")
    firsts = {spec.shape[0]: spec for spec in model.inputs}
    if len(firsts) != 1:
        words = ", ".join(map(str, model.inputs)) or "none"
        raise ConfigurationError(
            f"expected inputs whose first dimension is one batch, found {words}"
        )
    (rows,) = firsts
    return rows if isinstance(rows, int) else None


def _taken(batch: Columns, name: str) -> np.ndarray:
    if name not in batch:
        raise InputError(f"the batch has no column {name!r}; {closest(name, batch.keys())}")
    column = batch[name]
    if not isinstance(column, np.ndarray):
        raise InputError(
            f"column {name!r}: expected a numpy array, found {type_name(column)}; "
            "Ray makes them with batch_format='numpy'"
        )
    return column


def _piece(column: np.ndarray, start: int, size: int) -> np.ndarray:
    piece = column[start : start + size]
    missing = size - len(piece)
    return np.concatenate([piece, np.repeat(piece[-1:], missing, axis=0)]) if missing else piece


def _stacked(spec: TensorSpec, name: str, column: np.ndarray) -> np.ndarray:
    """Return rows that are arrays of their own as one array."""
    rows: list[np.ndarray] = []
    for number, row in enumerate(_rows(spec, name, column)):
        if rows and row.shape != rows[0].shape:
            raise InputError(
                f"column {name!r}, row {number}: its shape is {row.shape}, and row 0's "
                f"{rows[0].shape}: the rows of a batch have one shape, so fill up the shorter ones"
            )
        rows.append(row)
    shape = (0, *(size if isinstance(size, int) else 0 for size in spec.shape[1:]))
    return np.stack(rows) if rows else np.zeros(shape, numpy_dtype(spec.dtype))


def _rows(spec: TensorSpec, name: str, column: np.ndarray) -> Iterator[np.ndarray]:
    for number, value in enumerate(column):
        row = np.asarray(value)
        if problem := _problem(spec, row.dtype, row.shape):
            found = "" if isinstance(value, np.ndarray) else f", in {type_name(value)}"
            raise InputError(f"column {name!r}, row {number}: {problem}{found}")
        yield row


def _problem(spec: TensorSpec, dtype: np.dtype[Any], shape: tuple[int, ...]) -> str | None:
    """Return why a row does not fit; None where it does."""
    wanted = spec.shape[1:]
    if (
        dtype == numpy_dtype(spec.dtype)
        and len(shape) == len(wanted)
        and all(isinstance(w, str) or w == s for w, s in zip(wanted, shape, strict=True))
    ):
        return None
    row = TensorSpec(spec.name, spec.dtype, wanted)
    found = TensorSpec(spec.name, str(dtype), shape)
    return f"expected {row.type_words} for input {spec.name!r}, found {found.type_words}"
