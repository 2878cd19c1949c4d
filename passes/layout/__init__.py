"""Tier Layout: data layouts that suit the target."""
