"""tvmfuse in Polygraphy: ``polygraphy run model.onnx --tvmfuse --onnxrt`` compares the two.

Polygraphy imports this whenever it starts, and TVM only where the runner is asked for. It finds
`argument_groups` through the entry point ``polygraphy.run.plugins``; the extra ``polygraphy``
installs it. Source: its own example of an extension module for ``run``, in
https://github.com/NVIDIA/TensorRT: tools/Polygraphy/examples/dev/02_extending_polygraphy_run.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from polygraphy import util
from polygraphy.backend.base import BaseRunner
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType
from polygraphy.tools.args import ModelArgs, util as args_util
from polygraphy.tools.args.base import BaseRunnerArgs
from polygraphy.tools.script import make_invocable

import tvmfuse
from tvmfuse.cli.options import LEVELS, split_names

if TYPE_CHECKING:
    import numpy as np

    from tvmfuse.runtime.executable import Executable

OPTION: Final = "tvmfuse"


class TvmfuseRunner(BaseRunner):
    """Compiles a model when it is activated, and runs it.

    Args:
        model: An ONNX model as `tvmfuse.compile` takes it, or a function that returns one.
        name: In Polygraphy's reports.
        options: Of `tvmfuse.compile`.
    """

    def __init__(self, model: Any, name: str | None = None, **options: Any) -> None:
        super().__init__(name=name, prefix="tvmfuse-runner")
        self._model = model
        self._options = options

    @util.check_called_by("activate")
    def activate_impl(self) -> None:
        """Compile and load.

        Raises:
            TvmfuseError: What `tvmfuse.compile` raises.
        """
        model, _ = util.invoke_if_callable(self._model)
        self.executable: Executable = tvmfuse.compile(model, **self._options).load()

    @util.check_called_by("get_input_metadata")
    def get_input_metadata_impl(self) -> TensorMetadata:
        """Return names, dtypes and shapes; a symbolic dimension is its name."""
        from tvmfuse.arrays import numpy_dtype

        metadata = TensorMetadata()
        for spec in self.executable.inputs:
            metadata.add(spec.name, DataType.from_dtype(numpy_dtype(spec.dtype)), spec.shape)
        return metadata

    @util.check_called_by("infer")
    def infer_impl(self, feed_dict: Mapping[str, Any]) -> OrderedDict[str, np.ndarray]:
        """Run once; `last_inference_time` has the seconds, without Polygraphy's own work."""
        feeds = {name: util.array.to_numpy(value) for name, value in feed_dict.items()}
        start = time.perf_counter()
        outputs = self.executable(feeds)
        self.inference_time = time.perf_counter() - start
        return OrderedDict(outputs)

    @util.check_called_by("deactivate")
    def deactivate_impl(self) -> None:
        """Let go of the compiled model."""
        del self.executable


class TvmfuseRunnerArgs(BaseRunnerArgs):
    """tvmfuse Inference: running inference with models that tvmfuse compiled.

    Depends on:

        - ModelArgs
    """

    def get_name_opt_impl(self) -> tuple[str, str]:
        """Return the runner's name and its option."""
        return "tvmfuse", OPTION

    def add_parser_args_impl(self) -> None:
        """Add the options."""
        self.group.add_argument(
            "--tvmfuse-level", choices=LEVELS, default="all",
            help="How far to optimize. Defaults to all",
        )  # fmt: skip
        self.group.add_argument(
            "--tvmfuse-disable", action="append", default=[], metavar="NAMES",
            help="Passes to switch off, separated by comma or semicolon; may be repeated",
        )  # fmt: skip
        self.group.add_argument(
            "--tvmfuse-target",
            default="llvm",
            help="llvm (this machine), avx2, avx512, cuda, or a TVM target as JSON",
        )

    def parse_impl(self, args: Any) -> None:
        """Read the options.

        Attributes:
            options (dict): Of `tvmfuse.compile`.
        """
        disabled = split_names(None, None, tuple(args_util.get(args, "tvmfuse_disable") or ()))
        self.options = {
            "level": args_util.get(args, "tvmfuse_level"),
            "disabled_pass": disabled,
            "target": args_util.get(args, "tvmfuse_target"),
        }

    def add_to_script_impl(self, script: Any) -> None:
        """Add a runner to Polygraphy's script."""
        script.add_import(imports=["TvmfuseRunner"], frm="tvmfuse.integrations.polygraphy")
        path = self.arg_groups[ModelArgs].path
        script.add_runner(make_invocable("TvmfuseRunner", path, **self.options))


def argument_groups() -> list[BaseRunnerArgs]:
    """Return what Polygraphy's `run` takes from us."""
    return [TvmfuseRunnerArgs()]
