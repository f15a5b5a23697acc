"""The commands: what each takes, and its help; heavy imports wait for the call."""
