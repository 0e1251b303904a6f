"""What every layer needs and no game knows: compiled kernels, seeds, errors, settings."""
