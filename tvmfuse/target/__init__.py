"""What code is made for: instruction sets, machines, this machine."""
