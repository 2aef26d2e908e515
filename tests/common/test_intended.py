"""What was meant to differ when the parts of the library were joined, each with the test that holds it.

Everything else is equal to what it was: `results.py` compares two states, `test_stored.py` a dozen methods for good.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
INTENDED = {
    "the default is one recipe for memory, streams, sparse data, Dask and weights, with its size by sums over folds": (
        "methods/test_recipe_everywhere.py::test_streamed_tables"
    ),
    "the default keeps nothing where nothing is better than a guess": (
        "methods/test_recipe_everywhere.py::test_what_happens_if_nothing_is_better_than_a_guess"
    ),
    "DefaultRecipe scores are relevance from 0 to 1, beside p-values and fractions of folds": (
        "methods/test_recipe.py::test_it_says_metric_guess_and_fractions"
    ),
    "n_features_to_select has one grammar; what a method cannot serve is refused before work": (
        "methods/test_free_product.py::test_every_pair_runs_or_says_why_not"
    ),
    "parameters that do not fit each other are refused before data are read, in the words of the search": (
        "methods/test_parts.py::test_what_does_not_fit_is_refused_before_data_are_read"
    ),
    "a rule of gains ends the sequential search of Selector, which ignored it": (
        "methods/test_parts.py::test_a_rule_of_gains_holds_for_the_search_as_for_its_selector"
    ),
    "the search of RVErS takes its bounds from the size": (
        "methods/test_parts.py::test_sizes_bound_the_relevant_features_of_rvers"
    ),
    "CFS takes any search": "methods/test_parts.py::test_cfs_takes_any_search",
    "cv has one grammar for wrappers and comparisons": (
        "methods/test_parts.py::test_searches_split_rows_as_comparisons_do"
    ),
    "a file gets the same default and the same result from Python and from the command line": (
        "cli/test_cli_same_answer.py::test_a_file_gives_the_same_from_python_and_from_the_command_line"
    ),
    "checkpoints are journals with a checksum per line": (
        "core/records/test_journal.py::test_every_flipped_bit_is_noticed"
    ),
    "curves, levels, trees and prototypes are tables of the result, no longer parts of meta": (
        "common/test_results.py::test_a_file_says_what_the_live_result_says"
    ),
    "JSON has format 2; files of format 1 are read": (
        "core/records/test_result_table.py::test_files_without_tables_are_still_read"
    ),
    "Chain reports its own parameters and all of its parts": (
        "core/records/test_invariants.py::test_a_chain_tells_what_each_of_its_parts_did"
    ),
    "random probes stand beside the features": (
        "core/stop/test_stop_probes.py::test_probes_are_shuffled_columns_beside_the_others"
    ),
    "targets of kinds that a method does not take are refused, survival times and label sets among them": (
        "core/reading/test_target_kinds.py::test_all_others_refuse_it_in_one_sentence"
    ),
    "counting filters take several labels": (
        "methods/univariate/test_several_labels.py::test_scores_are_the_mean_of_single_fits"
    ),
    "family, source, contract and shape take the place of room, seed and kind": (
        "cli/test_cli_show.py::test_the_old_word_room_is_taken_once_more_and_warned_of"
    ),
    "JMI3, CMIGreedy and Consistency take streamed tables": (
        "core/reading/test_file_passes.py::test_every_streaming_method_on_levels_takes_the_stated_passes"
    ),
    "a file is read at most four times": (
        "core/reading/test_file_passes.py::test_every_other_streaming_method_takes_the_stated_passes"
    ),
    "refusals name a rule as it was given": (
        "core/stop/test_stop_rules.py::test_check_names_rule_part_and_what_is_missing"
    ),
    "refusals say what to do": "layers/test_messages.py::test_refusals_say_what_to_do",
    "equal parameters have equal types, defaults and texts": (
        "common/test_parameters.py::test_equal_names_have_equal_texts"
    ),
}


@pytest.mark.parametrize("difference", INTENDED)
def test_every_intended_difference_has_a_test(difference):
    path, name = INTENDED[difference].split("::")
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
