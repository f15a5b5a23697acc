"""Boards and races drawn in a terminal."""
