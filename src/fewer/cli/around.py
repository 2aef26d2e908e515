"""Options that hold for every method: several targets, features that are always kept, groups of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

Fix = Annotated[
    list[str] | None,
    typer.Option("--fix", metavar="COLUMNS", help="Columns that are always kept and count, as in a,b; repeatable."),
]
Groups = Annotated[
    list[str] | None,
    typer.Option("--groups", metavar="COLUMNS", help="Columns kept or dropped as one, as in a,b; once per group."),
]
Aggregate = Annotated[
    str | None,
    typer.Option("--aggregate", metavar="HOW", help="Of several targets: mean, max, min or rank of their scores."),
]


@dataclass(frozen=True)
class Around:
    """What lets a method score several targets, keep features always and keep groups whole."""

    aggregate: str | None = None
    fixed: list[str] = field(default_factory=list)
    groups: list[list[str]] = field(default_factory=list)

    def put(self, selector: Any) -> Any:
        """Return the selector with it."""
        from fewer.api import constrained

        given = {"fixed_features": self.fixed or None, "feature_groups": self.groups or None}
        made = constrained(selector, self.aggregate, {k: v for k, v in given.items() if v is not None})
        made.check()
        return made


NOTHING_AROUND = Around()


def column_names(texts: Sequence[str] | None) -> list[str]:
    """Return the names between commas."""
    return [name.strip() for text in texts or () for name in text.split(",") if name.strip()]
