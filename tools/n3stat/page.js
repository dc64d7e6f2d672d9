/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the page does. It only adds: without it the page shows all of the recording. */

const $ = id => document.getElementById(id);
const data = JSON.parse($('data').textContent);
const from = $('from'), to = $('to');

function show_heat(choose) {
	for (const heat of document.querySelectorAll('g.heat'))
		heat.setAttribute('display', heat.dataset.metric === choose.value ? '' : 'none');
}

/* The advice for the end of the path, or why there is none. */
function show_end(path, whole, undecided, errors) {
	const p = $('undetermined'), few = undecided.some(metric => isNaN(errors[metric]));

	for (const end of document.querySelectorAll('p.end'))
		end.hidden = end.dataset.metric !== path[path.length - 1];
	if ($('nowhere'))
		$('nowhere').hidden = path.length > 0;
	if (!p)
		return;
	p.textContent = whole ? p.dataset.whole : !undecided.length ? '' : 'Undetermined: ' +
		undecided.join(' or ') + ', ' + (few ? p.dataset.few : p.dataset.close) + '.';
	p.hidden = !p.textContent;
}

function show_bar(row, value, error) {
	const bar = row.querySelector('b'), doubt = row.querySelector('s');
	const clip = x => Math.max(0, Math.min(100, isNaN(x) ? 0 : x));

	bar.style.width = clip(value) + '%';
	doubt.style.left = clip(value - error) + '%';
	doubt.style.width = clip(value + error) - clip(value - error) + '%';
}

/* The whole recording is shown as n3stat wrote it. */
function show_row(row, whole, value, error) {
	if (whole) {
		row.children[1].textContent = row.dataset.value;
		row.children[2].textContent = row.dataset.error;
	} else {
		row.children[1].textContent = isNaN(value) ? '-' : value.toFixed(2) + ' %';
		row.children[2].textContent = isNaN(error) ? '' : '± ' + error.toFixed(2);
	}
	show_bar(row, value, error);
}

function show_mark(a, b) {
	const mark = $('mark'), times = data.times;

	if (!mark)
		return;
	const length = times[times.length - 1] - times[0] || 1, width = +mark.dataset.width;
	mark.setAttribute('x', +mark.dataset.left + width * (times[a] - times[0]) / length);
	mark.setAttribute('width', Math.max(1, width * (times[b] - times[a]) / length));
}

function show() {
	const a = Math.min(+from.value, +to.value), b = Math.max(+from.value, +to.value);
	const whole = a === 0 && b === data.times.length - 1;
	const rows = [...document.querySelectorAll('#tree tr[data-metric]')];
	const values = {}, errors = {}, through = {};
	const recorded = sum(data.recorded, a, b);
	let path, undecided = [];

	for (const metric in data.metrics) {
		values[metric] = mean(data, metric, a, b);
		errors[metric] = error(data, metric, a, b);
		through[metric] = recorded && sum(data.through[metric], a, b);
	}
	if (whole)
		path = rows.filter(row => row.dataset.path).map(row => row.dataset.metric);
	else if (data.recorded)
		path = path_of_most(through, recorded);
	else
		[path, undecided] = find_path(data.below, data.decimals, values, errors);
	$('span-text').textContent = data.times[a].toFixed(1) + ' s to ' +
		data.times[b].toFixed(1) + ' s';
	show_end(path, whole, undecided, errors);
	for (const row of rows) {
		const metric = row.dataset.metric;

		row.className = path.includes(metric) ? 'path' : '';
		show_row(row, whole, values[metric], errors[metric]);
		if (data.recorded)
			row.children[4].textContent = through[metric] + ' of ' + recorded;
	}
	show_mark(a, b);
}

if ($('heat-choose'))
	$('heat-choose').addEventListener('change', event => show_heat(event.target));
if (from && data.times.length > 1) {
	from.addEventListener('input', show);
	to.addEventListener('input', show);
	show();
}
