"""What FGA tells of the features it made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.estimators.origin import versions
from fewer.core.measures.presence import presence_gain
from fewer.core.records.alphabets import Alphabet
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.views.letters import Letters
from fewer.methods.sequences._levels import Level
from fewer.methods.sequences.motif_counts import class_presence, motif_table


def without_copies(levels: list[Level], alphabet: Alphabet) -> list[Level]:
    """Return the levels without what another type has collected, too.

    These are conjunctions that are words at a position, and words with gaps that have none and are k-mers.
    """
    at_positions = {
        _basics(int(number), level.k, alphabet.size)
        for level in levels
        if level.type == "position"
        for number in level.features.ids
    }
    words = {level.k: level.features.ids for level in levels if level.type == "general"}
    out = []
    for level in levels:
        stays = np.ones(len(level.features), bool)
        if level.type == "conjunction":
            stays = np.array([tuple(row) not in at_positions for row in level.features.basics.tolist()], bool)
        elif level.type == "floating" and level.k in words:
            # Letters side by side are the first pattern, with the same numbers as words anywhere.
            stays = ~np.isin(level.features.ids, words[level.k])
        out.append(replace(level, features=level.features.take(stays), scores=level.scores[stays]))
    return out


def _basics(number: int, k: int, size: int) -> tuple[int, ...]:
    """Return the letters of a word at a position, as position * size + letter each."""
    start, word = divmod(number, size**k)
    letters = [word // size ** (k - 1 - t) % size for t in range(k)]
    return tuple((start + t) * size + letter for t, letter in enumerate(letters))


def described(
    made: Any, selection: Selection, levels: list[Level], columns: Any, y: np.ndarray, letters: Letters, seconds: float
) -> Selection:
    """Return the selection with names, further scores, tables, and what made it."""
    names = tuple(name for level in levels for name in level.features.names(letters.alphabet))
    present = class_presence(columns, y, len(made.classes_))
    gains = presence_gain(present, np.bincount(y))
    own = np.concatenate([level.scores for level in levels])
    kept = selection.indices
    tables = {
        "levels": ResultTable(
            "Levels of the generation",
            {
                "type": [level.type for level in levels],
                "letters": [level.k for level in levels],
                "scored": [level.n_scored for level in levels],
                "collected": [len(level.features) for level in levels],
                "lowest score": [float(level.scores.min()) if len(level.scores) else np.nan for level in levels],
            },
        ),
        "motifs": motif_table(kept, present, made.classes_),
    }
    more = {"information gain": gains, "level score": own}
    found = replace(selection, columns={**selection.columns, **more}).with_tables(**tables).with_names(names)
    parameters = {
        k: v if isinstance(v, (int, float, str, bool, type(None))) else repr(v)
        for k, v in made.get_params(deep=False).items()
    }
    facts = {"n_rows": letters.n_rows, "n_features": len(names), "n_nominal": 0, "n_classes": len(made.classes_)}
    return found.settled().with_meta(
        method=type(made).__name__,
        parameters=parameters,
        summary=(type(made).__doc__ or "").strip().split("\n")[0],
        task="classification",
        data=facts,
        seed=None,
        versions=dict(versions()),
        seconds=seconds,
        runner="threads",
    )
