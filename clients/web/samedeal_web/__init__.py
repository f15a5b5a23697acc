"""The web page, as files the server hands out."""
