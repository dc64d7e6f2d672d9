/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Charts, tree and tables of the selected place and span; without scripts there are only tables. */

const MAX_BINS = 300, MAX_HEAT_BINS = 200;
const state = { place: about.main, from: 0, to: nr - 1, metric: -1, heat: -1, heat_by: 'max',
	sorts: {} };	/* by table: column and direction */
const before = [];	/* history of spans */
const originals = {};	/* for the main place and the whole recording, from n3stat */
const tips = {};	/* per chart: text for a point */

function is_whole() {
	return state.from === 0 && state.to === nr - 1;
}

function plural(n, one) {
	return `${n} ${one}${n === 1 ? '' : 's'}`;
}

function span_text() {
	return is_whole() ? WHOLE : `${clock(edge(state.from))} to ` +
		`${clock(edge(state.to + 1))}, ${plural(state.to - state.from + 1, 'snapshot')}`;
}

/* The command that shows single snapshots if the page only has bins. */
function command_html() {
	/* Slightly extended, as times are rounded. */
	const from = Math.max(about.times[state.from] - 0.01, 0).toFixed(2);
	const to = (about.times[state.to] + 0.01).toFixed(2);

	return `<code>n3stat report --from ${from} --to ${to} -o span.html ` +
		`${escaped(about.argument)}</code>`;
}

function most_of(list) {
	return Math.max(...list.map(([, , a, b]) => b - a + 1));
}

function bins_html(line, max) {
	const list = pieces(line, state.from, state.to, max);
	const most = most_of(list);
	const coarse = line && !line.whole;

	return (most > 1 ? `A point is the mean of up to ${most} snapshots; the pale band is ` +
		'the range of them.' : 'A point is one snapshot; the pale ' +
		'band is its 95 % interval.') + (coarse ? ' The page has this metric in bins of ' +
		`${Math.ceil(nr / about.bins)} snapshots; for single ones: ${command_html()}` : '');
}

function sum_text(name, line, piece) {
	const sum = sum_of(line, ...piece);

	if (!sum.numbers)
		return `${name} ${word_text(sum)}`;
	const { unit, brief } = about.columns[line.column];
	const { mean, min, max } = format_sum(sum, line);
	const error = error_text(mean).replace('none', '(error none)');

	return `${name} ${mean.number} ${error} ${brief || unit}` +
		(sum.numbers > 1 ? `, ${min.number} to ${max.number}` : '');
}

function when_text([, , a, b]) {
	return clock(edge(a)) + (b > a ? ` to ${clock(edge(b + 1))}, ${b - a + 1} snapshots` : '');
}

/* Piece of a chart below the pointer. */
function piece_at(line, max, x) {
	const start = edge(state.from), time = start + x * (edge(state.to + 1) - start);
	const i = Math.min(Math.max(snapshot_at(time), state.from), state.to);

	return pieces(line, state.from, state.to, max).find(([, b]) => b >= i);
}

/* The text for a point of a chart with these lines and their titles. */
function tip_of(named, line) {
	return x => {
		const piece = piece_at(line, MAX_BINS, x);

		return `${about.places[state.place]} ${when_text(piece)}\n` +
			named.map(([title, each]) => sum_text(title, each, piece)).join('\n');
	};
}

function draw_topdown() {
	const frame = { id: 'topdown', height: 260, low: 0, high: 100, unit: 'percent of slots',
		title: 'Topdown level 1 over time, percent of slots' };
	const known = about.level1.map(([name, title]) => [title, line_of(state.place, column_of(name))])
		.filter(([, line]) => line);

	if (!$('topdown'))
		return;
	$('topdown').outerHTML = chart_html(frame, state, bands(state, frame, state.place, MAX_BINS));
	$('topdown').querySelector('.plot').insertAdjacentHTML('beforeend', letters_html($('topdown')));
	tips.topdown = tip_of([...known].reverse(),
		known.map(([, line]) => line).find(line => !line.whole));
}

/* The metrics of level 1 that any place has. */
function draw_extremes() {
	const charts = about.level1.filter(([name]) => $(`extremes-${name}`));

	charts.forEach(([name, title], i) => {
		const id = `extremes-${name}`, line = line_of(state.place, column_of(name));
		const frame = fit({ id, height: 56, unit: 'percent of slots', title },
			sum_of(line, 0, nr - 1));

		$(id).outerHTML = chart_html(frame, state,
			line ? steps(state, frame, line, MAX_BINS) : '', '', i === 0);
		tips[id] = tip_of([[title, line]], line);
	});
	if (charts.length)
		$('extremes-note').innerHTML = bins_html(line_of(state.place,
			column_of(charts[0][0])), MAX_BINS);
}

