/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Charts of any place and span. */

const LETTERS = 'RSFB';	/* of about.level1 */
const WIDTH = 1000, MAX_TICKS = 10, SHADES = 10, HEAT_ROWS = 128;
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
	10800, 21600, 43200, 86400];

/* Like time_text(). */
function clock(seconds, with_tenths = false) {
	const tenths = Math.max(0, Math.round(seconds * 10)), whole = Math.floor(tenths / 10);
	const part = tenths % 10 || with_tenths ? '.' + tenths % 10 : '';
	const two = number => String(number).padStart(2, '0');

	if (about.end < 60)
		return `${whole}${part} s`;
	if (about.end < 3600)
		return `${Math.floor(whole / 60)}:${two(whole % 60)}${part}`;
	return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:` +
		`${two(whole % 60)}${part}`;
}

function round_up(number) {
	let power = 1e-9;

	while (isFinite(number) && power * 10 < number)
		power *= 10;
	return [1, 2, 5, 10].map(step => step * power).find(step => step >= number * (1 - 1e-9));
}

function escaped(text) {
	return text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
}

/* Start of a snapshot in a chart of a span. */
function x_of(span, i) {
	const start = edge(span.from), length = edge(span.to + 1) - start;

	return (WIDTH * Math.min(Math.max((edge(i) - start) / length, 0), 1)).toFixed(1);
}

function y_of(frame, value) {
	const inside = Math.min(Math.max(value, frame.low), frame.high);

	return (frame.height * (frame.high - inside) / (frame.high - frame.low)).toFixed(1);
}

function times_html(span) {
	const start = edge(span.from), end = edge(span.to + 1), length = end - start;
	const step = STEPS.find(s => length / s <= MAX_TICKS) ||
		86400 * Math.ceil(length / 86400 / MAX_TICKS);
	const first = Math.ceil(start / step - 1e-9);
	let html = '';

	for (let i = first; i * step <= end + step * 1e-9; i++)
		html += `<span${(i - first) % 2 ? ' class="minor"' : ''} style="left:` +
			`${((i * step - start) / length * 100).toFixed(2)}%">${clock(i * step, step < 1)}</span>`;
	return `<div class="times${step < 1 ? ' fine' : ''}">${html}</div>`;
}

function parts_of(frame) {
	const nr_parts = frame.low < 0 ? 1 : frame.height >= 100 ? 4 : 2;

	return Array.from({ length: nr_parts + 1 }, (_, i) =>
		frame.low + (frame.high - frame.low) * i / nr_parts);
}

function values_html(frame) {
	const sign = frame.unit.startsWith('percent') ? ' %' : '';
	const label = (value, text) => `<span style="top:` +
		`${(y_of(frame, value) / frame.height * 100).toFixed(1)}%">${text}</span>`;

	return '<div class="values">' +
		parts_of(frame).map(v => label(v, +v.toPrecision(6) + sign)).join('') +
		(frame.low < 0 ? label(0, '0') : '') + '</div>';
}

/* labels: replace the vertical axis. */
function chart_html(frame, span, picture, labels, time_axis = true) {
	const grid = labels ? '' : parts_of(frame).map(v =>
		`<path class="grid" d="M0 ${y_of(frame, v)}H${WIDTH}"/>`).join('');

	return `<div class="chart" id="${frame.id}">${labels || values_html(frame)}` +
		`<div class="plot" style="height:${frame.height}px"><svg viewBox="0 0 ${WIDTH} ` +
		`${frame.height}" preserveAspectRatio="none" role="img" aria-label="` +
		`${escaped(frame.title)}">${grid}${picture}</svg></div>` +
		(time_axis ? times_html(span) : '') + '</div>';
}

function box(span, frame, [a, b], low, high) {
	const left = x_of(span, a);

	return `M${left} ${y_of(frame, low)}H${x_of(span, b + 1)}V${y_of(frame, high)}H${left}z`;
}

