"""Faults on purpose: real processes are killed, cut and stopped while races run.

Clients that remember every patch they were given are compared with the logs.
The short form is part of the tests; `python -m tests.faults --long` is the long
one, and prints a table.
"""
