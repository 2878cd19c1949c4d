"""Kernel schedules: see catalogue.py for the list and its order."""

if __name__ != "tvmfuse.schedules":
    raise ImportError("this folder is the package 'tvmfuse.schedules'; import it by that name")
