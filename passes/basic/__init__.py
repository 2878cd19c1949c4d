"""Tier Basic: cheaper or equal on every target."""
