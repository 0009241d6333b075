"""Arithmetic on bounds, rounded outward."""
import math
from fractions import Fraction

from ._report import Bounds


def sum_of(*numbers: float, upward: bool) -> float:
    """The nearest double on one side of a sum, which is the sum itself where a double can hold it."""
    exact = sum(map(Fraction, numbers))
    near = float(exact)
    if (near < exact) if upward else (near > exact):
        near = math.nextafter(near, math.inf if upward else -math.inf)
    return near


def difference(one: Bounds, other: Bounds) -> Bounds:
    return Bounds(sum_of(one.lower, -other.upper, upward=False), sum_of(one.upper, -other.lower, upward=True))


def mean_of(one: Bounds, other: Bounds) -> Bounds:
    return Bounds(sum_of(one.lower, other.lower, upward=False) / 2, sum_of(one.upper, other.upper, upward=True) / 2)
