"""What LLVM made of a test's kernels, kept from one run of the tests to the next.

A test that asks for numbers spends most of its time in LLVM's just-in-time compiler. Here the
machine code is linked to a library, which takes half as long, and kept. Its key is a digest of
what LLVM, or TVM, was given: an edited pass or schedule that emits another kernel has another key.

Models are linked by the bare linker, too, with what a compiler would give it: most of a compiler's
15 ms goes into finding that. `tests/build/test_linker.py` links with each tool as it is.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import pytest
import tvm
from tvm import IRModule, relax
from tvm.target import Target
from tvm.tirx import PrimFunc

import tvmfuse.ops
from tvmfuse.build import assemble
from tvmfuse.build.kernels.cache import Entry, KernelCache
from tvmfuse.build.kernels.key import digest_of
from tvmfuse.build.kernels.machine_code import llvm_module, object_file
from tvmfuse.build.linker import link_shared
from tvmfuse.build.native import native_object
from tvmfuse.build.refusals import offer_refusals
from tvmfuse.runtime.functions import Functions, LibraryFunctions, unique_path
from tvmfuse.runtime.library import LOAD
from tvmfuse.target import host_cpu
from tvmfuse.target.resolve import required_cpu_features
from tvmfuse.tvm_runtime import runtime_function

#: What runs on the CPU as it is.
HOST_CODE = {"llvm", "relax.VMExecutable"}

#: In LLVM's text TVM names an array's memory by the address that its variable has in the compiler.
ADDRESS = re.compile(r'(?<=!\{!")0x[0-9a-f]+')

#: Where libraries are kept, which several processes may use at once; None leaves TVM as it is.
folder: Path | None = None


def keep_in(path: Path, patch: pytest.MonkeyPatch) -> None:
    """Keep libraries in this folder: of what TVM compiles for the CPU, and of what it would run.

    Models are linked quickly; see `quick_link`.

    A module with Relax functions comes as its library, which a virtual machine takes as well.
    """
    compile_, jitted = tvm.compile, assemble.Unlinked.jitted

    def known(module: IRModule, target: Target | str, **options: Any) -> Any:
        if options or folder is None or not _is_relax(module) or Target(target).kind.name != "llvm":
            return compile_(module, target, **options)
        key = _digest("module", _lowerings(), tvm.ir.save_json(module), str(Target(target)))
        if (library := _found(key)) is None:
            executable = compile_(module, target)
            if not _is_host_code(executable.mod):
                return executable
            library = _put(key, _linked(list(map(object_file, _parts(executable.mod)))))
        return _loaded(library)

    def linked(self: assemble.Unlinked) -> Functions:
        if folder is None:
            return jitted(self)
        key = _digest("model", _without_addresses(self.made.inspect_source("ll")))
        return LibraryFunctions(_kept(key, self.linked), "a test's model")

    offer_refusals()
    patch.setitem(globals(), "folder", path)
    patch.setattr(assemble.Unlinked, "jitted", linked)
    patch.setattr(tvm, "compile", known)
    patch.setattr(assemble, "link_shared", quick_link)


def compiled(function: PrimFunc, target: Target) -> Callable[..., None]:
    """Return one PrimFunc to call; it is not even lowered where it is known."""
    key = _digest("library", tvm.ir.save_json(function), str(target))
    library = _kept(key, lambda: _linked([object_file(_built(function, target))]))
    main: Callable[..., None] = _loaded(library)["main"]
    return main


def assembly(function: PrimFunc, target: Target) -> str:
    """Return the machine code of one PrimFunc as text, for a CPU that need not be here."""
    key = _digest("assembly", tvm.ir.save_json(function), str(target))
    return _kept(key, lambda: _built(function, target).inspect_source("asm").encode()).decode()


def needs_cpu(target: Target) -> None:
    """Skip the test that would run a target's code on a CPU that lacks its instructions."""
    if lacking := set(required_cpu_features(target)) - host_cpu.cpu_features():
        pytest.skip(f"this CPU lacks {', '.join(sorted(lacking))}")


