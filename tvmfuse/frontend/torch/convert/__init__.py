"""The converters of ATen's operators, by what they do."""
