"""One Winograd convolution as a kernel, and the convolution that it stands for, in float64."""

from typing import Any

import numpy as np
import torch
import tvm
from tvm import relax

from tvmfuse.ops import conv_blocked, winograd, winograd_weights
from tvmfuse.passes.nchwc.arrays import blocked, blocked_weights
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, Machine

RNG = np.random.default_rng(0)


def drawn(*shape: Any) -> Any:
    return RNG.standard_normal(shape, "float32")


def exact(x: Any, w: Any, b: Any, pads: Any) -> Any:
    """Convolve plain float64 arrays; pads are top, left, bottom, right."""
    top, left, bottom, right = pads
    x, w, b = (torch.from_numpy(a.astype("float64")) for a in (x, w, b))
    x = torch.nn.functional.pad(x, (left, right, top, bottom))
    return torch.nn.functional.conv2d(x, w, b, groups=x.shape[1] // w.shape[1]).numpy()


def kernel(
    x: Any,
    w: Any,
    b: Any,
    pads: Any,
    m: Any,
    *,
    before: Any,
    after: Any,
    ending: Any = lambda bb, y: y,
    batch: Any = None,
    machine: Machine = AVX2,
    direct: bool = False,
) -> Any:
    """Return a module of one kernel, scheduled: the convolution in blocks, and its ending."""
    bb = relax.BlockBuilder()
    n, c, h, width = x.shape
    shape = (n if batch is None else batch, c // before, h, width, before)
    data = relax.Var("x", relax.TensorType(shape, "float32"))
    weights = blocked_weights(w, before, after)
    bias = relax.const(b.reshape(-1, after))
    groups = c // w.shape[1]
    with bb.function("main", [data]):
        with bb.dataflow():
            if direct:
                ones: dict[str, Any] = {"strides": [1, 1], "dilation": [1, 1], "groups": groups}
                y = conv_blocked(data, relax.const(weights), bias, padding=pads, **ones)
            else:
                u = relax.const(winograd_weights(weights, m))
                y = winograd(data, u, bias, padding=pads, groups=groups)
            out = bb.emit_output(relax.Tuple([ending(bb, bb.emit(y))]))
        bb.emit_func_output(out)
    fused = optimize(bb.get(), Selection.of("extended")).kernels
    scheduled = schedule(fused, machine.target)
    if not direct:
        assert [d.schedule for d in scheduled.report.decisions.values()] == ["winograd"]
    return scheduled.module


def runnable(module: Any, before: Any) -> Any:
    """Return the kernel as a function of plain arrays."""
    main = relax.VirtualMachine(tvm.compile(module, AVX2.target), tvm.cpu())["main"]

    def run(x: Any) -> Any:
        y = main(tvm.runtime.tensor(blocked(x, before)))[0].numpy()
        return np.moveaxis(y, -1, 2).reshape(y.shape[0], -1, *y.shape[2:4])

    return run


def close(found: Any, expected: Any, tolerance: float = 1e-5) -> None:
    assert np.abs(found - expected).max() < tolerance * np.abs(expected).max()


def run(module: Any, x: Any, before: Any) -> Any:
    return runnable(module, before)(x)
