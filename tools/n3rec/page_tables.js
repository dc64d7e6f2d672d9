/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tree and tables of any place and span; page_tables.c writes those of the whole recording. */

const SHARE_DECIMALS = 2;
const $ = id => document.getElementById(id);

/* The error, NaN if it is unknown or too large to be useful. */
function useful(number, error, unit) {
	return range_is_useful(about, number - error, number + error, unit) ? error : NaN;
}

/* '± 1.2', or 'none'. */
function error_text({ error }) {
	return error === 'none' ? error : '± ' + error;
}

/* Like summary_format(). */
function format_sum(sum, line) {
	const { unit, decimals } = about.columns[line.column];
	const error = useful(sum.mean, error_of(about, sum, line.widest), unit);
	const single = sum.ranges ? Math.sqrt(sum.halves / sum.ranges) : error;
	const text = (number, half) => isNaN(half) && line.coverage === null ?
		{ number: number.toFixed(decimals), error: 'none' } :
		number_text(number, half, decimals);

	return { mean: text(sum.mean, error), min: text(sum.min, single), max: text(sum.max, single) };
}

function word_text(sum) {
	return about.words[sum.word][0];
}

/* Sum, mean and error of each metric of the tree that was recorded for the place. */
function tree_sums(place, from, to) {
	const sums = {}, values = {}, errors = {}, words = {};

	for (const metric of Object.keys(about.below).filter(name => name)) {
		const column = column_of(metric), line = column < 0 ? null : line_of(place, column);
		const sum = line ? sum_of(line, from, to) : null;

		if (line)
			sums[metric] = { sum, line };
		if (!sum || !sum.numbers) {
			words[metric] = sum && sum.word ? word_text(sum) : 'not recorded';
			continue;
		}
		values[metric] = sum.mean;
		errors[metric] = useful(sum.mean, error_of(about, sum, line.widest), 'percent');
	}
	return { sums, values, errors, words };
}

function bar_html(value, error) {
	const clip = x => Math.max(0, Math.min(100, isNaN(x) ? 0 : x));
	const low = clip(value - error), high = clip(value + error);

	return `<span class="bar"><b style="width:${clip(value).toFixed(1)}%"></b><s style="left:` +
		`${low.toFixed(1)}%;width:${(high - low).toFixed(1)}%"></s></span>`;
}

/* Like path_share_format(): '~' before shares of metrics that are shares of cycles. */
function share_text(metric, { value, error: half }) {
	const { number, error } = number_text(value, half, SHARE_DECIMALS);

	return {
		number: (about.level1.some(([name]) => name === metric) ? '' : '~') + number + ' %',
		error,
	};
}

function tree_row(metric, depth, tree) {
	const known = tree.sums[metric], share = tree.shares[metric];
	const marked = tree.named.includes(metric) ? 'named' : '';
	let number = tree.words[metric] || '', own = '', error = '', bar = bar_html(0, 0);

	if (known && known.sum.numbers)
		own = format_sum(known.sum, known.line).mean.number + ' %';
	if (share) {
		const half = useful(share.value, share.error, 'percent');
		const text = share_text(metric, { value: share.value, error: half });

		number = text.number;
		error = error_text(text);
		bar = bar_html(share.value, half || 0);
	}
	return `<tr class="${marked}" data-metric="${metric}"><td style="--depth:` +
		`${depth}">${metric}</td><td>${escaped(number)}</td><td>${escaped(error)}</td><td>${bar}</td>` +
		`<td>${own}</td></tr>\n`;
}

function loss_text(loss) {
	const text = share_text(loss.metric, loss);

	return `${loss.rest ? 'rest of ' : ''}${loss.metric} ${text.number}` +
		(isNaN(loss.error) ? '' : ' ' + error_text(text));
}

function answer_at(place, from, to) {
	const { values, errors, words } = tree_sums(place, from, to);

	return find_answer(about, values, errors, words);
}

/* The answer, and the largest losses. */
function show_answer(place, answer) {
	$('answer').querySelector('span').textContent = about.places[place];
	$('answer').querySelector('b').textContent = answer_text(about, answer);
	$('losses').textContent = 'Largest losses, of all slots: ' +
		answer.losses.map(loss_text).join(', ');
	$('losses').hidden = !answer.losses.length;
}

/* The areas and causes, and the metrics above those. */
function named_by(answer) {
	return answer.areas.flatMap(area =>
		[area, ...area.causes].flatMap(end => path_to(about.below, end.metric)));
}

/* The advice for the cause, or for the largest area. */
function show_advice(place, { areas }) {
	const cpu = about.places[place].startsWith('cpu') && about.places[place].slice(3);
	const one = areas.length && areas[0].causes.length && !areas[0].spread;
	const metric = one ? areas[0].causes[0].metric : areas.length ? areas[0].metric : '';

	for (const advice of document.querySelectorAll('p.advice')) {
		const command = advice.querySelector('code');

		advice.hidden = advice.dataset.metric !== metric;
		if (command)
			command.textContent = cpu ? command.dataset.one.replace('@', cpu) :
				command.dataset.all;
	}
}

