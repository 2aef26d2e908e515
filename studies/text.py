"""Terms of texts: the experiments of chapters 13 (Forman), 14 (Eyheramendy and Madigan) and 16 (Makrehchi and Kamel).

    python studies/text.py [--quick] [--figure FILE.png]

20 Newsgroups (18,846 documents, headers but the subject dropped) and the ten largest topics of Reuters-21578 (9,035
documents, several labels); words in three documents or more without scikit-learn's English stop words, which are fewer
than the chapters'. The study takes less than four minutes of one core. Raw texts are not there, so that figure 13.3
(phrases and character n-grams) is left out; so is the hierarchical probit, for which a linear support vector machine
stands in.

Chapter 13. Among the best 100 terms of one topic (50 documents against 1,750) chi-squared takes no negative terms, IG
few, BNS many: holds, with 0.1, 6.8 and 15.1 of terms in two documents or more, 3.3, 24.9 and 68.8 of those in ten.
Selection sometimes gains much F1: holds on all six topics, .14 with all words, .38 with the best size. Both are chosen
on the test rows, as the chapter does; chosen by cross-validation on the training rows they are .11 and .34. Early
stops save 165 of 1,350 fold evaluations, and the winner is the same; little, since sizes ascend and the best is large.

Chapter 14, areas under weighted / macro F1 over 10 to 1,000 features, ours and below the chapter's:

                              IG      chi2        OR       BNS        WF       PIP      PIPp
    Poisson reuters10    772/641   780/662   546/513   786/678   732/559   761/644   775/667
      chapter            708/618   719/628   670/586   763/667   684/590   699/618   755/667
    Poisson news20       663/653   681/670   400/389   645/634   460/455   635/625   572/562
      chapter            753/799   808/841   928/936   812/841   684/773   777/813   854/880
    Bernoulli reuters10  753/586   764/611   529/473   789/644   704/500   762/604   780/640
      chapter            779/680   794/698   669/618   804/709   721/614   786/696   822/746
    Bernoulli news20     691/680   704/692   400/389   664/652   491/484   657/646   611/601
      chapter            531/628   566/673   508/498   556/652   436/505   534/627   650/650
    multin. reuters10    842/713   847/728   543/513   836/722   787/604   831/703   829/704
      chapter            812/723   822/733   644/555   802/713   753/644   842/762   832/753
    multin. news20       691/681   697/685   403/392   655/643   528/521   651/640   587/577
      chapter            535/594   614/644   575/565   584/634   456/486   564/604   575/585
    SVM reuters10        897/827   901/841   550/541   891/839   828/674   882/813   877/811
      chapter (probit)   911/861   921/861   674/605   891/842   881/753   901/842   891/851
    SVM news20           719/709   720/710   403/392   679/670   552/544   678/669   624/616
      chapter (probit)   703/693   723/723   575/565   713/703   565/565   693/683   644/624

Rank correlations of the seven scores, by lines: .96, -.29, .96, .50, .46, .36, .96, .93. On Reuters chi2 and BNS are
first, OR and WF last, as printed; on newsgroups chi2 and IG are first and BNS is behind below 200 features. The
chapter's Poisson line on newsgroups stands apart from its other lines, with OR best at 928; ours does not show it, and
OR is last everywhere: unlogged, words of one group alone win (the best 100 are in 43 documents, median; those of IG in
520). IG and chi2 best below 50 features on Reuters: holds, with 20 features chi2 .66, IG .61, PIPp .59, BNS .53, PIP
.51. PIP and PIPp are mean probabilities, as printed, most of which are 1; ranked by mean log Bayes factors instead,
`TextScore("pip")`, they are better: mean weighted areas of chi2 762, IG 754, BNS 743, PIP 732 (757 by log factors),
PIPp 707 (750), WF 635, OR 472; the chapter has PIPp 753, chi2 746, BNS 741, PIP 724, IG 716, OR 655, WF 648.

Chapter 16, macro F1 of 5, 10, ..., 40 terms, 6,000 documents, binary, ranked in every fold anew:

                       IG   less redundant   copies   noise   copies/IG  noise/IG
    SVM             .3450            .2067    .2331   .2283        .676      .662
    Rocchio         .3028            .1867    .2016   .2043        .666      .675
    with names SVM  .7855            .5375    .5281   .5105        .672      .650
    Rocchio         .7407            .4863    .4702   .4581        .635      .618
    chapter SVM     .6190            .6868    .4067   .4040        .657      .653
    Rocchio         .5946            .6298    .3642   .4289        .613      .721

That copies cost as much as noise holds, with nearly the ratios of the chapter. They follow from the size: both sets
have n / 2 terms that say something. The chapter's example of redundant terms (rec, hockei, nhl) lets one guess that
its documents hold the name of their group; with names in ours F1 of IG rises from .35 to .79 (the chapter .62). That
removal of redundant terms gains 10 and 6 % does not hold: with tau of .5 (the chapter names no value) it loses, with or
without names; without also by the matrix rule, with Phi cut at 1, and among the best 60 to 500 terms instead of
the tenth (.19 to .23 of .31; SVM, one split of 4,000 documents). With tau of .8 or .95 it neither loses nor gains (.30
to .32 of .31 there), whatever terms it looks among. 93 % of the tenth are redundant with tau of .5 (the chapter: 80 to
95), 21 % with .8. The words of highest gain go, because common ones cover them: of the first 20 (god, hockey, bike,
...) all but one, covered by edu, writes, like and just.
STP below random ranking at all levels: not so; .61 to .74 for STP, .15 to .68 for random, .63 to .77 for IG (1 to 50 %
of the terms).
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
from sklearn.base import clone
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from sklearn.metrics import f1_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import fewer
from fewer.evaluate import injection_experiment, macro_f1, selection_curve_area, weighted_f1
from fewer.measures import count_terms, term_scores

DATA = Path(__file__).parents[2] / "shared" / "data"
SCORES = ("ig", "chi2", "odds_ratio", "bns", "word_frequency", "pip", "pip_poisson")
SHORT = ("IG", "chi2", "OR", "BNS", "WF", "PIP", "PIPp")
# Areas that chapter 14 prints, weighted / macro, in the order of SCORES.
PRINTED = {
    ("Poisson", "reuters10"): "708/618 719/628 670/586 763/667 684/590 699/618 755/667",
    ("Poisson", "news20"): "753/799 808/841 928/936 812/841 684/773 777/813 854/880",
    ("Bernoulli", "reuters10"): "779/680 794/698 669/618 804/709 721/614 786/696 822/746",
    ("Bernoulli", "news20"): "531/628 566/673 508/498 556/652 436/505 534/627 650/650",
    ("multinomial", "reuters10"): "812/723 822/733 644/555 802/713 753/644 842/762 832/753",
    ("multinomial", "news20"): "535/594 614/644 575/565 584/634 456/486 564/604 575/585",
    ("probit", "reuters10"): "911/861 921/861 674/605 891/842 881/753 901/842 891/851",
    ("probit", "news20"): "703/693 723/723 575/565 713/703 565/565 693/683 644/624",
}


def svm(C: float = 1.0) -> Any:
    """Return a linear support vector machine on rows of length 1."""
    return make_pipeline(fewer.TextValues("tf"), LinearSVC(C=C, random_state=0))


CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "Poisson": fewer.PoissonNB,
    "Bernoulli": BernoulliNB,
    "multinomial": MultinomialNB,
    # In the place of the hierarchical probit.
    "probit": svm,
}


def load(name: str, most: int | None = None) -> tuple[Any, np.ndarray]:
    """Return counts without stop words, rare and, if asked, very frequent words, and classes or labels."""
    with np.load(DATA / f"{name}.npz") as data:
        parts = data["X_data"].astype(np.float64), data["X_indices"], data["X_indptr"]
        X = scipy.sparse.csr_array(parts, shape=tuple(data["X_shape"]))
        names, y = data["feature_names"], data["Y"].astype(int) if "Y" in data else data["y"].astype(int)
    documents = np.bincount(X.indices, minlength=X.shape[1])
    kept = (documents >= 3) & ~np.isin(names, list(ENGLISH_STOP_WORDS))
    if most is not None:
        kept &= np.asarray(X.sum(axis=0)).ravel() <= most
    return X[:, np.flatnonzero(kept)], y


def curves(name: str, quick: bool) -> dict[tuple[str, str], np.ndarray]:
    """Return weighted and macro F1 of all classifiers and scores over sizes, (n_sizes, 2) each (section 14.4)."""
    X, y = load(name, 2000 if name == "reuters10" else 3000)
    rows = np.random.default_rng(0).permutation(X.shape[0])
    cut = 3 * len(rows) // 4
    train, test = rows[:cut], rows[cut:]
    counts = count_terms(X[train], y[train], occurrences=True)
    by_columns, out = X.tocsc(), {}
    for score in SCORES:
        order = ranking(X[train], y[train], counts, score)
        for size in sizes(quick):
            some = by_columns[:, np.sort(order[:size])].tocsr()
            for label, make in CLASSIFIERS.items():
                made = OneVsRestClassifier(make()) if y.ndim == 2 else make()
                said = made.fit(some[train], y[train]).predict(some[test])
                found = weighted_f1(y[test], said), macro_f1(y[test], said)
                out.setdefault((label, score), []).append(found)
    return {key: np.array(found) for key, found in out.items()}


def ranking(X: Any, y: np.ndarray, counts: Any, score: str) -> np.ndarray:
    """Return the terms, best first, as the chapter treats several classes; inclusion by mean probabilities."""
    if score.startswith("pip"):
        made = fewer.PIP(None) if score == "pip" else fewer.PIPPoisson(None)
        return made.fit(X, y).selection_.order
    return np.argsort(-term_scores(counts, score), kind="stable")


def sizes(quick: bool) -> list[int]:
    """Return the numbers of features of chapter 14, whose grid is not printed."""
    return [10, 100, 1000] if quick else [10, 20, 50, 100, 200, 350, 500, 750, 1000]


def chapter_14(quick: bool) -> dict[str, dict[tuple[str, str], np.ndarray]]:
    """Print areas under the curves beside the printed ones."""
    print("\nChapter 14: area under F1 over 10 to 1,000 features, weighted/macro; the chapter's below")
    found = {name: curves(name, quick) for name in ("reuters10", "news20")}
    print(f"{'':22}" + "".join(f"{score:>10}" for score in SHORT))
    agree = []
    for label in CLASSIFIERS:
        for name, per_score in found.items():
            ours = np.array([[selection_curve_area(sizes(quick), c) for c in per_score[label, s].T] for s in SCORES])
            theirs = np.array([[float(v) for v in cell.split("/")] for cell in PRINTED[label, name].split()])
            for words, table in ((f"{label} {name}", ours), ("  chapter", theirs)):
                print(f"{words:22}" + "".join(f"{a:>6.0f}/{b:3.0f}" for a, b in table))
            ranks = [np.argsort(np.argsort(-t[:, 0])) for t in (ours, theirs)]
            agree.append(np.corrcoef(*ranks)[0, 1])
    print(f"rank correlation of the scores with the chapter's, by lines: {' '.join(f'{r:.2f}' for r in agree)}")
    few = found["reuters10"]
    at = sizes(quick).index(20) if 20 in sizes(quick) else 0
    shown = ", ".join(f"{n} {np.mean([few[c, s][at, 0] for c in CLASSIFIERS]):.3f}" for n, s in zip(SHORT, SCORES))
    print(f"reuters10, {sizes(quick)[at]} features, weighted F1, mean of the classifiers: {shown}")
    return found


def negative_features() -> None:
    """Print how many of the best 100 terms are rarer in the topic than outside (figure 13.1)."""
    X, y = load("news20")
    print("\nFigure 13.1: negative terms among the best 100, 50 documents against 1,750, mean of 20 topics")
    for least in (2, 10, 20):
        rng, out = np.random.default_rng(0), {score: [] for score in ("ig", "chi2", "bns")}
        for topic in range(20):
            rows = topic_rows(y, topic, rng)
            counts = count_terms(X[rows], (y[rows] == topic).astype(int))
            tp, fn, fp, tn = counts.each_class_of(1)
            for score, found in out.items():
                options = {"backoff": "count"} if score == "bns" else {}
                values = np.where(counts.holding >= least, term_scores(counts, score, **options), -np.inf)
                best = np.argsort(-values, kind="stable")[:100]
                found.append(np.count_nonzero(tp[best] / (tp + fn)[best] < fp[best] / (fp + tn)[best]))
        shown = ", ".join(f"{score} {np.mean(found):.1f}" for score, found in out.items())
        print(f"  terms in {least} documents or more: {shown}")


def early_stops(quick: bool) -> None:
    """Print how many fold evaluations early stops save in a search over scores, sizes and a parameter (13.4)."""
    X, y = load("news20")
    some = np.random.default_rng(4).permutation(X.shape[0])[: 1000 if quick else 4000]
    options: dict[str, Any] = {"estimator": MultinomialNB(), "param_grid": {"alpha": [0.01, 0.1, 1.0]}, "cv": 10}
    print("\nEarly stops: 10 folds, three scores, sizes 100 x 1.5^i, three smoothings of multinomial naive Bayes")
    found = {}
    for stop in (True, False):
        begin = time.perf_counter()
        made = fewer.TextSearch(scores=("bns", "ig", "chi2"), early_stop=stop, **options).fit(X[some], y[some])
        found[stop] = made.best_setting_
        words = f"{made.n_fits_} fold evaluations, {made.n_saved_} saved, {time.perf_counter() - begin:.0f} s"
        print(f"  {'with' if stop else 'without'}: {words}, accuracy {made.best_score_:.4f}, {made.best_setting_}")
    assert found[True] == found[False]


def topic_rows(y: np.ndarray, topic: int, rng: np.random.Generator) -> np.ndarray:
    """Return 50 documents of a topic and 1,750 of the others, as the papers of chapter 13 are divided."""
    inside, outside = (rng.permutation(np.flatnonzero(mask)) for mask in (y == topic, y != topic))
    return np.concatenate([inside[:50], outside[:1750]])


def chapter_13(quick: bool) -> None:
    """Print F1 with all words, with the best number chosen on the test rows, and with that chosen by TextSearch."""
    negative_features()
    X, y = load("news20")
    grid, rng, lines = [0.01, 0.03, 0.1, 0.3, 1.0], np.random.default_rng(1), []
    print("\nFigure 13.2: F1 of one topic, half of 1,800 documents for training, SVM with C by 5 values, BNS")
    print(f"{'topic':>6}{'all words':>12}{'best size':>12}{'TextSearch':>12}{'on all':>8}")
    for topic in range(3 if quick else 6):
        for _ in range(1 if quick else 2):
            rows = topic_rows(y, topic, rng)
            target = (y[rows] == topic).astype(int)
            lines.append(split_in_half(X[rows], target, grid, rng))
        mean = np.mean(lines[-(1 if quick else 2) :], axis=0)
        print(f"{topic:>6}" + "".join(f"{v:>12.3f}" for v in mean[:3]) + f"{mean[3]:>8.3f}")
    mean = np.mean(lines, axis=0)
    print(f"{'mean':>6}" + "".join(f"{v:>12.3f}" for v in mean[:3]) + f"{mean[3]:>8.3f}")
    early_stops(quick)


def split_in_half(X: Any, y: np.ndarray, grid: list[float], rng: np.random.Generator) -> list[float]:
    """Return F1 of one split: all words, best size on the test rows, TextSearch, TextSearch with all words."""
    marks = np.zeros(len(y), bool)
    for c in (0, 1):
        inside = rng.permutation(np.flatnonzero(y == c))
        marks[inside[: len(inside) // 2]] = True
    train, test = np.flatnonzero(marks), np.flatnonzero(~marks)
    counts = count_terms(X[train], y[train])
    order = np.argsort(-term_scores(counts, "bns"), kind="stable")
    order = order[counts.holding[order] >= 2]
    steps = [int(100 * 1.5**i + 0.5) for i in range(20) if 100 * 1.5**i < len(order)]
    best = {}
    for size in [*steps, len(order)]:
        some = X[:, np.sort(order[:size])]
        values = [f1_score(y[test], svm(C).fit(some[train], y[train]).predict(some[test])) for C in grid]
        best[size] = max(values)
    options: dict[str, Any] = {"scores": "bns", "estimator": svm(), "param_grid": {"linearsvc__C": grid[2:]}, "cv": 5}
    options |= {"scoring": "f1", "early_stop": False}
    searched = fewer.TextSearch(sizes=[*steps[::3], "all"], **options).fit(X[train], y[train])
    plain = fewer.TextSearch(sizes=["all"], **options).fit(X[train], y[train])
    chosen, every = (f1_score(y[test], one.predict(X[test])) for one in (searched, plain))
    return [best[len(order)], max(best.values()), chosen, every]


def rank_by(score: str) -> Callable[[Any, np.ndarray], np.ndarray]:
    """Return what ranks the terms of training rows."""
    return lambda X, y: np.argsort(-term_scores(count_terms(X, y), score), kind="stable")


def with_group_names(X: Any, y: np.ndarray) -> Any:
    """Return documents with the parts of the name of their group, as their headers hold it; 1 in 100 is lost."""
    with np.load(DATA / "news20.npz") as data:
        names = [name.split(".") for name in data["class_names"].tolist()]
    parts = sorted({part for name in names for part in name})
    inside = np.array([[part in name for part in parts] for name in names])[y]
    inside &= np.random.default_rng(0).random(inside.shape) < 0.99
    return scipy.sparse.csr_array(scipy.sparse.hstack([X, scipy.sparse.csr_array(inside.astype(np.float64))]))


def chapter_16(quick: bool) -> dict[str, Any]:
    """Print macro F1 of few terms: the best, without redundant ones, half copies, half noise (tables 16.1 and 16.3)."""
    X, y = load("news20")
    some = np.sort(np.random.default_rng(2).permutation(X.shape[0])[: 2000 if quick else 6000])
    y, plain = y[some], scipy.sparse.csr_array((X[some] > 0).astype(np.float64))
    counted = [10, 40] if quick else [5, 10, 15, 20, 25, 30, 35, 40]
    print("\nChapter 16: macro F1, 5 folds, mean of n = 5, 10, ..., 40; the chapter's SVM and Rocchio below")
    print(f"{'':10}{'IG':>8}{'less redundant':>16}{'copies':>8}{'noise':>8}{'copies/IG':>11}{'noise/IG':>10}")
    out: dict[str, Any] = {"sizes": counted}
    for words, X in (("", plain), (" with names", with_group_names(plain, y))):
        print(f"documents{words}")
        for label, made in (("SVM", LinearSVC(random_state=0)), ("Rocchio", fewer.Rocchio())):
            sets = injection_experiment(X, y, rank_by("ig"), made, sizes=counted, cv=5, random_state=0)
            left = aggressive(X, y, made, counted)
            out[label + words] = (sets["scores"]["best"].mean(axis=1), left.mean(axis=1))
            values = sets["best"], left.mean(), sets["redundant"], sets["noisy"]
            ratios = sets["redundant / best"], sets["noisy / best"]
            print(f"{label:10}{values[0]:>8.4f}{values[1]:>16.4f}{values[2]:>8.4f}{values[3]:>8.4f}", end="")
            print(f"{ratios[0]:>11.3f}{ratios[1]:>10.3f}")
            print("  by n " + " ".join(f"{n}:{a:.3f}/{b:.3f}" for n, a, b in zip(counted, *out[label + words])))
    print("chapter: SVM 0.6190 0.6868 0.4067 0.4040 (0.657 0.653), Rocchio 0.5946 0.6298 0.3642 0.4289 (0.613 0.721)")
    return {**out, "levels": filter_levels(plain, y, quick)}


def aggressive(X: Any, y: np.ndarray, made: Any, counted: list[int]) -> np.ndarray:
    """Return macro F1 of the terms that AggressiveTerms keeps, by sizes and folds."""
    out, gone = np.empty((len(counted), 5)), []
    for fold, (train, test) in enumerate(five_folds(y)):
        found = fewer.AggressiveTerms(tau=0.5).fit(X[train], y[train]).selection_
        gone.append(1 - len(found) / (0.1 * X.shape[1]))
        for place, size in enumerate(counted):
            some = X[:, np.sort(found.indices[:size])]
            said = clone(made).fit(some[train], y[train]).predict(some[test])
            out[place, fold] = macro_f1(y[test], said)
    print(f"  redundant in the tenth of highest information gain: {100 * np.mean(gone):.0f} % (chapter: 80 to 95)")
    return out


def five_folds(y: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return five folds, each with all classes."""
    from sklearn.model_selection import StratifiedKFold

    return list(StratifiedKFold(5, shuffle=True, random_state=0).split(np.zeros(len(y)), y))


