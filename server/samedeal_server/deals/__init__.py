"""Deals proved winnable: found in the background, kept in the store, drawn once."""
