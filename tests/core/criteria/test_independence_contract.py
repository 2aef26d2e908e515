"""What every test of independence promises: memory, counters, refusals."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from independence_cases import Y, codes_on, numbers_on, random_codes

from fewer.core.criteria.fisher_z import FisherZ
from fewer.core.criteria.g_test import GTest
from fewer.core.criteria.independence_contract import Answers, IndependenceTest
from fewer.core.records.errors import ParameterError, RequirementError


@dataclasses.dataclass(frozen=True)
class Recorder(IndependenceTest):
    """Answers with numbers that name the question, and notes what it is asked."""

    notes: list = dataclasses.field(default_factory=list, compare=False)

    def answer(self, view, candidates, given, target):
        self.notes.append((candidates, given, target))
        value = np.array([j + target for j in candidates], dtype=float)
        return Answers(value / 100, value, value, value % 2 > 0)


@pytest.fixture
def view(rng):
    return codes_on("one thread", *random_codes(rng))


def test_a_question_is_computed_once(view):
    test = Recorder()
    first = test.pvalues(view, [5, 3, 5], (2, 1), 4)
    assert test.notes == [((3, 5), (1, 2), 4)]
    assert first.statistic.tolist() == [9.0, 7.0, 9.0]
    again = test.pvalues(view, [5, 6], [1, 2, 2], 4)
    assert test.notes[1:] == [((6,), (1, 2), 4)]
    assert again.statistic.tolist() == [9.0, 10.0]
    assert again.reliable.tolist() == [True, False]
    # The other way round, and y among the candidates.
    test.pvalues(view, [4], (1, 2), 5)
    assert len(test.notes) == 2
    mixed = test.pvalues(view, [7, Y], (1, 2), 4)
    assert test.notes[2:] == [((7,), (1, 2), 4), ((4,), (1, 2), Y)]
    assert mixed.statistic.tolist() == [11.0, 3.0]
    memory = test.memory(view)
    assert (memory.asked, memory.computed) == (3 + 2 + 1 + 2, 2 + 1 + 0 + 2)


def test_other_given_columns_are_another_question(view):
    test = Recorder()
    for given in [(), (1,), (1, 2), (Y, 1)]:
        test.pvalues(view, [5], given, 4)
    assert len(test.notes) == 4


def test_memory_belongs_to_the_fit_and_the_options(view, rng):
    GTest().pvalues(view, [1, 2])
    assert GTest().memory(view).computed == 2
    assert GTest(h=1.0).memory(view).computed == 0
    assert GTest().memory(codes_on("one thread", *random_codes(rng))).computed == 0


def test_no_candidates_have_no_answers(view):
    assert all(len(column) == 0 for column in GTest().pvalues(view, [], (1,)))


def test_order_of_candidates_is_that_of_the_answers(view):
    one, other = GTest().pvalues(view, [5, 2, 9]), GTest(h=6.0).pvalues(view, [9, 5, 2])
    assert one.statistic[[2, 0, 1]].tolist() == other.statistic.tolist()


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (([12], (), None), "GTest was asked about column 12, but the view has columns 0 to 11"),
        (([-2], (), None), "column -2"),
        (([3], (3,), None), "GTest was asked about column 3 in two roles"),
        (([3], (), 3), "column 3 in two roles"),
        (([3], (Y,), None), "column -1 in two roles"),
    ],
)
def test_what_is_no_question_is_refused(view, question, words):
    with pytest.raises(ParameterError, match=words):
        GTest().pvalues(view, *question)
    assert GTest().memory(view).asked == 0


def test_views_that_do_not_fit_are_refused(view, rng):
    numbers = numbers_on("one thread", rng.normal(size=(30, 3)), rng.normal(size=30))
    with pytest.raises(RequirementError, match="GTest reads codes or sparse codes, but the view holds dense"):
        GTest().pvalues(numbers, [0])
    with pytest.raises(RequirementError, match="FisherZ reads dense or sparse, but the view holds codes"):
        FisherZ().pvalues(view, [0])
    with pytest.raises(RequirementError, match="GTest was asked about y, which holds no classes"):
        GTest().pvalues(dataclasses.replace(view, classes=None), [0])
    three = dataclasses.replace(numbers, classes=np.arange(3))
    with pytest.raises(RequirementError, match="y of 3 classes"):
        FisherZ().pvalues(three, [0])
    nominal = dataclasses.replace(numbers, nominal=np.array([False, True, False]))
    with pytest.raises(RequirementError, match="column 1, which is nominal"):
        FisherZ().pvalues(nominal, [0], (1,))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: GTest(statistic="t"), "GTest got statistic='t', but knows 'g' and 'chi2'"),
        (lambda: GTest(h=-1), "GTest got h=-1"),
        (lambda: FisherZ(min_dof=0), "FisherZ got min_dof=0"),
    ],
)
def test_wrong_options_are_refused(make, words):
    with pytest.raises(ParameterError, match=words):
        make()
