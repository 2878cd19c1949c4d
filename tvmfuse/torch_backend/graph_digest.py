"""What tells one graph of torch.fx from another: a digest of all that is made of it.

Parameters count by their types, because no pass sees their numbers; other attributes by their
bytes.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final, TypeGuard

import torch
from torch.fx import GraphModule, Node

from tvmfuse.frontend.torch.dtypes import NAMES, memory_of
from tvmfuse.torch_backend.effects import attribute

#: What an argument may be beside numbers and nodes, and is written as.
NAMED: Final = (torch.dtype, torch.device, torch.layout, torch.memory_format)

#: Numbers that torch knows by expressions.
SYMBOLIC: Final = (torch.SymInt, torch.SymFloat, torch.SymBool)


class CannotBeToldError(Exception):
    """A graph holds what has no description that another process can compare."""


def digest_of(module: GraphModule, most: int) -> str:
    """Return the digest of a graph, in hexadecimal digits.

    Args:
        module: Each node has the fake tensors of its results in ``meta["val"]``.
        most: How many bytes its attributes that are no parameters may have.

    Raises:
        CannotBeToldError: They have more; or it holds other graphs, or objects of other classes.
    """
    told = _Told()
    said = [told.node(module, node) for node in module.graph.nodes]
    arrays = [memory_of(tensor.contiguous()) for tensor in told.constants]
    if sum(array.nbytes for array in arrays) > most:
        raise CannotBeToldError(f"its constants have more than {most} bytes")
    digest = hashlib.sha256(json.dumps([said, told.symbols]).encode())
    for array in arrays:
        digest.update(array.reshape(-1).view("uint8").data)
    return digest.hexdigest()


class _Told:
    """Describes nodes as JSON's types.

    Attributes:
        constants: Attributes that are no parameters, in order.
        symbols: What torch knows of the symbols so far, by name.
    """

    def __init__(self) -> None:
        self.constants: list[torch.Tensor] = []
        self.symbols: dict[str, list[str]] = {}
        self._storages: dict[int, int] = {}

    def node(self, module: GraphModule, node: Node) -> list[Any]:
        """Describe a node: what it does, with what, and what comes of it."""
        if node.op not in {"placeholder", "get_attr", "call_function", "output"}:
            raise CannotBeToldError(f"{node.name} is a {node.op}")
        said = [node.name, node.op, _target(node), *map(self._argument, (node.args, node.kwargs))]
        held = self._held(attribute(module, str(node.target))) if node.op == "get_attr" else []
        return [*said, held, self._value(node.meta.get("val"))]

    def _argument(self, given: object) -> Any:
        if isinstance(given, Node):
            return ["node", given.name]
        if isinstance(given, (tuple, list)):
            return ["list", [*map(self._argument, given)]]
        if isinstance(given, dict):
            return ["dict", [[str(name), self._argument(one)] for name, one in given.items()]]
        if isinstance(given, slice):
            return ["slice", [*map(self._argument, (given.start, given.stop, given.step))]]
        return self._number(given)

    def _number(self, given: object) -> list[str]:
        if isinstance(given, SYMBOLIC):
            return [type(given).__name__, *self._size(given)]
        plain = (bool, int, float, complex, str, type(None), type(Ellipsis), *NAMED)
        if type(given) not in plain:
            raise CannotBeToldError(f"it holds a {type(given).__name__}")
        return [type(given).__name__, repr(given)]

    def _size(self, size: Any) -> list[str]:
        """Describe a number, and note what torch knows of the symbols in it."""
        if not isinstance(size, SYMBOLIC):
            return [str(size)]
        environment = getattr(size.node, "shape_env", None)
        if environment is None:
            raise CannotBeToldError("it holds a number that torch knows nothing of")
        for symbol in size.node.expr.free_symbols:
            found = environment.bound_sympy(symbol)
            if found is None:
                raise CannotBeToldError("it holds the sizes of a nested tensor")
            self.symbols[str(symbol)] = [str(found.lower), str(found.upper)]
        return [str(size.node.expr), str(size.node.hint)]

    def _held(self, value: object) -> list[Any]:
        if not _is_plain(value):
            raise CannotBeToldError(f"it holds a {type(value).__name__}")
        if isinstance(value, torch.nn.Parameter):
            return ["parameter", NAMES[value.dtype], [*value.shape], [*value.stride()]]
        self.constants.append(value.detach())
        return ["constant", NAMES[value.dtype], [*value.shape]]

    def _value(self, value: object) -> list[Any]:
        if isinstance(value, (tuple, list)):
            return ["list", [*map(self._value, value)]]
        if not isinstance(value, torch.Tensor):
            return self._number(value)
        said = [str(value.dtype), str(value.device), str(value.layout)]
        sizes = [[*map(self._size, value.shape)]]
        if value.layout is torch.strided:
            storage = value.untyped_storage()
            place = self._storages.setdefault(storage._cdata, len(self._storages))
            whole = [value.storage_offset(), storage.nbytes()]
            sizes += [[*map(self._size, value.stride())], [*map(self._size, whole)]]
            said += [str(place), str(value.is_neg()), str(value.is_conj())]
        return ["tensor", *said, *sizes]


def _target(node: Node) -> str:
    """Return the name of what a node calls."""
    target: Any = node.target
    if isinstance(target, (str, torch._ops.OpOverload)):
        return str(target)
    if isinstance(target, torch._ops.HigherOrderOperator):
        raise CannotBeToldError(f"{node.name} runs other graphs")
    if not hasattr(target, "__qualname__"):
        raise CannotBeToldError(f"{node.name} calls a {type(target).__name__}")
    return f"{target.__module__}:{target.__qualname__}"


def _is_plain(tensor: object) -> TypeGuard[torch.Tensor]:
    """Whether something is memory of this machine's that holds a tensor, and nothing else."""
    return (
        isinstance(tensor, torch.Tensor)
        and type(tensor) in {torch.Tensor, torch.nn.Parameter}
        and tensor.device.type == "cpu"
        and tensor.layout is torch.strided
        and tensor.dtype in NAMES
        and not tensor.is_neg()
    )
