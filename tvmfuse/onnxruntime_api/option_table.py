"""What becomes of each attribute of onnxruntime's SessionOptions, and of each configuration key.

Source of the keys: onnxruntime_session_options_config_keys.h of onnxruntime 1.31, and the
documentation of its execution providers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from tvmfuse.levels import GraphOptimizationLevel
from tvmfuse.onnxruntime_api.enums import ExecutionMode, ExecutionOrder


class Fate(Enum):
    """What becomes of an option."""

    HONOURED = "honoured"
    HOLDS = "holds anyway"
    NO_EFFECT = "no effect"
    REFUSED = "refused"


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes:
        default: What it is where nobody sets it; setting that means nothing. A key of the
            configuration that has several has a tuple.
        fate: What becomes of another value.
        why: In words.
    """

    default: Any
    fate: Fate
    why: str


HONOURED, HOLDS, NO_EFFECT, REFUSED = Fate

PLANNED: Final = "memory is planned when compiling"
ONE_BY_ONE: Final = "kernels run one after another, and each on all threads"
OF_OTHERS: Final = "it is for execution providers that are not here"

ATTRIBUTES: Final[Mapping[str, Option]] = {
    "enable_cpu_mem_arena": Option(default=True, fate=NO_EFFECT, why=PLANNED),
    "enable_mem_pattern": Option(default=True, fate=NO_EFFECT, why=PLANNED),
    "enable_mem_reuse": Option(default=True, fate=NO_EFFECT, why=PLANNED),
    "enable_profiling": Option(
        default=False, fate=HONOURED, why="each run is traced, kernel by kernel"
    ),
    "execution_mode": Option(ExecutionMode.ORT_SEQUENTIAL, NO_EFFECT, ONE_BY_ONE),
    "execution_order": Option(ExecutionOrder.DEFAULT, NO_EFFECT, ONE_BY_ONE),
    "graph_optimization_level": Option(
        GraphOptimizationLevel.ORT_ENABLE_ALL, HONOURED, "the same levels"
    ),
    "inter_op_num_threads": Option(0, NO_EFFECT, ONE_BY_ONE),
    "intra_op_num_threads": Option(0, HONOURED, "threads for one kernel; 0 or less: all cores"),
    "log_severity_level": Option(-1, HONOURED, "from 3 on nothing is warned of"),
    "log_verbosity_level": Option(0, HOLDS, "there are no messages of more than one detail"),
    "logid": Option("", HONOURED, "names the session in messages"),
    "optimized_model_filepath": Option("", HONOURED, "in a format of our own, which sessions take"),
    "profile_file_prefix": Option("onnxruntime_profile_", HONOURED, "of the trace's name"),
    "use_deterministic_compute": Option(
        default=False, fate=HOLDS, why="a run with the same inputs and threads gives the same bits"
    ),
    "use_per_session_threads": Option(
        default=True, fate=HONOURED, why="False takes the number of `set_global_thread_pool_sizes`"
    ),
}
"""The attributes of `SessionOptions`, as onnxruntime has them."""

