"""Compiling many models for several targets, on this machine or on a cluster: `compile_many`."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from rich.filesize import decimal

import tvmfuse.fleet.table  # noqa: F401 - draws the result
from tvmfuse.api import compile as compile_model
from tvmfuse.build.kernels.cache import Cache
from tvmfuse.errors import ArtifactError, ConfigurationError, closest
from tvmfuse.fleet.compile_task import CompileTask
from tvmfuse.fleet.executor import Executor, LostError, Outcome
from tvmfuse.fleet.local import LocalExecutor
from tvmfuse.fleet.manifest import Output, opened
from tvmfuse.fleet.models import Model
from tvmfuse.fleet.places import places_of
from tvmfuse.fleet.result import CompiledModel, CompiledModels
from tvmfuse.format.file_systems import is_url
from tvmfuse.names import listed
from tvmfuse.passes import plugged
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.sources import versions
from tvmfuse.progress import Progress, Step, silent

#: Arguments of `tvmfuse.compile` that belong to one model, or to this process.
OF_ONE: Final = {
    "model", "target", "example_inputs", "dynamic_shapes", "live_weights", "save_optimized",
    "dump_ir", "cache", "progress",
}  # fmt: skip
#: Those that change nothing in what is compiled.
UNCOUNTED: Final = {"map_weights"}
#: Seconds after which a wait looks for Ctrl-C.
LOOK_S: Final = 0.2


def compile_many(
    models: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    targets: Sequence[str] = ("llvm",),
    executor: Executor | None = None,
    jobs: int | None = None,
    ray: str | None = None,
    cache: Cache = True,
    progress: Progress = silent,
    finished: Callable[[CompiledModel], object] = lambda _: None,
    **settings: Any,
) -> CompiledModels:
    """Compile many models, each for every target; a model that is refused stops no other.

    Each gets a file in the output folder, ``NAME.TARGET.so``, equal to the one that
    `tvmfuse.compile` makes, and ``compile-many.json`` lists them. What an earlier run compiled, of
    the same model with the same settings by the same tvmfuse, is kept as it is: so a run that was
    interrupted goes on where it stopped. Ctrl-C ends all workers, and returns what is done.

    Args:
        models: Paths of ONNX models, or URLs that fsspec reads, ``s3://bucket/net.onnx`` (the extra
            `fsspec`).
        output: The folder, which is made where it is not there.
        targets: What each model is compiled for, a file for each; see `tvmfuse.compile`.
        executor: What runs the compilations, where it is neither of the two below.
        jobs: How many are compiled at once; by default one for two cores of this machine, or, with
            Ray, as many as the cluster has CPUs.
        ray: The address of a Ray cluster that compiles them, ``auto`` or ``ray://head:10001`` (the
            extra `ray`). Models are sent to the workers. ``llvm`` is this machine, and not theirs.
        cache: As `tvmfuse.compile` takes it; of workers elsewhere it is their own.
        progress: Told how many are done.
        finished: Called with each row as soon as it is known.
        settings: Further arguments of `tvmfuse.compile`, for all models: ``level``, ``dims``.

    Returns:
        A row for each model and target: where the file is, or why there is none.

    Raises:
        ConfigurationError: There is no such model, target, setting or cluster.
        ArtifactError: The folder cannot be written to, has no room, or another run writes there.
    """
    begin = time.monotonic()
    given = map(os.fspath, _several(models, "models"))
    names = [*{_place_of(name): name for name in given}.values()]
    wanted = list(dict.fromkeys(_several(targets, "targets")))
    resolved = {target: _resolved(target, cache, settings, progress) for target in wanted}
    places = places_of(names, wanted)
    folder, jobs_of = Path(output), _jobs(names, resolved, places, settings)
    with opened(folder) as out, _executor(executor, jobs, ray) as workers:
        rows: dict[str, CompiledModel] = {}

        def done(row: CompiledModel, content: bytes = b"") -> None:
            if row.state != "interrupted":
                out.add(replace(row, state="compiled") if row.is_done else row, content)
            rows[row.file] = row
            progress(Step(f"{len(rows)} of {len(places)} are done", len(rows) / len(places)))
            finished(row)

        interrupted = False
        try:
            progress(Step(f"0 of {len(places)} are done", 0.0))
            missing = [job for job in jobs_of if not _kept(job, out, done)]
            _check_room(folder, missing)
            _compile(missing, workers, _Maker(resolved, cache, settings), done)
        except KeyboardInterrupt:
            interrupted = True
            for row in (r for job in jobs_of for r in job.rows if r.file not in rows):
                rows[row.file] = row
    return CompiledModels(
        str(folder), str(out.manifest), tuple(rows[place] for place in places.values()),
        time.monotonic() - begin, interrupted,
    )  # fmt: skip


def _place_of(name: str) -> str:
    return name if is_url(name) else os.path.abspath(name)


@dataclass(frozen=True)
class _Job:
    """One compilation, for all models that are the same."""

    model: Model
    rows: list[CompiledModel]


def _several(given: Any, what: str) -> Sequence[Any]:
    """Refuse what is not several, or none.

    Raises:
        ConfigurationError: It is.
    """
    kinds = str | os.PathLike if what == "models" else str
    if isinstance(given, kinds) or not isinstance(given, Sequence):
        raise ConfigurationError(f"{what}: expected a list, found {given!r:.60}")
    for one in given:
        if not isinstance(one, kinds):
            raise ConfigurationError(f"{what}: expected names, found {one!r:.60}")
    if not given:
        raise ConfigurationError(f"{what}: expected one or more, found none")
    return given


def _resolved(
    target: str, cache: Any, settings: Mapping[str, Any], progress: Progress
) -> CompileSettings:
    """Refuse settings that no model takes, before any work; return them, and the target's TVM name.

    Raises:
        ConfigurationError: They are wrong.
    """
    known = {*inspect.signature(compile_model).parameters} - OF_ONE
    for name in settings:
        if name not in known:
            raise ConfigurationError(
                f"compile_many has no setting {name!r}: {closest(name, known)}"
            )
    given = {name: value for name, value in settings.items() if name not in ("verify", "passes")}
    own = listed(settings.get("passes", ()))
    given["enabled_pass"] = [*listed(settings.get("enabled_pass", ())), *own]
    return CompileSettings.of(target, cache=cache, progress=progress, **given)


def _executor(executor: Executor | None, jobs: int | None, ray: str | None) -> Executor:
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1):
        raise ConfigurationError(f"jobs: expected a number of 1 or more, found {jobs!r}")
    if executor is not None:
        return executor
    if ray is None:
        return LocalExecutor(jobs)
    from tvmfuse.fleet.ray_cluster import RayExecutor

    return RayExecutor(ray, jobs)


def _jobs(
    names: Sequence[str],
    targets: Mapping[str, CompileSettings],
    places: Mapping[tuple[str, str], str],
    settings: Mapping[str, Any],
) -> list[_Job]:
    """Return the compilations, those of one model beside each other; equal ones are one."""
    found: dict[str, _Job] = {}
    for name in names:
        model = Model.of(name)
        for target, chosen in targets.items():
            key = _key(model, chosen, settings)
            row = CompiledModel(name, target, places[name, target], key, "interrupted")
            found.setdefault(key, _Job(model, [])).rows.append(row)
    return [*found.values()]


def _key(model: Model, chosen: CompileSettings, settings: Mapping[str, Any]) -> str:
    defaults = inspect.signature(compile_model).parameters
    counted = {
        name: value
        for name, value in settings.items()
        if name not in UNCOUNTED and value not in (None, (), [], {}, defaults[name].default)
    }
    said = [
        model.digest, str(chosen.target), counted, versions(), _outside(chosen),
        {**chosen.schedules.tuned}, [*chosen.selection.tiles],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(said, sort_keys=True, default=repr).encode()).hexdigest()


def _outside(chosen: CompileSettings) -> Any:
    """Return what tells passes from outside; where that cannot be told, it is never the same."""
    told = plugged.sources(chosen.selection.own)
    return os.urandom(32) if told is None else told


def _kept(job: _Job, out: Output, done: Callable[..., None]) -> bool:
    """Whether an earlier run compiled it; a row that has another file now gets that."""
    if (kept := out.found(job.rows[0].key)) is None:
        return False
    for row in job.rows:
        content = out.content(kept) if row.file != kept.file else b""
        done(
            replace(kept, model=row.model, target=row.target, file=row.file, state="kept"), content
        )
    return True


def _check_room(folder: Path, jobs: Sequence[_Job]) -> None:
    """Refuse to begin where the weights alone, in half precision, do not fit the disk.

    Raises:
        ArtifactError: They do not.
    """
    least = sum(job.model.nbytes * len(job.rows) // 2 for job in jobs)
    free = shutil.disk_usage(folder).free
    if least > free:
        raise ArtifactError(
            f"the compiled files take {decimal(least)} or more, and {folder} has room for "
            f"{decimal(free)}: make room, or name another folder"
        )


@dataclass(frozen=True)
class _Maker:
    """Makes tasks of jobs."""

    targets: Mapping[str, CompileSettings]
    cache: Any
    settings: Mapping[str, Any]

    def task(self, job: _Job, *, sees_files: bool) -> CompileTask:
        name, target = job.model.place, job.rows[0].target
        files = None if sees_files else job.model.content()
        if not sees_files and target == "llvm":  # this machine, and not the worker's
            target = str(self.targets[target].target)
        settings = {**self.settings, "cache": self.cache}
        if not sees_files and settings.get("database") is None:
            # The environment's, which is not the worker's: it refuses where it has no such folder.
            settings["database"] = os.environ.get("TVMFUSE_DATABASE") or None
        return CompileTask(name, _place_of(name), target, settings, versions(), files)


def _compile(
    jobs: Sequence[_Job], workers: Executor, maker: _Maker, done: Callable[..., None]
) -> None:
    """Have all compiled, and tell of each as soon as it is."""
    left: Iterator[_Job] = iter(jobs)
    running: dict[Future[Outcome], _Job] = {}
    while True:
        while len(running) < workers.capacity and (job := next(left, None)) is not None:
            try:
                task = maker.task(job, sees_files=workers.sees_files)
            except OSError as error:
                for row in job.rows:
                    done(replace(row, state="refused", reason=f"cannot read {row.model}: {error}"))
            else:
                running[workers.submit(task)] = job
        if not running:
            return
        # A short wait, after which Python looks for signals.
        ended = wait(running, LOOK_S, FIRST_COMPLETED).done
        for future in [future for future in running if future in ended]:
            job = running.pop(future)
            for row, content in _rows(job, future):
                done(row, content)


def _rows(job: _Job, future: Future[Outcome]) -> Iterator[tuple[CompiledModel, bytes]]:
    try:
        outcome = future.result()
    except LostError as error:
        for row in job.rows:
            yield replace(row, state="lost", reason=str(error)), b""
        return
    content, reason = outcome.content, outcome.reason
    if content and not job.model.is_as_it_was():
        content, reason = b"", "its file was written to since it was looked at: run it again"
    for row in job.rows:
        yield (
            replace(
                row, state="compiled" if content else "refused", reason=reason,
                sha256=hashlib.sha256(content).hexdigest() if content else "",
                nbytes=len(content), seconds=outcome.seconds, warnings=outcome.warnings,
            ),
            content,
        )  # fmt: skip
