/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The recording in the page, as packed by page_pack.c. */

const about = JSON.parse(document.getElementById('data').textContent);
const nr = about.times.length;
const WORDS = 65536 - 256, NO_HALF = 65535, BIN_FIELDS = 7;
let bytes;			/* unpacked */
const lines = new Map();	/* by place and column */

async function unpack() {
	const letters = document.getElementById('cells').textContent;
	const packed = Uint8Array.from(atob(letters), letter => letter.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));

	bytes = new Uint8Array(await new Response(stream).arrayBuffer());
	find_lines();
}

function find_lines() {
	let start = 0;

	for (const [place, column, whole, low, step, half_step, widest, coverage] of about.lines) {
		const line = { place, column, whole, low, step, half_step, widest, coverage, start };

		line.nr = whole ? nr : about.bins;
		start += 2 * line.nr * (whole ? 2 : BIN_FIELDS);
		lines.set(place * about.columns.length + column, line);
	}
	if (start !== bytes.length)
		throw new Error('the data of this page is damaged');
}

function line_of(place, column) {
	return column < 0 ? undefined : lines.get(place * about.columns.length + column);
}

function code(line, field, i) {
	const at = line.start + 2 * line.nr * field + i;

	return bytes[at] << 8 | bytes[at + line.nr];
}

function bin_of(i) {
	/* The inverse of first_of(). */
	let bin = Math.floor(i * about.bins / nr);

	while (first_of(bin + 1) <= i)
		bin++;
	while (first_of(bin) > i)
		bin--;
	return bin;
}

function first_of(bin) {
	return Math.floor(bin * nr / about.bins);
}

function no_sum() {
	return { numbers: 0, words: 0, ranges: 0, mean: 0, squares: 0, min: Infinity,
		max: -Infinity, halves: 0, word: 0 };
}

/* Merges partial sums by Chan's algorithm. */
function add_sum(sum, n, mean, squares) {
	const distance = mean - sum.mean, all = sum.numbers + n;

	sum.squares += squares + distance * distance * sum.numbers * n / all;
	sum.mean += distance * n / all;
	sum.numbers = all;
}

function add_snapshot(sum, line, i) {
	const value = code(line, 0, i), half = code(line, 1, i);

	if (value >= WORDS) {
		sum.words++;
		sum.word = value - WORDS;
		return;
	}
	const number = line.low + value * line.step;

	add_sum(sum, 1, number, 0);
	sum.min = Math.min(sum.min, number);
	sum.max = Math.max(sum.max, number);
	if (half === NO_HALF)
		return;
	sum.ranges++;
	sum.halves += (half * line.half_step) ** 2;
}

function add_bin(sum, line, bin) {
	const n = code(line, 0, bin), ranges = code(line, 1, bin), mean = code(line, 2, bin);

	sum.words += first_of(bin + 1) - first_of(bin) - n;
	if (mean >= WORDS) {
		sum.word = mean - WORDS;
		return;
	}
	add_sum(sum, n, line.low + mean * line.step, n * (code(line, 5, bin) * line.step) ** 2);
	sum.min = Math.min(sum.min, line.low + code(line, 3, bin) * line.step);
	sum.max = Math.max(sum.max, line.low + code(line, 4, bin) * line.step);
	sum.ranges += ranges;
	if (ranges)
		sum.halves += ranges * (code(line, 6, bin) * line.half_step) ** 2;
}

/* Adds the snapshots of a span, or the bins that overlap it; the line may be missing. */
function add_span(sum, line, from, to) {
	if (!line) {
		sum.words += to - from + 1;
	} else if (line.whole) {
		for (let i = from; i <= to; i++)
			add_snapshot(sum, line, i);
	} else {
		for (let bin = bin_of(from); bin <= bin_of(to); bin++)
			add_bin(sum, line, bin);
	}
	return sum;
}

function sum_of(line, from, to) {
	return add_span(no_sum(), line, from, to);
}

/* Whether a span of a line matches the bins exactly. */
function is_exact(line, from, to) {
	return line.whole || first_of(bin_of(from)) === from && first_of(bin_of(to) + 1) - 1 === to;
}

/*
 * Splits the snapshots of a span into at most max pieces, none smaller than the line's bins:
 * first and last in the span, and first and last of the data.
 */
function pieces(line, from, to, max) {
	const whole = !line || line.whole;
	const first = whole ? from : bin_of(from), last = whole ? to : bin_of(to);
	const all = last - first + 1, count = Math.min(all, max), list = [];

	for (let i = 0; i < count; i++) {
		const a = first + Math.floor(i * all / count);
		const b = first + Math.floor((i + 1) * all / count);

		const all_from = whole ? a : first_of(a), all_to = whole ? b - 1 : first_of(b) - 1;

		list.push([Math.max(all_from, from), Math.min(all_to, to), all_from, all_to]);
	}
	return list;
}

function edge(i) {
	return i < nr ? about.times[i] : about.end;
}

/* Snapshot at a time. */
function snapshot_at(time) {
	let low = 0, high = nr - 1;

	while (low < high) {
		const middle = Math.ceil((low + high) / 2);

		if (about.times[middle] <= time)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

function column_of(name) {
	return about.columns.findIndex(column => column.name === name);
}
