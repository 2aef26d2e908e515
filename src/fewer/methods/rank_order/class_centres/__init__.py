"""The elimination by class centres: its engine and its kernels."""
