"""Many models at once: on this machine's cores, or on a cluster of Ray's."""
