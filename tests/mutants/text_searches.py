"""Wrong readings of text search, classifiers of counts, terms and few terms."""

from __future__ import annotations

from mutant import Mutant

SEARCH = "tests/methods/text/test_text_search.py"
COUNTS = "tests/methods/text/test_count_classifiers.py"
FEW = "tests/methods/text/test_aggressive_terms.py"
TERMS = "tests/methods/text/test_text_generators.py"
TWICE = "tests/methods/text/test_two_passes.py"

TEXT_SEARCHES = [
    Mutant(
        "methods/text/_joint_search.py", "if tested.loss >= bound:", "if tested.loss > bound:", "a tie goes on", SEARCH
    ),
    Mutant(
        "methods/text/_joint_search.py",
        "finished and loss < self._least",
        "finished and loss <= self._least",
        "the later of equal settings wins",
        SEARCH,
    ),
    Mutant(
        "methods/text/_joint_search.py",
        "size *= FACTOR",
        "size = float(math.floor(size * FACTOR))",
        "sizes are rounded on the way",
        SEARCH,
    ),
    Mutant(
        "methods/text/_fold_views.py",
        "yield from (whole - counted.inside([fold])",
        "yield from (whole",
        "test rows rank terms",
        SEARCH,
    ),
    Mutant(
        "methods/text/_fold_views.py",
        "counts.holding >= min_df",
        "counts.holding > min_df",
        "a term needs one document more",
        f"{SEARCH} {TWICE}",
    ),
    Mutant(
        "methods/text/_pooled_losses.py",
        "np.count_nonzero(said != y)",
        "np.count_nonzero(said == y)",
        "right answers are errors",
        SEARCH,
    ),
    Mutant(
        "methods/text/poisson_nb.py",
        "self.class_log_prior_ - self.means_.sum(axis=1)",
        "self.class_log_prior_",
        "the expected counts are dropped",
        COUNTS,
    ),
    Mutant(
        "methods/text/poisson_nb.py",
        "documents[:, None] + 1.0 / self.beta",
        "documents[:, None] + self.beta",
        "a scale is taken for a rate",
        COUNTS,
    ),
    Mutant("methods/text/rocchio.py", "- self.gamma * away", "+ self.gamma * away", "other documents attract", COUNTS),
    Mutant("methods/text/text_values.py", "(documents + 1.0))", "documents)", "no 1 is added below", COUNTS),
    Mutant(
        "methods/text/aggressive_terms.py",
        "self._n_top(len(left))",
        "self._n_top(len(order))",
        "the fraction is one of all terms",
        FEW,
    ),
    Mutant(
        "core/estimators/covered_terms.py", "[: self.protected]] = False", "[:0]] = False", "no term is protected", FEW
    ),
    Mutant("synth/injected.py", "order[len(order) - (n - half) :]", "order[half:n]", "noise is the next best", FEW),
    Mutant("methods/text/words.py", "if w not in self.stop_words]", "]", "stop words stay", TERMS),
    Mutant(
        "methods/text/two_pass_terms.py",
        "zip(chosen, (*(whole - counted.inside([fold]) for fold in range(n_folds)), whole))",
        "zip(chosen, (*(whole for fold in range(n_folds)), whole))",
        "all rows choose the terms",
        TWICE,
    ),
    Mutant(
        "methods/text/_joint_search.py",
        "ranked(one, score, self.min_df, view)",
        "ranked(one, score, self.min_df)",
        "a fold sees terms that others chose",
        SEARCH,
    ),
    Mutant(
        "methods/text/_term_batches.py",
        "filled[: filled.shape[0] - 1]",
        "filled[1:]",
        "the first document goes for the filler",
        TWICE,
    ),
    Mutant(
        "methods/text/_fold_views.py",
        "np.argsort(-_without_rounding(values)",
        "np.argsort(-(values)",
        "rounding orders equal terms",
        SEARCH,
    ),
]
