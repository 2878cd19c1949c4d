"""What ConstantFolding does: calls on constants, evaluated with numpy."""
