"""Shared by tests: small builders and drivers, no fixtures."""