function draw_metric() {
	const column = about.columns[state.metric], line = line_of(state.place, state.metric);

	if (!column || !$('metric'))
		return;
	const frame = fit({ id: 'metric', height: 180, unit: column.unit, title: column.name },
		sum_of(line, 0, nr - 1));

	$('metric-name').textContent = `${column.name} of ${about.places[state.place]}` +
		(column.unit ? `, ${column.unit}` : '') + (line ? '' : ': not recorded');
	$('metric').outerHTML = chart_html(frame, state, line ? steps(state, frame, line, MAX_BINS) : '');
	$('metric-note').innerHTML = bins_html(line, MAX_BINS);
	tips.metric = tip_of([[column.name, line]], line);
}

function heat_rows() {
	const cpus = about.places.map((name, place) => place)
		.filter(place => about.places[place].startsWith('cpu'));
	const per = Math.ceil(cpus.length / HEAT_ROWS), rows = [];

	for (let i = 0; i < cpus.length; i += per)
		rows.push(cpus.slice(i, i + per));
	return rows;
}

function row_name(row) {
	return about.places[row[0]] + (row.length > 1 ?
		'-' + about.places[row[row.length - 1]].slice(3) : '');
}

function row_labels(rows, height) {
	const step = 1 + Math.floor(14 / height);

	return '<div class="values">' + rows.map((row, i) => i % step ? '' : `<span style="top:` +
		`${((i + 0.5) / rows.length * 100).toFixed(2)}%">${row_name(row)}</span>`).join('') +
		'</div>';
}

const HEAT_WORDS = { max: 'largest', mean: 'mean', min: 'smallest' };

function heat_note(list, coarse, rows) {
	const most = most_of(list), word = HEAT_WORDS[state.heat_by];

	return (most > 1 ? `A cell has the shade of the ${word} of up to ${most} snapshots. ` :
		'A cell is one snapshot. ') + (rows[0].length > 1 ? `A row is ${rows[0].length} CPUs ` +
		`and shows the ${word} of them. ` : '') + (coarse ? 'The page has this metric in ' +
		`bins of ${Math.ceil(nr / about.bins)} snapshots; for single ones: ${command_html()}` :
		'');
}

function draw_heat() {
	const column = about.columns[state.heat], rows = heat_rows();

	if (!column || !$('heat'))
		return;
	const of_rows = rows.map(row => row.map(place => line_of(place, state.heat)));
	const coarse = of_rows.flat().find(line => line && !line.whole);
	const list = pieces(coarse, state.from, state.to, MAX_HEAT_BINS);
	const each = rows.length <= 16 ? 20 : Math.max(Math.round(320 / rows.length), 5);
	const frame = { id: 'heat', height: each * rows.length, unit: column.unit,
		title: 'One metric of every CPU over time' };

	$('heat-name').textContent = column.name;
	$('heat-unit').textContent = (column.unit || column.name) + ':';
	[...document.querySelectorAll('#heat-legend b')].forEach((b, i) => {
		b.textContent = +(column.top * i / SHADES).toPrecision(6);
	});
	$('heat').outerHTML = chart_html(frame, state, cells(state, of_rows, list, each,
		state.heat_by, column.top), row_labels(rows, each));
	$('heat-note').innerHTML = heat_note(list, coarse, rows);
	tips.heat = (x, y) => {
		const row = rows[Math.min(Math.floor(y * rows.length), rows.length - 1)];
		const piece = piece_at(coarse, MAX_HEAT_BINS, x);

		return `${when_text(piece)}\n` + row.map(place => sum_text(about.places[place],
			line_of(place, state.heat), piece)).join('\n');
	};
}

/* Line of a metric, with margins above and below. */
function overview_line(whole, frame, line) {
	const { low, high } = fit(frame, sum_of(line, 0, nr - 1)), room = (high - low) / 8;

	return steps(whole, { ...frame, low: low - room, high: high + room }, line, 200);
}

