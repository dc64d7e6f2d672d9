/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Menus and mouse handling. */

const CONTROLS = `<p><label>Place <select id="place"></select></label>
<label>from <input id="from" type="number" step="any"> s</label>
<label>to <input id="to" type="number" step="any"> s</label>
<button id="whole">${WHOLE[0].toUpperCase()}${WHOLE.slice(1)}</button><button id="back">Back</button>
<button id="out">Wider</button><button id="earlier" title="earlier">◀</button>
<button id="later" title="later">▶</button> <output id="span-text"></output></p>
<p id="refused" class="note" role="alert" hidden></p>
<div id="overview"><svg viewBox="0 0 1000 100" preserveAspectRatio="none"></svg><i></i></div>
<p class="bins">Drag over a chart to select a span for charts, tree and tables.</p>`;

function option(value, text) {
	return `<option value="${value}">${escaped(text)}</option>`;
}

function group_html(title, options) {
	return options.length ? `<optgroup label="${escaped(title)}">${options.join('')}</optgroup>` : '';
}

function fill_places() {
	const list = test => about.places.map((name, i) => [i, name]).filter(([, name]) => test(name))
		.map(([i, name]) => option(i, name));

	$('place').innerHTML = group_html('System and nodes', list(name => !name.startsWith('cpu'))) +
		group_html('CPUs', list(name => name.startsWith('cpu')));
}

/* Columns by group; a metric of several groups is in each. */
function columns_html(is_there) {
	const groups = new Map();

	about.columns.forEach((column, i) => {
		if (is_there(i))
			groups.set(column.title, [...groups.get(column.title) || [],
				option(i, column.name)]);
	});
	return [...groups].map(([title, options]) => group_html(title, options)).join('');
}

function fill_metrics() {
	const select = $('metric-choose');

	if (!select)
		return;
	select.innerHTML = columns_html(i => line_of(state.place, i));
	if (!line_of(state.place, state.metric))
		state.metric = select.options.length ? +select.options[0].value : -1;
	select.value = state.metric;
}

function select_html(id, label) {
	return `<label class="choose">${label} <select id="${id}"></select></label> `;
}

/* A chart with its choices, name, legend and note. */
function part_html(id, choices, legend = '') {
	return `<p class="choose">${choices}</p><p class="name" id="${id}-name"></p>${legend}` +
		`<div id="${id}"></div><p class="bins" id="${id}-note"></p>`;
}

/* Stacked level 1 if completely recorded, and each share separately. */
function add_topdown() {
	const known = about.level1.map(([name, title], i) => ({ name, title, i }))
		.filter(({ name }) => column_of(name) >= 0).reverse();
	let html = '';

	if (known.length === about.level1.length)
		html += '<div class="legend">' + known.map(({ title, i }) =>
			`<span><i class="l${i}">${LETTERS[i]}</i>${title}</span>`).join('') + '</div>' +
			'<div id="topdown"></div><p class="bins">Means, percent of slots. Gaps have ' +
			'no numbers (idle, offline, ...). Values below 0 are drawn as 0.</p>';
	if (known.length)
		html += '<h3>Each share, with its extremes</h3>' + known.map(({ name, title }) =>
			`<p class="name">${title}</p><div id="extremes-${name}"></div>`).join('') +
			'<p class="bins" id="extremes-note"></p>';
	$('topdown-part').insertAdjacentHTML('beforeend', html);
}

/* Whether the map can show a column, i.e. a CPU has values of it. */
function is_of_cpus(column) {
	return about.columns[column].top !== undefined &&
		[...lines.values()].some(line => line.column === column);
}

/* Words of all CPUs. */
function words_of_cpus() {
	const seen = new Set();

	for (const line of lines.values())
		for (let i = 0; about.places[line.place].startsWith('cpu') && i < line.nr; i++) {
			const value = code(line, line.whole ? 0 : 2, i);

			if (value >= WORDS)
				seen.add(value - WORDS);
		}
	return [...seen].sort((a, b) => a - b);
}

function legend_html() {
	const shades = Array.from({ length: SHADES }, (_, i) => `<span><i class="h${i}"></i><b></b>` +
		(i === SHADES - 1 ? ' to <b></b>' : '') + '</span>').join('');
	const words = words_of_cpus().map(word => `<span><i class="${class_of(SHADES + word)}"></i>` +
		`${word ? escaped(about.words[word][0]) : 'not recorded'}</span>`).join('');

	return `<div class="legend" id="heat-legend"><span id="heat-unit"></span>${shades}${words}</div>`;
}

