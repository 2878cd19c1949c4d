"""Operators of strings and maps, node by node, against onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from tvmfuse.errors import InputError
from tvmfuse.text.node import NotTakenError, TextNode
from tvmfuse.text.part import TextPart
from tvmfuse.text.patterns import matching

ML, MICROSOFT = "ai.onnx.ml", "com.microsoft"
NAN = float("nan")
KINDS = {"O": TensorProto.STRING, "f": TensorProto.FLOAT, "d": TensorProto.DOUBLE}
KINDS |= {"l": TensorProto.INT64, "i": TensorProto.INT32, "?": TensorProto.BOOL}


def words(*texts: str) -> np.ndarray:
    """Return a vector of strings."""
    return np.array(texts, object)


def model(
    operator: str,
    *operands: np.ndarray,
    domain: str = "",
    opset: int = 21,
    outputs: int = 1,
    **attributes: Any,
) -> onnx.ModelProto:
    """Return a model of one node."""
    names = [f"x{place}" for place in range(len(operands))]
    inputs = [
        helper.make_tensor_value_info(name, KINDS[x.dtype.char], [None] * x.ndim)
        for name, x in zip(names, operands, strict=True)
    ]
    results = [f"y{place}" for place in range(outputs)]
    node = helper.make_node(operator, names, results, "n", domain=domain, **attributes)
    graph = helper.make_graph(
        [node], "one", inputs, [onnx.ValueInfoProto(name=name) for name in results]
    )
    opsets = [helper.make_opsetid("", opset if not domain else 21)]
    if domain:
        opsets.append(helper.make_opsetid(domain, opset))
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def ours(proto: onnx.ModelProto, *operands: Any) -> list[Any]:
    part = TextPart(proto.SerializeToString(), {}, "the test")
    return part.run(dict(zip(part.inputs, operands, strict=True)))


def theirs(proto: onnx.ModelProto, *operands: Any) -> list[Any]:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(proto.SerializeToString(), options)
    names = [value.name for value in session.get_inputs()]
    found: list[Any] = session.run(None, dict(zip(names, operands, strict=True)))
    return found


def agree(operator: str, *operands: np.ndarray, **said: Any) -> None:
    """Compare a node with onnxruntime: elements, dtypes, shapes, keys and their order."""
    proto = model(operator, *operands, **said)
    for found, wanted in zip(ours(proto, *operands), theirs(proto, *operands), strict=True):
        if isinstance(wanted, list):
            assert [[*row.items()] for row in found] == [[*row.items()] for row in wanted]
            continue
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        if wanted.dtype.kind == "f":
            np.testing.assert_array_equal(found, wanted)
            assert (np.signbit(found) == np.signbit(wanted)).all()
        else:
            assert found.tolist() == wanted.tolist()


TEXTS = words("b", "z", "a", "")
NUMBERS = np.array([[1, NAN], [2.5, -0.0]], "float32")
ENCODERS: list[tuple[int, np.ndarray, dict[str, Any]]] = [
    (1, TEXTS, {"classes_strings": ["a", "b", "a"]}),
    (1, np.array([1, 7, -1, 2]), {"classes_strings": ["a", "b", "a"], "default_string": "?"}),
    (2, TEXTS, {"keys_strings": ["a", "b", "a"], "values_int64s": [5, 6, 7]}),
    (2, TEXTS.reshape(2, 2), {"keys_strings": ["a", "b"], "values_floats": [0.1, 2.0]}),
    (3, TEXTS, {"keys_strings": ["a", ""], "values_strings": ["é", "b"], "default_string": "-"}),
    (2, np.array([5, 6]), {"keys_int64s": [5, 7], "values_strings": ["five", "seven"]}),
    (2, NUMBERS, {"keys_floats": [NAN, 2.5, 0.0], "values_strings": ["n", "y", "zero"]}),
    (4, NUMBERS, {"keys_floats": [NAN, 2.5, 0.0], "values_strings": ["n", "y", "zero"]}),
    (2, np.empty((0, 2), object), {"keys_strings": ["a"], "values_int64s": [1]}),
]


@pytest.mark.parametrize(("opset", "x", "said"), ENCODERS)
def test_tables_of_labels(opset: int, x: np.ndarray, said: dict[str, Any]) -> None:
    agree("LabelEncoder", x, domain=ML, opset=opset, **said)


def tensor(*values: Any, dtype: Any = object) -> onnx.TensorProto:
    return numpy_helper.from_array(np.array(values, dtype))


def test_tables_that_are_tensors() -> None:
    keys = tensor("a", "b")
    values = tensor(1, 2, dtype="int16")
    agree("LabelEncoder", TEXTS, domain=ML, opset=4, keys_tensor=keys,
          values_tensor=tensor(1.5, 2.5, dtype="float64"),
          default_tensor=tensor(9.0, dtype="float64"))  # fmt: skip
    agree("LabelEncoder", TEXTS, domain=ML, opset=4, keys_tensor=keys, values_tensor=values,
          default_tensor=tensor(9, dtype="int16"))  # fmt: skip
    agree("LabelEncoder", np.array([1.0, 2.5, NAN]), domain=ML, opset=4,
          keys_tensor=tensor(2.5, NAN, dtype="float64"), values_tensor=keys,
          default_tensor=tensor("none"))  # fmt: skip


def test_categories_go_both_ways() -> None:
    said: dict[str, Any] = {"domain": ML, "cats_int64s": [5, 6], "cats_strings": ["a", "b"]}
    agree("CategoryMapper", TEXTS, opset=1, **said)
    agree("CategoryMapper", np.array([[6, 9]]), opset=1, default_string="none", **said)


SCORES = np.array([[0.1, 0.2, 0.7], [1, NAN, 0]], "float32")


@pytest.mark.parametrize("scores", [SCORES, SCORES[:0], SCORES[0], SCORES[:1]])
@pytest.mark.parametrize(
    "said",
    [
        {"classlabels_strings": ["z", "a", "é"]},
        {"classlabels_strings": ["z", "a", "z"]},
        {"classlabels_int64s": [3, -1, 2]},
    ],
)
def test_rows_become_dicts(scores: np.ndarray, said: dict[str, Any]) -> None:
    proto = model("ZipMap", scores, domain=ML, opset=1, **said)
    [found], [wanted] = ours(proto, scores), theirs(proto, scores)
    assert repr(found) == repr(wanted)  # NaN is not what it is


def test_a_dict_becomes_a_row() -> None:
    said: dict[str, Any] = {"string_vocabulary": ["b", "a", "c"]}
    proto = model("DictVectorizer", np.zeros(1, "float32"), domain=ML, opset=1, **said)
    number = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
    kind = helper.make_map_type_proto(TensorProto.STRING, number)
    proto.graph.input[0].type.CopyFrom(kind)
    given = {"a": 1.5, "b": 2.0, "z": 9.0}
    [found], [wanted] = ours(proto, given), theirs(proto, given)
    assert (found.dtype, found.tolist()) == (wanted.dtype, wanted.tolist())
    for odd in (np.zeros(3), {"a": "b"}):
        with pytest.raises(InputError, match="expected a dict"):
            ours(proto, odd)


TOKENS: dict[str, Any] = {
    "domain": MICROSOFT, "opset": 1, "mark": 0, "mincharnum": 1, "pad_value": "#",
}  # fmt: skip
LONG = words("the cat", " a,b,,c ", "", "x  y", "Ünï cödé", "a\tb\nc")


@pytest.mark.parametrize("x", [LONG, LONG.reshape(2, 3), words("", ""), words("a b")])
@pytest.mark.parametrize(
    "said",
    [
        {"tokenexp": "[a-zA-Z0-9_]+"},
        {"tokenexp": r"\b\w\w+\b", "mark": 1},
        {"tokenexp": r"\S+", "mincharnum": 3},
        {"tokenexp": "[^,]{2,3}"},
        {"separators": [" "]},
        {"separators": [",", r"\s"], "mincharnum": 1, "mark": 1},
        {"separators": [""]},
    ],
)
def test_tokens(x: np.ndarray, said: dict[str, Any]) -> None:
    agree("Tokenizer", x, **{**TOKENS, **said})


def test_no_strings_have_tokens_of_the_same_rank() -> None:
    """onnxruntime leaves out the axis of tokens there, whatever its operators' schema says."""
    [found] = ours(model("Tokenizer", LONG, separators=[" "], **TOKENS), LONG[:0])
    assert found.shape == (0, 0)


