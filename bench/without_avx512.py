"""A command as on a machine without AVX-512: this compiler and the engines beside it.

An engine asks the CPU which registers the operating system keeps (``xgetbv``, Intel's and AMD's
manuals, register XCR0) before it uses any that are wider than AVX2's. None of them has a switch for
that. So this runs a command with copies of their packages in which that answer is written down:
x87, SSE and AVX. What is measured then is the engine's own code for such a machine, on this one.

From the repository's root::

    python -m bench.without_avx512 -m bench.models resnet50 --precision int8
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import click

from tvmfuse.cli.options import examples
from tvmfuse.target import host_cpu

PACKAGES: Final = ("onnxruntime", "openvino")

ASKED: Final = bytes.fromhex("31c9 0f01d0")
"""``xor ecx, ecx; xgetbv``: what does the system keep?"""

TOLD: Final = bytes.fromhex("31c9 6a07 58")
"""``xor ecx, ecx; push 7; pop rax``: x87, SSE and AVX."""

START: Final = """\
from pathlib import Path
from tvmfuse.target import host_cpu
vars(host_cpu)["CPUINFO"] = Path({cpuinfo!r})
"""
"""What each process begins with, as ``sitecustomize``: this compiler reads another CPU's flags."""


def hidden(code: bytes) -> bytes:
    """Return a library whose questions for the system's registers are answered with AVX's."""
    return code.replace(ASKED, TOLD)


def hide(folder: Path) -> list[str]:
    """Fill a folder with the packages' copies and with `START`.

    Returns:
        The packages that are there. One that is not installed is left out.

    Raises:
        click.ClickException: A package's libraries ask nowhere, so that nothing would be hidden.
    """
    there = []
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            continue
        copy = Path(shutil.copytree(Path(spec.origin).parent, folder / name))
        asking = [f for f in copy.rglob("*.so*") if ASKED in f.read_bytes()]
        if not asking:
            raise click.ClickException(f"no library of {name} asks in a way that is known here")
        for library in asking:
            library.write_bytes(hidden(library.read_bytes()))
        there.append(name)
    cpuinfo = folder / "cpuinfo"
    cpuinfo.write_text(re.sub(r" avx(512|_)\w*", "", host_cpu.CPUINFO.read_text()))
    (folder / "sitecustomize.py").write_text(START.format(cpuinfo=str(cpuinfo)))
    return there


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples(
        "python -m bench.without_avx512 -m bench.models resnet50 --precision f32,int8",
        "python -m bench.without_avx512 -m bench.networks ResNeXt",
    ),
)
@click.argument("arguments", nargs=-1, required=True, type=click.UNPROCESSED)
def main(arguments: tuple[str, ...]) -> None:
    """Run Python with ARGUMENTS as on a machine whose widest vectors are AVX2's.

    tvmfuse compiles for this CPU less AVX-512, AVX-VNNI and their kin. onnxruntime and OpenVINO are
    copies that are told so by their own question to the CPU; what is installed stays as it is.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for package in hide(folder):
            click.echo(f"{package}: a copy that finds no AVX-512", err=True)
        path = os.pathsep.join(filter(None, [name, os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path}
        process = subprocess.Popen([sys.executable, *arguments], env=environment)
        while True:
            try:
                sys.exit(process.wait())
            except KeyboardInterrupt:  # it is the command's to end
                continue


if __name__ == "__main__":
    main()
