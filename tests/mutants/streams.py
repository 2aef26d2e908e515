"""Mutants of work on streams: budgets, work that is kept, queries."""

from __future__ import annotations

from mutant import Mutant

KEPT, MEMORY = "tests/core/runners/test_kept_work.py", "tests/core/runners/test_memory.py"
CHECKSUMS, QUANTILES = "tests/core/reading/test_checksums.py", "tests/core/summaries/test_quantiles.py"

STREAMS = [
    Mutant(
        "core/runners/kept_work.py",
        "if len(text) != size or crc32(text) != mark:",
        "if len(text) != size:",
        "damage inside a piece is not seen",
        f"{KEPT} -k damage",
    ),
    Mutant(
        "core/runners/kept_work.py",
        "if (module, name) in _PLAIN:",
        "if True:",
        "a damaged folder may run a program",
        f"{KEPT} -k damage",
    ),
    Mutant(
        "core/runners/stream.py",
        "return _Untold() if known is None else known",
        "return () if known is None else known",
        "rows that do not say what they are are all the same",
        f"{KEPT} -k written_down",
    ),
    Mutant(
        "core/runners/memory.py",
        "return self.free is None or 2 * n_bytes <= self.free",
        "return self.free is None or n_bytes <= self.free",
        "rows leave no room to work on them",
        f"{MEMORY} -k do_not_fit",
    ),
    Mutant(
        "core/runners/memory.py",
        '"M": 10**6,',
        '"M": 2**20,',
        "MB are taken for MiB",
        f"{MEMORY} -k written",
    ),
    Mutant(
        "core/reading/io/query.py",
        "before, self.rows = self.rows, self.rows + len(array)",
        "before, self.rows = 0, self.rows + len(array)",
        "where values are missing is counted within a batch",
        CHECKSUMS,
    ),
    Mutant(
        "core/kernels/quantiles.py",
        "while s < low.shape[0] and scale > 0.0 and _cell(high[s], begin, scale) < cell:",
        "while s < low.shape[0] and scale > 0.0 and _cell(high[s], begin, scale) <= cell:",
        "a search begins behind its bracket",
        QUANTILES,
    ),
    Mutant(
        "core/kernels/quantiles.py",
        "_cell(low[s], begin, scale) <= cell:",
        "_cell(low[s], begin, scale) < cell:",
        "a cell in which a bracket begins counts as free of it",
        QUANTILES,
    ),
    Mutant(
        "core/kernels/quantiles.py",
        "if different > most:",
        "if different > few:",
        "of a few different values some are left out, which takes a pass more",
        QUANTILES,
    ),
    Mutant(
        "core/kernels/quantiles.py",
        "left = u[i] if one else left",
        "left = u[i]",
        "a larger value of one table counts up to a smaller one of the other",
        QUANTILES,
    ),
]
