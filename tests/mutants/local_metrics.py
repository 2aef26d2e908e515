"""Wrong readings of local metrics: windows, peels, relevances and scales."""

from __future__ import annotations

from mutant import Mutant

L = "tests/methods/local"

LOCAL_METRICS = [
    Mutant(
        "core/kernels/peels.py",
        "along = nearer[j] * n_last + last[j] * left",
        "along = (nearer[j] + last[j]) * n_last",
        "a window takes all rows that are equally far",
        f"{L}/test_local_metrics.py -k peels",
    ),
    Mutant(
        "core/kernels/peels.py",
        "if n_tied > equal:\n        _distances(",
        "if n_tied < equal:\n        _distances(",
        "of equally far rows the first stay",
        f"{L}/test_equal_gaps.py",
    ),
    Mutant(
        "core/kernels/peels.py",
        "if below <= above:",
        "if down >= 0:",
        "a window goes down first",
        f"{L}/test_local_metrics.py -k peels",
    ),
    Mutant(
        "core/kernels/neighbourhoods.py",
        "along[j] += last[j] * equal / n_last",
        "along[j] += last[j]",
        "a window holds more rows than L",
        f"{L}/test_local_metrics.py -k adamenn",
    ),
    Mutant(
        "methods/local/_scaling.py",
        "power = 0.5 if plain else",
        "power = 4.0 if plain else",
        "features that are not standardized change their units",
        f"{L}/test_equal_gaps.py -k units",
    ),
    Mutant(
        "methods/local/_discriminant.py",
        "inverse *= epsilon",
        "out *= epsilon",
        "epsilon is a factor of B",
        f"{L}/test_local_metrics.py -k dann",
    ),
]
