"""The names of onnxruntime's modules, and what each means here."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final

from tvmfuse.onnxruntime_api import (
    adapters,
    compiled_session,
    devices,
    dlpack,
    enums,
    exceptions,
    io_binding,
    logs,
    machine,
    node_arg,
    ort_value,
    providers,
    run_options,
    session,
    session_options,
    sparse_tensor,
)

IN_BOTH: Final[Mapping[ModuleType, str]] = {
    enums: """ExecutionMode ExecutionOrder GraphOptimizationLevel OrtAllocatorType
        OrtCompileApiFlags OrtDeviceMemoryType OrtExecutionProviderDevicePolicy
        OrtHardwareDeviceType OrtMemType OrtMemoryInfoDeviceType OrtSparseFormat""",
    adapters: "AdapterFormat LoraAdapter",
    devices: "OrtArenaCfg OrtDevice OrtEpDevice OrtHardwareDevice OrtMemoryInfo",
    node_arg: "ModelMetadata NodeArg OrtEpAssignedNode OrtEpAssignedSubgraph",
    ort_value: "OrtValue copy_tensors",
    sparse_tensor: "SparseTensor",
    io_binding: "SessionIOBinding",
    run_options: "RunOptions",
    session_options: "SessionOptions",
    providers: "get_all_providers get_available_providers get_device",
    logs: """set_default_logger_callback set_default_logger_severity
        set_default_logger_verbosity""",
    machine: """ModelCompiler OrtEpContextData OrtEpContextDataBuffer
        OrtExternalInitializerInfo OrtSyncStream create_and_register_allocator
        create_and_register_allocator_v2 disable_telemetry_events enable_telemetry_events
        get_build_info get_ep_devices get_version_string has_collective_ops
        register_execution_provider_library set_global_thread_pool_sizes set_seed
        unregister_execution_provider_library""",
}
"""What the package and its native code both have."""

PACKAGE: Final[Mapping[ModuleType, str]] = {
    enums: "OrtDeviceVendorId",
    io_binding: "IOBinding",
    session: "InferenceSession",
    machine: "preload_dlls print_debug_info",
}
"""What only the package has."""

NATIVE: Final[Mapping[ModuleType, str]] = {
    enums: "ArenaExtendStrategy OrtCompiledModelCompatibility OrtDeviceEpIncompatibilityReason",
    dlpack: "is_dlpack_uint8_tensor",
    machine: """get_compatibility_info_from_model get_compatibility_info_from_model_bytes
        get_hardware_device_ep_incompatibility_details get_hardware_devices
        get_model_compatibility_for_ep_devices""",
    ort_value: "OrtValueVector",
    sparse_tensor: "SparseBlockSparseView SparseCooView SparseCsrView",
    exceptions: " ".join(kind.__name__ for kind in exceptions.NUMBERS),
}
"""What only its native code has."""

COLLECTION: Final[Mapping[ModuleType, str]] = {
    enums: "OrtDeviceVendorId",
    devices: "OrtDevice",
    adapters: "AdapterFormat",
    io_binding: "IOBinding",
    machine: "ModelCompiler",
    ort_value: "OrtValue copy_tensors",
    providers: "check_and_normalize_provider_args",
    session: "InferenceSession Session",
    sparse_tensor: "SparseTensor",
}
"""What ``capi.onnxruntime_inference_collection`` has."""

NATIVE_OF_ITS_OWN: Final = """
    get_all_operator_schema get_all_opkernel_def get_registered_ep_kernel_defs opkernel
    pack_fp4_weights_for_cuda_moe_gemm quantize_matmul_2bits quantize_matmul_4bits
    quantize_matmul_8bits quantize_matmul_bnb4 quantize_qdq_matmul_2bits quantize_qdq_matmul_4bits
    schemadef
"""
"""What computes without a session, and is onnxruntime's own where that is installed."""


def named(*tables: Mapping[ModuleType, str]) -> dict[str, Any]:
    """Return what the names in some tables mean."""
    return {
        name: getattr(module, name)
        for table in tables
        for module, names in table.items()
        for name in names.split()
    }


def package_names() -> dict[str, Any]:
    """Return the public names of ``onnxruntime``."""
    about = {
        "__version__": machine.get_version_string(),
        "__author__": "tvmfuse",
        "package_name": "onnxruntime",
        "version": machine.get_version_string(),
        "cuda_version": "",
    }
    return about | named(IN_BOTH, PACKAGE)


def native_names() -> dict[str, Any]:
    """Return the public names of ``onnxruntime.capi.onnxruntime_pybind11_state``."""
    others = {
        "InferenceSession": compiled_session.CompiledSession,
        "get_default_session_options": session_options.SessionOptions,
        "get_session_initializer": session_options.SessionOptions,
        "SessionObjectInitializer": session_options.SessionOptions,
        **{strategy.name: strategy for strategy in enums.ArenaExtendStrategy},
    }
    return named(IN_BOTH, NATIVE) | others


def collection_names() -> dict[str, Any]:
    """Return the public names of ``onnxruntime.capi.onnxruntime_inference_collection``."""
    return named(COLLECTION)
