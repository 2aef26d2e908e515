"""One page of reference per public name, and one list of names per family and per public module."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import fewer
from fewer import registry
from fewer.cli.docs import described

FOLDER = Path(__file__).with_name("reference")
# Public modules beside the methods, and what each holds.
FACADES = {
    "export": "Selectors for other programs: ONNX, skops, JSON schemas. See [exports](../exports.md).",
    "plugins": "What a package with methods of its own needs. See [plug-ins](../plugins.md).",
    "stop": "Rules for `n_features_to_select`: how many features are enough. See [stop rules](../stop-rules.md).",
    "discretize": "Ways to put numbers into bins; each is a scikit-learn transformer as well.",
    "measures": "Plain functions of contingency tables, moments and ranks: the numbers behind the scores.",
    "criteria": "What a feature, or a subset, is worth: the parts of `fewer.Selector`.",
    "search": "How subsets are visited: the parts of `fewer.Selector` and of the wrappers.",
    "independence": "Tests of conditional independence, and what they answer.",
    "io": "Tables, files and pairs of rows.",
    "results": "What `fit` stores, and why each feature was kept or dropped.",
    "evaluate": "Measures of selections, clusters and curves; for data whose relevant features are known, too.",
    "synth": "Generators of data whose relevant features are known; `fewer synth` writes them to files.",
}
# Described as well, though it is imported from its own module.
MORE = {
    "evaluate": (
        "baseline.random_band",
        "robustness.cross_dataset_robustness",
        "recovery.auc_fr",
        "recovery.feature_recovery_roc",
        "detection.detection_rates",
        "detection.detection_curve",
        "cluster_accuracy.clustering_accuracy",
        "cluster_words.cluster_keywords",
        "cluster_words.ClusterWords",
        "text_terms.clustering_terms",
    ),
    "synth": ("pairwise.sample_pairwise_constraints",),
}
# What a page shows of a class whose other members are for the inside; none at all in these modules.
MEMBERS = {
    "Selection": (
        "[kept_names, feature_names, support, ranking, reason, explain, table, tables, to_frame, to_json, from_json]"
    ),
    "Table": "[n_features, n_rows, missing, nominal, labels, task, classes, batches, load, read, write]",
    "IndependenceTest": "[pvalues, answer, check, memory]",
    "GTest": "[pvalues]",
}
PLAIN = ("stop", "discretize", "search", "criteria", "independence", "io", "compose")


def pages() -> dict[str, str]:
    """Return the text of every page by its path below docs/reference."""
    made: dict[str, str] = {}
    for family in registry.FAMILIES:
        entries = [entry for entry in registry.METHODS if entry.family == family]
        rows = [(f"[{e.name}](methods/{e.name}.md)", e.contract, _sentence(registry.load(e.name))) for e in entries]
        words = f"Formulas side by side: [methods](../methods.md#family-{family})."
        made[f"{family}.md"] = _list(f"Family: {family}", words, ("name", "contract", "what it does"), rows)
        made |= {f"methods/{e.name}.md": _method(e) for e in entries}
    rows = [(f"[fewer.{name}](functions/{name}.md)", _sentence(getattr(fewer, name))) for name in registry.FUNCTIONS]
    words = "Importable from `fewer` itself, beside every method."
    made["functions.md"] = _list("Functions and classes", words, ("name", "what it does"), rows)
    for name, home in registry.FUNCTIONS.items():
        made[f"functions/{name}.md"] = _one(f"{home}.{name}", f"fewer.{name}")
    for facade, words in FACADES.items():
        names = dict(_names(facade))
        rows = [(f"[{name}]({_home(facade, name)})", _sentence(found)) for name, (_, found) in names.items()]
        made[f"{facade}.md"] = _list(f"fewer.{facade}", words, ("name", "what it does"), rows)
        for name, (path, found) in names.items():
            if name not in registry.FUNCTIONS:
                made[f"{facade}/{name}.md"] = _one(path, path, found)
    return made


def _names(facade: str) -> Iterator[tuple[str, tuple[str, Any]]]:
    """Yield the names of a public module, each with its path and what it is."""
    module = import_module(f"fewer.{facade}")
    listed = getattr(module, "__all__", None) or [
        name for name, found in vars(module).items() if not name.startswith("_") and not inspect.ismodule(found)
    ]
    for name in sorted(listed, key=str.lower):
        yield name, (f"fewer.{facade}.{name}", getattr(module, name))
    for more in MORE.get(facade, ()):
        home, name = more.rsplit(".", 1)
        if name not in listed:
            yield name, (f"fewer.{facade}.{more}", registry.part(f"fewer.{facade}.{home}", name))


def _home(facade: str, name: str) -> str:
    return f"functions/{name}.md" if name in registry.FUNCTIONS else f"{facade}/{name}.md"


def _method(entry: registry.Entry) -> str:
    about = (
        f"Family [{entry.family}](../{entry.family}.md), {entry.contract}; import it as `fewer.{entry.name}`, name it "
        f'`"{entry.name}"` in `fewer.select` and on the command line (`fewer describe {entry.name}`).'
    )
    return f"{_block(f'{entry.module}.{entry.name}', entry.name, plain=False)}\n{about}\n"


def _one(path: str, title: str, found: Any = None) -> str:
    """Return the page of one name; of what is no function and no class only its text is known."""
    if found is not None and not (inspect.isclass(found) or inspect.isfunction(found)):
        return f"# {title}\n\n{_kind(found)}\n"
    return _block(path, title, plain=path.split(".")[-2] in PLAIN)


def _block(path: str, title: str, *, plain: bool) -> str:
    members = MEMBERS.get(path.rsplit(".", 1)[-1], "[]" if plain else "")
    lines = [f"---\ntitle: {title}\n---\n", f"::: {path}", "    options:", f"      heading: {title}"]
    lines.append("      heading_level: 1")
    return "\n".join([*lines, *([f"      members: {members}"] if members else []), ""])


def _kind(found: Any) -> str:
    if isinstance(found, dict):
        return "Known by name: " + ", ".join(f"`{name}`" for name in found) + "."
    if isinstance(found, (list, tuple)):
        return "Holds: " + ", ".join(f"`{getattr(item, 'name', item)}`" for item in found) + "."
    return f"`{found!r}`"


def _sentence(found: Any) -> str:
    if inspect.isclass(found) or inspect.isfunction(found):
        return " ".join(described(found).summary.split())
    return ""


def _list(title: str, words: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    table = "\n".join(f"| {' | '.join(cell.replace('|', '∣') for cell in line)} |" for line in lines)
    return f"# {title}\n\n{words}\n\n{table}\n"


def write() -> None:
    """Write the pages that would change and take away those of names that are gone."""
    made = pages()
    for old in FOLDER.rglob("*.md"):
        if old.relative_to(FOLDER).as_posix() not in made:
            old.unlink()
    for path, text in made.items():
        file = FOLDER / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
