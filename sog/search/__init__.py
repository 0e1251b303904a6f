"""Search: growing-tree CFR, safe re-solving, ReBeL's subgames, MCTS and IS-MCTS.

`sog.search(...)` is also the API's function: the package of that name is called as well as imported from.
"""

import importlib
import sys
from types import ModuleType
from typing import Any


class _Search(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return importlib.import_module("sog.api.searching").search(*arguments, **options)


sys.modules[__name__].__class__ = _Search
