"""The words of JSON schema that ours use, plainly."""

from __future__ import annotations

import re
from typing import Any

KINDS = {"object": dict, "array": list, "string": str, "null": type(None), "boolean": bool}


def wrong(value: Any, rule: dict[str, Any], root: dict[str, Any], where: str = "$") -> list[str]:
    """Say where a value does not follow a rule."""
    if "$ref" in rule:
        rule = {**root["$defs"][rule["$ref"].rpartition("/")[2]], **{k: v for k, v in rule.items() if k != "$ref"}}
    found: list[str] = []
    if "const" in rule and value != rule["const"]:
        found.append(f"{where} is {value!r}, not {rule['const']!r}")
    if "enum" in rule and not any(value == one and type(value) is type(one) for one in rule["enum"]):
        found.append(f"{where} is {value!r}")
    kinds = rule.get("type", [])
    if kinds and not any(_is(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        found.append(f"{where} is {value!r}, not {kinds}")
    if "anyOf" in rule and all(wrong(value, one, root, where) for one in rule["anyOf"]):
        found.append(f"{where} is none of {rule['anyOf']}")
    if "minimum" in rule and value < rule["minimum"]:
        found.append(f"{where} is below {rule['minimum']}")
    if isinstance(value, list):
        found += [w for i, one in enumerate(value) for w in wrong(one, rule.get("items", {}), root, f"{where}[{i}]")]
        if rule.get("uniqueItems") and len(set(value)) < len(value):
            found.append(f"{where} repeats")
        if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)):
            found.append(f"{where} has {len(value)} items")
    if isinstance(value, dict):
        found += [f"{where} lacks {name}" for name in rule.get("required", ()) if name not in value]
        pattern = rule.get("propertyNames", {}).get("pattern", "")
        for name, one in value.items():
            inner = rule.get("properties", {}).get(name, rule.get("additionalProperties", {}))
            found += wrong(one, inner, root, f"{where}.{name}")
            if not re.search(pattern, name):
                found.append(f"{where} has the key {name}")
    return found


def _is(value: Any, kind: str) -> bool:
    if kind in ("number", "integer"):
        return isinstance(value, int if kind == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind])