KEYS: Final[Mapping[str, Option]] = {
    "optimization.disable_specified_optimizers": Option("", HONOURED, "passes of ours by name"),
    "optimization.enable_gelu_approximation": Option("0", HONOURED, "the pass GeluApproximation"),
    "optimization.enable_cast_chain_elimination": Option(
        "0", HONOURED, "the pass CastChainElimination"
    ),
    "optimization.minimal_build_optimizations": Option("", NO_EFFECT, "for ORT format models"),
    "optimization.constant_folding_max_output_size_in_bytes": Option(
        "", NO_EFFECT, "`SessionOptions.limits` bounds it"
    ),
    "session.intra_op.allow_spinning": Option("1", HONOURED, "whether workers wait actively"),
    "session.inter_op.allow_spinning": Option("1", HOLDS, ONE_BY_ONE),
    "session.force_spinning_stop": Option("0", HOLDS, "a worker waits actively for 1 ms at most"),
    "session.intra_op.spin_duration_us": Option("", NO_EFFECT, "workers wait for 1 ms at most"),
    "session.inter_op.spin_duration_us": Option("", HOLDS, ONE_BY_ONE),
    "session.intra_op.spin_backoff_max": Option("", NO_EFFECT, "workers wait for 1 ms at most"),
    "session.inter_op.spin_backoff_max": Option("", HOLDS, ONE_BY_ONE),
    "session.intra_op_thread_affinities": Option("", NO_EFFECT, "the system places threads"),
    "session.dynamic_block_base": Option("0", NO_EFFECT, "work is divided by a plan"),
    "session.record_ep_graph_assignment_info": Option(
        "0", HONOURED, "`get_provider_graph_assignment_info` lists nodes"
    ),
    "session.disable_cpu_ep_fallback": Option(
        "0", HONOURED, "a session that the CPU would serve is refused"
    ),
    "session.model_external_initializers_file_folder_path": Option(
        "", HONOURED, "where the weights beside a model in bytes lie"
    ),
    "session.load_model_format": Option(("", "ONNX"), REFUSED, "ORT format is not read"),
    "session.save_model_format": Option(("", "ONNX"), REFUSED, "ORT format is not written"),
    "session.use_ort_model_bytes_directly": Option("0", HOLDS, "for ORT format models"),
    "session.use_ort_model_bytes_for_initializers": Option("0", HOLDS, "for ORT format models"),
    "session.enable_saved_runtime_optimizations": Option("0", HOLDS, "for ORT format models"),
    "session.collect_node_memory_stats_to_file": Option("", REFUSED, "the file is not written"),
    "ep.context_enable": Option("0", REFUSED, "no EPContext model is written"),
    "session.set_denormal_as_zero": Option("0", NO_EFFECT, "numbers near zero stay"),
    "session.x64quantprecision": Option("0", HOLDS, "products of bytes are exact on every CPU"),
    "session.use_deterministic_compute": Option("0", HOLDS, "see the attribute"),
    "session.qdqisint8allowed": Option("", HOLDS, "integers are computed as they are"),
    "session.disable_quant_qdq": Option(
        "0", HONOURED, "without the passes that compute between Q and DQ in integers"
    ),
    "session.enable_quant_qdq_cleanup": Option("0", NO_EFFECT, "what is rounded stays rounded"),
    "session.disable_double_qdq_remover": Option("0", HOLDS, "what is rounded stays rounded"),
    "session.disable_qdq_constant_folding": Option("0", NO_EFFECT, "constants are folded"),
    "session.enable_dq_matmulnbits_fusion": Option("0", HOLDS, "the pass DQMatMulNBitsFusion"),
    "session.qdq_matmulnbits_accuracy_level": Option("", NO_EFFECT, "accuracy is the model's"),
    "session.qdq_matmulnbits_block_size": Option("", NO_EFFECT, "blocks are the model's"),
    "session.disable_prepacking": Option("0", NO_EFFECT, "weights are laid out when compiling"),
    "session.prepack.enable_parallel": Option("0", NO_EFFECT, "weights lie in the compiled model"),
    "session.save_external_prepacked_constant_initializers": Option(
        "0", NO_EFFECT, "weights lie in the compiled model"
    ),
    "session.optimized_model_external_initializers_file_name": Option(
        "", NO_EFFECT, "it holds its weights"
    ),
    "session.optimized_model_external_initializers_min_size_in_bytes": Option(
        "", NO_EFFECT, "it holds its weights"
    ),
    "session.use_external_initializer_file_buffers_directly": Option("0", NO_EFFECT, PLANNED),
    "session.use_env_allocators": Option("0", NO_EFFECT, PLANNED),
    "session.use_device_allocator_for_initializers": Option("0", NO_EFFECT, PLANNED),
    "session.strict_shape_type_inference": Option("0", HOLDS, "types that disagree are refused"),
    "session.strict_workspace_verification": Option("0", NO_EFFECT, PLANNED),
    "session.allow_released_opsets_only": Option(("", "0", "1"), HOLDS, "what is read decides"),
    "session.disable_aot_function_inlining": Option("0", NO_EFFECT, "functions are inlined"),
    "session.function_expansion_byte_limit": Option("", NO_EFFECT, "`SessionOptions.limits`"),
    "session.function_expansion_node_limit": Option("", NO_EFFECT, "`SessionOptions.limits`"),
    "session.graph_optimizations_loop_level": Option("", NO_EFFECT, "passes run until none fires"),
    "session.max_shape_override": Option("", NO_EFFECT, "`tvmfuse.compile(dims=)` bounds sizes"),
    "session.node_partition_config_file": Option("", NO_EFFECT, ONE_BY_ONE),
    "session.debug_layout_transformation": Option("0", NO_EFFECT, "`compile(dump_ir=)` writes"),
    "session.layer_assignment_settings": Option("", NO_EFFECT, OF_OTHERS),
    "session.name_based_layer_assignment": Option("", NO_EFFECT, OF_OTHERS),
    "session.resource_cuda_partitioning_settings": Option("", NO_EFFECT, OF_OTHERS),
    "session.disable_model_compile": Option("0", NO_EFFECT, OF_OTHERS),
    "session.fail_on_suboptimal_compiled_model": Option("0", NO_EFFECT, OF_OTHERS),
    "session.compile_only": Option("0", NO_EFFECT, OF_OTHERS),
    "session.enable_moe_expert_counting": Option("0", NO_EFFECT, OF_OTHERS),
    "session.enable_moe_expert_statistics": Option("0", NO_EFFECT, OF_OTHERS),
    "session.moe_expert_counter_alpha": Option("", NO_EFFECT, OF_OTHERS),
    "session.moe_expert_counter_beta": Option("", NO_EFFECT, OF_OTHERS),
    "session.moe_expert_counter_state_file": Option("", NO_EFFECT, OF_OTHERS),
    "session.gqa_value_layout": Option("", NO_EFFECT, "layouts follow from kernels"),
    "ep.context_file_path": Option("", NO_EFFECT, OF_OTHERS),
    "ep.context_embed_mode": Option("0", NO_EFFECT, OF_OTHERS),
    "ep.context_node_name_prefix": Option("", NO_EFFECT, OF_OTHERS),
    "ep.context_model_external_initializers_file_name": Option("", NO_EFFECT, OF_OTHERS),
    "ep.share_ep_contexts": Option("0", NO_EFFECT, OF_OTHERS),
    "ep.stop_share_ep_contexts": Option("0", NO_EFFECT, OF_OTHERS),
    "ep.enable_weightless": Option("0", NO_EFFECT, OF_OTHERS),
    "ep.nnapi.partitioning_stop_ops": Option("", NO_EFFECT, OF_OTHERS),
    "mlas.enable_gemm_fastmath_arm64_bfloat16": Option("0", NO_EFFECT, OF_OTHERS),
    "mlas.disable_kleidiai": Option("0", NO_EFFECT, OF_OTHERS),
    "mlas.use_lut_gemm": Option("0", NO_EFFECT, "kernels are ours"),
    "mlas.qnbit.force_fp32": Option("0", NO_EFFECT, "accuracy is the model's"),
}
"""The documented keys of the configuration; those of an attribute mean the attribute."""

