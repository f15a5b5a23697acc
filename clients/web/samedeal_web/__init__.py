"""The web page, as files that a server hands out as they are."""

from importlib.resources import files as _files
from importlib.resources.abc import Traversable


def files() -> Traversable:
    """Return the folder of what the browser loads; `index.html` is the page."""
    return _files(__name__) / "page"
