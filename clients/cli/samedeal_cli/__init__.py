"""The `samedeal` command."""
