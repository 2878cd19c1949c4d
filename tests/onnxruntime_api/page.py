"""`python -m tests.onnxruntime_api.page > docs/onnxruntime-api.md`: what of onnxruntime's API is here.

Each test of this folder declares the cases of onnxruntime's own tests that it stands for, by
`drop_in.accepts`; what the page says passes is what these tests pass.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tvmfuse.onnxruntime_api.option_table import ATTRIBUTES, KEYS, Option
from tvmfuse.onnxruntime_api.run_options import ATTRIBUTES as OF_RUNS

FOLDER: Final = Path(__file__).parent

CASES: Final = """
get_version_string get_build_info model_serialization
model_serialization_with_external_initializers
model_serialization_with_external_initializers_to_directory
model_serialization_with_original_external_initializers_to_directory
model_serialization_with_original_external_initializers_to_current_directory get_providers
enabling_and_disabling_telemetry set_default_logger_callback deserialization_from_path_object
set_providers set_providers_with_options invalid_set_providers session_providers
get_and_set_tuning_results run_model_with_optional_sequence_input run_model run_async
run_model_from_bytes run_model2 run_model2_contiguous run_model_multiple_threads list_as_input
string_list_as_input run_device run_model_symbolic_input boolean_inputs string_input1 string_input2
input_bytes input_object input_void raise_wrong_num_inputs model_meta profiler_with_session_options
profiler_get_start_time_ns graph_optimization_level sequence_length sequence_construct
sequence_insert ort_execution_mode loading_session_options_from_model
session_options_add_free_dimension_override_by_denotation
session_options_add_free_dimension_override_by_name session_options_add_config_entry
invalid_session_options_config_entry session_options_add_initializer
session_options_add_external_initializers
session_options_add_external_initializers_from_files_in_memory register_custom_ops_library ort_value
ort_value_gh_issue9799 ort_value_dlpack ort_value_dlpack_zero_size ort_value_array_protocol
run_output_does_not_alias_input_passthrough run_session_owned_output_is_zero_copy
ort_value_dlpack_protocol ort_value_from_dlpack_protocol_object ort_value_from_dlpack_bool
sparse_tensor_coo_format sparse_tensor_csr_format run_model_with_cuda_copy_stream ort_device
ort_memory_info ort_memory_info_create_v2 shared_allocator_using_create_and_register_allocator
memory_arena_shrinkage check_and_normalize_provider_args create_allocator multiple_devices
adater_export_read run_with_adapter run_base_model get_graph_provider_assignment_info
get_graph_provider_assignment_info_not_enabled tree_ensemble_logistic tvm_imported
bind_input_to_cpu_arr bind_input_types bind_input_only bind_input_and_preallocated_output
bind_input_and_non_preallocated_output bind_input_and_bind_output_with_ortvalues
""".split()
"""The cases of onnxruntime_test_python.py and onnxruntime_test_python_iobinding.py, in order."""

WEIGHTS: Final = "the optimized model holds its weights; the file beside it is not written"
ON_A_GPU: Final = "values lie on the CPU, and a session for a GPU copies them"

WHY_NOT: Final[Mapping[str, str]] = {
    "model_serialization_with_external_initializers": WEIGHTS,
    "model_serialization_with_external_initializers_to_directory": WEIGHTS,
    "model_serialization_with_original_external_initializers_to_directory": WEIGHTS,
    "model_serialization_with_original_external_initializers_to_current_directory": WEIGHTS,
    "set_providers_with_options": "of CUDA's options `device_id` 0 is taken, and the others do nothing",
    "get_and_set_tuning_results": "nothing is tuned while a model runs; on the CPU the case tests nothing",
    "register_custom_ops_library": "operators of another library's native code are refused",
    "ort_value_gh_issue9799": ON_A_GPU,
    "run_model_with_cuda_copy_stream": ON_A_GPU,
    "multiple_devices": ON_A_GPU,
    "tvm_imported": "it tests nothing without TVM's provider, which onnxruntime no longer has",
}
"""What is not done."""

HEAD: Final = """# ONNX Runtime's API, case by case

Written by `python -m tests.onnxruntime_api.page`. `tvmfuse.replace_onnxruntime()`, or
`python -m tvmfuse.as_onnxruntime script.py`, has `import onnxruntime` mean tvmfuse in a process;
[the guide](guide.md#onnx-runtimes-python-api) says how, and [the reference](reference/session.md) has each name.

## onnxruntime's own tests

Each case of `onnxruntime_test_python.py` and `onnxruntime_test_python_iobinding.py`, and the test of ours
(`tests/onnxruntime_api/`) that stands for it. Each of these passes in CI.

| case | here | test of ours |
|---|---|---|
"""

OPTIONS: Final = """
## Options

Of `SessionOptions`, by attribute and by key of `add_session_config_entry`. What has no effect is accepted, and one
`NoEffectWarning` for a session names all of it, unless `log_severity_level` is 3 or more. An attribute that there is
not is an `AttributeError` which names a close one; a key that there is not is kept, and warned of.
"""


def declared() -> Iterator[tuple[str, str, str]]:
    """Yield each case that a test declares, what of it is not done, and the test."""
    for file in sorted(FOLDER.glob("test_*.py")):
        for function in ast.parse(file.read_text()).body:
            if not isinstance(function, ast.FunctionDef):
                continue
            for decorator in function.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "accepts":
                    but = "".join(ast.literal_eval(k.value) for k in decorator.keywords)
                    for case in map(ast.literal_eval, decorator.args):
                        yield case, but, file.name


def page() -> str:
    """Return the page."""
    tests = {case: (but, test) for case, but, test in declared()}
    notes: dict[str, int] = {}
    rows = [_row(case, tests, notes) for case in CASES]
    said = ["\n", *(f"{number}. {note}.\n" for note, number in notes.items())]
    parts = [
        HEAD,
        *rows,
        *said,
        OPTIONS,
        *_options("attribute", ATTRIBUTES),
        *_options("key", KEYS),
    ]
    runs = "\nOf `RunOptions`:\n"
    return "".join([*parts, runs, *_options("attribute", OF_RUNS)])


def _row(case: str, tests: Mapping[str, tuple[str, str]], notes: dict[str, int]) -> str:
    """Return a case's line; what there is to say of it is a note by its number."""
    note, test = (WHY_NOT[case], "") if case in WHY_NOT else tests[case]
    number = f", note {notes.setdefault(note, len(notes) + 1)}" if note else ""
    return f"| {case} | {'passes' if test else 'no'}{number} | {test} |\n"


def _options(what: str, options: Mapping[str, Option]) -> Iterator[str]:
    yield f"\n| {what} | by default | another value |\n|---|---|---|\n"
    for name, option in options.items():
        default: Any = option.default[-1] if isinstance(option.default, tuple) else option.default
        shown = getattr(default, "name", default)
        yield f"| `{name}` | {f'`{shown}`' if shown != '' else ''} | {option.fate.value}: {option.why} |\n"


if __name__ == "__main__":
    print(page(), end="")
