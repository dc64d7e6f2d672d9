#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""digits.py PAGE... | -c CASES - digits of numbers with errors.

Checks that each number of a report's page, or of its document in a browser, has the decimals
that its error allows, and prints how many there are. With -c, checks the texts of path_cases
against exact arithmetic.
"""
import decimal
import fractions
import html
import json
import re
import sys

SHARE_DECIMALS = 2
ROUNDED = 1 + fractions.Fraction(1, 10 ** 6)


def most_of(unit):
    """Half as many decimals as the module prints."""
    return 2 if "percent" in unit or unit == "MPKI" else 4


def decimals_of(text):
    return len(text.partition(".")[2])


def units_of(text):
    """The number in units of its last decimal."""
    return abs(int(text.replace(".", "")))


def problem(number, error, most):
    """Judges the texts alone; returns what is wrong, or an empty text."""
    decimals = decimals_of(number)
    if decimals > most:
        return f"more than {most} decimals"
    if error == "none":
        # 0.0996 rounded is 0.100
        few = units_of(number) < 100 or units_of(number) == 100
        return "" if not decimals or few else "error unknown: more than two digits"
    if error.startswith("<"):
        right = error == f"<{10.0 ** -most:.{most}f}" and decimals == most
        return "" if right else "not the last decimal"
    if decimals_of(error) != decimals:
        return "decimals of number and error differ"
    if not units_of(error):
        return "an error of 0"
    return "" if not decimals or units_of(error) <= 10 else "error: more than one digit"


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


def check_cases(path):
    with open(path, encoding="ascii") as lines:
        cases = json.load(lines)["numbers"]
    for case in cases:
        have = case["text"], case["error_text"]
        want = texts(case["number"], case["error"], case["most"])
        if have != want:
            sys.exit(f"{case}: not {want}")
        wrong = problem(*have, case["most"])
        if wrong:
            sys.exit(f"{case}: {wrong}")
    return len(cases)


def cells_of(row):
    return [html.unescape(re.sub(r"<br>", " ", re.sub(r"</?(?:b|i|s|span)\b[^>]*>", "", cell)))
            for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)]


def rows_of(table):
    return [cells_of(row) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.S)]


def is_number(text):
    return bool(re.fullmatch(r"-?\d+(?:\.\d+)?", text))


def tables_of(page, attribute):
    return re.findall(rf"<table [^>]*{attribute}[^>]*>(.*?)</table>", page, re.S)


def group_numbers(page):
    for table in tables_of(page, 'class="group"'):
        for cells in rows_of(table)[1:]:
            name, mean, error, *_, coverage, _, unit = cells
            # without coverage it is not counted in slices, and not rounded
            if is_number(mean) and (coverage or error != "none"):
                yield name, mean, error.removeprefix("± "), most_of(unit)


def place_numbers(page, units, exact):
    for table in tables_of(page, 'id="places"'):
        head, *rows = rows_of(table)
        for place, *cells in rows:
            for title, cell in zip(head[1:], cells):
                number, _, error = cell.partition(" ± ")
                if is_number(number) and (error or (place, title.split()[0]) not in exact):
                    unit = units[title.split()[0]]
                    yield f"{place} {title}", number, error or "none", most_of(unit)


def tree_numbers(page):
    for table in tables_of(page, 'id="tree"'):
        for name, share, error, *_ in rows_of(table):
            number = share.removesuffix(" %").lstrip("~")
            if is_number(number):
                yield f"tree: {name}", number, error.removeprefix("± "), SHARE_DECIMALS
    for text in re.findall(r'<p id="losses"[^>]*>([^<]*)', page):
        for number, error in re.findall(r"~?(-?[\d.]+) %(?: ± (<?[\d.]+\d))?", html.unescape(text)):
            yield f"losses: {text}", number, error or "none", SHARE_DECIMALS


def check_page(path):
    with open(path, encoding="utf-8") as lines:
        page = lines.read()
    data = json.loads(re.search(r'id="data">([^<]*)<', page).group(1))
    units = {column["name"]: column["unit"] for column in data["columns"]}
    exact = {(data["places"][line[0]], data["columns"][line[1]]["name"])
             for line in data["lines"] if line[-1] is None}
    numbers = [*group_numbers(page), *place_numbers(page, units, exact), *tree_numbers(page)]
    for name, number, error, most in numbers:
        wrong = problem(number, error, most)
        if wrong:
            sys.exit(f"{path}: {name}: {number} ± {error}: {wrong}")
    return len(numbers)


if __name__ == "__main__":
    if sys.argv[1] == "-c":
        print(check_cases(sys.argv[2]))
    else:
        print(*map(check_page, sys.argv[1:]))
