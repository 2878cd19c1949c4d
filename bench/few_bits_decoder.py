"""A decoder's step with weights of four bits, against the same in float32, and onnxruntime's.

Four layers, 1,024 wide, one token behind 128: norms, `GroupQueryAttention` with a cache and a gated
MLP, as generative models are exported. Weights are drawn from a seed and rounded to four bits in
blocks of 32; in float32 they are those rounded ones. From the repository's root::

    python -m bench.few_bits_decoder
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import click
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from rich.table import Table

import tvmfuse
from bench.command import (
    Benchmark,
    duration_option,
    in_short,
    show_rows,
    threads_option,
    watched,
)
from bench.variants import Arrays
from tvmfuse.cli.options import examples, json_option
from tvmfuse.measure.clock import thread_clock
from tvmfuse.measure.statistics import Ratio
from tvmfuse.target.host_cpu import cpu_name

MICROSOFT = "com.microsoft"
BITS, BLOCK, ZERO = 4, 32, 8
FLOAT = TensorProto.FLOAT


@dataclass(frozen=True)
class Shape:
    """Of a decoder and its step."""

    layers: int = 4
    width: int = 1024
    heads: int = 16
    hidden: int = 2816
    past: int = 128


@dataclass
class Decoder:
    """A model that is being built.

    Attributes:
        shape: Its sizes.
        level: The accuracy level of its products; None for products in float32.
    """

    shape: Shape
    level: int | None
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def node(self, op: str, operands: Sequence[str], many: int = 1, **more: Any) -> list[str]:
        """Add a node; return the names of its results."""
        results = [f"{op}_{len(self.nodes)}_{n}" for n in range(many)]
        self.nodes.append(helper.make_node(op, operands, results, **more))
        return results

    def weight(self, array: np.ndarray) -> str:
        """Add an initializer; return its name."""
        name = f"weight_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def product(self, x: str, depth: int, columns: int) -> str:
        """Multiply by random weights of four bits."""
        blocks = depth // BLOCK
        packed = self.rng.integers(0, 256, (columns, blocks, BLOCK // 2), "uint8")
        scales = self.rng.random((columns, blocks), "float32") * np.float32(0.4 / depth**0.5)
        if self.level is None:
            numbers = np.stack([packed & 15, packed >> 4], -1).reshape(columns, blocks, BLOCK)
            matrix = (numbers.astype("float32") - ZERO) * scales[..., None]
            return self.node("MatMul", [x, self.weight(matrix.reshape(columns, depth).T.copy())])[0]
        operands = [x, self.weight(packed), self.weight(scales)]
        said: dict[str, Any] = {"K": depth, "N": columns, "bits": BITS, "block_size": BLOCK}
        said |= {"accuracy_level": self.level}
        return self.node("MatMulNBits", operands, domain=MICROSOFT, **said)[0]

    def norm(self, x: str) -> str:
        """Normalize by the root of the mean square."""
        scale = self.weight(1 + 0.1 * self.rng.standard_normal(self.shape.width, "float32"))
        return self.node("SimplifiedLayerNormalization", [x, scale], epsilon=1e-6, axis=-1)[0]

    def layer(self, x: str, nth: int) -> str:
        """Add an attention and an MLP to their input."""
        width, hidden, heads = self.shape.width, self.shape.hidden, self.shape.heads
        qkv = self.product(self.norm(x), width, 3 * width)
        operands = [qkv, "", "", f"past_key_{nth}", f"past_value_{nth}", "seqlens", "total"]
        said: dict[str, Any] = {"num_heads": heads, "kv_num_heads": heads, "domain": MICROSOFT}
        mixed = self.node("GroupQueryAttention", operands, 3, **said)[0]
        (x,) = self.node("Add", [x, self.product(mixed, width, width)])
        normed = self.norm(x)
        gate, up = (self.product(normed, width, hidden) for _ in range(2))
        (sigmoid,) = self.node("Sigmoid", [gate])
        (gated,) = self.node("Mul", [*self.node("Mul", [gate, sigmoid]), up])
        return self.node("Add", [x, self.product(gated, hidden, width)])[0]


def decoder(level: int | None, shape: Shape) -> tuple[onnx.ModelProto, Arrays]:
    """Return a decoder's step and what it is fed; with products in float32 for no level."""
    made, x, rng = Decoder(shape, level), "x", np.random.default_rng(1)
    cache = (1, shape.heads, shape.past, shape.width // shape.heads)
    fed = {"x": rng.standard_normal((1, 1, shape.width), "float32")}
    for nth in range(shape.layers):
        fed |= {
            f"past_{what}_{nth}": rng.standard_normal(cache, "float32") for what in ("key", "value")
        }
        x = made.layer(x, nth)
    fed |= {"seqlens": np.full(1, shape.past, "int32"), "total": np.array(shape.past + 1, "int32")}
    made.nodes[-1].output[0] = "y"
    graph = helper.make_graph(
        made.nodes,
        "decoder",
        [
            helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
            for n, a in fed.items()
        ],
        [helper.make_tensor_value_info("y", FLOAT, [1, 1, shape.width])],
        made.weights,
    )
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(graph, ir_version=10, opset_imports=opsets), fed


@dataclass(frozen=True)
class Row:
    """The figures of one accuracy level.

    Attributes:
        model: What it is.
        level: The accuracy level of the products.
        ours: Milliseconds of a step, their median.
        by_float: The time of our step in float32 by that.
        by_theirs: The time of onnxruntime's step of four bits by that.
        error: The largest difference from onnxruntime's numbers, by max abs of the reference.
    """

    model: str
    level: int
    ours: float
    by_float: Ratio
    by_theirs: Ratio
    error: float


def measure(level: int, shape: Shape, *, threads: int, duration_s: float) -> Iterator[Row]:
    """Compare a step's numbers with onnxruntime's, then time both and ours in float32 in turn."""
    model, fed = decoder(level, shape)
    ours = tvmfuse.compile(model).load(num_threads=threads)
    theirs, bound = _onnxruntime(model, fed, threads)
    in_float = tvmfuse.compile(decoder(None, shape)[0]).load(num_threads=threads)
    done = watched(
        f"accuracy level {level}",
        {"onnxruntime": theirs, "ours": lambda: ours(fed)},
        timed={"onnxruntime": bound, "ours": ours.bound(fed), "float": in_float.bound(fed)},
        duration_s=duration_s,
        threads=threads,
        clock=thread_clock() if threads == 1 else None,
    )
    if done.measured:
        yield Row(
            "decoder",
            level,
            done.milliseconds("ours"),
            done.ratio("float", "ours"),
            done.ratio("onnxruntime", "ours"),
            done.error,
        )
    if done.samples.interrupted:
        raise KeyboardInterrupt


def _onnxruntime(
    model: onnx.ModelProto, fed: Arrays, threads: int
) -> tuple[Callable[[], Arrays], Callable[[], None]]:
    """Return what runs a step once and gives its output, and what is timed: it bound."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    binding = session.io_binding()
    for name, array in fed.items():
        binding.bind_cpu_input(name, array)
    binding.bind_output("y")
    return (
        lambda: {"y": session.run(None, dict(fed))[0]},
        lambda: session.run_with_iobinding(binding),
    )


def table(name: str, rows: Sequence[Row], threads: int) -> Table:
    """Show the figures of all accuracy levels."""
    shown = Table(title=f"{name}, threads: {threads}, {cpu_name()}", title_justify="left")
    for column in ("accuracy level", "ms", "ours in float32 by ours", "onnxruntime by ours"):
        shown.add_column(column, justify="right")
    for row in rows:
        ratios = in_short(row.by_float), in_short(row.by_theirs)
        shown.add_row(str(row.level), f"{row.ours:.2f}", *ratios)
    return shown


@click.command(
    cls=Benchmark,
    epilog=examples("python -m bench.few_bits_decoder", "python -m bench.few_bits_decoder --json"),
)
@threads_option
@duration_option(3.0, "accuracy level")
@json_option
@click.pass_context
def main(ctx: click.Context, /, *, threads: int, duration: float, as_json: bool) -> None:
    """Time a decoder's step of one token with weights of four bits.

    In floats, and with what is multiplied in bytes, which an accuracy level of 4 allows. A ratio
    above 1 is ours ahead. Of one thread, the time is that for which it had a core.
    """
    work = (
        row
        for level in (0, 4)
        for row in measure(level, Shape(), threads=threads, duration_s=duration)
    )
    show_rows(ctx, work, partial(table, threads=threads), as_json=as_json, threads=threads)


if __name__ == "__main__":
    main()