/* Stacked means of level 1, only if all four exist. */
function bands(span, frame, place, max) {
	const four = about.level1.map(([name]) => line_of(place, column_of(name)));
	const list = pieces(four.find(line => line && !line.whole), span.from, span.to, max);
	const below = list.map(() => 0);
	const sums = four.map(line => list.map(([a, b]) => sum_of(line, a, b)));

	return about.level1.map(([name, title], k) => {
		let largest = 0, middle = [0, 0];
		const d = list.map((piece, i) => {
			if (sums.some(line => !line[i].numbers))
				return '';
			const low = below[i], [a, b] = piece;

			below[i] += Math.max(sums[k][i].mean, 0);
			if (below[i] - low > largest) {
				largest = below[i] - low;
				middle = [(+x_of(span, a) + +x_of(span, b + 1)) / 2,
					y_of(frame, (low + below[i]) / 2)];
			}
			return box(span, frame, piece, low, below[i]);
		}).join('');

		return `<path class="band l${k}" data-metric="${name}" d="${d}" data-largest="` +
			`${largest}" data-x="${middle[0]}" data-y="${middle[1]}"><title>${title}</title></path>`;
	}).join('');
}

/* The letters of bands, where they have room. */
function letters_html(plot) {
	return [...plot.querySelectorAll('.band')].map((band, k) => band.dataset.largest < 8 ? '' :
		`<b class="letter" style="left:${Math.min(Math.max(band.dataset.x / 10, 1), 99)}%;` +
		`top:${band.dataset.y}px">${LETTERS[k]}</b>`).join('');
}

/*
 * Means as a step line, within the range of minimum and maximum; single snapshots within
 * their intervals.
 */
function steps(span, frame, line, max) {
	let mean = '', extremes = '', errors = '', joined = false;

	for (const piece of pieces(line, span.from, span.to, max)) {
		const sum = sum_of(line, ...piece);

		if (sum.numbers > 1)
			extremes += box(span, frame, piece, sum.min, sum.max);
		else if (sum.ranges)
			errors += box(span, frame, piece, sum.mean - Math.sqrt(sum.halves),
				sum.mean + Math.sqrt(sum.halves));
		if (sum.numbers)
			mean += (joined ? 'V' : `M${x_of(span, piece[0])} `) + y_of(frame, sum.mean) +
				'H' + x_of(span, piece[1] + 1);
		joined = sum.numbers > 0;
	}
	return `<path class="extremes" d="${extremes}"/><path class="errors" d="${errors}"/>` +
		`<path class="mean" d="${mean}"/>`;
}

/* Scale that fits the values, if there are any. */
function fit(frame, sum) {
	const { min, max } = sum.numbers ? sum : { min: 0, max: 1 };

	frame.low = min < 0 ? -round_up(-min) : 0;
	frame.high = round_up(Math.max(max, 1e-9));
	return frame;
}

/* Kind of a cell of the map: a shade or, above the shades, the index of a word. */
function kind_of(sum, by, top) {
	if (!sum.numbers)
		return SHADES + sum.word;
	return Math.floor(Math.min(Math.max(sum[by] / top, 0), 0.999) * SHADES);
}

function class_of(kind) {
	return kind < SHADES ? `h${kind}` : `w-${about.words[kind - SHADES][1]}`;
}

/* Rows of CPUs; list: pieces of time. Adjacent cells of a kind become one box. */
function cells(span, rows, list, row_height, by, top) {
	const paths = {};

	rows.forEach((row, at) => {
		const kinds = list.map(([a, b]) => kind_of(row.reduce((sum, line) =>
			add_span(sum, line, a, b), no_sum()), by, top));

		for (let i = 0, to; i < list.length; i = to) {
			for (to = i + 1; to < list.length && kinds[to] === kinds[i];)
				to++;
			const left = x_of(span, list[i][0]), name = class_of(kinds[i]);

			paths[name] = (paths[name] || '') + `M${left} ${row_height * at}H` +
				`${x_of(span, list[to - 1][1] + 1)}v${row_height}H${left}z`;
		}
	});
	return Object.entries(paths).map(([name, d]) => `<path class="${name}" d="${d}"/>`).join('');
}