/* Level 1 from Backend bound on, ipc, or the first suitable column. */
function first_column(will_do) {
	const all = about.columns.map((_, i) => i);

	return [...about.level1.map(([name]) => name).reverse(), 'ipc'].map(column_of).concat(all)
		.find(column => column >= 0 && will_do(column));
}

function add_heat() {
	const column = first_column(is_of_cpus);

	if (column === undefined) {
		$('heat-part').innerHTML = '<p>No CPU was recorded.</p>';
		return;
	}
	state.heat = column;
	$('heat-part').innerHTML = part_html('heat', select_html('heat-choose', 'Show') +
		select_html('heat-by', 'in each cell the') + 'value', legend_html());
	$('heat-choose').innerHTML = columns_html(is_of_cpus);
	$('heat-by').innerHTML = Object.entries(HEAT_WORDS).map(pair => option(...pair)).join('');
	$('heat-choose').value = state.heat;
}

function add_metric() {
	const ipc = column_of('ipc'), has_line = column => line_of(about.main, column);
	const column = has_line(ipc) ? ipc : about.columns.findIndex((_, i) => has_line(i));

	if (column < 0) {
		$('metric-part').innerHTML = '<p class="note">No metric was recorded.</p>';
		return;
	}
	state.metric = column;
	$('metric-part').innerHTML = part_html('metric', select_html('metric-choose', 'Metric'));
	fill_metrics();
}

function add_choices() {
	$('place').addEventListener('change', event => set_place(+event.target.value));
	for (const id of ['from', 'to']) {
		$(id).min = Math.floor(about.times[0] * 100) / 100;
		$(id).max = Math.ceil(about.times[nr - 1] * 100) / 100;
		$(id).addEventListener('change', () => type_end(id));
	}
	$('whole').addEventListener('click', () => set_span(0, nr - 1));
	$('out').addEventListener('click', widen);
	$('back').addEventListener('click', go_back);
	$('earlier').addEventListener('click', () => move(-1));
	$('later').addEventListener('click', () => move(1));
	document.addEventListener('change', ({ target }) => {
		if (target.id === 'heat-choose')
			state.heat = +target.value;
		else if (target.id === 'heat-by')
			state.heat_by = target.value;
		else if (target.id === 'metric-choose')
			state.metric = +target.value;
		else
			return;
		show();
	});
	document.addEventListener('click', ({ target }) => {
		const row = target.closest('tr[data-place]'), head = target.closest('th');

		if (head && target.closest('button.sort'))
			sort_by(head);

		if (row)
			set_place(+row.dataset.place);
	});
}

/* Relative position of the pointer over a plot or the overview. */
function part_of(element, event) {
	const box_of = element.getBoundingClientRect();

	return [(event.clientX - box_of.left) / box_of.width,
		(event.clientY - box_of.top) / box_of.height].map(x => Math.min(Math.max(x, 0), 1));
}

function show_tip(event) {
	const plot = event.target.closest && event.target.closest('.plot'), tip = $('tip');
	const say = plot && tips[plot.parentNode.id];

	tip.hidden = !say;
	if (!say)
		return;
	tip.textContent = say(...part_of(plot, event));
	const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 4);
	const top = event.clientY + 18 + tip.offsetHeight > innerHeight ?
		event.clientY - tip.offsetHeight - 10 : event.clientY + 18;

	tip.style.left = Math.max(left, 0) + 'px';
	tip.style.top = Math.max(top, 0) + 'px';
}

const opened = {};	/* the state without a link */
let drag = null;

function start_drag(event) {
	const plot = event.target.closest && event.target.closest('.plot, #overview');

	if (!plot || event.button)
		return;
	drag = { plot, x: part_of(plot, event)[0], mark: document.createElement('b') };
	drag.mark.className = 'drag';
	plot.append(drag.mark);
	event.preventDefault();
}

function move_drag(event) {
	if (!drag)
		return;
	const x = part_of(drag.plot, event)[0];

	drag.mark.style.left = Math.min(x, drag.x) * 100 + '%';
	drag.mark.style.width = Math.abs(x - drag.x) * 100 + '%';
}

