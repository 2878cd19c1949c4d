"""The operators of ai.onnx.ml, as onnxruntime computes them: scikit-learn's models and the like."""
