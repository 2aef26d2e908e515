"""Pairs of rows as a guide to clusters: the three studies of chapter 15 (Tang and Zhong, 2008).

    python studies/constraints.py [--quick] [--figure FILE.png]

The chapter prints curves and no numbers, so that its sentences are judged. Every figure is the agreement (NMI) of the
clusters of all rows with the classes, mean and standard deviation of 20 draws (quick: 3) of the pairs and, for
newsgroups, of the documents; lines of differences have standard errors. Pairs come from half of the rows, of UCI sets
from all. The study took 19 minutes of a busy core. What is said of four or five draws was tried apart, and is not in
the script.

What the chapter leaves open, and what was chosen: words are 2,000 by the mutual information of their presence with the
class (this knows the classes; "frequent" does not), tf.idf with logarithms; three starts by k-means++; UCI columns have
variance 1 and go to as many axes as there are classes; RCA has a ridge of .01 (texts also 1); PCA of texts is not
centred; six texts stand for the TREC sets; documents of study III keep words in 3 documents up to a third of them.
Subject lines are in.

I. More pairs help: holds, but for PCSKM on Multi10. PCSKM+P almost always best: holds on Multi10 (.62, PCSKM .36, SPKM
.34 with 500 pairs) and Multi5 (.89, .85, .76); equal on Binary (.87, .87, .73); below PCSKM on Science (.78, .82, .78),
there also with 4,000 pairs (.88, .89; 4 draws). Most stable: holds on Multi5. With 25 pairs it is worse than no pairs
on all sets but Multi10 (.66, .60, .36, .45), on Science with up to 400. PCSKM+M about PCSKM, above it on Multi10: not
so for the exact metric (.48, .19, .17, .10); a search that ends after one step with a ridge of 10 comes nearer (.80,
.73, .38, Science .50) and is above PCSKM on Multi10 alone. The exact metric has 99 % of its weight on 20, 58 and 119 of
2,000 words, and leaves up to a third of the documents without any; a ridge of 10 or 1,000 changes this little (24, 33
and 38 words; .57, .27, .22). It is not the scale: columns may be scaled by anything, the exact metric undoes it but for
the ridge.

Words matter as much as methods. Of frequent words, which need no classes, SPKM has .33, .58, .27, .68, PCSKM .79, .65,
.29, .75, PCSKM+P .81, .82, .53, .71; of counts .59, .36, .25, .28, then .79, .53, .28, .31 and .80, .59, .35, .36.
PCSKM+P is best or level everywhere but on Science with tf.idf.

I-b. Flat for beta from .1 to .9, sharp loss at 1: holds (.86 to .89, .87 to .89, .60 to .65; at 1 .03, .08, .12; also 0
is no worse).

II. RCA best on UCI sets and better with more pairs: holds on balance scale, iris and vehicle (.36, .89, .27 with 100
pairs; PCA .13, .65, .11), not on soybean, where it falls from .99 to .95. With few pairs worse than PCA on wine: holds
(25 pairs: .56, PCA .87); on vehicle it is level (.12, .11). Projection never below PCA: holds within .02. On texts with
500 pairs PCA+Projection best: not so; Projection without PCA is better on all six (.47, .39, .84, .46, .61, .88; with
PCA .42, .34, .82, .29, .51, .83), while the chapter finds the two similar: 100 axes are too few (five draws of
Similar-3 have .23, .40, .47 by 100, 200, 290 axes, of Different-3 .84, .89, .91). With 100 pairs Projection is below
PCA on basehock and Different-3. RCA worst: with a ridge of .01 it is below Projection on all six with 500 pairs, and
below PCA on basehock and Different-3; on this more pairs make it worse (.81 with 100, .63 with 500). With a ridge of 1
it is level with Projection or above it on all six (.52, .44, .84, .55, .71, .90), so that this finding is one of the
ridge; 1 was taken from .01, .1, 1 and 10 after a look at five draws of Similar-3 and Different-3, where 10 has .36 and
.92.

III. Pairs improve co-clustering much: holds with 3 groups of words (500 pairs: .42, .54, .80; without .07, .27, .64),
less with 20 (.22, .32, .55; .06, .21, .50). Fewer than 100 pairs hurt: not on average; up to 100 the mean gain is -.01
to .06, mostly within two standard errors of 0, and single draws differ by .1 either way.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from sklearn.preprocessing import normalize

import fewer
from fewer.evaluate import nmi
from fewer.synth import sample_pairwise_constraints

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SCIENCE = ("sci.crypt", "sci.med", "sci.electronics", "sci.space")
POLITICS = ("talk.politics.misc", "talk.politics.guns", "talk.politics.mideast")
# Newsgroups and documents of each (tables 15.1 and 15.2).
NEWS: dict[str, tuple[tuple[str, ...], int]] = {
    "Binary": (("talk.politics.mideast", "talk.politics.misc"), 250),
    "Multi5": (("comp.graphics", "rec.motorcycles", "rec.sport.baseball", "sci.space", "talk.politics.mideast"), 100),
    "Multi10": (("alt.atheism", "comp.sys.mac.hardware", "misc.forsale", "rec.autos", "rec.sport.hockey",
                 "sci.crypt", "sci.electronics", "sci.med", "sci.space", "talk.politics.guns"), 50),
    "Science": (SCIENCE, 500),
    "Similar-3": (("comp.graphics", "comp.os.ms-windows.misc", "comp.windows.x"), 100),
    "Related-3": (POLITICS, 100),
    "Different-3": (("alt.atheism", "rec.sport.baseball", "sci.space"), 100),
}  # fmt: skip
TEXTS = ("pcmac", "relathe", "basehock")
UCI = ("balance_scale", "ionosphere", "iris", "soybean_small", "vehicle", "wine")
TABLE_1, TABLE_2 = list(NEWS)[:4], list(NEWS)[4:]
AXES, WORDS = 30, 2000
COLOURS = {"original": "C7", "PCA": "C0", "RCA": "C1", "RCA, all axes": "C3", "PCA+RCA": "C1",
           "PCA+RCA, ridge 1": "C3", "Projection": "C4",
           "PCA+Projection": "C2"}  # fmt: skip
LESS = (("  P less PCSKM", "PCSKM+P", "PCSKM"), ("  P less SPKM", "PCSKM+P", "SPKM"))
Results = dict[str, dict[str, dict[Any, list[float]]]]


def stored(name: str) -> tuple[Any, np.ndarray]:
    """Return rows and classes, sparse counts of words or numbers."""
    with np.load(DATA / f"{name}.npz") as data:
        y = data["y"].astype(np.int64)
        if "X" in data:
            return data["X"].astype(np.float64), y
        parts = (data["X_data"].astype(np.float64), data["X_indices"], data["X_indptr"])
        return scipy.sparse.csr_array(parts, shape=tuple(data["X_shape"])), y


class News:
    """All newsgroups without stop words, from which sets are drawn."""

    def __init__(self) -> None:
        counts, self.y = stored("news20")
        with np.load(DATA / "news20.npz") as data:
            names, self.classes = data["feature_names"].tolist(), data["class_names"].tolist()
        self.counts = counts[:, np.flatnonzero([name not in ENGLISH_STOP_WORDS for name in names])]

    def drawn(self, name: str, seed: int, words: str = "telling") -> tuple[Any, np.ndarray]:
        """Return counts and classes of one draw of the documents; `words` that are telling know the classes."""
        rng, (groups, n) = np.random.default_rng(seed), NEWS[name]
        rows = [rng.choice(np.flatnonzero(self.y == self.classes.index(g)), n, replace=False) for g in groups]
        X, y = self.counts[np.concatenate(rows)], np.repeat(np.arange(len(groups)), n)
        seen = np.bincount(X.indices, minlength=X.shape[1])
        if name in TABLE_1:
            worth = told(X, y) if words == "telling" else seen
            top = np.argsort(-worth, kind="stable")[:WORDS]
        else:
            top = np.flatnonzero((seen >= 3) & (seen <= len(y) / 3))
        return scipy.sparse.csr_array(X[:, np.sort(top)]), y


def told(X: Any, y: np.ndarray) -> np.ndarray:
    """Return the mutual information of the presence of every word with the class."""
    sizes = np.bincount(y)[:, None].astype(float)
    here = np.array([np.bincount(X[y == c].indices, minlength=X.shape[1]) for c in range(len(sizes))], dtype=float)
    out = np.zeros(X.shape[1])
    for part in (here, sizes - here):
        share = part / len(y)
        even = sizes / len(y) * share.sum(axis=0)
        out += np.where(share > 0, share * np.log(np.where(share > 0, share, 1) / np.where(share > 0, even, 1)), 0).sum(
            axis=0
        )
    return out


def tf_idf(X: Any) -> Any:
    """Return rows of length 1: logarithms of counts, rare words weighing more."""
    idf = np.log((1 + X.shape[0]) / (1 + np.bincount(X.indices, minlength=X.shape[1]))) + 1
    return normalize(scipy.sparse.csr_array(((1 + np.log(X.data)) * idf[X.indices], X.indices, X.indptr), X.shape))


def directions(X: Any, k: int, seed: int, pairs: Any = None, n_components: int | None = None) -> np.ndarray:
    """Return clusters of directions, with pairs or without."""
    if pairs is None:
        return fewer.SphericalKMeans(k, random_state=seed).fit(X).labels_
    return fewer.PCSKMeans(k, n_components=n_components, random_state=seed).fit(X, pairs=pairs).labels_


def weighed(X: Any, pairs: Any, **settings: Any) -> Any:
    """Return rows with weights of words; as they are if a few pairs are all of one kind."""
    one_kind = not all(len(kind) for kind in pairs)
    return X if one_kind else fewer.XingMetric(**settings).fit(X, pairs=pairs).transform(X)


GUIDED: dict[str, Callable[..., np.ndarray]] = {
    "SPKM": lambda X, k, seed, pairs: directions(X, k, seed),
    "PCSKM": directions,
    "PCSKM+M": lambda X, k, seed, pairs: directions(weighed(X, pairs), k, seed, pairs),
    "PCSKM+M, one step": lambda X, k, seed, pairs: directions(weighed(X, pairs, l2=10.0, max_iter=1), k, seed, pairs),
    "PCSKM+P": lambda X, k, seed, pairs: directions(X, k, seed, pairs, AXES),
}


def show(title: str, results: Results, columns: list[Any], less: tuple[tuple[str, ...], ...] = ()) -> None:
    """Print means and standard deviations over the draws; differences of two methods with their standard errors."""
    print(f"\n{title}")
    for name, lines in results.items():
        print(f"  {name:24}" + "".join(f"{column:>12}" for column in columns))
        for method, found in lines.items():
            cells = [spread(np.mean(found[c]), np.std(found[c])) for c in columns]
            print(f"    {method:22}" + "".join(f"{cell:>12}" for cell in cells), flush=True)
        for words, method, other in less:
            gains = [np.subtract(lines[method][c], lines[other][c]) for c in columns]
            cells = [spread(np.mean(gain), np.std(gain) / np.sqrt(len(gain))) for gain in gains]
            print(f"    {words:22}" + "".join(f"{cell:>12}" for cell in cells), flush=True)


def spread(mean: float, deviation: float) -> str:
    """Return a mean and what it varies by, as they are printed."""
    return f"{mean:.2f} ±{deviation:.2f}" if abs(mean) < 2 else f"{mean:.0f} ±{deviation:.0f}"


def note(results: Results, name: str, method: str, column: Any, value: float) -> None:
    """Keep one figure."""
    results.setdefault(name, {}).setdefault(method, {}).setdefault(column, []).append(value)


def study_1(news: News, draws: int, numbers: list[int]) -> Results:
    """Clusters of directions by the number of pairs."""
    results: Results = {}
    for name in TABLE_1:
        k = len(NEWS[name][0])
        for seed in range(draws):
            X, y = news.drawn(name, seed)
            X = tf_idf(X)
            for n in numbers:
                pairs = sample_pairwise_constraints(y, n, random_state=seed)
                for method, labels in GUIDED.items():
                    note(results, name, method, n, nmi(labels(X, k, seed, pairs), y))
    show(
        f"I. NMI by the number of pairs, {draws} draws of documents and pairs",
        results,
        numbers,
        LESS,
    )
    return results


def as_counted(news: News, draws: int) -> None:
    """The same on documents as other people make them."""
    results: Results = {}
    for name in TABLE_1:
        k = len(NEWS[name][0])
        for seed in range(draws):
            X, y = news.drawn(name, seed)
            pairs = sample_pairwise_constraints(y, 500, random_state=seed)
            frequent = tf_idf(news.drawn(name, seed, "frequent")[0])
            kinds = {"tf.idf": tf_idf(X), "counts": normalize(X), "presence": normalize(X > 0), "frequent": frequent}
            for kind, Z in kinds.items():
                for method in ("SPKM", "PCSKM", "PCSKM+P"):
                    note(results, name, method, kind, nmi(GUIDED[method](Z, k, seed, pairs), y))
    show(f"I, 500 pairs by the weights of words; tf.idf of frequent words, {draws} draws", results, list(kinds))


def metrics(news: News, draws: int) -> None:
    """Why the learned metric does not help: words with 99 % of the weight, documents without any weight."""
    results: Results = {}
    columns = ["NMI", "words", "no word"]
    for name in TABLE_1[:3]:
        k = len(NEWS[name][0])
        for seed in range(draws):
            X, y = news.drawn(name, seed)
            X, pairs = tf_idf(X), sample_pairwise_constraints(y, 500, random_state=seed)
            for l2 in (0.01, 10.0, 1000.0):
                for steps in (1, 10, 1000):
                    made = fewer.XingMetric(l2=l2, max_iter=steps).fit(X, pairs=pairs)
                    Z, line = made.transform(X), f"l2 {l2:g}, {steps} step{'s' * (steps > 1)}"
                    note(results, name, line, "NMI", nmi(directions(Z, k, seed, pairs), y))
                    note(results, name, line, "words", heaviest(made.weights_))
                    note(results, name, line, "no word", float(np.mean(abs(Z).sum(axis=1) == 0)))
    show(f"I, PCSKM+M with 500 pairs, {draws} draws: ridge and steps of the search", results, columns)


def heaviest(weights: np.ndarray) -> int:
    """Return how many words have 99 % of the weight."""
    falling = np.cumsum(np.sort(weights)[::-1])
    return int(np.searchsorted(falling, 0.99 * falling[-1])) + 1


def study_1b(news: News, draws: int, betas: list[float]) -> Results:
    """PCSKM+P by the weight of must-links; 30 axes whatever they are worth, as the source has it."""
    results: Results = {}
    for name in TABLE_1[:3]:
        k = len(NEWS[name][0])
        for seed in range(draws):
            X, y = news.drawn(name, seed)
            X, pairs = tf_idf(X), sample_pairwise_constraints(y, 500, random_state=seed)
            for beta in betas:
                axes = fewer.ConstraintProjection(AXES, beta=beta, axes="all").fit(X, pairs=pairs)
                note(results, "beta", name, beta, nmi(directions(axes.transform(X), k, seed, pairs), y))
    show(f"I-b. NMI of PCSKM+P with 500 pairs by beta, {draws} draws", results, betas)
    return results


def study_2_uci(draws: int, numbers: list[int]) -> Results:
    """k-means on numbers: as they are, and on as many axes as there are classes."""
    results: Results = {}
    for name in UCI:
        if not (DATA / f"{name}.npz").exists():
            print(f"  {name}: absent, left out")
            continue
        X, y = stored(name)
        X = X[:, X.std(axis=0) > 0]
        X, k = (X - X.mean(axis=0)) / X.std(axis=0), len(np.unique(y))
        d = min(k, X.shape[1])
        for seed in range(draws):
            for n in numbers:
                pairs = sample_pairwise_constraints(y, n, 1.0, seed)
                made = {
                    "original": X,
                    "PCA": PCA(d).fit_transform(X),
                    "RCA": fewer.RCA(d, l2=0.01).fit(X, pairs=pairs).transform(X),
                    "RCA, all axes": fewer.RCA(l2=0.01).fit(X, pairs=pairs).transform(X),
                    "Projection": fewer.ConstraintProjection(d).fit(X, pairs=pairs).transform(X),
                }
                for method, Z in made.items():
                    labels = fewer.PlainKMeans(k, n_init=5, random_state=seed).fit(Z).labels_
                    note(results, f"{name} ({X.shape[1]} to {d})", method, n, nmi(labels, y))
    show(
        f"II. NMI of k-means, UCI sets with columns of variance 1, by the number of pairs, {draws} draws",
        results,
        numbers,
    )
    return results


def study_2_texts(news: News, draws: int, numbers: list[int]) -> Results:
    """Spherical k-means on texts: as they are, by PCA (without centring), and by pairs after it or without it."""
    results: Results = {}
    for name in (*TEXTS, *TABLE_2):
        fixed = stored(name) if name in TEXTS else None
        for seed in range(draws):
            X, y = news.drawn(name, seed) if fixed is None else fixed
            X, k = tf_idf(X), len(np.unique(y))
            first = TruncatedSVD(100, random_state=seed).fit_transform(X)
            plain = {"original": X, "PCA": first[:, :AXES]}
            fixed_labels = {method: directions(Z, k, seed) for method, Z in plain.items()}
            for n in numbers:
                pairs = sample_pairwise_constraints(y, n, random_state=seed)
                made = {
                    "Projection": fewer.ConstraintProjection(AXES).fit(X, pairs=pairs).transform(X),
                    "PCA+RCA": fewer.RCA(AXES, l2=0.01).fit(first, pairs=pairs).transform(first),
                    "PCA+RCA, ridge 1": fewer.RCA(AXES, l2=1.0).fit(first, pairs=pairs).transform(first),
                    "PCA+Projection": fewer.ConstraintProjection(AXES).fit(first, pairs=pairs).transform(first),
                }
                found = fixed_labels | {method: directions(Z, k, seed) for method, Z in made.items()}
                for method, labels in found.items():
                    note(results, name, method, n, nmi(labels, y))
    show(f"II. NMI of spherical k-means on texts, by the number of pairs, {draws} draws", results, numbers)
    return results


def study_3(news: News, draws: int, numbers: list[int]) -> Results:
    """Co-clustering of counts with pairs and without."""
    results: Results = {}
    for name in TABLE_2:
        for seed in range(draws):
            X, y = news.drawn(name, seed)
            for groups in (3, 20):
                said = {"n_clusters": 3, "n_column_clusters": groups, "random_state": seed}
                without = nmi(fewer.InformationCoClustering(**said).fit(X).labels_, y)
                for n in numbers:
                    pairs = sample_pairwise_constraints(y, n, random_state=seed)
                    guided = fewer.ConstrainedCoClustering(**said).fit(X, pairs=pairs)
                    note(results, name, f"plain, {groups} word groups", n, without)
                    note(results, name, f"+pc, {groups} word groups", n, nmi(guided.labels_, y))
    less = tuple((f"  gain, {g}", f"+pc, {g} word groups", f"plain, {g} word groups") for g in (3, 20))
    show(f"III. NMI of co-clustering by the number of pairs, {draws} draws", results, numbers, less)
    return results


def draw_lines(axes: Any, title: str, lines: dict[str, dict[Any, list[float]]], label: str) -> None:
    """Draw means with bands of one standard error."""
    for method, found in lines.items():
        at, means = list(found), np.array([np.mean(found[c]) for c in found])
        error = np.array([np.std(found[c]) / np.sqrt(len(found[c])) for c in found])
        (line,) = axes.plot(at, means, marker=".", label=method)
        axes.fill_between(at, means - error, means + error, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set(title=title, xlabel=label, ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)


def draw_bars(axes: Any, title: str, results: Results, column: Any) -> None:
    """Draw means of all sets and methods with their standard deviations."""
    methods = list(next(iter(results.values())))
    for i, method in enumerate(methods):
        at = np.arange(len(results)) + (i - (len(methods) - 1) / 2) * 0.8 / len(methods)
        values = [lines[method][column] for lines in results.values()]
        axes.bar(at, np.mean(values, axis=1), 0.8 / len(methods), yerr=np.std(values, axis=1), label=method,
                 color=COLOURS[method], error_kw={"elinewidth": 0.7})  # fmt: skip
    axes.set_xticks(range(len(results)), [name.split(" (")[0] for name in results], fontsize=8)
    axes.set(title=title, ylim=(0, 1.12))
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize=7, ncols=len(methods), loc="upper center")


def figure(path: Path, first: Results, betas: Results, uci: Results, texts: Results, third: Results) -> None:
    """Write all studies as one picture."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    made, panels = plt.subplots(4, 4, figsize=(16, 17), layout="constrained")
    for axes, (name, lines) in zip(panels[0], first.items(), strict=True):
        draw_lines(axes, f"I: {name}", lines, "pairs")
    draw_lines(panels[1, 0], "I-b: PCSKM+P, 500 pairs", betas["beta"], "beta")
    for axes, (name, lines) in zip(panels[1, 1:], third.items(), strict=True):
        draw_lines(axes, f"III: {name}", lines, "pairs")
    for row, results, words in ((2, uci, "UCI sets, k-means"), (3, texts, "texts, spherical k-means")):
        grid = panels[row, 0].get_gridspec()
        for axes in panels[row]:
            axes.remove()
        most = max(max(found) for lines in results.values() for found in lines.values())
        draw_bars(made.add_subplot(grid[row, :]), f"II: {words}, {most} pairs", results, most)
    for axes in (panels[0, 0], panels[1, 0]):
        axes.set_ylabel("NMI")
    made.savefig(path, dpi=80)
    print(f"\nThe figure is in {path}")


def main() -> None:
    """Run all studies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="three draws, fewer numbers of pairs")
    parser.add_argument("--figure", type=Path, help="file that the picture is written to")
    given = parser.parse_args()
    if not all((DATA / f"{name}.npz").exists() for name in ("news20", *TEXTS)):
        print("news20, pcmac, relathe or basehock is not there; nothing was run.")
        return
    warnings.simplefilter("ignore")
    begin, news, draws = time.perf_counter(), News(), 3 if given.quick else 20
    numbers = [50, 500] if given.quick else [25, 50, 100, 200, 300, 400, 500]
    first = study_1(news, draws, numbers)
    as_counted(news, draws)
    metrics(news, draws)
    betas = study_1b(news, draws, [0.0, 0.5, 1.0] if given.quick else [b / 10 for b in range(11)])
    uci = study_2_uci(draws, [100] if given.quick else [25, 50, 100])
    texts = study_2_texts(news, draws, [500] if given.quick else [100, 500])
    third = study_3(news, draws, numbers)
    print(f"\n{time.perf_counter() - begin:.0f} s")
    if given.figure is not None:
        figure(given.figure, first, betas, uci, texts, third)


if __name__ == "__main__":
    main()
