"""Results drawn: in the terminal, as HTML, as traces."""
