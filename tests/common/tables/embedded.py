"""Lines of the common checks of the embedded methods."""

from __future__ import annotations

OWN_DEFAULTS = {
    # At the value of the others the bound is that of the nearest rows, and sums of columns are missed.
    "C": ["R2W2"],
}
