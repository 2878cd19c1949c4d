"""The matrices of minimal filtering, F(m, r): m outputs of r taps with m + r - 1 products.

``y = A^T ((G g) * (B^T d))`` for m + r - 1 inputs d. In two dimensions the same matrices act on
columns and rows. Source: Winograd, "Arithmetic Complexity of Computations", SIAM 1980; Lavin and
Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016; the points are those that
Barabasz et al., "Error Analysis and Improving the Accuracy of Winograd Convolution for Deep Neural
Networks", ACM TOMS 2020, find to err least.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.polynomial import Polynomial

POINTS: Final = (Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(-2))
"""Where the polynomials are evaluated, infinity aside; F(m, r) takes the first m + r - 2."""


@dataclass(frozen=True, eq=False)
class Filtering:
    """F(m, r) in float64.

    Attributes:
        outputs: A^T, shape (m, m + r - 1).
        weights: G, shape (m + r - 1, r).
        inputs: B^T, shape (m + r - 1, m + r - 1).

    >>> f = minimal_filtering(2, 3)
    >>> d, g = np.array([1.0, 2, 3, 4]), np.array([1.0, 10, 100])
    >>> f.outputs @ ((f.weights @ g) * (f.inputs @ d))
    array([321., 432.])
    """

    outputs: np.ndarray
    weights: np.ndarray
    inputs: np.ndarray


@lru_cache(maxsize=8)
def minimal_filtering(m: int, r: int) -> Filtering:
    """Return F(m, r), for up to as many points as there are."""
    n = m + r - 1
    points = POINTS[: n - 1]
    weights, inputs = np.zeros((n, r)), np.zeros((n, n))
    outputs = np.zeros((m, n))
    for i, point in enumerate(points):
        others = [p for p in points if p != point]
        scale = math.prod(point - p for p in others)
        weights[i] = [point**j / scale for j in range(r)]
        outputs[:, i] = [point**j for j in range(m)]
        inputs[i, : n - 1] = Polynomial.fromroots([float(p) for p in others]).coef
    weights[-1, -1] = outputs[-1, -1] = 1
    inputs[-1] = Polynomial.fromroots([float(p) for p in points]).coef
    return Filtering(outputs, weights, inputs)
