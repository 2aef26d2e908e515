"""Kernels for CUDA devices, beside those for processors: the same numbers from the same bits."""
