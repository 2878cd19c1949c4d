"""100,000 images and texts through a compiled model, by Ray Data on two nodes."""
