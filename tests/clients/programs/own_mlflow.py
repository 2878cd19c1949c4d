"""mlflow: what a saved and two logged models predict, of arrays, a table, and words by name."""

import sys
from pathlib import Path

import mlflow
import numpy as np
import onnx
import pandas
from samples import engine, found

folder, work = Path(sys.argv[1]), Path(sys.argv[2])
mlflow.set_tracking_uri(f"sqlite:///{work}/runs.db")
runs = mlflow.create_experiment("own", work.joinpath("runs").as_uri())

pictures = np.random.default_rng(0).normal(size=(3, 3, 32, 32)).astype(np.float32)
options = {
    "intra_op_num_threads": 1,
    "execution_mode": "sequential",
    "graph_optimization_level": 99,
    "extra_session_config": {"session.set_denormal_as_zero": "0"},
}
mlflow.onnx.save_model(
    onnx.load(folder / "model.onnx"), work / "saved",
    input_example=pictures, onnx_session_options=options,
)  # fmt: skip
network = mlflow.pyfunc.load_model(work / "saved")
with mlflow.start_run(experiment_id=runs):
    logged = [
        mlflow.onnx.log_model(onnx.load(folder / f"{name}.onnx"), name=name)
        for name in ("numbers", "words")
    ]
numbers, words = (mlflow.pyfunc.load_model(one.model_uri) for one in logged)

table = pandas.DataFrame({"size": [0.1, -0.4, 0.9], "age": [1.0, 0.0, 2.0]})
columns = {name: table[[name]].to_numpy() for name in table}
columns["town"] = np.array([["Oslo"], ["Bern"], ["Rome"]], object)
found(
    engines={engine(model.get_raw_model()) for model in (network, numbers, words)},
    pictures=[network.predict(pictures[:count]) for count in (1, 3)],
    table=numbers.predict(table).to_dict("list"),
    words=words.predict(columns),
)