function show_tree({ place, from, to }) {
	const { sums, values, errors, words } = tree_sums(place, from, to);
	const answer = find_answer(about, values, errors, words);
	const tree = { sums, words, named: named_by(answer),
		shares: shares_of(about, values, errors) };
	let rows = '';

	const add = (metric, depth) => about.below[metric].forEach(below => {
		rows += tree_row(below, depth, tree);
		add(below, depth + 1);
	});

	add('', 0);
	$('tree').tHead.innerHTML = '<tr><th>metric</th><th>of all slots</th><th>95 % error</th>' +
		'<th>0 to 100 %</th><th>of parent</th></tr>';
	$('tree').tBodies[0].innerHTML = '\n' + rows;
	show_answer(place, answer);
	show_advice(place, answer);
}

/* A name, marked if its numbers cover more than the span. */
function name_html(line, from, to) {
	return escaped(about.columns[line.column].name) + (is_exact(line, from, to) ? '' : ' ≈');
}

function value_row(line, from, to) {
	const sum = sum_of(line, from, to), { unit } = about.columns[line.column];
	const name = name_html(line, from, to);
	const coverage = line.coverage === null ? '' : line.coverage.toFixed(1) + ' %';

	if (!sum.numbers)
		return `<tr><td>${name}</td><td>${escaped(word_text(sum))}</td><td></td><td></td>` +
			`<td></td><td></td><td>0</td><td class="unit">${escaped(unit)}</td></tr>\n`;
	const { mean, min, max } = format_sum(sum, line);

	return `<tr><td>${name}</td><td>${mean.number}</td><td>${escaped(error_text(mean))}</td>` +
		`<td>${min.number}</td><td>${max.number}</td>` +
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

/* The error only if it is known. */
function brief_text(sum, line) {
	const { mean } = format_sum(sum, line);

	return mean.number + (mean.error === 'none' ? '' : ' ' + error_text(mean));
}

/* Fills the table of n3stat, which is that of the whole recording. */
function show_places({ from, to }) {
	const columns = about.level1.map(([name]) => name).reverse().concat('ipc')
		.map(column_of).filter(column => column >= 0);

	about.columns.forEach((column, i) => column.group === 'rates' && columns.push(i));

	const first = $('places').tHead.rows[0].cells.length - columns.length;

	[...$('places').tBodies[0].rows].forEach((row, place) => {
		row.dataset.place = place;
		if (from === 0 && to === nr - 1)
			return;
		columns.forEach((column, i) => {
			const line = line_of(place, column), sum = sum_of(line, from, to);

			row.cells[first + i].textContent = sum.numbers ? brief_text(sum, line) :
				word_text(sum);
		});
		if (first > 1) {
			const answer = answer_at(place, from, to);

			row.cells[1].textContent = answer_brief(about, answer);
			row.cells[1].dataset.loss = answer_loss(answer);
		}
	});
}

/* Numbers by value, names with their numbers, words last. */
function compare_cells(a, b, up) {
	const [x, y] = [a, b].map(text => parseFloat(text.replace(/^[±~< ]+/, '')));

	if (isNaN(x) !== isNaN(y))
		return isNaN(x) ? 1 : -1;
	return (up ? 1 : -1) * (isNaN(x) ? a.localeCompare(b, 'en', { numeric: true }) : x - y);
}

function sort_key(cell) {
	return cell.dataset.loss || cell.textContent;
}

function sort_table(table, [column, up]) {
	const [body] = table.tBodies, rows = [...body.rows];

	rows.sort((a, b) => compare_cells(sort_key(a.cells[column]), sort_key(b.cells[column]), up));
	body.append(...rows);
}

/* Heads become buttons; the tree has an order of its own. */
function sort_tables() {
	for (const table of document.querySelectorAll('#places, table.group')) {
		const sort = state.sorts[table.dataset.group || table.id];

		[...table.tHead.rows[0].cells].forEach((head, column) => {
			if (!head.querySelector('button'))
				head.innerHTML = `<button class="sort">${head.innerHTML}</button>`;
			head.ariaSort = !sort || sort[0] !== column ? 'none' :
				sort[1] ? 'ascending' : 'descending';
		});
		if (sort)
			sort_table(table, sort);
	}
}

/* Largest first, then smallest first, then as before; names the other way round. */
function sort_by(head) {
	const table = head.closest('table'), column = head.cellIndex;
	const name = table.dataset.group || table.id, sort = state.sorts[name];
	const first = column === 0 || head.textContent === 'unit' ? 1 : 0;

	if (!sort || sort[0] !== column)
		state.sorts[name] = [column, first];
	else if (sort[1] === first)
		state.sorts[name] = [column, 1 - first];
	else
		delete state.sorts[name];
	show();
	shown.then(() => {
		const same = [...document.querySelectorAll('#places, table.group')]
			.find(each => (each.dataset.group || each.id) === name);

		same.tHead.rows[0].cells[column].querySelector('button').focus({ preventScroll: true });
	});
}
