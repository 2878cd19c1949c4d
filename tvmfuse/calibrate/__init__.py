"""What a core can do, measured once and kept: see `tvmfuse.target.calibration`."""
