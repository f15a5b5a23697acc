"""Child processes: tied to this one, ended in time, and started again."""