@pytest.mark.parametrize("x", [words("A", "b", "The", "thE"), words("the"), words("The", "x")])
@pytest.mark.parametrize("action", ["NONE", "LOWER", "UPPER"])
@pytest.mark.parametrize("sensitive", [0, 1])
def test_normal_strings(x: np.ndarray, action: str, sensitive: int) -> None:
    said: dict[str, Any] = {"case_change_action": action, "is_case_sensitive": sensitive}
    agree("StringNormalizer", x, locale="C", stopwords=["the"], **said)
    agree("StringNormalizer", x, locale="C", **said)


@pytest.mark.parametrize("action", ["LOWER", "UPPER"])
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_letters_stay_one_letter(action: str, locale: str) -> None:
    x = words("Éß", "İstanbul", "ΣΑΣ", "ﬁ")
    agree("StringNormalizer", x, case_change_action=action, locale=locale)


@pytest.mark.parametrize("delimiter", [None, "", " ", ",", "ab"])
@pytest.mark.parametrize("maxsplit", [None, 0, 1, 2])
def test_strings_are_split(delimiter: str | None, maxsplit: int | None) -> None:
    given = {"delimiter": delimiter, "maxsplit": maxsplit}
    said = {name: value for name, value in given.items() if value is not None}
    for x in (LONG, LONG.reshape(2, 3), words(",,", "xabyab", " a b c ")):
        agree("StringSplit", x, outputs=2, **said)
    agree("StringSplit", words("", ""), outputs=2)


