"""Claims about aualé."""
