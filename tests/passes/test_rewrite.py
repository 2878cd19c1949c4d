"""passes.rewrite: a rule changes the places that match, and nothing else."""

from typing import Any

import numpy as np
import pytest
import tvm
from tvm import IRModule, relax
from tvm.relax.dpl import is_op, wildcard
from tvm.script import ir as I, relax as R

from tvmfuse.errors import RewriteDivergedError
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.types import scalar_of
from tvmfuse.ops import gemm
from tvmfuse.passes.pattern import Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_rewrites, assert_same_numbers


class DoubleNegation(RewriteRule[None]):
    """Minus minus x is x."""

    name = "DoubleNegation"

    def pattern(self) -> Any:
        x = wildcard()
        inner = is_op("relax.negative")(x)
        return Pattern(is_op("relax.negative")(inner), x=x, inner=inner)

    def requires(self, match: Any) -> Conditions[Any]:
        yield match.num_uses("inner") == 1, "the inner negation has one reader"

    def rewrite(self, match: Any, found: Any) -> Any:
        return match["x"]


class ProductSum(RewriteRule[None]):
    """A product and a sum are one gemm."""

    name = "ProductSum"
    barrier_at = "product"

    def pattern(self) -> Any:
        a, b, c = wildcard(), wildcard(), wildcard()
        product = is_op("relax.matmul")(a, b)
        add = is_op("relax.add")
        return Pattern(add(product, c) | add(c, product), a=a, b=b, c=c, product=product)

    def rewrite(self, match: Any, found: Any) -> Any:
        return gemm(match["a"], match["b"], match["c"])


def module(build: Any, *shapes: Any) -> IRModule:
    bb = relax.BlockBuilder()
    params = [relax.Var(f"x{i}", relax.TensorType(s, "float32")) for i, s in enumerate(shapes)]
    with bb.function("main", params):
        with bb.dataflow():
            outputs = bb.emit_output(relax.Tuple(build(bb, *params)))
        bb.emit_func_output(outputs)
    return bb.get()


def emit(bb: Any, call: Any, node: Any) -> Any:
    return bb.emit(with_nodes(call, [node]))


def bindings(mod: Any) -> list[Any]:
    return [value for _, value in Dataflow.of(mod["main"]).bindings]


