"""schedules.inline: what is computed again where it is read, and what is kept."""

from typing import Any

from tvm import relax, te, tirx
from tvm.relax import op as R

from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read


def stages(lab: Any, operator: Any, *inputs: Any) -> Any:
    (function,) = lab.kernels(lab.lowered(operator, *inputs)).values()
    return [s.name for s in inline(read(function)).stages]


def test_a_chain_becomes_one_stage(lab: Any) -> None:
    assert len(stages(lab, lambda a: R.nn.relu(R.exp(a) + a), ((5, 9), "float32"))) == 1


def test_a_cheap_value_read_twice_is_computed_twice(lab: Any) -> None:
    assert len(stages(lab, lambda a, b: R.nn.gelu(a + b), *[((5, 9), "float32")] * 2)) == 1


def test_a_dear_value_read_twice_is_kept(lab: Any) -> None:
    names = stages(lab, lambda a: R.nn.softmax(a, -1), ((5, 9), "float32"))
    assert "T_softmax_exp" in names


def test_what_a_reduction_reads_once_is_inlined(lab: Any) -> None:
    assert len(stages(lab, lambda a: R.sum(R.multiply(a, a), -1), ((5, 9), "float32"))) == 1


def test_what_a_convolution_reads_often_is_kept(lab: Any) -> None:
    inputs = ((1, 4, 9, 9), "float32"), ((4, 4, 3, 3), "float32")
    assert "pad_temp" in stages(lab, lambda x, w: R.nn.conv2d(x, w, padding=1), *inputs)


def test_padding_by_nothing_is_no_copy(lab: Any) -> None:
    names = stages(lab, R.nn.conv2d, ((1, 4, 9, 9), "float32"), ((4, 4, 3, 3), "float32"))
    assert len(names) == 1


def test_a_dear_value_of_each_channel_is_not_computed_for_each_element(lab: Any) -> None:
    c, x = te.placeholder((8,)), te.placeholder((8, 100))
    scale = te.compute((8,), lambda i: tirx.exp(c[i]), name="scale")
    function = lab.function_of(
        c, x, te.compute((8, 100), lambda i, j: x[i, j] * scale[i], name="y")
    )
    assert [s.name for s in inline(read(function)).stages] == ["scale", "y"]


def test_values_read_twice_at_every_step_do_not_explode(lab: Any) -> None:
    def chain(a: Any) -> Any:
        for _ in range(30):
            a = a * a + a
        return a

    (function,) = lab.kernels(lab.lowered(chain, ((5, 9), "float32"))).values()
    assert 1 < len(inline(read(function)).stages) < 40
    lab.assert_same_numbers(lab.lowered(chain, ((5, 9), "float32")), tolerance=1e-4)


def test_an_output_is_kept_though_it_is_read(lab: Any) -> None:
    a = te.placeholder((9,))
    y = te.compute((9,), lambda i: a[i] + 1.0, name="y")
    z = te.compute((9,), lambda i: y[i] * 2.0, name="z")
    assert len(inline(read(lab.function_of(a, y, z))).stages) == 2


def test_what_nobody_reads_is_dropped(lab: Any) -> None:
    module = lab.lowered(lambda a: relax.TupleGetItem(R.split(a, 2, 0), 0), ((4, 9), "float32"))
    for function in lab.kernels(module).values():
        kernel = inline(read(function))
        assert all(kernel.readers(b) for b in kernel.temporaries)
