"""The PyTorch importer: a program or a graph in, a Relax module out."""
