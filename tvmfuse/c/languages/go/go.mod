module tvmfuse

go 1.19
