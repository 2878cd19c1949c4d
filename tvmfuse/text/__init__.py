"""Operators that read or make strings, maps and lists of maps: computed on the host, by numpy.

No kernel holds a string. What surrounds numbers in models of ai.onnx.ml, tables of labels above
all, is little work beside them: a part of a model, `part.TextPart`, has it computed here.
"""
