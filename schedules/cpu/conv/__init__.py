"""Direct convolutions: windows that slide over an image."""
