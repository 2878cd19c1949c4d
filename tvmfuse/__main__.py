"""`python -m tvmfuse`: the command line."""

from tvmfuse.cli import main

main()
