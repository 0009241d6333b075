"""Claims about la oca asesina."""