function end_drag(event) {
	if (!drag)
		return;
	const { plot, x, mark } = drag, [end] = part_of(plot, event);
	const from = plot.id === 'overview' ? 0 : state.from;
	const to = plot.id === 'overview' ? nr - 1 : state.to;
	const at = part => snapshot_at(edge(from) + part * (edge(to + 1) - edge(from)));

	mark.remove();
	drag = null;
	/* A click does not select a span. */
	if (Math.abs(end - x) * plot.clientWidth >= 4)
		set_span(Math.max(at(Math.min(x, end)), from), Math.min(at(Math.max(x, end)), to));
}

function add_mouse() {
	document.body.insertAdjacentHTML('beforeend', '<div id="tip" hidden></div>');
	document.addEventListener('pointermove', event => {
		show_tip(event);
		move_drag(event);
	});
	document.addEventListener('pointerdown', event => {
		show_tip(event);
		start_drag(event);
	});
	document.addEventListener('pointerup', end_drag);
	document.addEventListener('pointercancel', () => {
		if (drag)
			drag.mark.remove();
		drag = null;
	});
}

function full_name({ group, name }) {
	return `${group}.${name}`;
}

/* The selection as a link: what differs from the page as it opens. */
function link_of() {
	const link = new URLSearchParams();

	for (const key of ['place', 'metric', 'heat', 'heat_by'])
		if (state[key] !== opened[key])
			link.set(key, key === 'place' ? about.places[state.place] :
				key === 'heat_by' ? state.heat_by : full_name(about.columns[state[key]]));
	if (!is_whole()) {
		link.set('from', about.times[state.from]);
		link.set('to', about.times[state.to]);
	}
	for (const [table, [at, up]] of Object.entries(state.sorts))
		link.append('sort', `${table}.${at}.${up ? 'up' : 'down'}`);
	return link.toString();
}

function write_link() {
	const link = link_of();

	if (link !== location.hash.slice(1))
		history.replaceState(null, '', '#' + link);
}

/* Follows a link; a part that does not fit this recording is left out. */
function read_link() {
	const link = new URLSearchParams(location.hash.slice(1));
	const time = (key, otherwise) => link.has(key) && isFinite(link.get(key)) ?
		snapshot_at(+link.get(key) + 0.0005) : otherwise;
	const from = time('from', 0), to = time('to', nr - 1);
	const place = about.places.indexOf(link.get('place'));
	const column = (key, will_do) => {
		const at = about.columns.findIndex(each => full_name(each) === link.get(key));

		return at >= 0 && will_do(at) ? at : opened[key];
	};

	state.place = place < 0 ? opened.place : place;
	[state.from, state.to] = from <= to ? [from, to] : [0, nr - 1];
	state.metric = column('metric', at => line_of(state.place, at));
	state.heat = column('heat', is_of_cpus);
	state.heat_by = Object.hasOwn(HEAT_WORDS, link.get('heat_by')) ? link.get('heat_by') : 'max';
	state.sorts = {};
	for (const sort of link.getAll('sort')) {
		const [, table, at, way] = /^(\w+)\.(\d+)\.(up|down)$/.exec(sort) || [];

		if (table && at < 16)
			state.sorts[table] = [+at, way === 'up' ? 1 : 0];
	}
	fill_metrics();
	for (const [id, key] of [['heat-choose', 'heat'], ['heat-by', 'heat_by']])
		if ($(id))
			$(id).value = state[key];
	show();
}

async function begin() {
	await unpack();
	originals.groups = $('groups-part').innerHTML;
	originals.places = $('places-part').innerHTML;
	$('controls').innerHTML = CONTROLS;
	$('controls').hidden = false;
	add_topdown();
	add_heat();
	add_metric();
	if ($('tree-part'))
		$('tree-part').hidden = false;
	$('values-head').insertAdjacentHTML('afterend', '<p id="coarse" class="bins" hidden></p>');
	fill_places();
	add_choices();
	add_mouse();
	new ResizeObserver(() => document.body.style.setProperty('--bar-height',
		$('controls').offsetHeight - 1 + 'px')).observe($('controls'));
	document.body.classList.add('ready');
	Object.assign(opened, state);
	window.addEventListener('hashchange', read_link);
	read_link();
	await shown;
}

window.n3stat = {
	ready: begin().catch(error => {
		$('controls').hidden = false;
		$('controls').textContent = `This browser cannot show spans (${error.message}): ` +
			'the tables have the values of the whole recording.';
	}),
	async choose(place, from, to) {
		$('place').value = about.places.indexOf(place);
		set_place(about.places.indexOf(place));
		set_span(from, to);
		await shown;
	},
};
