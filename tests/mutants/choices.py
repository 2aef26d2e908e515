"""Wrong readings of criteria and searches, of the reasons they give, and of stop rules."""

from __future__ import annotations

from mutant import Mutant

INFORMATION = "tests/methods/information"
REDUNDANCY = "tests/methods/redundancy"
SUBSETS = "tests/core/criteria"
STOP = "tests/core/stop"
INDEPENDENCE = "tests/core/criteria"

CRITERIA = [
    Mutant(
        "methods/information/minimum.py",
        "    starts_at_relevance = True\n",
        "    starts_at_relevance = False\n",
        "CMIM without I(f; y) in its minimum",
        f"{INFORMATION}/test_information.py -k 'random_codes and CMIM'",
    ),
    Mutant(
        "core/measures/joint_terms.py",
        "self.triple - self.pair + (self.anchor - self.anchor_classes)",
        "self.triple - self.pair",
        "conditional information without what is known already",
        f"{INFORMATION}/test_information.py -k 'identities or streamed_sparse'",
    ),
    Mutant(
        "methods/redundancy/fcbf.py",
        "shared >= relevance[later] - SAME",
        "shared > relevance[later] + SAME",
        "a copy is not covered by its original",
        f"{REDUNDANCY}/test_fcbf.py",
    ),
    Mutant(
        "core/criteria/merit.py",
        "n_features + 2.0 * among",
        "n_features + among",
        "merit counts each pair once",
        f"{SUBSETS}/test_subsets_filters.py",
    ),
    Mutant(
        "methods/redundancy/_blanket_elimination.py",
        "worst = d - 1 - int(np.argmin(delta[::-1]))",
        "worst = int(np.argmin(delta))",
        "of equal ones the lowest number leaves first",
        f"{REDUNDANCY}/test_markov_blanket.py",
    ),
    Mutant(
        "core/search/greedy.py",
        "best = int(candidates[np.argmax(scores[candidates])])",
        "best = int(candidates[::-1][np.argmax(scores[candidates][::-1])])",
        "of equal scores the higher number",
        "tests/core/search/test_search.py",
    ),
    Mutant(
        "core/search/floating.py",
        "last = min(evaluations.high + self.beyond, n) if forward",
        "last = min(evaluations.high, n) if forward",
        "a floating search that ends at the last allowed size",
        "tests/core/search/test_stepwise_searches.py tests/core/search/test_search_definitions.py",
    ),
    Mutant(
        "core/search/best_first.py",
        "best.value > reached + self.epsilon",
        "best.value >= reached + self.epsilon",
        "an equal value renews the patience",
        "tests/core/search/test_search_definitions.py tests/core/search/test_stepwise_searches.py",
    ),
    Mutant(
        "core/measures/stratified.py",
        "self.counts.per_feature((self.levels_in_strata > 0) @ free) - free.sum()",
        "(self.counts.occurring - 1) * free.sum()",
        "levels that a stratum lacks keep their degrees of freedom",
        f"{INDEPENDENCE}/test_g_test.py -k agree",
    ),
    Mutant(
        "core/criteria/g_test.py",
        "total * unit >= self.h * tables.n_cells",
        "total * unit > self.h * tables.n_cells",
        "five rows per cell are too few",
        f"{INDEPENDENCE}/test_independence_of_arrays.py -k reliable",
    ),
    Mutant(
        "core/criteria/independence_contract.py",
        "return (first, second) if first < second else (second, first)",
        "return (first, second)",
        "a question the other way round is another question",
        f"{INDEPENDENCE}/test_independence_contract.py",
    ),
    Mutant(
        "core/criteria/fisher_z.py",
        "products.n_rows - rank - 3.0",
        "products.n_rows - len(given) - 3.0",
        "collinear given columns count twice",
        f"{INDEPENDENCE}/test_fisher_z.py -k collinear",
    ),
    Mutant(
        "core/criteria/fisher_z.py",
        "reliable = (dof > 0) & (~varies | (dof >= self.min_dof))",
        "reliable = ~varies | (dof >= self.min_dof)",
        "as many given columns as rows show independence",
        f"{INDEPENDENCE}/test_independence_edges.py -k as_many",
    ),
    Mutant(
        "core/summaries/products.py",
        "return block.X, np.array(block.X[0], dtype=np.float64)",
        "return block.X, np.zeros(block.n_features)",
        "constants vary by the rounding of their means",
        f"{INDEPENDENCE}/test_independence_edges.py -k constant",
    ),
    Mutant(
        "core/graphs/dag.py",
        "if from_child != (here in known):",
        "if from_child and here not in known:",
        "a known collider opens no path",
        "tests/core/graphs/test_graphs.py -k all_paths",
    ),
]

