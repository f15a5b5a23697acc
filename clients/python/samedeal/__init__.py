"""Write bots and clients for samedeal."""