def test_strings_are_joined() -> None:
    agree("StringConcat", LONG.reshape(2, 3), words("!", "", "?"))
    agree("StringConcat", LONG[:0], LONG[:0])


@pytest.mark.parametrize(
    "pattern", [r"\w+", ".*", "(?:a|ab)+c?", r"[a-z]+@\w+\.com", r"\s", r"(\W|^)[\w.\-]{0,2}(b|$)"]
)
def test_whole_strings_match(pattern: str) -> None:
    x = words("ab", "x@y.com", "é", "a\nb", "abc", "", "\v", " ", "a\n")
    agree("RegexFullMatch", x, pattern=pattern)


READ = words("3.7", " 3", "-3x", "1e3", "+5", "0x10", "12345678901", ".5")


@pytest.mark.parametrize("to", ["FLOAT", "DOUBLE"])
def test_strings_are_read_as_floats(to: str) -> None:
    x = words(*READ, "nan", "INF", "-inf", "1e30")
    agree("Cast", x, to=TensorProto.DataType.Value(to))


@pytest.mark.parametrize("to", ["INT64", "INT32", "BOOL", "UINT8"])
def test_strings_are_read_as_integers(to: str) -> None:
    agree("Cast", READ[:-1].reshape(7, 1), to=TensorProto.DataType.Value(to))


def test_numbers_are_written() -> None:
    for x in (
        np.array([1.5, 1e20, 1 / 3, NAN, np.inf, -np.inf, -0.0, 1e-5, 123456789], "float32"),
        np.array([1 / 3, 0.1, 1e300]),
        np.array([[5, -3]]),
        np.array([True, False]),
        TEXTS,
    ):
        agree("Cast", x, to=TensorProto.STRING)


ROWS = LONG.reshape(2, 3)


@pytest.mark.parametrize(
    ("operator", "operands", "said"),
    [
        ("Concat", [ROWS, ROWS[:1]], {"axis": 0}),
        ("Equal", [ROWS, ROWS[:1]], {}),
        ("Expand", [ROWS[:1], np.array([2, 1])], {}),
        ("Flatten", [ROWS[None]], {"axis": 2}),
        ("Flatten", [ROWS[:0]], {}),
        ("Gather", [ROWS, np.array([[-1, 0]])], {"axis": 1}),
        ("GatherElements", [ROWS, np.array([[1, 0, 1]])], {"axis": 0}),
        ("Identity", [ROWS], {}),
        ("Reshape", [ROWS, np.array([0, -1, 1])], {}),
        ("Shape", [ROWS], {"start": -1}),
        ("Size", [ROWS], {}),
        ("Slice", [ROWS, np.array([-1]), np.array([-9]), np.array([1]), np.array([-2])], {}),
        ("Squeeze", [ROWS[:1], np.array([0])], {}),
        ("Tile", [ROWS, np.array([2, 1])], {}),
        ("Transpose", [ROWS], {"perm": [1, 0]}),
        ("Unsqueeze", [ROWS, np.array([0, -1])], {}),
        ("Where", [np.array([[True, False, True]]), ROWS, words("?")], {}),
        ("ArrayFeatureExtractor", [ROWS, np.array([[2, 0]])], {"domain": ML, "opset": 1}),
        ("ArrayFeatureExtractor", [LONG, np.array([2])], {"domain": ML, "opset": 1}),
    ],
)  # fmt: skip
def test_strings_are_moved(operator: str, operands: list[np.ndarray], said: dict[str, Any]) -> None:
    agree(operator, *operands, **said)


