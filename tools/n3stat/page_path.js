/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The decision tree of a span of snapshots, from the block of data in the page.
 * Nothing here knows of the document: tests/path_test.sh runs it beside the C.
 */
'use strict';

function sum(line, from, to) {
	return line ? line.slice(from, to + 1).reduce((s, v) => s + v, 0) : 0;
}

function mean(data, metric, from, to) {
	const errors = data.errors[metric];
	const sums = data.metrics[metric].map((v, i) => errors.numbers[i] * v);

	return sum(sums, from, to) / sum(errors.numbers, from, to);
}

/* As summary_error(), which says why; NaN if nothing is known. */
function error(data, metric, from, to) {
	const errors = data.errors[metric], values = data.metrics[metric];
	const at = mean(data, metric, from, to), n = sum(errors.numbers, from, to);
	const k = Math.min(data.overlap, n), independent = Math.floor(n / k);
	const ranges = sum(errors.ranges, from, to);
	const squares = errors.squares.map((s, i) => s + errors.numbers[i] * (values[i] - at) ** 2);
	const halves = sum(errors.halves, from, to) + (n - ranges) * errors.widest ** 2;
	const t = data.students[Math.min(independent - 1, data.students.length) - 1];
	const spread = independent > 1 ?
		t * Math.sqrt(sum(squares, from, to) / (n - k) * k / n) : 0;

	if (independent <= 1 && !ranges)
		return NaN;
	return Math.max(spread, Math.sqrt(k * halves) / n);
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
