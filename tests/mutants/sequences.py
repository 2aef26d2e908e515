"""Wrong readings of features of sequences, their scores and models."""

from __future__ import annotations

from mutant import Mutant

S, M = "methods/sequences", "tests/methods/sequences"
SEQUENCES = [
    Mutant(
        f"{S}/_words.py",
        "here = known & (start + span <= last)",
        "here = known & (start + span < last)",
        "a word at the end is missed",
        f"{M}/test_kmers.py",
    ),
    Mutant(
        f"{S}/_words.py",
        "here = known & (start >= first - 1)",
        "here = known & (start >= first)",
        "regions begin one letter late",
        f"{M}/test_kmers.py",
    ),
    Mutant(
        f"{S}/_words.py",
        "known &= letter >= 0",
        "known &= letter >= -1",
        "ambiguous letters match",
        f"{M}/test_kmers.py",
    ),
    Mutant(
        f"{S}/_conjuncts.py",
        "order = first[np.argsort(-steady(scores[first])",
        "order = first[np.argsort(steady(scores[first])",
        "the worst candidates are taken for the best",
        f"{M}/test_fga.py",
    ),
    Mutant(
        f"{S}/_conjuncts.py",
        "taken |= some[:, -1:] >= basics[None, :]",
        "taken |= some[:, :1] >= basics[None, :]",
        "a conjunction is made of every part",
        f"{M}/test_fga.py",
    ),
    Mutant(
        f"{S}/_levels.py",
        "kept if task.coupled else None, task.event",
        "None, task.event",
        "nothing is coupled",
        f"{M}/test_fga.py",
    ),
    Mutant(
        f"{S}/mdd.py",
        "statistic[i] = 0.0",
        "statistic[i] *= 1.0",
        "a position depends on itself",
        f"{M}/test_signal_models.py",
    ),
    Mutant(
        f"{S}/mdd.py",
        "without[position, letter] = False",
        "without[position, letter] = True",
        "what does not match may have the letter",
        f"{M}/test_signal_models.py",
    ),
    Mutant(
        f"{S}/_modified_squares.py",
        "inside = margins < 1.0",
        "inside = margins > 1.0",
        "rows inside the margin lose their say",
        f"{M}/test_cmls.py",
    ),
    Mutant(
        f"{S}/_modified_squares.py",
        "same = part == 1.0 and np.array_equal(inside, margins < 1.0)",
        "same = True",
        "least squares is taken for the minimum",
        f"{M}/test_cmls.py",
    ),
    Mutant(
        f"{S}/_levels.py",
        "found.rows >= task.min_count",
        "found.counts.sum(axis=1) >= task.min_count",
        "places are taken for sequences",
        f"{M}/test_fga.py",
    ),
    Mutant(
        f"{S}/fga.py",
        "min(self.step, (n_left + 1) // 2)",
        "self.step",
        "the last block takes nearly all",
        f"{M}/test_fga.py",
    ),
    Mutant(
        "core/measures/presence.py",
        "there, sizes = there + smoothing, sizes + 2 * smoothing",
        "there, sizes = there + smoothing, sizes + smoothing",
        "absent cells are not smoothed",
        "tests/core/measures/test_presence.py",
    ),
    Mutant(
        "core/measures/presence.py",
        "where=below > 0).max(axis=1)",
        "where=below > 0).min(axis=1)",
        "the smallest of several classes counts",
        "tests/core/measures/test_presence.py",
    ),
    Mutant(
        "evaluate/ranked_precision.py",
        "precision = np.maximum.accumulate(precision[::-1])[::-1]",
        "precision = np.maximum.accumulate(precision)",
        "the best precision at a smaller recall",
        "tests/evaluate/test_ranked_precision.py",
    ),
    Mutant(
        "evaluate/ranked_precision.py",
        "last = np.append(ordered[1:] != ordered[:-1], True)",
        "last = np.ones(len(ordered), bool)",
        "equal scores are several thresholds",
        "tests/evaluate/test_ranked_precision.py",
    ),
]
