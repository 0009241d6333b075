"""Claims about Dou Shou Qi."""
