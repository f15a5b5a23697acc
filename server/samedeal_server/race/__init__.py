"""A race without I/O: what is asked is decided, what happened is reduced.

Time comes in as an argument, by the log's clock, in milliseconds. Nothing in
here awaits, logs, or draws a random number.
"""
