"""From kernels as the passes leave them to machine code: in parallel, and once each."""
