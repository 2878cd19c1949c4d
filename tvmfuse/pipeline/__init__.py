"""The stages between an imported model and a compiled one, and the values between them."""
