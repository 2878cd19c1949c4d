"""tvmfuse inside other tools."""
