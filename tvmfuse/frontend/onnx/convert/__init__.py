"""ONNX operators as Relax operators: one ONNX node becomes one call wherever Relax has it."""
