"""Error rates of nearest neighbours with local metrics (chapter 11 of the book, Table 11.2).

    python studies/local.py [--quick] [--sets NAME ...]

The protocol of the text: leave-one-out on iris, sonar, liver and votes; five random training sets of 200 rows and test
sets of 200 on breast_w, letters O and Q, and pima; parameters by 5-fold cross-validation on training rows. For
leave-one-out they are chosen for a fifth of the rows at a time, without any row of that fifth. The text does not say
which values it tried; here they are few (see METHODS). What the book prints tells its rows: 2.6 and 7.8 % are 6 and 18
of the 232 complete rows of votes, 3.0 and 5.0 % are 3 and 5 of 100, two of the species of iris (versicolor, virginica).
Rows of breast_w with missing values are left out, all features have variance 1. Errors in percent, the book in
brackets:

                   iris        sonar        liver       votes    breast_w          OQ         pima
    Machete   7.0 (5.0)  17.3 (21.2)  34.5 (27.5)   3.9 (3.4)   4.9 (3.5)   7.2 (7.4)  24.9 (20.4)
    Scythe    6.0 (4.0)  13.9 (16.3)  35.4 (27.5)   3.4 (3.4)   4.3 (2.7)   6.8 (5.0)  23.9 (20.0)
    K-NN      8.0 (6.0)  12.5 (12.5)  35.1 (32.5)   8.6 (7.8)   4.6 (2.7)   7.1 (5.4)  25.6 (24.2)

Those below ran before, with fewer values tried (K up to 15; C of 1, 10, 100; gamma of "scale", 0.3, 0.03; gradients of
length 1), ADAMENN with ties in the order of the rows; on all of iris and all rows of votes, unknown ones halfway
between no and yes, so that these two columns are not those of the book:

                   iris        sonar        liver       votes    breast_w          OQ         pima
    LaMaNNa   5.3        12.5 (11.0)  33.9 (28.1)   6.4         4.6 (3.0)   7.1 (3.5)  25.8 (19.3)
    RBF-SVM   2.0        12.5 (12.0)  28.7 (26.1)   4.4         4.5 (3.1)   3.7 (3.4)  23.2 (21.3)
    ADAMENN   4.7        11.1 ( 9.1)  38.6 (30.7)   4.6         3.8 (3.2)   6.8 (3.1)  25.3 (20.4)
    DANN      3.3        10.6 ( 7.7)  31.0 (30.1)   4.6         4.6 (2.2)   4.4 (4.0)  23.9 (22.2)
    SubDANN   2.7        18.8         30.7          3.9         4.0         3.8        24.4

What agrees: Machete and Scythe are near the book on votes, where K-NN errs twice as often; Machete is behind Scythe on
most sets; DANN is best of the local ones on sonar. What differs: most errors are above the book, those of K-NN,
which is not ours, on six sets; five test sets of 200 rows leave a point of doubt. On liver all but DANN, SubDANN
and RBF-SVM are far from the book, why is not known. That LaMaNNa is more robust than its own machine is not seen.

Further sets, five training sets of 200 rows (glass: 160), Machete and K-NN: ionosphere 10.9, 13.5; heart_statlog 23.1,
19.1; glass 28.1, 28.9. Machete takes 10 minutes on one busy core, Scythe more, K-NN half a minute.
"""

from __future__ import annotations

import argparse
import itertools
import time
from pathlib import Path

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import fewer
from fewer.evaluate import robustness_ratio

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
KS = (1, 3, 5, 9, 15, 25)
# Left-out rows share the parameters of their group, which are chosen without any row of it.
GROUPS = 5

