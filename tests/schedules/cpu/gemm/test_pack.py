"""schedules.cpu.gemm.pack: operands that vectors would be gathered from are copied, if it pays."""

from typing import Any

from tvm import IRModule, te
from tvm.relax import op as R

from tvmfuse.schedules.cpu.gemm.pack import pack
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read
from tvmfuse.target.machine import AVX2


def transposed(lab: Any, m: Any, n: Any, k: Any) -> Any:
    a, b = te.placeholder((m, k), name="a"), te.placeholder((n, k), name="b")
    r = te.reduce_axis((0, k))
    return lab.function_of(
        a, b, te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[j, r], r), name="c")
    )


def packed(function: Any) -> Any:
    kernel = inline(pack(inline(read(function)), AVX2))
    return {b.name: [static(d) for d in b.shape] for b in kernel.temporaries}, kernel


def conv(lab: Any, image: Any, weight: Any, **options: Any) -> Any:
    inputs = [((1, *image), "float32"), (weight, "float32")]
    (function,) = lab.kernels(
        lab.lowered(lambda x, w: R.nn.conv2d(x, w, **options), *inputs)
    ).values()
    return packed(function)


def test_copies_a_transposed_operand_that_many_rows_read(lab: Any) -> None:
    buffers, kernel = packed(transposed(lab, 32, 24, 16))
    assert buffers == {"b_packed": [16, 1, 24]}
    assert [s.name for s in kernel.stages] == ["b_packed_0", "c"]
    lab.assert_same_numbers(IRModule({"main": transposed(lab, 32, 24, 16)}))


def test_leaves_it_where_few_rows_read_it(lab: Any) -> None:
    assert packed(transposed(lab, 3, 24, 16))[0] == {}


def test_copies_one_operand_of_a_product_with_itself(lab: Any) -> None:
    a, r = te.placeholder((20, 12), name="a"), te.reduce_axis((0, 12))
    function = lab.function_of(a, te.compute((20, 20), lambda i, j: te.sum(a[i, r] * a[j, r], r)))
    assert list(packed(function)[0]) == ["a_packed"]
    lab.assert_same_numbers(IRModule({"main": function}))


def test_a_stride_s_phases_lie_side_by_side_instead_of_the_padded_image(lab: Any) -> None:
    buffers, kernel = conv(lab, (3, 16, 16), (8, 3, 3, 3), strides=2, padding=1)
    assert buffers == {"pad_temp_packed": [1, 3, 18, 2, 9]}
    assert len(kernel.stages) == 3  # two phases and the convolution


def test_only_the_phases_that_are_read_are_copied(lab: Any) -> None:
    buffers, _ = conv(lab, (3, 16, 16), (8, 3, 1, 1), strides=2)
    assert buffers == {"p0_packed": [1, 3, 16, 1, 8]}


def test_a_stride_of_one_needs_no_copy(lab: Any) -> None:
    assert list(conv(lab, (3, 16, 16), (8, 3, 3, 3), padding=1)[0]) == ["pad_temp"]
