"""Files: the compiled library with weights and manifest, and the optimized graph."""
