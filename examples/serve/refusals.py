"""What a request is refused with: a status, and a sentence that says what to do."""

from __future__ import annotations


class RefusedError(Exception):
    """A request that gets no prediction.

    Attributes:
        status: Of HTTP.
        words: What was expected, and what was found.
    """

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status, self.words = status, words