# Printed in the book, in percent.
BOOK = {
    "LaMaNNa": (4.0, 11.0, 28.1, 2.6, 3.0, 3.5, 19.3),
    "RBF-SVM": (4.0, 12.0, 26.1, 3.0, 3.1, 3.4, 21.3),
    "ADAMENN": (3.0, 9.1, 30.7, 3.0, 3.2, 3.1, 20.4),
    "Machete": (5.0, 21.2, 27.5, 3.4, 3.5, 7.4, 20.4),
    "Scythe": (4.0, 16.3, 27.5, 3.4, 2.7, 5.0, 20.0),
    "DANN": (6.0, 7.7, 30.1, 3.0, 2.2, 4.0, 22.2),
    "K-NN": (6.0, 12.5, 32.5, 7.8, 2.7, 5.4, 24.2),
}
LEFT_OUT, SAMPLED = ("iris", "sonar", "liver", "votes"), ("breast_w", "OQ", "pima")
FURTHER = ("ionosphere", "heart_statlog", "glass")


def knn(k, **_):
    return make_pipeline(StandardScaler(), KNeighborsClassifier(k))


def svm(C, gamma, **_):
    return make_pipeline(StandardScaler(), SVC(C=C, gamma=gamma))


PEELS = {"peel": (0.7, 0.9), "window": (0.1, 0.3, 0.5)}

# What is made of parameters, and the parameters that are tried.
METHODS = {
    "LaMaNNa": (lambda k, unit, C, gamma: fewer.LaMaNNa(k, C=C, gamma=gamma, normalize_gradient=unit), {}),
    "RBF-SVM": (svm, {"C": (1.0, 10.0, 100.0, 1000.0), "gamma": ("scale", 0.3, 0.1, 0.03, 0.01)}),
    "ADAMENN": (lambda k, c: fewer.ADAMENN(k, strength=c), {"k": KS, "c": (1.0, 5.0, 20.0)}),
    "Machete": (lambda k, **more: fewer.Machete(k, **more), {"k": KS, **PEELS}),
    "Scythe": (lambda k, **more: fewer.Scythe(k, **more), {"k": KS, **PEELS}),
    "DANN": (lambda k, e: fewer.DANN(k, epsilon=e), {"k": KS, "e": (0.1, 1.0, 10.0)}),
    "SubDANN": (lambda k, n: fewer.SubDANN(k, n_components=n), {"k": KS, "n": (None, 0.9)}),
    "K-NN": (knn, {"k": KS}),
}


def load(name):
    found = np.load(DATA / f"{'letter' if name == 'OQ' else name}.npz")
    X, y = found["X"].astype(float), found["y"]
    if name == "OQ":
        some = np.isin(y, [list(found["class_names"]).index(letter) for letter in "OQ"])
        X, y = X[some], y[some]
    if name == "iris":
        # Two species of 50, see above.
        X, y = X[y > 0], y[y > 0]
    known = ~np.isnan(X).any(axis=1)
    return X[known], y[known]


def errors_of(make, grid, X, y, folds):
    """Return the number of errors of every choice of parameters in a cross-validation."""
    choices = [dict(zip(grid, values)) for values in itertools.product(*grid.values())]
    return choices, [
        sum((make(**choice).fit(X[a], y[a]).predict(X[b]) != y[b]).sum() for a, b in folds) for choice in choices
    ]


def best_of(make, grid, X, y, seed):
    folds = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y))
    choices, wrong = errors_of(make, grid, X, y, folds)
    return choices[int(np.argmin(wrong))]


def chosen(method, X, y, seed):
    """Return the classifier with the parameters that err least in 5-fold cross-validation; of equal ones the first."""
    make, grid = METHODS[method]
    if method != "LaMaNNa":
        return make(**best_of(make, grid, X, y, seed))
    # The machine is chosen as a classifier of its own, then the number of neighbours.
    machine = best_of(*METHODS["RBF-SVM"], X, y, seed)
    units, wrong = (True, False), np.zeros((2, len(KS)))
    for a, b in StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y):
        for u, unit in enumerate(units):
            fitted = make(k=max(KS), unit=unit, **machine).fit(X[a], y[a])
            index = fitted.kneighbors(X[b])[1]
            for i, k in enumerate(KS):
                wrong[u, i] += (fitted.classes_[fitted._decided(index[:, :k])[1]] != y[b]).sum()
    u, i = np.unravel_index(wrong.argmin(), wrong.shape)
    return make(k=KS[i], unit=units[u], **machine)


