"""`tvmfuse` and `python -m tvmfuse`: the command line as a process of its own.

Ctrl-C is watched for before anything is imported that takes time.
"""

import sys

from tvmfuse.interruption import interruptible_command


def main() -> None:
    """Run the verb of this process's arguments, and exit with its code."""
    interruptible_command(_command)


def _command() -> None:
    # TVM's FFI imports torch where it is installed: two seconds for what no model needs; a program
    # that `tvmfuse explain` runs does.
    program = any(argument.endswith(".py") for argument in sys.argv[1:])
    if "torch" not in sys.modules and not program:
        sys.modules["torch"] = None  # type: ignore[assignment]  # as Python documents it
    from tvmfuse.cli import main as command

    command()


if __name__ == "__main__":
    main()
