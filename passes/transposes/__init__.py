"""How TransposeOptimizer moves transposes: regions, rules, the cheapest cut."""
