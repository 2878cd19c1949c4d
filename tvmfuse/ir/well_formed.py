"""Whether a module, or a kernel, is one that the next stage can take."""

from __future__ import annotations

from tvm import IRModule, tirx
from tvm.relax import analysis
from tvm.s_tir.analysis import verify_well_formed

from tvmfuse.errors import first_line


def why_ill_formed(module: IRModule, imported: IRModule) -> str:
    """Say which rule a module breaks, Relax's, TIR's or ours of `main`; empty where it breaks none.

    Args:
        module: Of operators or kernels.
        imported: The operators that it was made from, which has to have the same inputs and
            outputs.
    """
    try:
        analysis.well_formed(module)
    except Exception as error:
        return first_line(error)
    for function in module.functions.values():
        if isinstance(function, tirx.PrimFunc) and (why := why_ill_formed_kernel(function)):
            return why
    found, expected = _signature(module), _signature(imported)
    return "" if found == expected else f"main: expected {expected}, found {found}"


def why_ill_formed_kernel(function: tirx.PrimFunc) -> str:
    """Say which rule of TIR a kernel breaks; empty where it breaks none.

    TVM's check wants each variable bound once, and code generators do not: so they are renamed.
    """
    try:
        verify_well_formed(function)
    except Exception:
        renamed = tirx.transform.ConvertSSA()(IRModule({"kernel": function}))["kernel"]
        try:
            verify_well_formed(renamed)
        except Exception as error:
            return first_line(error)
    return ""


def _signature(module: IRModule) -> str:
    """Write the names of main's inputs, and the dtypes of its outputs."""
    main = module["main"]
    inputs = ", ".join(param.name for param in main.params)
    outputs = ", ".join(str(getattr(field, "dtype", field)) for field in main.ret_ty.fields)
    return f"({inputs}) -> ({outputs})"
