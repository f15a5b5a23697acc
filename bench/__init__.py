"""The project's own measurements, runnable by anyone: `python -m bench`."""
