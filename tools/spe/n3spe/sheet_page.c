// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tables of a report as a self-contained HTML page. */
#include <stdio.h>
#include <string.h>

#include "lib/html.h"
#include "sheet.h"

#define CELL_MAX	64
#define COUNTED		"records"	/* first column of a list */
#define LAST_COUNT	"source"	/* last column of counts */

static void write_cell(FILE *out, const struct spe_cell *cell)
{
	char number[CELL_MAX];

	spe_cell_print(cell, number, sizeof(number));
	html_text(out, cell->kind == SPE_CELL_TEXT ? cell->text : number);
}

static void write_facts(const struct spe_sheet *sheet, FILE *out)
{
	fprintf(out, "<dl class=\"facts\" id=\"%s\">\n", sheet->key);
	for (size_t row = 0; row < spe_sheet_rows(sheet); row++) {
		fputs("<div><dt>", out);
		html_text(out, spe_sheet_at(sheet, row, 1)->text);
		fputs("</dt><dd>", out);
		write_cell(out, spe_sheet_at(sheet, row, 2));
		fputs("</dd></div>\n", out);
	}
	fputs("</dl>\n", out);
}

static void write_bar(FILE *out, double percent)
{
	fprintf(out, "<td><span class=\"bar\" title=\"%.2f %%\"><b style=\"width:%.1f%%\"></b>"
		"</span></td>", percent, percent);
}

/* Names go first, since a narrow page may cut columns off. Return: number of other columns. */
static size_t first_column(const struct spe_sheet *sheet)
{
	if (strcmp(sheet->columns[0].key, COUNTED))
		return 0;
	for (size_t i = 0; i < sheet->nr_columns; i++)
		if (!strcmp(sheet->columns[i].key, LAST_COUNT))
			return i + 1;
	return 0;
}

static void write_row(const struct spe_sheet *sheet, FILE *out, size_t row)
{
	size_t first = first_column(sheet);

	fputs("<tr>", out);
	for (size_t n = 0; n < sheet->nr_columns; n++) {
		size_t i = (first + n) % sheet->nr_columns;
		const struct spe_cell *cell = spe_sheet_at(sheet, row, i);

		fputs(cell->kind == SPE_CELL_TEXT ? "<td class=\"word\">" : "<td>", out);
		write_cell(out, cell);
		fputs("</td>", out);
		if (!strcmp(sheet->columns[i].key, SPE_SHARE_KEY))
			write_bar(out, cell->kind == SPE_CELL_NUMBER ? cell->number : 0);
	}
	fputs("</tr>\n", out);
}

static void write_table(const struct spe_sheet *sheet, FILE *out)
{
	size_t first = first_column(sheet);

	fprintf(out, "<div class=\"wide\"><table id=\"%s\"><tr>", sheet->key);
	for (size_t n = 0; n < sheet->nr_columns; n++) {
		size_t i = (first + n) % sheet->nr_columns;
		bool words = spe_sheet_rows(sheet) &&
			     spe_sheet_at(sheet, 0, i)->kind == SPE_CELL_TEXT;

		fputs(words ? "<th class=\"word\">" : "<th>", out);
		html_text(out, spe_sheet_column(sheet, i));
		fputs("</th>", out);
		if (!strcmp(sheet->columns[i].key, SPE_SHARE_KEY))
			fputs("<th></th>", out);
	}
	fputs("</tr>\n", out);
	for (size_t row = 0; row < spe_sheet_rows(sheet); row++)
		write_row(sheet, out, row);
	fputs("</table></div>\n", out);
}

void spe_sheets_page(const struct spe_sheets *sheets, FILE *out, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'\">\n", out);
	fprintf(out, "<title>%s</title>\n<style>\n", title);
	fputs(html_style, out);
	fprintf(out, "</style>\n</head>\n<body class=\"spe\">\n<h1>%s</h1>\n", title);
	for (const struct spe_sheet *sheet = sheets->first; sheet; sheet = sheet->next) {
		if (sheet != sheets->first)
			fprintf(out, "<h2>%s</h2>\n", sheet->title);
		if (sheet->is_facts)
			write_facts(sheet, out);
		else if (spe_sheet_rows(sheet))
			write_table(sheet, out);
		else
			fputs("<p>none</p>\n", out);
		if (sheet->note) {
			fputs(sheet->is_facts ? "<p class=\"note\">" : "<p class=\"bound\">",
			      out);
			html_text(out, sheet->note);
			fputs("</p>\n", out);
		}
	}
	fputs("</body>\n</html>\n", out);
}