RUN_KEYS: Final[Mapping[str, Option]] = {
    "memory.enable_memory_arena_shrinkage": Option("", HOLDS, "a run's memory is no arena"),
    "disable_synchronize_execution_providers": Option("0", HOLDS, "a run ends when it is done"),
    "gpu_graph_id": Option("", HOLDS, "no graph is captured"),
    "qnn.htp_perf_mode": Option("", HOLDS, OF_OTHERS),
    "qnn.htp_perf_mode_post_run": Option("", HOLDS, OF_OTHERS),
    "qnn.rpc_control_latency": Option("", HOLDS, OF_OTHERS),
    "qnn.lora_config": Option("", HOLDS, OF_OTHERS),
}
"""The documented keys of a run's configuration."""


def is_default(option: Option, value: object) -> bool:
    """Whether a value is what it is without setting it."""
    if isinstance(option.default, tuple):
        return value in option.default
    return bool(value == option.default)


def declare(kind: type, attributes: Mapping[str, Option]) -> None:
    """Give a class of options its attributes, as properties: programs look for names there.

    Args:
        kind: A class whose instances hold them in `__dict__`, and whose `__setattr__` sets them.
        attributes: Theirs.
    """

    def declared(name: str, why: str) -> property:
        return property(
            lambda options: options.__dict__[name],
            lambda options, value: setattr(options, name, value),
            doc=why,
        )

    for name, option in attributes.items():
        setattr(kind, name, declared(name, option.why))
