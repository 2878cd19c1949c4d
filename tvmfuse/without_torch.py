"""TVM's FFI without PyTorch, which it imports wherever that is installed: 1.5 s and 200 MB.

What it takes of torch is needed by who hands it one of torch's dtypes, which nothing here does.
Torch's tensors bring their side of DLPack along (`__dlpack_c_exchange_api__`, since 2.10), so that
they are as quick where torch comes later.
"""

from __future__ import annotations

import importlib
import sys
from threading import get_ident
from typing import NoReturn

from tvmfuse.errors import ConfigurationError


class _Hidden:
    """Finds no torch for the thread that it was made in; other threads' imports are theirs."""

    def __init__(self) -> None:
        self._thread = get_ident()

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Find nothing, and have nobody else look, where this thread imports torch."""
        del path, target
        if name == "torch" and get_ident() == self._thread:
            self._refuse()

    @staticmethod
    def _refuse() -> NoReturn:
        raise ModuleNotFoundError("TVM's FFI goes without torch here", name="torch")


def import_ffi() -> None:
    """Import TVM's FFI, and torch only where the program has imported it already.

    Nothing of the process is changed for good: a later import of torch finds it.
    """
    if "tvm_ffi" in sys.modules or "torch" in sys.modules:
        return
    hidden = _Hidden()
    sys.meta_path.insert(0, hidden)
    try:
        importlib.import_module("tvm_ffi")
    except ImportError:
        return  # who imports it next says what is missing
    finally:
        sys.meta_path.remove(hidden)


def require_ffi() -> None:
    """Import TVM's FFI, by which tensors are handed over that are not numpy's.

    Raises:
        ConfigurationError: It is not installed.
    """
    import_ffi()
    try:
        importlib.import_module("tvm_ffi")
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            "tensors of other libraries than numpy and torch take apache-tvm-ffi, which is not "
            "installed: python -m pip install apache-tvm-ffi, or hand over numpy's arrays"
        ) from error
