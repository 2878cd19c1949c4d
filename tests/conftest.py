"""Fixtures that several test files share."""

import gc
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import libraries
import pytest
from tvm import IRModule, relax

from tvmfuse.passes.catalogue import PIPELINE
from tvmfuse.passes.contract import GraphPass
from tvmfuse.target import host_cpu

#: Folders whose tests look at one part of the compiler, on small graphs and kernels.
UNITS = {"build", "format", "frontend", "ops", "passes", "pipeline", "schedules", "target"}

#: What files that start processes import by these names.
PROCESSES = {"python", "subprocess"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Let no garbage be collected while tests are: thousands of objects, and hardly any garbage."""
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test as `unit` or `integration`, by where it stands and what it takes.

    Of those that are `sampled`, the cases that the suite leaves out are `long`.
    """
    leave_out(items)
    one_of_each = {item.path: item for item in items}
    of_units = {path for path, item in one_of_each.items() if is_of_units(item)}
    for item in items:
        if item.get_closest_marker("zoo") is None:
            whole_model = "exported" in getattr(item, "fixturenames", ())
            is_unit = item.path in of_units and not whole_model
            item.add_marker("unit" if is_unit else "integration")


def leave_out(items: list[pytest.Item]) -> None:
    """Mark cases as `long`, but for one of so many: another one each time, where there are more."""
    seen = Counter[object]()
    for item in items:
        if (sampled := item.get_closest_marker("sampled")) is not None:
            assert isinstance(item, pytest.Function)
            (every,) = sampled.args
            number = seen[item.function]
            seen[item.function] += 1
            if (number + number // every) % every:
                item.add_marker("long")


def pytest_collection_finish() -> None:
    """Let no collection of garbage look at what stays: each measurement begins with one.

    A file that hides torch from its own process must not do so where it is imported for its tests.
    """
    assert sys.modules.get("torch", "") is not None, "a file of tests hides torch from all others"
    gc.enable()
    gc.collect()
    gc.freeze()


def is_of_units(item: pytest.Item) -> bool:
    """Whether a test's file is about one part of the compiler, and starts no process."""
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    assert isinstance(item, pytest.Function)
    return folder in UNITS and PROCESSES.isdisjoint(vars(item.module))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--pretend-host", choices=["avx2"], help="run as on a machine that has no AVX-512"
    )


def kept_folder(config: pytest.Config, name: str) -> Path:
    """Return a folder of pytest's cache; without one (`-p no:cacheprovider`), of the system's."""
    if config.pluginmanager.has_plugin("cacheprovider"):
        return Path(config.cache.mkdir(name))
    folder = Path(tempfile.gettempdir(), f"tvmfuse-tests-{os.getuid()}", name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def pytest_configure(config: pytest.Config) -> None:
    """Keep the user's own caches out of the tests: all of them, and the next run, share others.

    AVX-512 is hidden as a hypervisor does it: LLVM knows the CPU, and the system shows less of it.
    """
    os.environ["XDG_CACHE_HOME"] = str(kept_folder(config, "caches"))
    if config.getoption("--pretend-host"):
        shown = re.sub(r" avx512\w*", "", host_cpu.CPUINFO.read_text())
        pretended = kept_folder(config, "pretended") / "cpuinfo"
        pretended.write_text(shown)
        vars(host_cpu)["CPUINFO"] = pretended


@pytest.fixture(scope="session", autouse=True)
def kept_libraries(request: pytest.FixtureRequest) -> Iterator[None]:
    """Keep the machine code of the tests' kernels in pytest's cache."""
    with pytest.MonkeyPatch.context() as patch:
        libraries.keep_in(kept_folder(request.config, "libraries"), patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def well_formed_results() -> Iterator[None]:
    """What a pass makes of a well-formed module is well-formed, in every test that runs one."""

    def checked(work: Callable[..., IRModule]) -> Callable[..., IRModule]:
        def run(self: GraphPass, module: IRModule, *options: object, **named: object) -> IRModule:
            result = work(self, module, *options, **named)
            if not result.same_as(module) and relax.analysis.check_well_formed(module):
                relax.analysis.well_formed(result)  # which raises what is not
            return result

        return run

    passes = [entry for phase in PIPELINE for entry in phase.passes]
    kinds = {kind for entry in passes for kind in type(entry).mro()}
    with pytest.MonkeyPatch.context() as patch:
        for kind in kinds:
            if issubclass(kind, GraphPass) and kind is not GraphPass and "__call__" in vars(kind):
                patch.setattr(kind, "__call__", checked(kind.__call__))
        yield


@pytest.fixture
def just_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let TVM compile what runs in this test, as it does where no test runs."""
    monkeypatch.setattr(libraries, "folder", None)


@pytest.fixture(scope="session")
def exported(request: pytest.FixtureRequest) -> Callable[..., Path]:
    """Return a function that exports a zoo model once and keeps it in pytest's cache."""
    from bench.models import onnx_file

    folder = kept_folder(request.config, "models")
    return lambda name, exporter="classic", size="reduced", **options: onnx_file(
        name, exporter, size, folder, **options
    )
