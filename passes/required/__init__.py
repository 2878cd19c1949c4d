"""What every level does: these passes cannot be switched off."""
