# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Digits of numbers with errors, by exact arithmetic."""
import decimal
import fractions
import re

ROUNDED = 1 + fractions.Fraction(1, 10 ** 6)


def most_of(unit):
    """Half as many decimals as the module prints."""
    return 2 if "percent" in unit or unit == "MPKI" else 4


def decimals_of(text):
    return len(text.partition(".")[2])


def decimals_for(error, most):
    """The fewest decimals whose last is not above the error."""
    fine = (d for d in range(most) if fractions.Fraction(1, 10 ** d) <= error * ROUNDED)
    return next(fine, most) if error else most


def rounded(number, decimals):
    with decimal.localcontext(prec=60):
        return str(decimal.Decimal(number).quantize(decimal.Decimal(1).scaleb(-decimals)))


def texts(number, error, most):
    """Texts of a number and its error, None if unknown."""
    known = fractions.Fraction(number) / 10 if error is None else fractions.Fraction(error)
    decimals = decimals_for(abs(known), most)
    if error is None:
        return rounded(number, decimals), "none"
    if 2 * known < fractions.Fraction(1, 10 ** most):
        return rounded(number, decimals), "<" + rounded(10.0 ** -most, most)
    return rounded(number, decimals), rounded(error, decimals)


def is_number(text):
    return bool(re.fullmatch(r"-?\d+(?:\.\d+)?", text))
