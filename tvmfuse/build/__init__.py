"""From kernels to machine code: compiling, linking, weights, the compiled model."""
