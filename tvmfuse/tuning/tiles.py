"""Which convolutions gain by Winograd's tiles, and by those of which size: timed in the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tvmfuse.format.graph_file import is_graph_file
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.ir.types import dtype_of, shape_of
from tvmfuse.manifest import Kernel
from tvmfuse.measure.statistics import Ratio
from tvmfuse.ops.conv_blocked import is_depthwise
from tvmfuse.ops.winograd import TAPS
from tvmfuse.passes.layout.winograd_conv import WinogradConv, layer_of
from tvmfuse.passes.nchwc.winograd_costs import SIZES, Layer
from tvmfuse.passes.selection import entries
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.pipeline.optimize import Optimizer
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import Source, import_model
from tvmfuse.runtime.executable import Executable

#: What convolutions may be, the sizes that multiply least first; 0 is none.
CHOICES: Final = (*reversed(SIZES), 0)


@dataclass(frozen=True)
class Convolution:
    """Convolutions of one model that cost the same.

    Attributes:
        layer: What their costs follow from.
        nodes: The ONNX nodes that they and what is fused to them compute.
        planned: The size of their tiles as it is reckoned; 0 for none.
    """

    layer: Layer
    nodes: frozenset[str]
    planned: int

    def computed_by(self, kernel: Kernel) -> bool:
        """Whether a kernel computes some of them."""
        return not self.nodes.isdisjoint(kernel.nodes)

    def size_in(self, executable: Executable) -> int:
        """Return the size of their tiles in a compiled model; 0 for none."""
        own = filter(self.computed_by, executable.manifest.kernels)
        sizes = (nest["m"] for kernel in own for nest in kernel.plan["nests"] if "m" in nest)
        return next(sizes, 0)


@dataclass(frozen=True)
class Tiles:
    """Convolutions that are faster with tiles of another size.

    Attributes:
        convolution: Which.
        m: The size; 0 for none.
        speedup: The time as planned by the time with these.
    """

    convolution: Convolution
    m: int
    speedup: Ratio


class TileTimes:
    """What is known of a model's convolutions with tiles of each size.

    Args:
        convolutions: Those that may have tiles.
    """

    def __init__(self, convolutions: Sequence[Convolution] = ()) -> None:
        self.convolutions = convolutions
        self._times = dict[tuple[Layer, int], Ratio]()

    def take(self, layer: Layer, m: int, speedup: Ratio) -> None:
        """Take in how fast convolutions were, beside how they are planned."""
        self._times[layer, m] = speedup

    def left(self, m: int) -> list[Convolution]:
        """Return those that were not timed with tiles of a size, and are not planned so."""
        own = (one for one in self.convolutions if one.planned != m)
        return [one for one in own if (one.layer, m) not in self._times]

    def faster(self) -> list[Tiles]:
        """Return the fastest size of each that is faster with another one than planned."""
        found = []
        for one in self.convolutions:
            known = {m: self._times.get((one.layer, m)) for m in CHOICES}
            certain = [Tiles(one, m, r) for m, r in known.items() if r and (r.low or 0) > 1]
            found += sorted(certain, key=lambda tiles: -tiles.speedup.median)[:1]
        return found

    def of(self, kernel: Kernel) -> Convolution | None:
        """Return the convolution that a kernel computes some of."""
        return next((one for one in self.convolutions if one.computed_by(kernel)), None)


def convolutions(
    model: Source, settings: CompileSettings, planned: Executable
) -> tuple[Convolution, ...]:
    """Return the convolutions of a model that may have Winograd's tiles.

    Args:
        model: Not yet optimized; of an optimized graph nothing can be decided any more.
        settings: How it is compiled.
        planned: The model as it is planned.
    """
    selection = settings.selection
    entry, tier = next((e, t) for t, e in entries() if e.name == WinogradConv.name)
    if is_graph_file(model) or not selection.runs(tier, entry):
        return ()
    with COMPILING:
        imported = import_model(
            model, shapes=settings.shapes, dims=settings.dims, limits=settings.limits,
            map_weights=settings.map_weights,
        )  # fmt: skip
        direct = replace(selection, disabled=selection.disabled | {WinogradConv.name})
        module = Optimizer(direct, target=settings.target).run_on_operators(imported.module)
        flow = Dataflow.of(module["main"])
        nodes: dict[Layer, set[str]] = {}
        for var in flow.calls("tvmfuse.conv_blocked"):
            conv = flow.resolve(var)
            shape, plain = shape_of(conv.args[1]) or (), dtype_of(conv.args[1]) == "float32"
            steps = {*conv.attrs["strides"], *conv.attrs["dilation"]}
            may = tuple(shape[2:4]) == (TAPS, TAPS) and steps == {1} and not is_depthwise(conv)
            if may and plain:
                nodes.setdefault(layer_of(conv), set()).update(nodes_of(conv))
    found = (Convolution(layer, frozenset(names), 0) for layer, names in nodes.items())
    return tuple(replace(one, planned=one.size_in(planned)) for one in found)
