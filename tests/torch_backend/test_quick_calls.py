"""Small groups are one function of Python's, which does a call as a whole or leaves it alone."""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import subprocess
import sys
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch_backend.traced import compiled

from tvmfuse.runtime.compiled_main import FixedWeights
from tvmfuse.runtime.functions import address_of
from tvmfuse.runtime.on_cpu import FixedMain
from tvmfuse.torch_backend import quick_call as quick
from tvmfuse.torch_backend.compiled_graph import CompiledGraph
from tvmfuse.torch_backend.compiled_group import CompiledGroup
from tvmfuse.torch_backend.quick_call import Call, Input, Result, Weight, never

SHAPE = (5, 12)


def numbers(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape or SHAPE, generator=torch.Generator().manual_seed(seed))


def both(x: Tensor, y: Tensor) -> tuple[Tensor]:
    return ((x * 2 + y).relu(),)


def group(made: CompiledGraph) -> CompiledGroup:
    assert made.whole is not None
    return made.whole


def of_both() -> CompiledGraph:
    """Compile it; torch takes one tensor that is given twice for one argument."""
    return compiled(both, numbers(), numbers())


def quick_of(made: CompiledGraph, *given: Any) -> Call:
    """Call a graph that is a group once, and return what computes it then; it has to be quick."""
    made.call([*given])
    found = group(made).watching(())
    assert found is not None
    return found


def computed(call: Call, *given: Any) -> list[Any]:
    found = call([*given])
    assert found is not None
    return found


FUNCTIONS: dict[str, Callable[[Tensor, Tensor], tuple[Any, ...]]] = {
    "one result": both,
    "several": lambda x, y: (x + y, (x + y) * 2, x.sum()),
    "memory between": lambda x, y: ((x @ y.t()).softmax(-1) @ y,),
    "arguments and nothing": lambda x, y: (y, x + y, None, x, y),
    "in another order": lambda x, y: (lambda s: (s.exp(), s, s.exp()))(x - y),
    "transposed": lambda x, y: ((x + y).t(),),
    "expanded": lambda x, y: ((x + y).reshape(1, 60).expand(3, 60),),
    "channels last": lambda x, y: (
        (x + y).reshape(1, 3, 4, 5).to(memory_format=torch.channels_last),
    ),
    "other dtypes": lambda x, y: (x > y, (x + y).to(torch.bfloat16)),
}


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_outputs_are_those_of_eager(kind: str) -> None:
    function, given = FUNCTIONS[kind], [numbers(), numbers(seed=1)]
    call = quick_of(compiled(function, *given), *given)
    for scale in (1, 2):
        arguments = [x * scale for x in given]
        found, wanted = call(arguments), function(*arguments)
        assert found is not None
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            if isinstance(other, Tensor):
                torch.testing.assert_close(one, other)
                assert one.stride() == other.stride()
            else:
                assert one is None
            assert [one is x for x in arguments] == [other is x for x in arguments]


TAKEN: dict[str, Tensor] = {
    "a parameter": nn.Parameter(numbers()),
    "requires_grad": numbers().requires_grad_(),
    "a view of it": numbers().requires_grad_().view(SHAPE),
    "at an even address": numbers(76)[16:].reshape(SHAPE),
}
SUBCLASS = type("Subclass", (Tensor,), {})

REFUSED: dict[str, Any] = {
    "strided": numbers(5, 24)[:, ::2],
    "transposed": numbers(12, 5).t(),
    "expanded": numbers(12).expand(SHAPE),
    "of another shape": numbers(5, 13),
    "of another rank": numbers(5, 12, 1),
    "of another dtype": numbers().double(),
    "complex": torch.complex(numbers(), numbers()),
    "at an odd address": numbers(61)[1:].reshape(SHAPE),
    "without memory": torch.empty(SHAPE, device="meta"),
    "sparse": numbers().to_sparse(),
    "a number": 3,
    "nothing": None,
}


@pytest.mark.parametrize("kind", TAKEN)
def test_what_is_taken(kind: str) -> None:
    x, y = TAKEN[kind], numbers()
    call = quick_of(of_both(), y, y)
    for given in ([x, y], [y, x], [x, x]):
        found = computed(call, *given)
        torch.testing.assert_close(found[0], both(*given)[0].detach())
        assert not found[0].requires_grad


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_left_to_others(kind: str) -> None:
    x, y = REFUSED[kind], numbers()
    call = quick_of(of_both(), y, y)
    for given in ([x, y], [y, x], [x, x]):
        assert call(given) is None
    assert call([y, y]) is not None


