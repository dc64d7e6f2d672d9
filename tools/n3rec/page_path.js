/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Errors of sums over a span, their text, and the answer: tests/path_cases.c prints what the C
 * code makes of random numbers.
 */
'use strict';

const ROUNDING = 1e-6;	/* of percentages, in comparisons with limits */

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

const clip = percent => Math.min(Math.max(percent, 0), 100);

/* Share of all slots of a part of what has the share whole. */
function share_of_part(whole, part) {
	const of_whole = clip(part.value) * Math.min(whole.error, 100) / 100;
	const of_part = clip(whole.value) * Math.min(part.error, 100) / 100;

	return {
		value: clip(whole.value) * clip(part.value) / 100,
		error: Math.sqrt(of_whole * of_whole + of_part * of_part),
	};
}

/* The metrics that have a value, with their errors. */
function numbers_of(values, errors) {
	const known = Object.keys(values).filter(metric => !isNaN(values[metric]));

	return Object.fromEntries(known.map(metric =>
		[metric, { value: values[metric], error: errors[metric] }]));
}

/* Shares of all slots of all metrics that have one. */
function shares_of(about, values, errors) {
	const numbers = numbers_of(values, errors), shares = {};

	(function add(node, share) {
		for (const metric of about.below[node].filter(name => numbers[name])) {
			shares[metric] = share_of_part(share, numbers[metric]);
			add(metric, shares[metric]);
		}
	})('', { value: 100, error: 0 });
	return shares;
}

/* The metrics down to one. */
function path_to(below, end) {
	const above = Object.keys(below).find(metric => below[metric].includes(end));

	return above ? [...path_to(below, above), end] : [end];
}

function by_share(a, b) {
	return b.value - a.value || (a.metric < b.metric ? -1 : 1);
}

/* Like is_close() of answer.c. */
function is_close(about, first, other) {
	const errors = (first.error || 0) + (other.error || 0);

	return first.value - other.value <= Math.max(about.margin, errors) + ROUNDING;
}

/* Like find_ends(): those at and below a metric. */
function ends_of(about, numbers, metric, share) {
	const known = share.value < about.minor - ROUNDING ? [] :
		about.below[metric].filter(name => numbers[name]);
	const rest = { value: 100, error: 0 }, ends = [];

	for (const name of known) {
		const number = numbers[name], error = Math.min(number.error, 100);

		rest.value -= clip(number.value);
		rest.error = Math.sqrt(rest.error * rest.error + error * error);
		ends.push(...ends_of(about, numbers, name, share_of_part(share, number)));
	}
	return [...ends, { metric, rest: known.length > 0, ...share_of_part(share, rest) }];
}

/* Like find_causes(). */
function add_causes(about, area, ends, words) {
	const below = about.below[area.metric];
	const causes = ends.filter(end => end.metric !== area.metric && end.value >= about.minor - ROUNDING)
		.sort(by_share);

	if (!below.length) {
		area.causes = [{ metric: area.metric, rest: false, value: area.value,
			error: area.error }];
	} else if (area.value >= about.minor - ROUNDING && below.every(name => name in words)) {
		area.word = words[below[0]];
	} else if (causes.length) {
		area.spread = 2 * causes[0].value < area.value - ROUNDING ||
			causes.length > 1 && is_close(about, causes[0], causes[1]);
		area.causes = causes.slice(0, area.spread ? 3 : 1);
		area.rest = area.causes.reduce((sum, end) => sum - end.value, area.value);
		if (area.rest < about.rest)
			area.rest = 0;
	}
}

/*
 * The answer for values, errors and, instead of values, words, by metric: like answer_find(),
 * which explains the rule.
 */
function find_answer(about, values, errors, words) {
	const numbers = numbers_of(values, errors), roots = about.below[''];
	const missing = roots.find(metric => metric in words), losses = [];
	const lost = roots.filter(metric => metric !== 'retiring');
	let areas;

	if (missing)
		return { areas: [], losses, word: words[missing] };
	areas = lost.map(metric => ({ metric, ...numbers[metric] }))
		.filter(area => area.value >= 0).sort(by_share);
	areas = areas.filter(area => is_close(about, areas[0], area));
	if (!areas.length || numbers.retiring.value > about.retiring)
		areas = [{ metric: 'retiring', ...numbers.retiring }];
	areas = areas.map(area => ({ ...area, causes: [], spread: false, rest: 0, word: null }));
	for (const metric of lost)
		losses.push(...ends_of(about, numbers, metric, numbers[metric]));
	for (const area of areas)
		add_causes(about, area, losses.filter(end =>
			path_to(about.below, end.metric)[0] === area.metric), words);
	losses.sort(by_share);
	return {
		areas, word: null,
		losses: losses.slice(0, 3).filter(end => end.value >= about.minor ||
			losses[0].value < about.minor && areas[0].metric !== 'retiring'),
	};
}

/* Like answer_loss(), but '' without an area. */
function answer_loss({ areas: [area] }) {
	return !area ? '' : area.metric === 'retiring' ? 0 : area.value;
}

const percent_text = (name, share) =>
	`${name} ${isNaN(share.error) ? '~' : ''}${fixed(share.value + 0, 0)}%`;
const cause_name = (about, cause) => (cause.rest ? 'rest of ' : '') + about.short[cause.metric];

function why_text(about, { metric, word }) {
	const group = about.group[metric];

	return word === about.disabled ? ` (group ${group} is not chosen)` : ` (${group}: ${word})`;
}

/* Like answer_long(). */
function answer_text(about, { areas, word }) {
	const causes_of = area => area.causes.filter(cause => cause.metric !== area.metric)
		.map(cause => `${cause_name(about, cause)} ${fixed(cause.value, 0)}`);
	const mixed = (name_of, with_causes) => 'mixed: ' + areas.map(area =>
		percent_text(name_of(area.metric), area) + (with_causes && causes_of(area).length ?
			` (${causes_of(area)[0]})` : '')).join(', ');
	const forms = [[name => name, true], [name => about.short[name], true], [name => name, false]];

	if (areas.length > 1)
		return forms.map(form => mixed(...form)).find(text => text.length < about.long);
	return areas.map(area => {
		const causes = causes_of(area);

		if (area.rest)
			causes.push(`rest ${fixed(area.rest, 0)}`);
		return percent_text(area.metric, area) + (area.word ? why_text(about, area) : '') +
			(causes.length ? ': ' + causes.join(', ') : '');
	})[0] || word;
}

/* Like answer_short(): the longest of the texts that fit. */
function answer_brief(about, { areas, word }) {
	const [area] = areas, cause = area && area.causes[0];
	const names = area ? [area.metric, area.metric.replace('_bound', ''), about.short[area.metric]] :
		[word];
	const letters = areas.map(one => percent_text(about.short[one.metric], one)).join(' ');
	const more = !cause || cause.metric === area.metric ? '' :
		' ' + (area.spread ? 'spread' : cause_name(about, cause));
	const texts = areas.length > 1 ? ['mixed ' + letters, letters] :
		names.map(name => area ? percent_text(name, area) + more : word);

	return texts.find(text => text.length < about.brief) || texts[texts.length - 1];
}
