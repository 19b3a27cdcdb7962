"""Packages that are not needed until somebody asks for what takes them."""

from importlib import import_module
from typing import Any


def load(module: str, purpose: str) -> Any:
    """The module, or an ImportError: `purpose` says what for, as in "plot() draws with"."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name != package:
            raise
        raise ImportError(f"{purpose} {package}, which is not installed: pip install {package}") from None
