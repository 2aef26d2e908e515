"""How many features, and when it is enough: rules for ``n_features_to_select``."""

from fewer.core.stop import *  # noqa: F403
from fewer.core.stop import __all__ as __all__
