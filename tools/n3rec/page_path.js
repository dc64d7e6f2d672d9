/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Errors of sums over a span, and the path through the tree. Independent of the document, so
 * that tests/path_test.sh can compare it with the C code.
 */
'use strict';

/* Like summary_error(), which explains it; NaN if unknown. */
function error_of(about, sum, widest) {
	const n = sum.numbers, k = Math.min(about.overlap, n), independent = Math.floor(n / k);
	const halves = sum.halves + (n - sum.ranges) * widest ** 2;
	const t = about.students[Math.min(independent - 1, about.students.length) - 1];
	const spread = independent > 1 ? t * Math.sqrt(sum.squares / (n - k) * k / n) : 0;

	if (!n || independent <= 1 && !sum.ranges)
		return NaN;
	return Math.max(spread, Math.sqrt(k * halves) / n);
}

/* Like value_range_is_useful(). */
function range_is_useful(low, high, unit) {
	const half = (high - low) / 2, middle = Math.abs(high + low) / 2;

	return unit.startsWith('percent') ? half <= 50.01 :
		!unit || half <= 3.01 * middle + 0.0002;
}

/* Number in units of the module's last decimal, halves rounded away from zero. */
function scaled(number, decimals) {
	return Math.sign(number) * Math.round(Math.abs(number) * 10 ** decimals);
}

/* Of all slots: a metric with a smaller share is not a bottleneck. */
const minor_percent = 5;

/* False if an error is not known. */
function leads(first, second) {
	return first.value - second.value > first.half + second.half;
}

/* Part of the whole that none of the candidates covers. */
function rest_of(candidates, all) {
	const named = candidates.reduce((s, c) => s + Math.min(Math.max(c.value, 0), all), 0);
	const squares = candidates.reduce((s, c) => s + Math.min(c.half, all) ** 2, 0);

	return { value: Math.max(all - named, 0), half: Math.floor(Math.sqrt(squares)) };
}

/* The rest is bounded by the first's complement, even if the others are uncertain. */
function leads_rest(first, rest, all) {
	const most = all - Math.min(Math.max(first.value, 0), all);

	return leads(first, rest) || leads(first, { value: most, half: first.half });
}

/*
 * Path for values and errors, both by metric: like path_find(), which uses the module's
 * bottleneck.c.
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
		/* The sort is stable: the first of equal values leads. */
		const [first, second] = candidates.sort((a, b) => b.value - a.value);

		share = Math.floor(share * Math.min(Math.max(first.value, 0), all) / all);
		if (path.length && (leads(rest, first) || share < minor_percent * all / 100))
			break;
		if (second && !leads(first, second))
			return [path, [first.metric, second.metric]];
		if (path.length && !leads_rest(first, rest, all))
			break;
		path.push(first.metric);
	}
	return [path, []];
}

/* Share of a path's end in all slots, percent: like set_share() of libn3telemetry/path.c. */
function share_of(path, values) {
	return path.reduce((share, metric) =>
		share * Math.min(Math.max(values[metric], 0), 100) / 100, 100);
}

/*
 * The module's path, if recorded: the metrics that more than half of its paths include. They
 * form a single path, as at most one sibling can have more than half.
 */
function path_of_most(through, recorded) {
	return Object.keys(through).filter(metric => 2 * through[metric] > recorded);
}
