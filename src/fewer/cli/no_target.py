"""fewer compare --no-target: do the columns chosen on one half of the rows show the same groups in the other?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fewer.cli.console import bar, say, say_json, say_table
from fewer.cli.input import Columns
from fewer.cli.output import write_outputs
from fewer.core.records.errors import ParameterError

HEADS = {
    "silhouette_uniform": "if uniform",
    "agreement_uniform": "if uniform",
    "n_features": "columns",
    "n_clusters": "clusters",
    "nmi": "NMI with labels",
}
LEFT_OUT = 8


def refuse(given: Mapping[str, Any]) -> None:
    """Raise if options were given that mean nothing without a target."""
    wrong = [name for name, value in given.items() if value not in (None, False)]
    if wrong:
        raise ParameterError(
            f"compare --no-target got {', '.join(wrong)}, which needs a target; leave that out, or --no-target."
        )


def compare_halves(
    data: Columns, methods: list[str] | None, sizes: list[int] | None, seed: int, out: Path | None, as_json: bool
) -> None:
    """Compare methods without a target; a target that is named serves as labels for the last column only."""
    from fewer.evaluate.without_target import compare_without_target

    if sizes is not None and len(sizes) != 1:
        raise ParameterError(
            f"compare --no-target got {len(sizes)} sizes, but takes one; write for example --sizes 10."
        )
    table = data.open().load()
    labels = None if table.target is None else table.read().y
    more = {} if sizes is None else {"size": sizes[0]}
    with bar():
        found = compare_without_target(table, methods, labels=labels, random_state=seed, **more)
    if out is not None:
        write_outputs([(out, lambda path: _write(found, path))])
    if as_json:
        say_json(found.to_dict(), indent=None)
        return
    _say(found, out)


def _write(found: Any, path: Path) -> None:
    found.to_json(path)


def _say(found: Any, out: Path | None) -> None:
    """Print one row per method, and what was left out."""
    meta = found.meta
    say(f"{len(found.methods) - 1} methods without a target on {meta['n_halves']} pairs of halves.", style="bold")
    say(
        f"Each chose at most {meta['size']} of {len(found.candidates):,} columns on one half; both halves were "
        "clustered on them by k-means, and the clusters compared.",
        style="dim",
    )
    say()
    rows = found.rows()
    heads = [head for head in rows[0] if head != "failed"]
    cells = [[row["method"], *(_shown(head, row[head]) for head in heads[1:])] for row in rows]
    shown = [HEADS.get(head, head) for head in heads]
    say_table(shown, cells, right=shown[1:], method="bold")
    best = rows[0]["method"]
    often = [f"{name} ({share:.0%})" for name, share in list(found.chosen(best).items())[: meta["size"]]]
    say(f"Chosen most often by {best}: {', '.join(often)}." if often else "No column is chosen.")
    say("If uniform: the same figure for rows without groups in the same box, above which groups are.", style="dim")
    left = [f"{name} ({why})" for name, why in meta["left_out"].items()]
    if left:
        more = f" and {len(left) - LEFT_OUT:,} more" if len(left) > LEFT_OUT else ""
        say(f"Left out: {', '.join(left[:LEFT_OUT])}{more}.", style="dim")
    for method, words in found.failures().items():
        say(f"{method} failed: {words}", style="dim")
    if out is not None:
        say(f"Wrote {out}.")


def _shown(head: str, value: float) -> str:
    if np.isnan(value):
        return "-"
    return f"{value:.3f}" if head not in ("n_features", "n_clusters") else f"{value:.1f}"
