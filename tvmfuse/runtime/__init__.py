"""Running what was compiled: nothing here imports the compiler."""
