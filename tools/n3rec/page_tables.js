/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tree and tables of any place and span; page_tables.c writes those of the whole recording. */

const $ = id => document.getElementById(id);

/* Displayed error: '± 1.23', or 'none' if it is unknown or too large to be useful. */
function error_text(sum, error, unit, decimals) {
	if (!sum.numbers)
		return '';
	return !isNaN(error) && range_is_useful(sum.mean - error, sum.mean + error, unit) ?
		'± ' + error.toFixed(decimals) : 'none';
}

function word_text(sum) {
	return about.words[sum.word][0];
}

/* Sum and error of each metric of the tree that was recorded for the place. */
function tree_sums(place, from, to) {
	const sums = {};

	for (const metric of Object.keys(about.below).filter(name => name)) {
		const column = column_of(metric), line = column < 0 ? null : line_of(place, column);

		if (line) {
			const sum = sum_of(line, from, to);

			sums[metric] = { sum, line, error: error_of(about, sum, line.widest) };
		}
	}
	return sums;
}

function bar_html(value, error) {
	const clip = x => Math.max(0, Math.min(100, isNaN(x) ? 0 : x));
	const low = clip(value - error), high = clip(value + error);

	return `<span class="bar"><b style="width:${clip(value).toFixed(1)}%"></b><s style="left:` +
		`${low.toFixed(1)}%;width:${(high - low).toFixed(1)}%"></s></span>`;
}

function tree_row(metric, depth, path, known, through, recorded) {
	const marked = path.includes(metric) ? 'path' : '';
	let number = 'not recorded', error = '', bar = bar_html(0, 0);

	if (known && known.sum.numbers) {
		const unit = about.columns[known.line.column].unit;

		number = known.sum.mean.toFixed(2) + ' %';
		error = error_text(known.sum, known.error, unit, 2);
		bar = bar_html(known.sum.mean, error.startsWith('±') ? known.error : 0);
	} else if (known) {
		number = word_text(known.sum);
	}
	return `<tr class="${marked}" data-metric="${metric}"><td style="--depth:` +
		`${depth}">${metric}</td><td>${escaped(number)}</td><td>${error}</td><td>${bar}</td>` +
		(recorded ? `<td>${through[metric] || 0} of ${recorded}</td>` : '') + '</tr>\n';
}

/* Share of the path's end, or '' if unknown. */
function share_text(path, values) {
	const share = share_of(path, values);

	return isNaN(share) ? '' : `, about ${share.toFixed(0)} % of all slots`;
}

/* The advice for the end of the path, or why there is none. */
function show_end(place, path, undecided, values, errors) {
	const p = $('undetermined'), few = undecided.some(metric => isNaN(errors[metric]));
	const cpu = about.places[place].startsWith('cpu') && about.places[place].slice(3);

	for (const end of document.querySelectorAll('p.end')) {
		const command = end.querySelector('code');

		end.hidden = end.dataset.metric !== path[path.length - 1];
		end.querySelector('.share').textContent = end.hidden ? '' : share_text(path, values);
		if (command)
			command.textContent = cpu ? command.dataset.one.replace('@', cpu) :
				command.dataset.all;
	}
	p.textContent = !undecided.length ? '' : 'Undetermined: ' + undecided.join(' or ') + ', ' +
		(few ? p.dataset.few : p.dataset.close) + '.';
	p.hidden = !p.textContent;
}

function show_tree({ place, from, to }) {
	const sums = tree_sums(place, from, to), values = {}, errors = {};
	const [through, recorded] = count_paths(place, from, to);
	let path = [], undecided = [], rows = '';

	for (const metric of Object.keys(about.below).filter(name => name)) {
		const known = sums[metric];

		values[metric] = known && known.sum.numbers ? known.sum.mean : NaN;
		errors[metric] = known ? known.error : NaN;
	}
	if (recorded)
		path = path_of_most(through, recorded);
	else
		[path, undecided] = find_path(about.below, about.decimals, values, errors);
	const add = (metric, depth) => about.shown[metric].forEach(below => {
		rows += tree_row(below, depth, path, sums[below], through, recorded);
		add(below, depth + 1);
	});

	add('', 0);
	$('tree').tHead.innerHTML = '<tr><th>metric</th><th>mean</th><th>95 % error</th>' +
		'<th>0 to 100 %</th>' + (recorded ? '<th>on the path</th>' : '') + '</tr>';
	$('tree').tBodies[0].innerHTML = '\n' + rows;
	$('path').hidden = !recorded;
	$('nowhere').hidden = !recorded || path.length > 0;
	show_end(place, path, undecided, values, errors);
}

/* A name, marked if its numbers cover more than the span. */
function name_html(line, from, to) {
	return escaped(about.columns[line.column].name) + (is_exact(line, from, to) ? '' : ' ≈');
}

function value_row(line, from, to) {
	const sum = sum_of(line, from, to), { unit, decimals } = about.columns[line.column];
	const error = error_of(about, sum, line.widest), name = name_html(line, from, to);
	const coverage = line.coverage === null ? '' : line.coverage.toFixed(1) + ' %';

	if (!sum.numbers)
		return `<tr><td>${name}</td><td>${escaped(word_text(sum))}</td><td></td><td></td>` +
			`<td></td><td></td><td>0</td><td class="unit">${escaped(unit)}</td></tr>\n`;
	return `<tr><td>${name}</td><td>${sum.mean.toFixed(decimals)}</td>` +
		`<td>${error_text(sum, error, unit, decimals)}</td>` +
		`<td>${sum.min.toFixed(decimals)}</td><td>${sum.max.toFixed(decimals)}</td>` +
		`<td>${coverage}</td><td>${sum.numbers}</td><td class="unit">${escaped(unit)}</td>` +
		'</tr>\n';
}

const WHOLE = about.part ? 'all of this page' : 'whole recording';
const GROUP_HEAD = '<thead><tr><th>metric</th><th>mean</th><th>95 % error</th><th>min</th>' +
	`<th>max</th><th>coverage<br>(${WHOLE})</th><th>snapshots</th>` +
	'<th>unit</th></tr></thead>';

function show_groups({ place, from, to }) {
	const groups = new Map();
	let html = '';

	about.columns.forEach((column, i) => {
		const line = line_of(place, i);

		if (!line)
			return;
		const group = groups.get(column.group) || { title: column.title, rows: '' };

		group.rows += value_row(line, from, to);
		groups.set(column.group, group);
	});
	for (const [name, { title, rows }] of groups)
		html += `<h3>${escaped(title)}</h3>\n<div class="wide"><table class="group" ` +
			`data-group="${escaped(name)}">${GROUP_HEAD}\n${rows}</table></div>\n`;
	$('groups-part').innerHTML = html || '<p>Nothing was recorded for this place.</p>';
}

function show_places({ from, to }) {
	const columns = about.level1.map(([name]) => name).reverse().concat('ipc')
		.map(column_of).filter(column => column >= 0);

	if (!columns.length)
		return;
	const rows = about.places.map((name, place) => `<tr data-place="${place}"><td>${name}</td>` +
		columns.map(column => {
			const line = line_of(place, column), { unit } = about.columns[column];
			const sum = sum_of(line, from, to);
			const error = line ? error_text(sum, error_of(about, sum, line.widest), unit,
				2) : '';

			return '<td>' + (sum.numbers ? sum.mean.toFixed(2) : escaped(word_text(sum))) +
				(error.startsWith('±') ? ' ' + error : '') + '</td>';
		}).join('') + '</tr>\n').join('');

	$('places').tBodies[0].innerHTML = '\n' + rows;
}
