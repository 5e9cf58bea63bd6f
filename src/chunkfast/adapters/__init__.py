"""Chunkers inside other libraries: a module each, with an extra of the same name. Uses the public names only."""
