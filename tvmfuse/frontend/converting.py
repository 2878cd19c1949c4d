"""One operation's conversion, and what becomes of its failure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from tvm import relax
from tvm.ir import Expr

from tvmfuse.errors import LimitExceededError, first_line
from tvmfuse.frontend.main_function import spec_of
from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.out_of_memory import is_out_of_memory


@contextmanager
def converting(
    refuse: Callable[[str, Exception], None], operands: Callable[[], Iterable[object]]
) -> Iterator[None]:
    """Refuse the operation whose conversion fails in here, so that others are still looked at.

    Args:
        refuse: Takes the reason and the error that was raised.
        operands: Returns what the operation reads; a defect's report names the tensors' types.

    Raises:
        LimitExceededError: As it was raised: the model, and no operation of it, asks for too much.
        Exception: Likewise, where memory ran out.
    """
    try:
        yield
    except CannotConvertError as error:
        refuse(str(error), error)
    except LimitExceededError:
        raise
    except Exception as error:  # TVM raises what it likes: its type inference, its converters
        if is_out_of_memory(error):
            raise
        refuse(_defect(error, operands()), error)


def _defect(error: Exception, operands: Iterable[object]) -> str:
    types = [operand.ty for operand in operands if isinstance(operand, Expr)]
    found = [spec_of("", ty).type_words for ty in types if isinstance(ty, relax.TensorType)]
    taking = f" of {', '.join(found)}" if found else ""
    return (
        f"its conversion{taking} failed, a defect of tvmfuse: please report it with the model "
        f"({type(error).__name__}: {first_line(error)})"
    )
