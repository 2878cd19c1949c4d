"""What norms look like before they are one operator, and what they are scaled and shifted by."""
