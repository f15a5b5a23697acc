"""The samedeal server."""

from importlib.metadata import version


__version__ = version("samedeal")
