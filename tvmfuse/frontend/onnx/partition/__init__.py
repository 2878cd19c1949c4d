"""Which nodes of a model are compiled, and which are handed to another engine, in groups."""
