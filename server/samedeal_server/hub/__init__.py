"""The races that this node has in memory, and who listens to them here."""