@lru_cache(maxsize=1)
def _built(function: PrimFunc, target: Target) -> Any:
    return llvm_module({"main": function}, target)


def _parts(module: Any) -> list[Any]:
    return [*(m for m in (module, *module.imports) if m.kind == "llvm"), *_packed(module)]


def _is_host_code(module: Any) -> bool:
    return {m.kind for m in (module, *module.imports)} <= HOST_CODE


def _is_relax(module: Any) -> bool:
    functions = module.functions.values() if isinstance(module, IRModule) else ()
    return any(isinstance(function, relax.Function) for function in functions)


@cache
def _lowerings() -> str:
    """Return the digest of what lowers operators of our own where TVM compiles them."""
    (folder_of_ops,) = map(Path, tvmfuse.ops.__path__)
    return digest_of({str(f.relative_to(folder_of_ops)): f for f in folder_of_ops.rglob("*.py")})


def _loaded(library: bytes) -> Any:
    with os.fdopen(os.memfd_create("library"), "wb+") as file:
        file.write(library)
        file.flush()
        return runtime_function(LOAD)(unique_path(file.fileno()), "so")


def _kept(key: str, make: Callable[[], bytes]) -> bytes:
    found = _found(key)
    return _put(key, make()) if found is None else found


def _found(key: str) -> bytes | None:
    entry = _cache(key).get(key)
    return None if entry is None else entry.code


def _put(key: str, content: bytes) -> bytes:
    _cache(key).put({key: Entry({}, content)})
    return content


def _cache(key: str) -> KernelCache:
    assert folder is not None, "tests/conftest.py says where"
    # A cache looks at its whole folder after each entry: so there are many, each a small one.
    return KernelCache(folder / key[:2])


def _packed(module: Any) -> list[Any]:
    """Return the bytecode of a virtual machine as data in an LLVM module; none where there is none."""
    if module.kind == "llvm":
        return []
    (kernels,) = module.imports
    pack = tvm.get_global_func("runtime.ModulePackImportsToLLVM")
    return [pack(module, False, kernels["_get_target_string"](), "")]


def _without_addresses(text: str) -> str:
    """Return LLVM's text with addresses as numbers, in order; equal ones stay equal."""
    numbers: dict[str, str] = {}
    return ADDRESS.sub(lambda found: numbers.setdefault(found[0], str(len(numbers))), text)


def _linked(objects: list[bytes]) -> bytes:
    objects = [*objects, native_object(Target("llvm"))]
    with TemporaryDirectory() as folder:
        library = Path(folder, "library.so")
        files = [Path(folder, f"{number}.o") for number in range(len(objects))]
        for file, content in zip(files, objects, strict=True):
            file.write_bytes(content)
        quick_link(library, files)
        return library.read_bytes()


def quick_link(
    output: str | Path,
    objects: Sequence[str | Path],
    aliases: Mapping[str, str] = MappingProxyType({}),
    processor: str = "",
) -> None:
    """Do as `link_shared` does: for this machine with `ld`, if that can."""
    if folder is not None and processor in ("", platform.machine()) and shutil.which("ld"):
        names = [f"--defsym={alias}={symbol}" for alias, symbol in aliases.items()]
        files = [*map(str, objects), *_compilers_library()]
        command = ["ld", "-shared", "--eh-frame-hdr", *names, "-o", str(output), *files]
        if subprocess.run(command, check=False, capture_output=True).returncode == 0:
            return
    link_shared(output, objects, aliases, processor)


@cache
def _compilers_library() -> tuple[str, ...]:
    """Return the library of what machine code calls that the CPU lacks: float16's casts, say."""
    if shutil.which("cc") is None:
        return ()
    command = ["cc", "-print-libgcc-file-name"]
    return (subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip(),)


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join((_compilers(), *texts)).encode()).hexdigest()


@cache
def _compilers() -> str:
    launcher = hashlib.sha256(native_object(Target("llvm"))).hexdigest()
    return " ".join([*(version(name) for name in ("apache-tvm", "apache-tvm-ffi")), launcher])
