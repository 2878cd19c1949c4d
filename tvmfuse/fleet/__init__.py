"""Many models at once, and batches of rows: on this machine's cores, or on a cluster of Ray's."""

from tvmfuse.fleet.batch_predictor import BatchPredictor

__all__ = ["BatchPredictor"]
