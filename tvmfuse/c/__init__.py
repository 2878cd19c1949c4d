"""A C library that runs compiled models, and what builds it: `library.build_library`."""
