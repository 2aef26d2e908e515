"""Classes in a tree, or a graph without cycles: what is under every child of a node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.summaries.term_counts import TermCounts

ROOT = "(root)"


@dataclass(frozen=True)
class ClassNode:
    """An inner node: its name, how deep it lies, and the class numbers under each of its children."""

    name: str
    depth: int
    children: Mapping[str, tuple[int, ...]]

    @property
    def shared(self) -> set[int]:
        """Classes that lie under several children."""
        under = [k for numbers in self.children.values() for k in numbers]
        return {k for k in under if under.count(k) > 1}

    def counts(self, counts: TermCounts, duplicates: str) -> TermCounts:
        """Return the documents under every child: sums of counters of classes, without the data.

        A class under several children belongs to the first, or to each of them ("both"), where documents then have
        several labels.
        """
        taken: set[int] = set()
        groups = []
        for numbers in self.children.values():
            groups.append([k for k in numbers if duplicates == "both" or k not in taken])
            taken |= set(numbers)
        everyone = sorted(taken)

        def summed(table: np.ndarray | None) -> Any:
            return None if table is None else np.stack([table[group].sum(axis=0) for group in groups])

        times = counts.occurrences
        return replace(
            counts,
            documents=summed(counts.documents),
            sizes=np.array([counts.sizes[group].sum() for group in groups]),
            holding=counts.documents[everyone].sum(axis=0),
            n_documents=counts.sizes[everyone].sum().item(),
            occurrences=summed(times),
            all_occurrences=None if times is None else times[everyone].sum(axis=0),
            exclusive=duplicates != "both" or not self.shared,
        )


def parents_of(where: str, tree: Any, labels: Sequence[str], separator: str | None) -> dict[str, tuple[str, ...]]:
    """Return the parents of every node, from a mapping or from labels that are paths; without both all are flat."""
    if tree is not None and separator is not None:
        raise ParameterError(f"{where} got tree and separator, but one of them says where classes lie; leave one out.")
    if separator == "":
        raise ParameterError(f"{where} got an empty separator, but takes one character or more; pass such, as '.'.")
    if separator is not None:
        found: dict[str, tuple[str, ...]] = {}
        for label in labels:
            steps = label.split(separator)
            paths = [separator.join(steps[: depth + 1]) for depth in range(len(steps))]
            found.update({child: (above,) for above, child in zip([ROOT, *paths], paths)})
        return found
    if tree is None:
        return dict.fromkeys(labels, (ROOT,))
    given = {str(child): _named(above) for child, above in tree.items()}
    lost = [label for label in labels if label not in given]
    if lost:
        raise ParameterError(
            f"{where} got a tree without the class {lost[0]!r}, but takes one that names a parent, or several, of "
            "every class and inner node, and of top nodes none; add it."
        )
    nodes = {above for parents in given.values() for above in parents} | set(given)
    return {node: given.get(node, ()) or (ROOT,) for node in sorted(nodes)}


def _named(parents: Any) -> tuple[str, ...]:
    """Return the parents of a node; nothing and an empty text stand for none."""
    several = [] if parents is None else parents if isinstance(parents, list | tuple | set | frozenset) else [parents]
    return tuple(str(name) for name in several if name is not None and name != "")


def inner_nodes(
    where: str, parents: Mapping[str, tuple[str, ...]], labels: Sequence[str], stop: bool
) -> list[ClassNode]:
    """Return nodes with at least two children, from the top; documents at a node are one more with ``stop``."""
    children: dict[str, list[str]] = {ROOT: []}
    for child in parents:
        for above in parents[child]:
            children.setdefault(above, []).append(child)
    number = {label: k for k, label in enumerate(labels)}

    def under(node: str, path: tuple[str, ...] = ()) -> set[int]:
        if node in path:
            raise ParameterError(
                f"{where} got a tree in which {node!r} lies under itself, but takes one without cycles; repair it."
            )
        own = {number[node]} if node in number else set()
        return own.union(*(under(child, (*path, node)) for child in children.get(node, ())))

    found: dict[str, ClassNode] = {}
    level, depth = [ROOT], 0
    for child in parents:
        under(child)
    while level:
        for node in level:
            groups = {child: tuple(sorted(under(child))) for child in sorted(children.get(node, ()))}
            groups = {child: numbers for child, numbers in groups.items() if numbers}
            if stop and node in number and groups:
                groups[f"{node} itself"] = (number[node],)
            if len(groups) > 1:
                found[node] = ClassNode(node, depth, groups)
        level = list(dict.fromkeys(child for node in level for child in children.get(node, ())))
        depth += 1
    return list(found.values())
