"""Sparse support vector machines on the leukaemia data of chapter 20 (Zou and Hastie, 2008): ours beside theirs.

    python studies/sparse_svm.py

38 rows to learn from, 34 to test on, 7,129 genes, read from shared/data. The text chooses penalties by 10-fold
cross-validation on preprocessed data; here the raw averages are used and the number of genes is that of the text.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import fewer

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "leukemia_golub.npz"


def main() -> None:
    """Print genes and errors on the rows to test on."""
    if not DATA.exists():
        print("leukemia_golub: absent, left out")
        return
    with np.load(DATA) as data:
        X, y, train = data["X"].astype(float), data["y"], data["train"].astype(bool)
    print("Leukaemia, wrong of 34; text: 1-norm SVM 1 with 22 genes, DrSVM 0 with 78")
    for name, genes in (("L1SVM", 22), ("DrSVM", 22), ("DrSVM", 78), ("HHSVM", 22), ("HHSVM", 78)):
        found = fewer.get(name)(genes).fit(X[train], y[train])
        wrong = int((found.predict(X[~train]) != y[~train]).sum())
        print(f"  {name:6}{len(found.selection_):4} genes{wrong:3} wrong, dual gap {found.gap_:.1e}", flush=True)


if __name__ == "__main__":
    main()
