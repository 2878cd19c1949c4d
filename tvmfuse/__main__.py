"""`tvmfuse` and `python -m tvmfuse`: the command line as a process of its own.

Ctrl-C is watched for before anything is imported that takes time.
"""

from tvmfuse.interruption import interruptible_command


def main() -> None:
    """Run the verb of this process's arguments, and exit with its code."""
    interruptible_command(_command)


def _command() -> None:
    from tvmfuse.cli import main as command

    command()


if __name__ == "__main__":
    main()
