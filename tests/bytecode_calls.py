"""What a compiled model's bytecode calls."""

from collections import Counter

from tvmfuse.build.artifact import Artifact


def calls(artifact: Artifact, function: str = "main") -> Counter[str]:
    """Return how often a function calls each builtin, or a kernel."""
    text = artifact.code.unlinked.executable.as_text()  # type: ignore[attr-defined]
    (body,) = (part for part in text.split("\n\n") if part.startswith(f"@{function}:"))
    lines = [line.split() for line in body.splitlines()[1:]]
    return Counter(line[1].removeprefix("vm.builtin.") for line in lines if line[0] == "call")
