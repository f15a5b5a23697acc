"""Sockets: frames in, frames out, and the few pages served over HTTP."""
