"""What players ask of the server as a whole: who they are, and which race."""
