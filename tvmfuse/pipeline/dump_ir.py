"""Writing the module into a folder after each pass that changed it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from tvm import IRModule, relax
from tvm.ir import Expr, GenericConst
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.errors import ArtifactError
from tvmfuse.format.atomic import write_text
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.pipeline.instruments import Instrument, PassRun

ELEMENTS_SHOWN: Final = 64
"""Elements of the largest constant whose numbers are written."""

PREFIX: Final = "tvmfuse_constant_"


class DumpIR(Instrument):
    """Writes TVMScript: the imported module, then one file for each invocation that changed it.

    The files are numbered in order, ``007-extended-AttentionFusion.py``. A constant of more than
    `ELEMENTS_SHOWN` elements is a declaration with its shape and dtype, so that files stay small.

    Args:
        folder: It is made where it is missing; one that is there has to be empty.

    Raises:
        ArtifactError: The folder is not empty, is a file, or cannot be made. A file that cannot be
            written raises the same later; those before it are whole.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._count = 0
        try:
            self.folder = Path(folder)
            self.folder.mkdir(parents=True, exist_ok=True)
            occupied = any(self.folder.iterdir())
        except OSError as error:
            why = error.strerror or error
            raise ArtifactError(f"cannot make the folder {self.folder}: {why}") from error
        except (TypeError, ValueError) as error:  # no path, or one with a zero byte
            raise ArtifactError(f"cannot make the folder {folder!r}: {error}") from error
        if occupied:
            raise ArtifactError(f"the folder {self.folder} is not empty: name a new one")

    def enter(self, module: IRModule) -> None:
        """Write the imported module."""
        self._write("imported", module)

    def after(self, run: PassRun) -> None:
        """Write the module that a pass left, where it is another one."""
        invocation = run.invocation
        if invocation.fired or (invocation.required and run.after is not run.before):
            self._write(f"{invocation.phase}-{invocation.name}", run.after)

    def _write(self, name: str, module: IRModule) -> None:
        write_text(self.folder / f"{self._count:03}-{name}.py", script(module))
        self._count += 1


def script(module: IRModule) -> str:
    """Return TVMScript without large constants."""
    shown = _Constants()
    text = map_functions(module, shown.without_constants).script(show_meta=False)
    for name, literal in shown.literals.items():
        # A constant that is written where it is read needs no declaration.
        text = re.sub(rf"^ *{name}: .*\n", "", text, flags=re.M)
        text = re.sub(rf"\b{name}\b", literal.replace("\\", r"\\"), text)
    return str(text.replace(PREFIX, "constant_"))


@mutator
class _Constants(PyExprMutator):
    """Puts variables in the place of tensors, which the printer would write as metadata.

    Attributes:
        literals: What to write for those variables that stand for small constants.
    """

    def __init__(self) -> None:
        super().__init__()
        self.literals: dict[str, str] = {}
        self._vars: dict[GenericConst, Var] = {}

    def without_constants(self, function: relax.Function) -> relax.Function:
        """Return the function without tensors that would be metadata."""
        return self.visit_expr(function)

    def visit_generic_const_(self, op: GenericConst) -> Expr:
        array = op.value.numpy()
        if not array.ndim:
            return op
        if op not in self._vars:
            name = f"{PREFIX}{len(self._vars)}"
            self._vars[op] = Var(name, op.ty)
            if array.size <= ELEMENTS_SHOWN:
                self.literals[name] = f'R.const({array.tolist()}, "{op.ty.dtype}")'
        return self._vars[op]
