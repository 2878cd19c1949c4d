"""What can be wrong with a file of ours, said by those who read one."""

from __future__ import annotations


class NotWholeError(Exception):
    """A file does not end as a record of this format does."""


class AlteredError(Exception):
    """A digest does not fit."""


class VersionError(Exception):
    """A record is of another version of the format.

    Attributes:
        version: Which one.
    """

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class MalformedError(Exception):
    """An index is whole, and says what tvmfuse does not write; the message has what."""
