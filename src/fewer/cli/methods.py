"""fewer methods, fewer describe."""

from __future__ import annotations

import warnings
from dataclasses import asdict
from typing import Annotated, Any

import typer

from fewer import registry
from fewer.cli.console import say, say_facts, say_json, say_table, width
from fewer.cli.docs import Described, described, first_sentence, in_few_words
from fewer.cli.options import MethodOption, options_of
from fewer.core.records.target_kinds import in_words

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]

HANDLES = {
    "handles_nan": "missing values",
    "handles_nominal": "nominal columns",
    "handles_sparse": "sparse data",
    "handles_weights": "row weights",
    "streams": "files larger than memory",
}
WEIGHTS = {
    True: "a row of weight 2 is the same row twice, one of weight 0 is absent",
    False: "given to the fits of an estimator; a row of weight 0 is absent",
}
INVARIANCE = {
    "row_order": "the order of the rows",
    "row_order_untied": "the order of the rows, unless some are equally near",
    "scale": "units and origin of a feature",
    "scale_untied": "units and origin of a feature, unless some rows are equally near",
    "monotone": "any increasing change of a feature",
    "monotone_together": "any increasing change that is the same for all features",
    "rotation": "rotations of the data",
}


def method_names(incomplete: str) -> list[str]:
    """Return the methods whose name begins with what was typed, for completion in the shell."""
    return [e.name for e in registry.listed() if e.name.lower().startswith(incomplete.lower())]


def list_methods(
    task: Annotated[
        str | None, typer.Option("--task", metavar="TASK", help="Only for this: classification, regression, none.")
    ] = None,
    family: Annotated[str | None, typer.Option("--family", metavar="FAMILY", help="Only of this family.")] = None,
    contract: Annotated[
        str | None,
        typer.Option(
            "--contract",
            metavar="CONTRACT",
            help="Only these: selector, classifier, clusterer, projector, generator, acquirer.",
        ),
    ] = None,
    room: Annotated[str | None, typer.Option("--room", hidden=True)] = None,
    as_json: Json = False,
) -> None:
    """List the methods."""
    from fewer.api import catalog

    if room is not None:
        warnings.warn("--room is now called --family; pass that instead.", stacklevel=1)
    found = catalog(task, family or room, contract)
    summaries = [first_sentence(entry) for entry in found]
    if as_json:
        say_json([{**asdict(e), "summary": summary} for e, summary in zip(found, summaries)])
        return
    heads = ("name", "family", "task")
    rows = [[getattr(entry, head) for head in heads] for entry in found]
    room_left = width() - sum(max(map(len, column), default=0) + 3 for column in zip(heads, *rows))
    rows = [[*row, in_few_words(summary, max(24, room_left))] for row, summary in zip(rows, summaries)]
    say_table([*heads, "what it does"], rows, name="bold")
    say()
    say(f"{len(found)} methods; 'fewer describe NAME' says what one does.", style="dim")


def describe(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a method.", autocompletion=method_names)],
    as_json: Json = False,
) -> None:
    """Say what a method does, what it takes, and where it comes from."""
    entry, made = registry.entry(name), registry.load(name)
    texts, options = described(made), options_of(made, objects=True)
    if as_json:
        say_json(_document(entry, made, texts, options))
        return
    say(f"{entry.name}: {texts.summary}", style="bold")
    for paragraph in texts.paragraphs:
        say()
        say(paragraph)
    for paragraph in texts.notes:
        say()
        say(f"Note: {paragraph}")
    say()
    say("Options", style="bold")
    for option in options:
        say(_option_line(option), indent=2)
        say(option.help, indent=6)
    say()
    say_facts(_facts(entry, made, texts))
    if "rank" not in entry.offers.commands:
        return
    say()
    target = "" if made.method_tags.task == "none" else " --target COLUMN"
    say(f"Try: fewer rank FILE{target} --method {entry.name}", style="dim")


def say_schema(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="selection, comparison or comparison-without-target.")
    ] = "selection",
    version: Annotated[
        int | None, typer.Option("--format", metavar="NUMBER", help="An older format; by default the newest.")
    ] = None,
) -> None:
    """Print the JSON schema of the files that --out writes."""
    from fewer.core.records.schemas import schema

    say_json(schema(kind, version))


def _option_line(option: MethodOption) -> str:
    allowed = "" if option.is_switch or not option.allowed else f" : {option.allowed}"
    return f"{', '.join(option.flags)}{allowed}" + ("" if option.required else f" (default {option.default_text})")


def _facts(entry: registry.Entry, made: Any, texts: Described) -> dict[str, str]:
    """Return the tags of a method in words."""
    tags = made.method_tags
    takes = [words for tag, words in HANDLES.items() if getattr(tags, tag)]
    refuses = [words for tag, words in HANDLES.items() if not getattr(tags, tag)]
    facts = {
        "Family": entry.family,
        "Contract": f"{entry.contract}, offers {', '.join(('fit', *entry.offers.answers, *entry.offers.learns))}",
        "Shape": entry.shape.replace("none", ""),
        "Target": in_words(tags.targets) + (", two classes" if tags.binary_only else ""),
        "Takes": ", ".join(takes) or "complete numbers in memory only",
        "Takes no": ", ".join(refuses),
        "Weights": WEIGHTS[tags.weights_count_rows] if tags.handles_weights else "",
        "Unchanged by": ", ".join(INVARIANCE[name] for name in tags.invariance),
        "Random": "" if tags.deterministic else "yes; --seed makes it repeatable",
        "Work": f"{tags.cost}, for n rows and d features",
        "See also": "; ".join(f"{name} ({words})".replace(".)", ")") for name, words in texts.see_also.items()),
        "Source": entry.source,
        "Reference": " ".join(texts.references),
    }
    return {head: words for head, words in facts.items() if words}


def _document(entry: registry.Entry, made: Any, texts: Described, options: list[MethodOption]) -> dict[str, Any]:
    return {
        **asdict(entry),
        "summary": texts.summary,
        "text": texts.paragraphs,
        "notes": texts.notes,
        "parameters": [
            {
                "name": option.name,
                "options": list(option.flags),
                "default": option.default,
                "allowed": option.allowed,
                "help": option.help,
            }
            for option in options
        ],
        "tags": asdict(made.method_tags),
        "see_also": texts.see_also,
        "references": texts.references,
    }
