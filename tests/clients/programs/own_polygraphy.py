"""polygraphy: outputs of its runner on inputs that it draws, and of a tensor of torch's."""

import sys

import torch
from polygraphy.backend.common import BytesFromPath
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.comparator import Comparator, CompareFunc, DataLoader
from samples import engine, found

file = f"{sys.argv[1]}/model.onnx"
runners = [
    OnnxrtRunner(SessionFromOnnx(file), "of a path"),
    OnnxrtRunner(SessionFromOnnx(BytesFromPath(file), providers=["cpu"]), "of bytes"),
]
results = Comparator.run(runners, data_loader=DataLoader(seed=7, iterations=3))
agreed = Comparator.compare_accuracy(results, compare_func=CompareFunc.simple(atol=1e-6))

session = SessionFromOnnx(file)()
with OnnxrtRunner(session) as runner:
    inputs = runner.get_input_metadata().items()
    tensors = runner.infer({"input": torch.linspace(0, 1, 9216).reshape(3, 3, 32, 32)})
found(
    engines={engine(session)},
    agreed=bool(agreed),
    inputs=[[name, str(one.dtype), [*map(str, one.shape)]] for name, one in inputs],
    outputs={name: [run["scores"] for run in runs] for name, runs in results.items()},
    tensor=tensors["scores"].numpy(),
)
