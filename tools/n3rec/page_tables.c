// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tables of the report: all metrics of the main place, and level 1 of all places. */
#include <stdio.h>
#include <string.h>

#include "lib/html.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/answer.h"
#include "page.h"
#include "report.h"

static void write_error(FILE *out, const struct number_text *text)
{
	if (strcmp(text->error, NO_RANGE))
		fputs("± ", out);
	html_text(out, text->error);
}

static void write_value_row(struct page *page, size_t i)
{
	const struct recording_column *column = &page->recording->columns[i];
	const struct summary_cell *cell = summary_at(&page->summary, page->place, i);
	struct summary_text text;
	FILE *out = page->out;

	fputs("<tr><td>", out);
	html_text(out, column->name);
	fputs("</td>", out);
	if (cell->numbers) {
		summary_format(&text, &page->summary, cell, column);
		fprintf(out, "<td>%s</td><td>", text.mean.number);
		write_error(out, &text.mean);
		fprintf(out, "</td><td>%s</td><td>%s</td>", text.min.number, text.max.number);
	} else {
		fputs("<td>", out);
		html_text(out, *cell->word ? cell->word : NO_VALUE);
		fputs("</td><td></td><td></td><td></td>", out);
	}
	if (cell->covers)
		fprintf(out, "<td>%.1f %%</td>", cell->sum_coverage / (double)cell->covers);
	else
		fputs("<td></td>", out);
	fprintf(out, "<td>%lu</td><td class=\"unit\">", cell->numbers);
	html_text(out, column->unit);
	fputs("</td></tr>\n", out);
}

static void write_group(struct page *page, const char *file)
{
	int group = catalog_find_group(file);

	fputs("<h3>", page->out);
	html_text(page->out, group < 0 ? file : catalog_group(group).title);
	fputs("</h3>\n<div class=\"wide\"><table class=\"group\" data-group=\"", page->out);
	html_text(page->out, file);
	fputs("\">" TABLE_HEAD "<tr><th>metric</th><th>mean</th><th>95 % error</th><th>min</th>"
		"<th>max</th><th>coverage</th><th>snapshots</th><th>unit</th></tr>"
		TABLE_HEAD_END "\n",
	      page->out);
	for (size_t i = 0; i < page->recording->nr_columns; i++)
		if (!strcmp(page->recording->columns[i].group, file))
			write_value_row(page, i);
	fputs("</table></div>\n", page->out);
}

static bool came_before(const struct recording *recording, size_t column)
{
	for (size_t i = 0; i < column; i++)
		if (!strcmp(recording->columns[i].group, recording->columns[column].group))
			return true;
	return false;
}

#define MANY_COLUMNS	6
#define NR_BRIEF	(NR_LEVEL_1 + 1 + NR_RATES + 1)	/* IPC, and rates with theirs */

/* The recorded columns among level 1, ipc and the rates. */
static size_t brief_columns(const struct page *page, int columns[NR_BRIEF])
{
	int theirs = recording_find(page->recording, RATES_FILE, rates_theirs.name);
	int ipc = recording_find_values(page->recording, "ipc");
	int level[NR_LEVEL_1];
	size_t nr = 0;

	page_level_1(page, level);
	for (size_t i = NR_LEVEL_1; i-- > 0;)
		if (level[i] >= 0)
			columns[nr++] = level[i];
	if (ipc >= 0)
		columns[nr++] = ipc;
	for (enum rates_column rate = 0; rate < NR_RATES; rate++) {
		int column = recording_find(page->recording, RATES_FILE, rates_info[rate].name);

		if (column >= 0)
			columns[nr++] = column;
	}
	if (theirs >= 0)
		columns[nr++] = theirs;
	return nr;
}

static void write_brief(struct page *page, size_t place, int column)
{
	const struct summary_cell *cell = summary_at(&page->summary, place, column);
	struct summary_text text;

	fputs("<td>", page->out);
	if (cell->numbers) {
		summary_format(&text, &page->summary, cell, &page->recording->columns[column]);
		fputs(text.mean.number, page->out);
		if (strcmp(text.mean.error, NO_RANGE)) {
			fputc(' ', page->out);
			write_error(page->out, &text.mean);
		}
	} else {
		html_text(page->out, *cell->word ? cell->word : NO_VALUE);
	}
	fputs("</td>", page->out);
}

static void write_answer(struct page *page, size_t place)
{
	struct value *means = means_of(page->recording, &page->summary, place);
	struct answer answer;
	char text[ANSWER_SHORT];

	answer_find(&answer, means_at, means);
	answer_short(text, &answer);
	fputs("<td", page->out);
	if (answer.nr)
		fprintf(page->out, " data-loss=\"%.6g\"", answer_loss(&answer));
	fputc('>', page->out);
	html_text(page->out, text);
	fputs("</td>", page->out);
	free(means);
}

static void write_places(struct page *page)
{
	int columns[NR_BRIEF], level[NR_LEVEL_1];
	bool answers = page_level_1(page, level);
	size_t nr = brief_columns(page, columns);

	if (!nr)
		return;
	fprintf(page->out, "<h3>All places</h3>\n<div class=\"wide%s\">",
		nr > MANY_COLUMNS ? " many" : "");
	fputs("<table id=\"places\">" TABLE_HEAD "<tr>"
	      "<th>place</th>", page->out);
	if (answers)
		fputs("<th>answer<br>of all slots</th>", page->out);
	for (size_t i = 0; i < nr; i++)
		fprintf(page->out, "<th>%s<br>%s</th>", page->recording->columns[columns[i]].name,
			page->recording->columns[columns[i]].short_unit);
	fputs("</tr>" TABLE_HEAD_END "\n<tbody>\n", page->out);
	for (size_t place = 0; place < page->recording->places.nr; place++) {
		fprintf(page->out, "<tr><td>%s</td>", page->recording->places.v[place].name);
		if (answers)
			write_answer(page, place);
		for (size_t i = 0; i < nr; i++)
			write_brief(page, place, columns[i]);
		fputs("</tr>\n", page->out);
	}
	fputs("</tbody></table></div>\n", page->out);
}

void page_tables(struct page *page)
{
	fputs("<div id=\"places-part\">\n", page->out);
	write_places(page);
	fputs("</div>\n<div id=\"groups-part\">\n", page->out);
	for (size_t i = 0; i < page->recording->nr_columns; i++)
		if (!came_before(page->recording, i))
			write_group(page, page->recording->columns[i].group);
	fprintf(page->out, "</div>\n<p>Means are over the snapshots' windows, errors as in the "
		"tree; an error that is unknown or too large is " NO_RANGE ". Coverage is the "
		"share of the time in which a metric was counted"
		"<span id=\"coverage-note\" hidden>, over %s whatever the span: the page does not "
		"have it for spans</span>.</p>\n",
		page_is_part(page) ? "all of this page" : "the whole recording");
}
