"""What a session says, from which severity on, and to whom.

Python's logger ``tvmfuse.session``, unless a callback was set. That an option has no effect is a
`NoEffectWarning`.
"""

from __future__ import annotations

import inspect
import logging
import os
import sys
import warnings
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from tvmfuse.onnxruntime_api.exceptions import RefusedOptionError

LEVELS: Final = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL)
"""Python's levels by onnxruntime's severities: verbose, info, warning, error, fatal."""
INFO, WARNING = 1, 2

LOGGER: Final = logging.getLogger("tvmfuse.session")

Callback = Callable[[int, str, str, str, str], Any]

_settings: dict[str, Any] = {"severity": WARNING, "callback": None}


class NoEffectWarning(UserWarning):
    """An option of onnxruntime's that has no effect here."""


def set_default_logger_severity(severity: int) -> None:
    """Say from which severity on sessions speak that have none of their own.

    Args:
        severity: 0 to 4: verbose, info, warning, error, fatal.

    Raises:
        RefusedOptionError: It is another number.
    """
    _settings["severity"] = _severity(severity)


def set_default_logger_verbosity(verbosity: int) -> None:
    """Do nothing: messages have one degree of detail."""
    int(verbosity)


def set_default_logger_callback(callback: Callback | None, severity: int = WARNING) -> None:
    """Have a function called with what sessions say.

    Args:
        callback: Called with the severity, ``session``, the session's ``logid``, where in the code
            it is said, and the message; None for Python's logger again.
        severity: From which one on.

    Raises:
        RefusedOptionError: It cannot be called, or there is no such severity.
    """
    if callback is not None and not callable(callback):
        raise RefusedOptionError(f"expected a function, found {type(callback).__name__}")
    _settings["severity"] = _severity(severity)
    _settings["callback"] = callback


def threshold(own: int) -> int:
    """Return from which severity on a session speaks whose own level is this, -1 for none."""
    default: int = _settings["severity"]
    return default if own < 0 else own


def say(severity: int, message: str, *, own: int = -1, logid: str = "") -> None:
    """Say something, if that is severe enough.

    Args:
        severity: Of the message.
        message: The message.
        own: The session's own level; -1 for none.
        logid: The session's.
    """
    if severity < threshold(own):
        return
    callback: Callback | None = _settings["callback"]
    if callback is None:
        logger = LOGGER.getChild(logid) if logid else LOGGER
        logger.log(LEVELS[severity], message)
        return
    try:
        callback(severity, "session", logid, __name__, message)
    except Exception:  # a callback's mistake ends no session
        sys.excepthook(*sys.exc_info())


def warn_of_no_effect(what: Sequence[str], own: int) -> None:
    """Warn of options that have no effect, all at once, where the caller's code stands."""
    if what and threshold(own) <= WARNING:
        words = f"no effect in tvmfuse: {'; '.join(what)}"
        warn_caller(words, NoEffectWarning)


def warn_of_unknown_key(key: str, known: Collection[str]) -> None:
    """Warn of a key of a configuration that onnxruntime has not, and name close ones."""
    import difflib  # which takes longer to import than a session to begin

    near = difflib.get_close_matches(key, known, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    warn_caller(f"no configuration key {key!r} has an effect in tvmfuse{hint}", NoEffectWarning)


def warn_caller(words: str, category: type[Warning]) -> None:
    """Warn where the code that called this package stands."""
    here, frame, depth = os.path.dirname(__file__), inspect.currentframe(), 1
    while frame is not None and frame.f_code.co_filename.startswith(here):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(words, category, stacklevel=depth)


def _severity(number: int) -> int:
    if not 0 <= int(number) < len(LEVELS):
        raise RefusedOptionError(
            f"Invalid logging severity {number}. 0:Verbose, 1:Info, 2:Warning, 3:Error, 4:Fatal"
        )
    return int(number)