function show_overview() {
	const whole = { from: 0, to: nr - 1 }, line = line_of(state.place, state.metric);
	const frame = { height: 100, low: 0, high: 100, unit: '' };
	const level1 = about.level1.every(([name]) => line_of(state.place, column_of(name)));
	const left = edge(0), length = about.end - left, mark = $('overview').querySelector('i');

	$('overview').querySelector('svg').innerHTML = level1 ?
		bands(whole, frame, state.place, 200) : line ? overview_line(whole, frame, line) : '';
	mark.style.left = (edge(state.from) - left) / length * 100 + '%';
	mark.style.width = (edge(state.to + 1) - edge(state.from)) / length * 100 + '%';
	mark.hidden = is_whole();
}

function show_controls() {
	$('refused').hidden = true;
	$('place').value = state.place;
	$('from').value = +about.times[state.from].toFixed(2);
	$('to').value = +about.times[state.to].toFixed(2);
	$('span-text').textContent = span_text();
	$('whole').disabled = $('out').disabled = is_whole();
	$('back').disabled = !before.length;
	$('earlier').disabled = state.from === 0;
	$('later').disabled = state.to === nr - 1;
}

/* Shows whether numbers in the tables cover more than the selected span. */
function show_coarse() {
	const any = [...lines.values()].some(line => !is_exact(line, state.from, state.to) &&
		line.place === state.place);

	$('coarse').hidden = !any;
	$('coarse').innerHTML = `Metrics with ≈ are in this page in bins of ` +
		`${Math.ceil(nr / about.bins)} snapshots: shown are all bins that the span touches. ` +
		`Only the span: ${command_html()}`;
}

function show_parts() {
	const original = state.place === about.main && is_whole();

	$('coverage-note').hidden = original;
	if ($('tree-part'))
		show_tree(state);
	$('groups-part').innerHTML = originals.groups;
	$('places-part').innerHTML = originals.places;
	if (!original)
		show_groups(state);
	if ($('places'))
		show_places(state);
	show_coarse();
	sort_tables();
}

function show_heads() {
	const place = about.places[state.place], text = `${place}, ${span_text()}`;

	$('topdown-head').textContent = `Topdown over time: ${text}`;
	$('tree-head').textContent = `Decision tree: ${text}`;
	$('values-head').textContent = `Values: ${text}`;
}

function show_all() {
	/* Its text may no longer match the pointer. */
	$('tip').hidden = true;
	show_controls();
	show_heads();
	show_overview();
	draw_topdown();
	draw_extremes();
	draw_heat();
	draw_metric();
	show_parts();
	write_link();
}

let waiting = false, shown = Promise.resolve();

/* Redraws once for all changes of an event. */
function show() {
	if (waiting)
		return;
	waiting = true;
	shown = new Promise((done, failed) => requestAnimationFrame(() => {
		waiting = false;
		try {
			show_all();
			done();
		} catch (error) {
			failed(error);
		}
	}));
}

function set_span(from, to) {
	const a = Math.min(Math.max(Math.min(from, to), 0), nr - 1);
	const b = Math.min(Math.max(Math.max(from, to), 0), nr - 1);

	if (a === state.from && b === state.to)
		return show_controls();
	before.push([state.from, state.to]);
	[state.from, state.to] = [a, b];
	show();
}

/* A typed time moves the other end of the span if necessary. */
function type_end(id) {
	const text = $(id).value, time = text === '' ? NaN : +text + 0.005, i = snapshot_at(time);

	if (id === 'from' ? time < about.end : time >= about.times[0])
		return id === 'from' ? set_span(i, Math.max(i, state.to)) :
			set_span(Math.min(i, state.from), i);
	show_controls();
	$('refused').hidden = false;
	$('refused').textContent = (text === '' ? 'This is not a time' : id === 'from' ?
		`No snapshot is at or after ${text} s` : `No snapshot is at or before ${text} s`) +
		`; enter ${$('from').min} to ${$('from').max} seconds.`;
}

function set_place(place) {
	state.place = place;
	fill_metrics();
	show();
}

function move(direction) {
	const n = state.to - state.from + 1;
	const from = Math.min(Math.max(state.from + direction * n, 0), nr - n);

	set_span(from, from + n - 1);
}

function widen() {
	const more = Math.ceil((state.to - state.from + 1) / 2);

	set_span(state.from - more, state.to + more);
}

function go_back() {
	[state.from, state.to] = before.pop();
	show();
}
