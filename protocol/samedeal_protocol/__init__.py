"""What clients and servers of samedeal must agree on: messages, log, patches."""