REASONS = [
    Mutant(
        "methods/information/_information.py",
        "dof = (levels - 1.0) * (classes - 1.0)",
        "dof = (levels - 1.0) * classes",
        "dof of information with C instead of C - 1",
        "tests/methods/information",
    ),
    Mutant(
        "methods/information/_information.py",
        "SHARED / len(kept)",
        "SHARED",
        "no correction for the number of kept features",
        "tests/methods/information",
    ),
    Mutant(
        "methods/redundancy/fcbf.py",
        "below | told.failed, stop",
        "below, stop",
        "a silent feature is not irrelevant",
        f"{REDUNDANCY}/test_fcbf.py",
    ),
    Mutant(
        "core/records/reasons.py",
        "kind[_ungrounded(kind, self.related)] = NOT_REACHED",
        "kind[[]] = NOT_REACHED",
        "redundant to a feature that was not kept",
        "tests/core/records/test_reasons_record.py",
    ),
    Mutant(
        "core/search/outcome.py",
        "gains[list(found.subset)] *= -1",
        "gains[list(found.subset)] *= 1",
        "what a kept feature adds has the wrong sign",
        "tests/core/search/test_outcome.py",
    ),
    Mutant(
        "core/search/outcome.py",
        "kind[list(columns)] = REDUNDANT\n",
        "kind[list(columns)] = NOT_REACHED\n",
        "nothing is redundant after a search",
        "tests/core/search/test_outcome.py",
    ),
    Mutant(
        "core/records/result.py",
        "tables={name: table.on(numbers) for name, table in self.tables.items()}",
        "tables=self.tables",
        "tables keep the old numbers of their features",
        "tests/core/records/test_invariants.py",
    ),
    Mutant(
        "core/records/result.py",
        "order = after(kept, order)",
        "order = np.asarray(order, dtype=np.int64)",
        "kept features do not come first",
        "tests/core/records/test_invariants.py",
    ),
    Mutant(
        "core/search/top.py",
        "reasons.kind[cut.irrelevant] = IRRELEVANT",
        "reasons.kind[~cut.kept] = IRRELEVANT",
        "beyond a number of features all are irrelevant",
        "tests/core/search/test_search.py",
    ),
]

STOPS = [
    Mutant(
        "core/stop/significance.py",
        "(m - ranks + 1) * p[order]",
        "(m - ranks) * p[order]",
        "Holm with m - j",
        f"{STOP}/test_stop_significance.py",
    ),
    Mutant(
        "core/stop/significance.py",
        "np.minimum.accumulate(steps[::-1])[::-1]",
        "steps",
        "adjusted p-values that are not monotone",
        f"{STOP}/test_stop_significance.py",
    ),
    Mutant(
        "core/stop/significance.py",
        "np.arange(1, m + 1))) if method",
        "np.arange(1, m))) if method",
        "the harmonic number of m - 1",
        f"{STOP}/test_stop_significance.py",
    ),
    Mutant(
        "core/stop/scores.py",
        "Cut(ranking.scores >= self.value, self.value",
        "Cut(ranking.scores > self.value, self.value",
        "a score at the threshold is dropped",
        f"{STOP}/test_stop_sizes_scores.py {STOP}/test_stop_rules.py",
    ),
    Mutant(
        "core/stop/scores.py",
        "n = self.min_features + int(np.argmax(gaps))",
        "n = 1 + int(np.argmax(gaps))",
        "the gap counted from the first instead of the fewest",
        f"{STOP}/test_stop_sizes_scores.py {STOP}/test_stop_rules.py",
    ),
    Mutant(
        "core/stop/sizes.py",
        "math.floor(self.fraction * n_features + 0.5 + 1e-9)",
        "math.ceil(self.fraction * n_features)",
        "a fraction is rounded up",
        f"{STOP}/test_stop_sizes_scores.py {STOP}/test_stop_rules.py",
    ),
    Mutant(
        "core/stop/progress.py",
        "return not exceeds(trace[-1].value, trace[-2].value + self.tol)",
        "return trace[-1].value - trace[-2].value < self.tol",
        "a gain of exactly tol is enough",
        STOP,
    ),
    Mutant(
        "core/stop/progress.py",
        "return at + 1 if waited >= self.steps else len(trace)",
        "return len(trace)",
        "steps without gain are kept",
        STOP,
    ),
    Mutant(
        "core/stop/probes.py",
        "np.sort(np.asarray(probe_scores, dtype=float), axis=0)",
        "np.sort(np.asarray(probe_scores, dtype=float), axis=None)",
        "features are compared with the probes of others",
        f"{STOP} -k own_probes",
    ),
    Mutant(
        "core/stop/probes.py",
        "self.risk * (n + 1) + 1e-9",
        "self.risk * n + 1e-9",
        "the feature is not counted as one more probe",
        STOP,
    ),
    Mutant(
        "core/stop/rule.py",
        "np.logical_or.reduce([c.irrelevant for c in cuts])",
        "np.logical_and.reduce([c.irrelevant for c in cuts])",
        "irrelevant only if all rules say so",
        f"{STOP}/test_stop_rules.py",
    ),
]
