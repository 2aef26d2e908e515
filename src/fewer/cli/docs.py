"""Docstrings in numpydoc form, as plain text for a terminal."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fewer import registry

_SYMBOLS = {
    "sum": "Σ", "prod": "Π", "int": "∫", "sqrt": "√", "infty": "∞", "cdot": "·", "times": "×", "pm": "±",
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "in": "∈", "to": "→",
    "mid": "|", "ldots": "...", "dots": "...", "cdots": "...", "subset": "⊂", "cup": "∪", "cap": "∩", "setminus": "∖",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "Phi": "Φ", "chi": "χ", "psi": "ψ", "omega": "ω", "left": "", "right": "", "quad": "  ", "bar": "mean ",
    "hat": "", "text": "", "mathrm": "", "operatorname": "", "lvert": "|", "rvert": "|",
}  # fmt: skip


@dataclass
class Described:
    """A docstring taken apart."""

    summary: str = ""
    paragraphs: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    parameters: dict[str, tuple[str, str]] = field(default_factory=dict)
    see_also: dict[str, str] = field(default_factory=dict)
    references: list[str] = field(default_factory=list)


def described(thing: Any) -> Described:
    """Take the docstring of a class or function apart; its own only, not that of a base class."""
    text = inspect.cleandoc(thing.__doc__ or "")
    sections = _sections(text)
    opening = _paragraphs(sections.get("", ""))
    see_also = [_split(line) for line in _entries(sections.get("See Also", ""))]
    return Described(
        summary=opening[0] if opening else "",
        paragraphs=opening[1:],
        notes=_paragraphs(sections.get("Notes", "")),
        parameters=_parameters(sections.get("Parameters", "")),
        see_also={name: plain(words) for name, words in see_also},
        references=[plain(item) for item in _references(sections.get("References", ""))],
    )


def _sections(text: str) -> dict[str, str]:
    """Return the text under each heading; what comes before the first one has the heading ''."""
    pieces = re.split(r"^(\S[^\n]*)\n-{3,}[ ]*$", text, flags=re.MULTILINE)
    return {"": pieces[0], **{head.strip(): body for head, body in zip(pieces[1::2], pieces[2::2])}}


def _paragraphs(text: str) -> list[str]:
    return [plain(part) for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]


def _entries(text: str) -> list[str]:
    """Return the items of a section, continuation lines joined."""
    items: list[str] = []
    for line in text.strip().split("\n"):
        if line.startswith((" ", "\t")) and items:
            items[-1] += " " + line.strip()
        elif line.strip():
            items.append(line.strip())
    return items


def _split(line: str) -> tuple[str, str]:
    name, _, words = line.partition(" : ")
    return name.strip(), words.strip()


def _parameters(text: str) -> dict[str, tuple[str, str]]:
    """Return type and description of each parameter; ``a, b : int`` describes two."""
    found: dict[str, tuple[str, str]] = {}
    for head, body in re.findall(r"^(\S[^\n]*)((?:\n(?:[ \t][^\n]*|))*)", text, flags=re.MULTILINE):
        names, kind = _split(head)
        kind = re.sub(r",?\s*(default\s*[=:]?\s*.*|optional)$", "", kind)
        for name in names.split(","):
            found[name.strip()] = (plain(kind), plain(body))
    return found


def _references(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"^\.\. ", text.strip(), flags=re.MULTILINE) if part.strip()]


def plain(text: str) -> str:
    """Return text on one line without reStructuredText marks, formulas in plain characters."""
    text = re.sub(r":math:`([^`]*)`", lambda match: plain_math(match.group(1)), text)
    text = re.sub(r":\w+(?::\w+)?:`~?([^`<]*?)(?:\s*<[^>]*>)?`", r"\1", text)
    text = re.sub(r"``(.+?)``", r"\1", text, flags=re.DOTALL)
    text = re.sub(r"`([^`]+)`_{0,2}", r"\1", text)
    text = re.sub(r"\[(\w+)\]_", r"[\1]", text)
    return " ".join(text.split())


def plain_math(formula: str) -> str:
    """Return a LaTeX formula in characters a terminal shows."""
    formula = formula.replace(r"\{", "⦃").replace(r"\}", "⦄").replace(r"\,", " ").replace(r"\|", "‖")
    for _ in range(4):
        formula = re.sub(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", _fraction, formula)
        formula = re.sub(r"\\sqrt\s*\{([^{}]*)\}", r"√(\1)", formula)
        formula = re.sub(r"([_^])\{([^{}])\}", r"\1\2", formula)
        formula = re.sub(r"([_^])\{([^{}]*)\}", r"\1(\2)", formula)
        formula = re.sub(r"\\(?:text|mathrm|operatorname|mathbf|mathcal)\s*\{([^{}]*)\}", r"\1", formula)
    formula = re.sub(r"\\([A-Za-z]+)", lambda match: _SYMBOLS.get(match.group(1), match.group(1)), formula)
    return formula.replace("{", "").replace("}", "").replace("⦃", "{").replace("⦄", "}").replace("\\", "")


def _fraction(match: re.Match[str]) -> str:
    above, below = (part if re.fullmatch(r"[\w|^ ]+", part) else f"({part})" for part in match.groups())
    return f"{above} / {below}"


def first_sentence(entry: Any) -> str:
    """Return what a method says it does, read from its source: loading all methods would take seconds."""
    if not entry.module.startswith("fewer."):
        # Of another package, which was imported to learn what the method takes.
        return described(registry.load(entry.name)).summary
    path = Path(__file__).parents[1].joinpath(*entry.module.split(".")[1:]).with_suffix(".py")
    try:
        source = path.read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.search(
        rf'^class {re.escape(entry.name)}\b[^\n]*:\s*r?"""(.*?)(?:\n\s*\n|""")', source, re.MULTILINE | re.DOTALL
    )
    return plain(" ".join(found.group(1).split())) if found else ""


def in_few_words(sentence: str, most: int) -> str:
    """Return a sentence without its full stop, its end cut at a comma, a colon or a word if it is too long."""
    words = sentence.rstrip(".")
    if len(words) > most:
        # What nearly all of them say first.
        words = re.sub(r"^(Keep|Choose|Select) (the )?features (?=that|whose|with|by)", "", words)
    if len(words) <= most:
        return words
    for mark in (": ", "; ", ", "):
        head = words[: most + 1].rpartition(mark)[0]
        if len(head) >= most // 2:
            return head
    return words[: most - 1].rpartition(" ")[0].rstrip(" ,;:") + "…"
