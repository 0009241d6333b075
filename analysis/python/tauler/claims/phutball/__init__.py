"""Claims about Phutball."""
