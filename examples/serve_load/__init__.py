"""One load test of the servers in `serve_v2` and `serve_ray`; onnxruntime is the other arm."""
