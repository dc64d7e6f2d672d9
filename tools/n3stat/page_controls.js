/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the reader of the page can choose from, and the mouse. */

const CONTROLS = `<p><label>Place <select id="place"></select></label>
<label>from <input id="from" type="number" step="any"> s</label>
<label>to <input id="to" type="number" step="any"> s</label>
<button id="whole">${WHOLE[0].toUpperCase()}${WHOLE.slice(1)}</button><button id="back">Back</button>
<button id="out">Wider</button><button id="earlier" title="earlier">◀</button>
<button id="later" title="later">▶</button> <output id="span-text"></output></p>
<p id="refused" class="note" role="alert" hidden></p>
<div id="overview"><svg viewBox="0 0 1000 100" preserveAspectRatio="none"></svg><i></i></div>
<p class="bins">Drag over a chart to choose a span: charts, tree and tables follow.</p>`;

function option(value, text) {
	return `<option value="${value}">${escaped(text)}</option>`;
}

function group_html(title, options) {
	return options.length ? `<optgroup label="${escaped(title)}">${options.join('')}</optgroup>` : '';
}

function fill_places() {
	const of = test => about.places.map((name, i) => [i, name]).filter(([, name]) => test(name))
		.map(([i, name]) => option(i, name));

	$('place').innerHTML = group_html('System and nodes', of(name => !name.startsWith('cpu'))) +
		group_html('CPUs', of(name => name.startsWith('cpu')));
}

/* Columns by their groups; a metric of several groups is in each. */
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

function add_selects() {
	const name_of = id => $(id) && column_of($(id).textContent.split(' ')[0]);

	if ($('heat')) {
		$('heat-part').insertAdjacentHTML('afterbegin', '<p class="choose">' +
			select_html('heat-choose', 'Show') + select_html('heat-by', 'in each cell the') +
			'value</p>');
		$('heat-choose').innerHTML = columns_html(i => about.columns[i].top !== undefined &&
			[...lines.values()].some(line => line.column === i));
		$('heat-by').innerHTML = Object.entries(HEAT_WORDS).map(pair => option(...pair)).join('');
		state.heat = name_of('heat-name');
		$('heat-choose').value = state.heat;
	}
	if ($('metric')) {
		$('metric-part').insertAdjacentHTML('afterbegin', '<p class="choose">' +
			select_html('metric-choose', 'Metric') + '</p>');
		state.metric = name_of('metric-name');
		fill_metrics();
	}
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
		const row = target.closest('tr[data-place]');

		if (row)
			set_place(+row.dataset.place);
	});
}

/* Of a pointer over a plot or the overview: which part of its width and height. */
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
	/* A click is no span. */
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

async function begin() {
	await unpack();
	originals.tree = $('tree-part') && $('tree-part').innerHTML;
	originals.groups = $('groups-part').innerHTML;
	originals.places = $('places-part').innerHTML;
	$('controls').innerHTML = CONTROLS;
	$('controls').hidden = false;
	for (const part of document.querySelectorAll('details.static'))
		part.remove();
	$('values-head').insertAdjacentHTML('afterend', '<p id="coarse" class="bins" hidden></p>');
	fill_places();
	add_selects();
	add_choices();
	add_mouse();
	new ResizeObserver(() => document.body.style.setProperty('--bar-height',
		$('controls').offsetHeight - 1 + 'px')).observe($('controls'));
	document.body.classList.add('ready');
	show();
	await shown;
}

window.n3stat = {
	ready: begin().catch(error => {
		$('controls').hidden = false;
		$('controls').textContent = `This browser cannot show spans (${error.message}): ` +
			'the whole recording follows.';
	}),
	async choose(place, from, to) {
		$('place').value = about.places.indexOf(place);
		set_place(about.places.indexOf(place));
		set_span(from, to);
		await shown;
	},
};
