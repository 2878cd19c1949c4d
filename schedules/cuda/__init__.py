"""CUDA schedules, tried in the order of ../catalogue.py."""
