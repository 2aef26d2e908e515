"""Labels of the rows of a table, for methods that use the rows without one, too."""

from __future__ import annotations

from typing import Any

import numpy as np


def table_labels(table: Any, all_rows: bool = False) -> list[Any]:
    """Return the label of every row that a table holds.

    Parameters
    ----------
    table : Table
        A table with a target.
    all_rows : bool, default=False
        Whether the rows of the file are meant, also those that the table leaves out, with None for these.
    """
    read = table.read_for("classification")
    y = np.concatenate([np.asarray(batch.y) for batch in read.batches()])
    labels = y.tolist() if read.classes is None else [read.classes[c] for c in y.tolist()]
    if not all_rows or table.counted is None:
        return labels
    found = iter(labels)
    return [next(found) if here else None for here in table.counted.tolist()]