def filter_levels(X: Any, y: np.ndarray, quick: bool) -> dict[str, list[float]]:
    """Print macro F1 of Rocchio by fractions of the terms: information gain, single terms, random (figure 16.1)."""
    fractions = [0.01, 0.5] if quick else [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
    rng = np.random.default_rng(3)
    rankers = {"IG": rank_by("ig"), "STP": rank_by("stp"), "RND": lambda X, y: rng.permutation(X.shape[1])}
    out: dict[str, list[float]] = {}
    for label, rank in rankers.items():
        values = np.zeros((len(fractions), 5))
        for fold, (train, test) in enumerate(five_folds(y)):
            order = rank(X[train], y[train])
            for place, fraction in enumerate(fractions):
                some = X[:, np.sort(order[: int(fraction * X.shape[1])])]
                said = fewer.Rocchio().fit(some[train], y[train]).predict(some[test])
                values[place, fold] = macro_f1(y[test], said)
        out[label] = values.mean(axis=1).tolist()
    print("\nFigure 16.1: macro F1 of Rocchio by fraction of the terms")
    print(f"{'':6}" + "".join(f"{f:>8.0%}" for f in fractions))
    for label, found in out.items():
        print(f"{label:6}" + "".join(f"{v:>8.3f}" for v in found))
    return out


def figure(path: Path, found: dict[str, Any], few: dict[str, Any], quick: bool) -> None:
    """Draw F1 over the number of features by scores, for every classifier and data set, and chapter 16."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(2, 5, figsize=(17, 6.5), layout="constrained")
    for row, (name, per_score) in enumerate(found.items()):
        for axis, label in zip(axes[row], CLASSIFIERS):
            for short, score in zip(SHORT, SCORES):
                axis.plot(sizes(quick), per_score[label, score][:, 0], label=short)
            axis.set(title=f"{'SVM' if label == 'probit' else label}, {name}", xscale="log", ylim=(0, 1))
            axis.set(xlabel="features", ylabel="weighted F1")
    axes[0, 0].legend(fontsize=7, ncols=2)
    for axis, label in zip(axes[:, 4], ("SVM", "Rocchio")):
        axis.plot(few["sizes"], few[label][0], label="information gain")
        axis.plot(few["sizes"], few[label][1], label="less redundant")
        axis.set(title=f"{label}, news20, few terms", xlabel="features", ylabel="macro F1", ylim=(0, None))
    axes[0, 4].legend(fontsize=7)
    plt.savefig(path, dpi=110)


def main() -> None:
    """Run all studies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer sizes, topics and documents")
    parser.add_argument("--figure", type=Path, help="file that the picture is written to")
    given = parser.parse_args()
    if not all((DATA / f"{name}.npz").exists() for name in ("news20", "reuters10")):
        print("news20 or reuters10 is not there; nothing was run.")
        return
    warnings.simplefilter("ignore")
    begin = time.perf_counter()
    few = chapter_16(given.quick)
    print(f"{time.perf_counter() - begin:.0f} s")
    chapter_13(given.quick)
    print(f"{time.perf_counter() - begin:.0f} s")
    found = chapter_14(given.quick)
    print(f"\n{time.perf_counter() - begin:.0f} s")
    if given.figure is not None:
        figure(given.figure, found, few, given.quick)


if __name__ == "__main__":
    main()
