"""Whether models can be compiled and run here: versions, hardware, tools, and canaries."""
