"""Claims: what sources say about the games, held against the tables. A claim is a Markdown file of prose and a Python
file beside it with SETTINGS and ``examine(claim)``; ``tauler claims`` runs them, and anybody's own as ``tauler claims
my_claim.py``. docs/new-claim.md shows one in a page.

The names here are what a claim's file needs; they want numpy.
"""
from ._claim import Claim, Settings
from ._report import Bounds, Mean, Table, Witness, share
from ._tables import RuleSet, figures

__all__ = ["Bounds", "Claim", "Mean", "RuleSet", "Settings", "Table", "Witness", "figures", "share"]
