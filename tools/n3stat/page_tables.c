// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The report's tables: every metric of the main place, and level 1 of every CPU. */
#include <string.h>

#include "catalog.h"
#include "common.h"
#include "page_tables.h"

static void write_value_row(struct page *page, size_t place, size_t i)
{
	const struct recording_column *column = &page->recording->columns[i];
	const struct summary_cell *cell = summary_at(&page->summary, place, i);
	int decimals = summary_decimals(column);
	FILE *out = page->out;
	double error;

	fputs("<tr><td>", out);
	page_text(out, column->name);
	fputs("</td>", out);
	if (cell->numbers) {
		fprintf(out, "<td>%.*f</td><td>", decimals, cell->mean);
		if (summary_error(&page->summary, cell, &error))
			fprintf(out, "± %.*f", decimals, error);
		fprintf(out, "</td><td>%.*f</td><td>%.*f</td>", decimals, cell->min, decimals,
			cell->max);
	} else {
		fputs("<td>", out);
		page_text(out, *cell->word ? cell->word : NO_VALUE);
		fputs("</td><td></td><td></td><td></td>", out);
	}
	if (cell->covers)
		fprintf(out, "<td>%.1f %%</td>", cell->sum_coverage / (double)cell->covers);
	else
		fputs("<td></td>", out);
	fprintf(out, "<td>%lu</td><td class=\"unit\">", cell->numbers);
	page_text(out, column->unit);
	fputs("</td></tr>\n", out);
}

static void write_group(struct page *page, size_t place, const char *file)
{
	int group = catalog_find_group(file);

	fputs("<h3>", page->out);
	page_text(page->out, group < 0 ? file : catalog_group(group).title);
	fputs("</h3>\n<div class=\"wide\"><table class=\"group\" data-group=\"", page->out);
	page_text(page->out, file);
	fputs("\"><tr><th>metric</th><th>mean</th><th>95 % error</th><th>min</th>"
		"<th>max</th><th>coverage</th><th>snapshots</th><th>unit</th></tr>\n",
	      page->out);
	for (size_t i = 0; i < page->recording->nr_columns; i++)
		if (!strcmp(page->recording->columns[i].group, file))
			write_value_row(page, place, i);
	fputs("</table></div>\n", page->out);
}

static bool came_before(const struct recording *recording, size_t column)
{
	for (size_t i = 0; i < column; i++)
		if (!strcmp(recording->columns[i].group, recording->columns[column].group))
			return true;
	return false;
}

static const char * const cpu_metrics[] = {
	"frontend_bound", "backend_bound", "bad_speculation", "retiring", "ipc"
};

static void write_cpu(struct page *page, size_t place)
{
	fprintf(page->out, "<tr><td>%s</td>", page->recording->places.v[place].name);
	for (size_t i = 0; i < NR(cpu_metrics); i++) {
		int column = recording_column(page->recording, catalog_find_metric(cpu_metrics[i]));
		const struct summary_cell *cell;
		double error;

		fputs("<td>", page->out);
		if (column < 0) {
			fputs("</td>", page->out);
			continue;
		}
		cell = summary_at(&page->summary, place, column);
		if (!cell->numbers)
			page_text(page->out, *cell->word ? cell->word : NO_VALUE);
		else
			fprintf(page->out, "%.2f", cell->mean);
		if (summary_error(&page->summary, cell, &error))
			fprintf(page->out, " ± %.2f", error);
		fputs("</td>", page->out);
	}
	fputs("</tr>\n", page->out);
}

static void write_cpus(struct page *page)
{
	fputs("<h3>System and CPUs</h3>\n<div class=\"wide\"><table id=\"places\"><tr>"
	      "<th>place</th>", page->out);
	for (size_t i = 0; i < NR(cpu_metrics); i++)
		fprintf(page->out, "<th>%s<br>%s</th>", cpu_metrics[i],
			catalog_metric(catalog_find_metric(cpu_metrics[i])).short_unit);
	fputs("</tr>\n", page->out);
	for (size_t i = 0; i < page->recording->places.nr; i++)
		write_cpu(page, i);
	fputs("</table></div>\n", page->out);
}

void page_tables(struct page *page)
{
	size_t place = recording_main_place(page->recording);

	write_cpus(page);
	for (size_t i = 0; i < page->recording->nr_columns; i++)
		if (recording_has_values(page->recording, i) && !came_before(page->recording, i))
			write_group(page, place, page->recording->columns[i].group);
	fputs("<p>Means are those of the snapshots' windows, errors as in the tree. Coverage is "
	      "the share of the time in which a metric was counted.</p>\n", page->out);
}
