"""The version, below everything that writes it into results."""

__version__ = "0.1.0"
