"""How attention's operands come to be: views of projections, and the scale."""