@pytest.mark.parametrize("arguments", [None, 3, (), [], [numbers()], (numbers(), numbers())])
def test_what_is_no_list_of_all_arguments_is_left_to_others(arguments: Any) -> None:
    y = numbers()
    assert quick_of(of_both(), y, y)(arguments) is None


def test_a_graph_takes_what_its_group_leaves() -> None:
    y = numbers()
    made = of_both()
    made.call([y, y])
    for kind in ("strided", "transposed", "expanded", "at an odd address"):
        x = REFUSED[kind]
        torch.testing.assert_close(made.call([x, y]), [*both(x, y)])


def test_sizes_of_one_have_any_stride() -> None:
    x = numbers(5, 1)
    call = quick_of(compiled(lambda x: (x * 2,), x), x)
    for given in (x, torch.as_strided(x.clone(), (5, 1), (1, 77))):
        found = computed(call, given)
        assert torch.equal(found[0], x * 2)


def test_dimensions_in_another_order_are_taken_as_they_were_traced() -> None:
    x = numbers(1, 3, 4, 5).to(memory_format=torch.channels_last)
    call = quick_of(compiled(lambda x: (x.exp(),), x), x)
    found = computed(call, x)
    torch.testing.assert_close(found[0], x.exp())
    assert found[0].stride() == x.stride()
    assert call([x.contiguous()]) is None


def test_tensors_of_another_sign_than_in_memory() -> None:
    """`watching` does not ask for it; a graph that is not guarded does."""
    x, y = torch._neg_view(numbers()), numbers()
    made = of_both()
    assert group(made).asks
    for _ in range(3):
        for given in ([x, y], [y, x], [y, y]):
            torch.testing.assert_close(made.call([*given]), [*both(*given)])


def test_results_are_torchs_own_and_no_call_changes_them() -> None:
    x = numbers()
    call = quick_of(of_both(), x, x)
    (first,) = computed(call, x, x)
    later = [result for n in range(4) for result in computed(call, x * n, x)]
    torch.testing.assert_close(first, both(x, x)[0])
    assert len({result.untyped_storage().data_ptr() for result in (first, *later)}) == 5
    assert first.untyped_storage().resizable()
    assert not first._is_view()


def test_nothing_is_held() -> None:
    x, y = numbers(), numbers(5, 24)[:, ::2]
    call = quick_of(compiled(FUNCTIONS["arguments and nothing"], x, numbers()), x, x)
    arguments = [x, x]

    def held() -> list[int]:
        return [sys.getrefcount(thing) for thing in (x, arguments, y)]

    before, nones = held(), sys.getrefcount(None)
    for _ in range(1000):
        found = call(arguments)
        assert found is not None
        result = weakref.ref(found[1])
        del found
        assert result() is None
        assert call([y, y]) is None
    assert held() == before
    assert abs(sys.getrefcount(None) - nones) < 500


def test_any_number_of_threads_at_once() -> None:
    x = numbers(6, 6)
    function = FUNCTIONS["memory between"]
    call = quick_of(compiled(function, x, numbers(6, 6)), x, x)
    given = [[numbers(6, 6, seed=n), numbers(6, 6, seed=n + 1)] for n in range(64)]
    wanted = [function(*pair)[0] for pair in given]
    with ThreadPoolExecutor(64) as pool:
        for _ in range(10):
            for one, other in zip(pool.map(call, given), wanted, strict=True):
                assert one is not None
                torch.testing.assert_close(one[0], other)


def test_a_child_of_fork() -> None:
    x = numbers()
    call = quick_of(of_both(), x, x)

    def in_child() -> None:
        found = call([x, x])
        os._exit(0 if found and torch.allclose(found[0], both(x, x)[0]) else 1)

    child = multiprocessing.get_context("fork").Process(target=in_child)
    child.start()
    child.join(60)
    assert child.exitcode == 0