@I.ir_module
class Twice:
    @R.function
    def main(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        with R.dataflow():
            a = R.negative(x)
            b = R.negative(a)
            unread = R.exp(x)
            same = R.exp(b)
            again = R.exp(b)
            y = R.add(same, again)
            R.output(y)
        return y


@I.ir_module
class Once:
    @R.function
    def main(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        with R.dataflow():
            unread = R.exp(x)
            same = R.exp(x)
            again = R.exp(x)
            y = R.add(same, again)
            R.output(y)
        return y


def test_leaves_duplicates_and_dead_code_to_the_passes_that_are_named_for_them() -> None:
    assert_rewrites(DoubleNegation(), Twice, Once)


def test_a_chain_of_matches_is_rewritten_in_sweeps() -> None:
    def chain(bb: Any, x: Any) -> Any:
        for i in range(6):
            x = emit(bb, relax.op.negative(x), f"neg{i}")
        return [emit(bb, relax.op.exp(x), "exp")]

    trace = Trace()
    after = DoubleNegation()(module(chain, (2,)), trace)
    assert len(trace.fired) == 3
    assert [nodes_of(v) for v in bindings(after)[:1]] == [("exp",)]


def test_a_second_reader_declines_once_for_each_place() -> None:
    def shared(bb: Any, x: Any) -> Any:
        a = emit(bb, relax.op.negative(x), "a")
        return [emit(bb, relax.op.negative(a), "b"), emit(bb, relax.op.exp(a), "c")]

    mod = module(shared, (2,))
    assert_declines(DoubleNegation(), mod, because="the inner negation has one reader")
    trace = Trace()
    DoubleNegation()(mod, trace)
    assert trace.declined == [("the inner negation has one reader", ("a", "b"))]


def test_a_graph_output_is_a_reader() -> None:
    def output(bb: Any, x: Any) -> Any:
        a = emit(bb, relax.op.negative(x), "a")
        return [a, emit(bb, relax.op.negative(a), "b")]

    assert_declines(
        DoubleNegation(), module(output, (2,)), because="the inner negation has one reader"
    )


def test_an_operand_with_other_readers_is_read_not_computed_again() -> None:
    def product_sum(bb: Any, x: Any, w: Any) -> Any:
        a = emit(bb, relax.op.exp(x), "exp")
        p = emit(bb, relax.op.matmul(a, w), "matmul")
        return [emit(bb, relax.op.add(a, p), "add"), a]

    before = module(product_sum, (4, 4), (4, 4))
    after = ProductSum()(before)
    ops = [str(v.op.name) for v in bindings(after)[:-1]]
    assert ops == ["relax.exp", "tvmfuse.gemm"]
    assert_same_numbers(before, after)


def test_the_replacement_knows_the_nodes_that_it_came_from() -> None:
    def product_sum(bb: Any, x: Any, w: Any) -> Any:
        p = emit(bb, relax.op.matmul(x, w), "matmul")
        return [emit(bb, relax.op.add(p, x), "add")]

    after = ProductSum()(module(product_sum, (4, 4), (4, 4)))
    assert set(nodes_of(bindings(after)[0])) == {"matmul", "add"}


def test_the_limit_stops_after_so_many_rewrites() -> None:
    def pairs(bb: Any, x: Any) -> Any:
        outputs = []
        for i in range(4):
            a = emit(bb, relax.op.negative(x), f"a{i}")
            outputs.append(emit(bb, relax.op.negative(a), f"b{i}"))
        return outputs

    trace = Trace(limit=3)
    before = module(pairs, (2,))
    after = DoubleNegation()(before, trace)
    assert len(trace.fired) == 3
    assert (
        sum(
            str(getattr(getattr(v, "op", ""), "name", "")) == "relax.negative"
            for v in bindings(after)
        )
        == 2
    )
    assert_same_numbers(before, after)


def test_the_given_module_stays_as_it_is() -> None:
    before = tvm.ir.save_json(Twice)
    DoubleNegation()(Twice)
    assert tvm.ir.save_json(Twice) == before


def test_a_disabled_rule_leaves_barriers_where_it_would_have_fired() -> None:
    def product_sum(bb: Any, x: Any, w: Any) -> Any:
        p = emit(bb, relax.op.matmul(x, w), "matmul")
        return [emit(bb, relax.op.add(p, x), "add")]

    before = module(product_sum, (4, 4), (4, 4))
    apart = ProductSum().with_barriers(before)
    assert [str(v.op.name) for v in bindings(apart)[:-1]] == [
        "relax.matmul",
        "tvmfuse.barrier",
        "relax.add",
    ]
    assert_same_numbers(before, apart)
    assert DoubleNegation().with_barriers(before) is before


def test_a_rule_that_never_ends_is_named() -> None:
    class Grow(RewriteRule[None]):
        """Adds one for ever."""

        name = "Grow"

        def pattern(self) -> Any:
            x = wildcard()
            return Pattern(is_op("relax.add")(x, wildcard()), x=x)

        def rewrite(self, match: Any, found: Any) -> Any:
            return relax.op.add(match["x"], relax.const(np.ones(2, "float32")))

    def one_sum(bb: Any, x: Any) -> Any:
        return [emit(bb, relax.op.add(x, x), "add")]

    with pytest.raises(RewriteDivergedError, match="Grow"):
        Grow()(module(one_sum, (2,)))


def test_scalars_are_read_whatever_their_rank() -> None:
    assert scalar_of(relax.const(np.full((1, 1), 3, "int64"))) == 3
    assert scalar_of(relax.const(np.zeros(2, "float32"))) is None


def test_the_pattern_is_asked_for_once() -> None:
    asked = []

    class Asking(DoubleNegation):
        def pattern(self) -> Any:
            asked.append(self)
            return super().pattern()

    rule = Asking()
    for _ in range(2):
        assert_rewrites(rule, Twice, Once)
    assert asked == [rule]


def test_a_fact_about_a_match_is_derived_once() -> None:
    derived = []

    def nodes(match: Any) -> Any:
        derived.append(match.nodes)
        return match.nodes

    class Telling(DoubleNegation):
        def is_candidate(self, match: Any) -> Any:
            return bool(match.fact(nodes))

        def requires(self, match: Any) -> Conditions[Any]:
            yield match.num_uses("inner") == 1, "the inner negation has one reader"
            return match.fact(nodes)

        def rewrite(self, match: Any, found: Any) -> Any:
            assert found == match.nodes
            return match["x"]

    assert_rewrites(Telling(), Twice, Once)
    derived.clear()
    Telling()(Twice)
    assert len(derived) == 1


def test_an_alternative_is_not_judged_after_one_that_fits() -> None:
    judged = []

    class Judging(ProductSum):
        def requires(self, match: Any) -> Conditions[Any]:
            judged.append(match)
            yield True, "it holds"

    def products(bb: Any, x: Any, w: Any) -> Any:
        a, b = emit(bb, relax.op.matmul(x, w), "a"), emit(bb, relax.op.matmul(w, x), "b")
        return [emit(bb, relax.op.add(a, b), "add")]

    Judging()(module(products, (4, 4), (4, 4)))
    assert len(judged) == 1
