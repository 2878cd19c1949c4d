"""Changing each Relax function of a module."""

from __future__ import annotations

from collections.abc import Callable

from tvm import IRModule, relax


def map_functions(module: IRModule, change: Callable[[relax.Function], relax.Function]) -> IRModule:
    """Return the module with each Relax function changed; the given one stays as it is."""
    functions = dict(module.functions_items())
    changed = {
        name: change(f) if isinstance(f, relax.Function) else f for name, f in functions.items()
    }
    if all(changed[name] is functions[name] for name in functions):
        return module
    return IRModule(changed, attrs=module.attrs)
