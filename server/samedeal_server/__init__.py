"""The samedeal server."""
