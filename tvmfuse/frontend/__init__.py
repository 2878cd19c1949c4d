"""From models of other frameworks to operators in Relax."""
