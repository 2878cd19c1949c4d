"""A compiled model behind HTTP: batches, limits, health, metrics. `README.md` walks through it."""
