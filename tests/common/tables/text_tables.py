"""Scores of terms."""

from __future__ import annotations

_BY_CLASS = {"class_documents": "matrix", "class_scores": "matrix"}
TABLES = {
    **dict.fromkeys(("TextScore", "PIP", "PIPPoisson", "SpreadFx"), _BY_CLASS),
    "TopDownTextScore": {**_BY_CLASS, "nodes": "rows", "node_subsets": "rows"},
}
HOMONYMS = {
    # The name of a method, or of a score of terms.
    "score": ["ScoreSelector", "SpreadFx", "TextScore", "TopDownTextScore"],
    # Of columns, or of classes.
    "scope": ["CategoryUtility", "TextScore"],
    # Of scores that may have a form for all classes at once, or of probabilities.
    "aggregate": ["PIP", "PIPPoisson", "TextScore", "TopDownTextScore"],
}