@pytest.mark.parametrize(
    ("operator", "operands", "said", "why"),
    [
        ("ZipMap", [SCORES[:, :2]], {"domain": ML, "opset": 1, "classlabels_int64s": [1, 2, 3]},
         r"ZipMap 'n' fails on what it is fed: expected rows of 3 scores, found shape \(2, 2\)"),
        ("ArrayFeatureExtractor", [LONG, np.array([9])], {"domain": ML, "opset": 1}, "not among the 6"),
        ("Cast", [words("x")], {"to": TensorProto.FLOAT}, "'x' does not begin with a number"),
        ("Cast", [words("9223372036854775808")], {"to": TensorProto.INT64}, "is no integer of 64 bits"),
        ("Reshape", [LONG, np.array([5, -1])], {}, "cannot reshape"),
        ("StringNormalizer", [LONG.reshape(2, 3)], {}, r"\[C\] or \[1, C\], found \[2, 3\]"),
    ],
)  # fmt: skip
def test_what_is_fed_may_be_wrong(
    operator: str, operands: list[np.ndarray], said: dict[str, Any], why: str
) -> None:
    with pytest.raises(InputError, match=why):
        ours(model(operator, *operands, **said), *operands)


@pytest.mark.parametrize(
    ("operator", "said", "why"),
    [
        ("Tokenizer", {**TOKENS, "tokenexp": "a|ab"}, r"in 'a\|ab', '\|ab' is not taken"),
        ("Tokenizer", {**TOKENS, "tokenexp": "a*"}, "matches an empty string"),
        ("Tokenizer", {**TOKENS, "tokenexp": r"\pL+"}, "is not taken"),
        ("Tokenizer", {**TOKENS, "tokenexp": "a", "separators": [","]}, "expected either"),
        ("Tokenizer", {**TOKENS, "tokenexp": "a", "mincharnum": 0}, "its mincharnum is 0"),
        ("RegexFullMatch", {"pattern": "(a"}, "is no regular expression"),
        ("RegexFullMatch", {"pattern": "(?=a)"}, "is not taken"),
        ("StringNormalizer", {"locale": "tr_TR"}, "with cases of its own"),
        ("StringNormalizer", {"case_change_action": "TITLE"}, "case_change_action is 'TITLE'"),
        ("LabelEncoder", {"domain": ML, "opset": 2, "keys_strings": ["a"]}, "0 lists of values"),
        ("LabelEncoder", {"domain": ML, "opset": 2, "keys_strings": ["a"], "values_int64s": [1, 2]},
         "1 keys and 2 values"),
        ("ZipMap", {"domain": ML, "opset": 1}, "it has no labels"),
        ("Cast", {"to": TensorProto.BFLOAT16}, "it casts to bfloat16"),
        ("Unique", {}, "has no such operator of strings"),
    ],
)  # fmt: skip
def test_what_is_refused_in_words(operator: str, said: dict[str, Any], why: str) -> None:
    with pytest.raises(NotTakenError, match=why):
        ours(model(operator, TEXTS, **said), TEXTS)


@pytest.mark.parametrize("pattern", ["a+?", "a*+", "^a", "a$", r"\Qa\E", "[[:alpha:]]", "(a)b"])
def test_patterns_that_mean_something_else(pattern: str) -> None:
    with pytest.raises(NotTakenError, match="is not taken"):
        matching(TextNode("Tokenizer", 1, {}), pattern)


def test_a_part_that_is_no_model_is_refused() -> None:
    with pytest.raises(NotTakenError, match="no ONNX model"):
        TextPart(b"\xff\xff", {}, "the test")
    proto = model("Identity", TEXTS)
    proto.graph.node[0].input[0] = "nobody's"
    with pytest.raises(NotTakenError, match='it reads "nobody\'s", which nothing makes'):
        ours(proto, TEXTS)
    proto = model("Identity", TEXTS)
    proto.graph.output[0].name = "nobody's"
    with pytest.raises(NotTakenError, match='nothing makes its output "nobody\'s"'):
        ours(proto, TEXTS)