def test_arguments_that_are_read_where_they_were() -> None:
    x, weight, other = numbers(), numbers(seed=1), numbers(seed=2)
    made = compiled(lambda x, _weight, _other: (x + 1,), x, weight, other)
    quick_of(made, x, weight, other)
    watched = [Weight(1, weight, only_that=False), Weight(2, other, only_that=True)]
    call = group(made).watching(watched)
    assert call is not None
    assert call([x, weight, other]) is not None
    assert call([x, weight.detach(), other]) is not None
    for moved in (weight.clone(), other, weight.to_sparse(), 3, None):
        assert call([x, moved, other]) is None
    for moved in (other.detach(), other.clone(), weight, None):
        assert call([x, weight, moved]) is None
    weight.data = weight.data.clone()
    assert call([x, weight, other]) is None


def test_work_that_others_should_not_wait_for_is_none_of_it() -> None:
    x = numbers(96, 96)
    made = compiled(lambda x: (x @ x @ x,), x)
    made.call([x])
    assert group(made)._quick is never
    assert group(made).watching(()) is None
    kernels = group(made).artifact.manifest.kernels
    assert not quick.is_light(kernels)
    assert quick.is_light([])
    assert not quick.is_light([replace(kernels[0], work=None)])


def test_sizes_that_are_known_only_as_it_runs() -> None:
    made = compiled(both, numbers(), numbers(), mode="symbolic")
    for count in (5, 6):
        x = numbers(count, 12)
        torch.testing.assert_close(made.call([x, x]), [*both(x, x)])
    assert group(made).watching(()) is None


def test_there_is_none_before_a_call() -> None:
    made = of_both()
    assert group(made).watching(()) is None


@pytest.mark.parametrize("lacking", ["torch's data_ptr", "torch's DLPack"])
def test_where_there_is_none(lacking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x = numbers()
    made = of_both()
    made.call([x, x])
    if lacking == "torch's data_ptr":
        monkeypatch.delattr(quick.guards, "_torchinductor_pyobject_tensor_data_ptr")
    else:
        monkeypatch.delattr(torch.Tensor, "__dlpack_c_exchange_api__")
    quick._method.cache_clear()
    try:
        assert group(made).watching(()) is None
        again = of_both()
        for _ in range(3):
            torch.testing.assert_close(again.call([x, x]), [*both(x, x)])
        assert group(again)._quick is never
    finally:
        quick._method.cache_clear()


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
def fails(_self: Any, _given: Any, count: int, _result: Any) -> int:
    """A function of compiled code that fails."""
    seen.append(count)
    return -1


seen: list[int] = []


def alone(result: Result) -> Call:
    """Return a call of that function."""
    shape, strides = (4,), (1,)
    main = FixedMain(None, address_of(fails), FixedWeights([]), 0)
    made = quick.quick_call(main, [Input(0, shape, strides, shape, "float32")], [], [result], [0])
    assert made is not None
    return made


RESULT = Result(((4,), (1,), torch.float32), (4,), "float32")


def test_a_function_that_fails_is_left_to_others() -> None:
    of_both().call([numbers(), numbers()])
    seen.clear()
    assert alone(RESULT)([numbers(4)]) is None
    assert seen == [4]  # the input, the result, the memory between, and who is told of kernels


def test_what_allocating_raises_is_raised() -> None:
    of_both().call([numbers(), numbers()])
    call = alone(replace(RESULT, allocated=((1 << 60,), (1,), torch.float32)))
    x = numbers(4)
    held = sys.getrefcount(x)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="allocate|overflow"):
            call([x])
    assert sys.getrefcount(x) == held


def test_python_ends_quietly_with_one_left() -> None:
    """It looks at its functions once more after it has let go of all code."""
    code = f"""
import sys, torch
sys.path.insert(0, {os.fspath(Path(__file__).parents[1])!r})
from torch_backend.test_quick_calls import numbers, of_both, quick_of
call = quick_of(of_both(), numbers(), numbers())
torch.kept = call, call([numbers(), numbers()])
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_its_memory_lives_as_long_as_the_function() -> None:
    x = numbers()
    call = quick_of(of_both(), x, x)
    torch._dynamo.reset()
    gc.collect()
    for _ in range(10):
        found = computed(call, x, x)
        torch.testing.assert_close(found, [*both(x, x)])
