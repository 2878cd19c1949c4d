"""Reading and changing Relax modules; knows no pass and no schedule."""
