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

/* Of all slots: a metric that stands for less is no bottleneck. */
const minor_percent = 5;

/* False if an error is not known. */
function leads(first, second) {
	return first.value - second.value > first.half + second.half;
}

/* What none of them names of what they are shares of. */
function rest_of(candidates, all) {
	const named = candidates.reduce((s, c) => s + Math.min(Math.max(c.value, 0), all), 0);
	const squares = candidates.reduce((s, c) => s + Math.min(c.half, all) ** 2, 0);

	return { value: Math.max(all - named, 0), half: Math.floor(Math.sqrt(squares)) };
}

/*
 * The path that values and errors lead to, both by metric: as path_find(), which asks
 * the module's own bottleneck.c.
 *
 * Return: its metrics, and the two that are undecided at its end, if any.
 */
function find_path(below, decimals, values, errors) {
	const all = 100 * 10 ** decimals;
	const candidate = metric => ({
		metric,
		value: scaled(values[metric], decimals),
		half: Math.floor((scaled(2 * errors[metric], decimals) + 1) / 2),
	});
	const path = [];
	let share = all;

	for (let next = below['']; next.length; next = below[path[path.length - 1]]) {
		if (next.some(metric => isNaN(values[metric])))
			break;
		const candidates = next.map(candidate), rest = rest_of(candidates, all);
		/* The sort is stable: of equal values the first leads. */
		const [first, second] = candidates.sort((a, b) => b.value - a.value);

		share = Math.floor(share * Math.min(Math.max(first.value, 0), all) / all);
		if (path.length && (leads(rest, first) || share < minor_percent * all / 100))
			break;
		if (second && !leads(first, second))
			return [path, [first.metric, second.metric]];
		if (path.length && !leads(first, rest))
			break;
		path.push(first.metric);
	}
	return [path, []];
}

/* The module's own path, where it was recorded: as path_of_most(). */
function path_of_most(through, recorded) {
	return Object.keys(through).filter(metric => 2 * through[metric] > recorded);
}
