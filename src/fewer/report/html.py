"""What all pages share: filling a template, and facts about how a result was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fewer.core.records.errors import MissingExtraError
from fewer.report.facts import EDGES, FILLS
from fewer.report.svg import percent
from fewer.report.words import counted, number


def filled(template: str, **context: Any) -> str:
    """Return a template filled in, as a complete HTML page.

    Parameters
    ----------
    template : str
        Name of the template.
    **context
        What it shows.

    Returns
    -------
    str
        HTML with its own styles, charts and scripts; it refers to nothing outside itself.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError as error:
        raise MissingExtraError(
            "The HTML report needs jinja2, which is not installed; run pip install 'fewer[report]'."
        ) from error
    loader = PackageLoader("fewer.report", "templates")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(number=number, percent=percent, counted=counted, drawing=Markup)
    page = environment.get_template(template).render(fills=FILLS, edges=EDGES, **context)
    # A lone surrogate in a name cannot be written as UTF-8.
    return page.encode("utf-8", "replace").decode("utf-8")


def data_facts(data: Mapping[str, Any], n_features: int, task: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Return facts about the data, and the range of a numeric target, as words."""
    target = data.get("target_name", data.get("target"))
    facts = {
        "Source": data.get("source", data.get("file")),
        "Rows": data.get("n_rows"),
        "Rows left out, of weight 0": data.get("n_zero_weight"),
        "Rows left out, without a target": data.get("n_without_target"),
        "Rows with a label": data.get("n_labelled"),
        "Features": data.get("n_features", n_features),
        "Nominal features": data.get("n_nominal"),
        "Missing values": data.get("n_missing"),
        "Target": None if isinstance(target, Mapping) else target,
        "Task": task,
        "How it was read": " ".join(map(str, data.get("notes", ()))) or None,
    }
    spread = data.get("target_range", data.get("range", data.get("target")))
    return (
        {name: number(value) for name, value in facts.items() if value is not None},
        {name: number(value) for name, value in as_dict(spread).items()},
    )


def as_dict(value: Any) -> dict[str, Any]:
    """Return a mapping as a dictionary with text keys, and anything else as an empty one."""
    return {str(key): item for key, item in value.items()} if isinstance(value, Mapping) else {}


def own_version(meta: Mapping[str, Any]) -> str:
    """Return the version of this library."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("fewer")
    except PackageNotFoundError:
        return str(as_dict(meta.get("versions")).get("fewer", ""))