def left_out_error(method, X, y):
    wrong = 0
    for seed, (rest, group) in enumerate(KFold(GROUPS, shuffle=True, random_state=0).split(X)):
        made = chosen(method, X[rest], y[rest], seed)
        for i in group:
            others = np.arange(len(X)) != i
            wrong += int(made.fit(X[others], y[others]).predict(X[i : i + 1])[0] != y[i])
    return wrong / len(X)


def sampled_error(method, X, y, n_runs):
    found = []
    for seed in range(n_runs):
        order = np.random.default_rng(seed).permutation(len(X))
        n_train = min(200, 3 * len(X) // 4)
        train, test = order[:n_train], order[n_train : n_train + 200]
        made = chosen(method, X[train], y[train], seed).fit(X[train], y[train])
        found.append((made.predict(X[test]) != y[test]).mean())
    return float(np.mean(found))


def study(sets, methods, quick):
    rates = {}
    for name in sets:
        X, y = load(name)
        if quick:
            some = np.random.default_rng(0).permutation(len(X))[:120]
            X, y = (X[some], y[some]) if name in LEFT_OUT else (X, y)
        for method in methods:
            begin = time.perf_counter()
            by_one = name in LEFT_OUT
            error = left_out_error(method, X, y) if by_one else sampled_error(method, X, y, 1 if quick else 5)
            rates[name, method] = 100 * error
            book = dict(zip((*LEFT_OUT, *SAMPLED), BOOK.get(method, ()))).get(name)
            beside = f"book {book:5.1f}" if book is not None else " " * 10
            print(
                f"{name:14} {method:8} {100 * error:5.1f}   {beside}   {time.perf_counter() - begin:6.1f} s", flush=True
            )
    return rates


def tell(rates, sets, methods):
    print("\nerror in %   " + " ".join(f"{name[:8]:>14}" for name in sets))
    for method in methods:
        cells = []
        for name in sets:
            book = dict(zip((*LEFT_OUT, *SAMPLED), BOOK.get(method, ()))).get(name)
            cells.append(
                f"{rates[name, method]:6.1f} ({book:4.1f})"
                if book is not None
                else f"{rates[name, method]:6.1f}       "
            )
        print(f"{method:12} " + " ".join(f"{cell:>14}" for cell in cells))
    errors = np.array([[rates[name, method] for name in sets] for method in methods])
    ratios = robustness_ratio(errors, floor=0.1)
    print("\nratio to the best: median, largest (book: median, largest)")
    book = robustness_ratio(list(BOOK.values()))
    for method, row in zip(methods, ratios):
        old = dict(zip(BOOK, book)).get(method)
        words = "" if old is None else f" ({np.median(old):.2f}, {old.max():.2f})"
        print(f"{method:12} {np.median(row):.2f}, {row.max():.2f}{words}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--sets", nargs="*", default=[*LEFT_OUT, *SAMPLED])
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    asked = parser.parse_args()
    begin = time.perf_counter()
    there = [name for name in asked.sets if (DATA / f"{'letter' if name == 'OQ' else name}.npz").exists()]
    for absent in sorted(set(asked.sets) - set(there)):
        print(f"{absent} is not in {DATA.name}; left out.")
    tell(study(there, asked.methods, asked.quick), there, asked.methods)
    further = [name for name in FURTHER if asked.sets == [*LEFT_OUT, *SAMPLED] and (DATA / f"{name}.npz").exists()]
    if further and not asked.quick:
        print("\nFurther sets, five random training sets of 200 (or all but a quarter) and as many test rows at most:")
        tell(study(further, asked.methods, False), further, asked.methods)
    print(f"\n{time.perf_counter() - begin:.0f} s")
