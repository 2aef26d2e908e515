"""What scikit-learn is told of a method."""

from __future__ import annotations

from sklearn.utils import ClassifierTags, Tags

from fewer.core.records.tags import MethodTags


def tell_scikit_learn(tags: Tags, mine: MethodTags) -> Tags:
    """Return the tags of scikit-learn with what ours say."""
    tags.target_tags.required = mine.needs_target
    tags.target_tags.multi_output = any(kind.startswith("several") for kind in mine.targets)
    tags.input_tags.sparse = mine.handles_sparse
    tags.input_tags.allow_nan = mine.handles_nan
    tags.input_tags.positive_only = mine.nonnegative
    tags.input_tags.categorical = mine.handles_nominal
    tags.non_deterministic = not mine.deterministic
    if mine.binary_only:
        tags.classifier_tags = ClassifierTags(multi_class=False)
    return tags
