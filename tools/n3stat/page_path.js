/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What follows from sums over a span: errors, and the path down the tree. Nothing here
 * knows of the document: tests/path_test.sh runs it beside the C.
 */
'use strict';

/* As summary_error(), which says why; NaN if nothing is known. */
function error_of(about, sum, widest) {
	const n = sum.numbers, k = Math.min(about.overlap, n), independent = Math.floor(n / k);
	const halves = sum.halves + (n - sum.ranges) * widest ** 2;
	const t = about.students[Math.min(independent - 1, about.students.length) - 1];
	const spread = independent > 1 ? t * Math.sqrt(sum.squares / (n - k) * k / n) : 0;

	if (!n || independent <= 1 && !sum.ranges)
		return NaN;
	return Math.max(spread, Math.sqrt(k * halves) / n);
}

/* As value_range_tells(). */
function range_tells(low, high, unit) {
	return !unit.startsWith('percent') || high - low < 200 && !(low <= 0 && high >= 100);
}

/* In units of the last decimal that the module shows, halves away from zero. */
function scaled(number, decimals) {
	return Math.sign(number) * Math.round(Math.abs(number) * 10 ** decimals);
}

/*
 * The path that values and errors lead to, both by metric: as path_find(), which asks
 * the module's own bottleneck.c.
 *
 * Return: its metrics, and the two that are undecided at its end, if any.
 */
function find_path(below, decimals, values, errors) {
	const value = metric => scaled(values[metric], decimals);
	const half = metric => Math.floor((scaled(2 * errors[metric], decimals) + 1) / 2);
	const path = [];

	for (let next = below['']; next.length; next = below[path[path.length - 1]]) {
		if (next.some(metric => isNaN(values[metric])))
			break;
		/* The sort is stable: of equal values the first leads. */
		const [first, second] = next.slice().sort((a, b) => value(b) - value(a));
		/* false if an error is not known */
		if (second && !(value(first) - value(second) > half(first) + half(second)))
			return [path, [first, second]];
		path.push(first);
	}
	return [path, []];
}

/* The module's own path, where it was recorded: as path_of_most(). */
function path_of_most(through, recorded) {
	return Object.keys(through).filter(metric => 2 * through[metric] > recorded);
}
