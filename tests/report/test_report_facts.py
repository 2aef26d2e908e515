from __future__ import annotations

import numpy as np
from report_examples import ranked, small, stepwise, with_redundancy

from fewer.core.records.reasons import IRRELEVANT, KEPT, Reasons
from fewer.core.records.trace import Step, Trace
from fewer.report.facts import best_scores, common_line, search_path, sorted_scores


def test_best_scores_are_sorted_and_ties_go_to_the_lower_number():
    bars = best_scores(small([1.0, 3.0, 3.0, 2.0, np.nan], [1]), most=3)
    assert bars.names == ["x1", "x2", "x3"]
    assert bars.n_scored == 4
    assert bars.kinds == ["kept", "irrelevant", "irrelevant"]


def test_without_scores_there_is_nothing_to_draw():
    assert best_scores(small(None, [0], 3)) is None
    assert sorted_scores(small(None, [0], 3)) is None
    assert best_scores(small([np.nan, np.nan], [])) is None


def test_one_threshold_is_a_line_and_several_are_marks():
    kind = np.array([KEPT, IRRELEVANT], dtype=np.uint8)
    one = small([2.0, 1.0], [0], reasons=Reasons(kind, 1.5))
    same = small([2.0, 1.0], [0], reasons=Reasons(kind, np.array([1.5, np.nan])))
    several = small([2.0, 1.0], [0], reasons=Reasons(kind, np.array([1.5, 1.2])))
    assert common_line(one) == common_line(same) == 1.5
    assert common_line(several) is None
    assert best_scores(several).marks.tolist() == [1.5, 1.2]
    assert np.isnan(best_scores(one).marks).all()
    assert common_line(small([2.0], [0], reasons=Reasons(kind[:1], np.inf))) is None


def test_the_cut_exists_only_where_the_best_scores_were_kept():
    assert sorted_scores(ranked(10)).cut == 10
    assert sorted_scores(with_redundancy()).cut is None
    assert sorted_scores(small([1, 2], [])).cut is None
    assert sorted_scores(small([1, 2], [1, 0])).cut is None


def test_sizes_of_a_forward_search():
    selection = stepwise(n_kept=6, n_steps=9)
    path = search_path(selection)
    assert path.sizes.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 8]
    assert path.chosen == 5


def test_sizes_of_an_elimination_that_began_with_all_features():
    steps = [Step(removed=(3,), value=0.5), Step(removed=(0, 2), value=0.7), Step(removed=(1,), value=0.1)]
    path = search_path(small(None, [1], 4, trace=Trace(steps)))
    assert path.sizes.tolist() == [3, 1, 0]
    assert path.chosen == 1


def test_an_elimination_that_records_its_start_is_not_counted_twice():
    steps = [Step(added=(0, 1, 2), value=0.5), Step(removed=(0,), value=0.7)]
    path = search_path(small(None, [1, 2], 3, trace=Trace(steps)))
    assert path.sizes.tolist() == [3, 2]
    assert path.chosen == 1


def test_one_step_is_no_search():
    assert search_path(small(None, [0], 2, trace=Trace([Step((0,))]))) is None
    assert search_path(ranked()) is None
