/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Errors of sums over a span, their text, and the largest losses in the tree: tests/path_cases.c
 * prints what the C code makes of random numbers.
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
function range_is_useful(about, low, high, unit) {
	const half = (high - low) / 2, middle = Math.abs(high + low) / 2;

	return unit.startsWith('percent') ? half <= about.max_points :
		!unit || half <= about.max_times * middle + about.max_rounding;
}

/* Like error_decimals(): 0.1 is one decimal, also after rounding. */
function error_decimals(error, most) {
	let decimals = 0;

	if (error <= 0)
		return most;
	for (let last = 1; last > error * (1 + 1e-6) && decimals < most; decimals++)
		last /= 10;
	return decimals;
}

/* Like printf, which rounds halves to even; toFixed() rounds them up. */
function fixed(number, decimals) {
	const text = number.toFixed(decimals);
	const half = new RegExp(`\\.\\d{${decimals}}50*$`).test(number.toFixed(60));

	return half && /[13579]$/.test(text) ? (number * (1 - 1e-12)).toFixed(decimals) : text;
}

/* Like number_text(). */
function number_text(number, error, most) {
	const decimals = error_decimals(isNaN(error) ? Math.abs(number) / 10 : error, most);
	const last = 10 ** -most;

	return {
		number: fixed(number, decimals),
		error: isNaN(error) ? 'none' : error < last / 2 ? '<' + last.toFixed(most) :
			fixed(error, decimals),
	};
}

/* Number in units of the module's last decimal, halves rounded away from zero. */
function scaled(number, decimals) {
	return Math.sign(number) * Math.round(Math.abs(number) * 10 ** decimals);
}

const clip = (x, all) => Math.min(Math.max(x, 0), all);

/* False if an error is not known. */
function leads(first, second) {
	return first.value - second.value > first.half + second.half;
}

/* Share of all slots of a part of what has this share; errors are rounded up. */
function share_of(share, part, all) {
	const value = clip(part.value, all);
	const of_share = Math.ceil(value * Math.min(share.half, all) / all);
	const of_part = Math.ceil(share.value * Math.min(part.half, all) / all);

	return {
		value: Math.floor(share.value * value / all),
		half: Math.ceil(Math.sqrt(of_share ** 2 + of_part ** 2)),
	};
}

/* Part of the whole that no child covers. */
function rest_of(children, all) {
	const named = children.reduce((sum, child) => sum + clip(child.value, all), 0);
	const squares = children.reduce((sum, child) => sum + Math.min(child.half, all) ** 2, 0);

	return { value: Math.max(all - named, 0), half: Math.ceil(Math.sqrt(squares)) };
}

/*
 * Values and errors, both by metric, in units of the module's last decimal. Metrics without a
 * value are left out.
 */
function scaled_values(decimals, values, errors) {
	const known = Object.keys(values).filter(metric => !isNaN(values[metric]));

	return Object.fromEntries(known.map(metric => [metric, {
		value: scaled(values[metric], decimals),
		half: Math.floor((scaled(2 * errors[metric], decimals) + 1) / 2),
	}]));
}

/* Shares of all slots of all metrics that have one: percent and error. */
function shares_of(about, values, errors) {
	const unit = 10 ** about.decimals, all = 100 * unit;
	const numbers = scaled_values(about.decimals, values, errors), shares = {};

	(function add(node, share) {
		for (const metric of about.below[node].filter(name => numbers[name])) {
			const own = share_of(share, numbers[metric], all);

			shares[metric] = { value: own.value / unit, half: own.half / unit };
			add(metric, own);
		}
	})('', { value: all, half: 0 });
	return shares;
}

/* The metrics down to one. */
function path_to(below, end) {
	const above = Object.keys(below).find(metric => below[metric].includes(end));

	return above ? [...path_to(below, above), end] : [end];
}

/* Ends of the tree with the slots that they lose, the largest first. */
function ends_of(below, all, minor, numbers) {
	const losses = [];

	(function split(metric, share) {
		const known = share.value < minor ? [] : below[metric].filter(name => numbers[name]);
		const own = !known.length ? share :
			share_of(share, rest_of(known.map(name => numbers[name]), all), all);

		if (metric)
			losses.push({ metric, ...own, rest: known.length > 0 });
		for (const child of known.filter(name => name !== 'retiring'))
			split(child, share_of(share, numbers[child], all));
	})('', { value: all, half: 0 });
	return losses.sort((a, b) => b.value - a.value || (a.metric < b.metric ? -1 : 1));
}

/*
 * Largest losses and the path to the first for values and errors, both by metric: like
 * path_find(), which uses libn3telemetry's bottleneck.c.
 */
function find_losses(about, values, errors) {
	const unit = 10 ** about.decimals, all = 100 * unit, minor = about.minor * unit;
	const numbers = scaled_values(about.decimals, values, errors);

	if (about.below[''].some(metric => !numbers[metric]))
		return { path: [], losses: [], mixed: false };
	const retiring = clip(numbers.retiring.value, all) > about.retiring * unit;
	const all_losses = ends_of(about.below, all, minor, numbers);
	const large = all_losses.filter(loss => loss.value >= minor);
	const losses = (large.length || retiring ? large : all_losses).slice(0, 3);

	return {
		path: path_to(about.below, retiring ? 'retiring' : losses[0].metric),
		losses: losses.map(({ metric, value, half, rest }) =>
			({ metric, value: value / unit, half: half / unit, rest })),
		mixed: !retiring && losses.length > 1 && !leads(losses[0], losses[1]),
	};
}
