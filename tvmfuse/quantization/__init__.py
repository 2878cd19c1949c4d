"""Models in integers of 8 bits: onnxruntime's quantizer, and what its rounding costs, by layer."""
