"""Claims about the game of Oca."""
