"""How many times as many random examples as usual: 1 for `make test`, more for `make test-deep`."""

from __future__ import annotations

import os

EXAMPLES = int(os.environ.get("FEWER_EXAMPLES", "1"))
