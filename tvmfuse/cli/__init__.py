"""The command line: one verb for each function of the API, each in a file of its own.

A file of this folder that has a command is a verb; the other files are what verbs share. Nothing
here imports TVM, ONNX or numpy before a verb runs, so that `--help` answers at once.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Final

import click

from tvmfuse.cli.boundary import ErrorsInWords

EPILOG: Final = """\
\b
Examples:
  tvmfuse ab                                     time a demo with and without fusion
  tvmfuse ab model.onnx --disable ConvBNFusion   the same question on your model
  tvmfuse ladder model.onnx                      what each level gains
  tvmfuse ablate model.onnx                      what each pass is worth, off alone and on alone
  tvmfuse profile model.onnx                     where the time of a run goes, kernel by kernel
  tvmfuse tune model.onnx --budget 5m            faster plans for its kernels, by timing them
  tvmfuse compare model.onnx --intermediates     how far its numbers are from onnxruntime's
  tvmfuse bisect model.onnx -o wrong             which rewrite makes the numbers wrong
  tvmfuse explain model.onnx                     what each pass did, and why it declined
  tvmfuse diff model.onnx                        which operators became which
  tvmfuse report model.onnx -o report.html       all of it on one page
  tvmfuse compile model.onnx -o model.so         one file with code, weights and manifest
  tvmfuse compile-many models/*.onnx -o out      many models, each for several CPUs, on all cores
  tvmfuse quantize model.onnx -o int8.onnx       integers of 8 bits, and what they cost, by layer
  tvmfuse run model.so -o outputs.npz            run it on random inputs
  tvmfuse export model.so -o model.tar.gz        what runs it from C, without Python
  tvmfuse plugin -o libtvmfuse_onnxruntime.so    what lets onnxruntime run compiled models
  tvmfuse inspect model.so                       what is inside, without loading it
  tvmfuse sign model.so --key k.pem              somebody's signature for it
  tvmfuse verify model.so --key pub.pem          whether it is the file that was meant
  tvmfuse passes                                 the names that --disable takes
  tvmfuse new-pass MyRule                        a pass of your own, and its test, to start from
  tvmfuse doctor                                 what keeps models from compiling or running here

\b
Exit codes:
  0    done
  1    the model, the file or the compilation failed, or two variants disagree (`bisect`: a
       level differs from the reference; `doctor`: it has a finding; `verify`: it is another file)
  2    the command line or an option asks for what does not exist
  3    --require-quiet, and the machine was not quiet
  130  interrupted; what was measured until then has been printed
"""


@click.group(
    cls=ErrorsInWords,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(package_name="tvmfuse")
@click.option("--traceback", is_flag=True, hidden=True, help="Show where an error was raised.")
def main(*, traceback: bool) -> None:
    """Compile ONNX models with TVM, and see which optimization pays."""
    del traceback  # ErrorsInWords reads it


def verbs() -> Iterator[click.Command]:
    """Yield the commands of this folder's files, in the order of the files' names."""
    for found in pkgutil.iter_modules(__path__, f"{__name__}."):
        module = importlib.import_module(found.name)
        for value in vars(module).values():
            if isinstance(value, click.Command):
                yield value


for verb in verbs():
    main.add_command(verb)
