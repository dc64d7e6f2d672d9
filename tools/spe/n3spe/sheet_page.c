// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tables of a report as a self-contained HTML page. */
#include <stdio.h>
#include <string.h>

#include "lib/html.h"
#include "sheet.h"

/* Sorts the rows of a table by the column whose head is clicked; the page allows this text only. */
static const char script[] =
	"const value = cell => {\n"
	"	const text = cell.textContent.replace(/^>=/, '');\n"
	"	return text === '-' ? -1 : /^0x[0-9a-f]+$/.test(text) ? BigInt(text) :\n"
	"		isNaN(text) ? text : +text;\n"
	"};\n"
	"const compare = (a, b) => typeof a === 'string' && typeof b === 'string' ?\n"
	"	a.localeCompare(b, 'en', { numeric: true }) :\n"
	"	typeof a === 'string' ? 1 : typeof b === 'string' ? -1 : a < b ? -1 : +(a > b);\n"
	"for (const head of document.querySelectorAll('th:not(:empty)')) {\n"
	"	const button = document.createElement('button'), body = head.closest('table').tBodies[0];\n"
	"	button.className = 'sort';\n"
	"	button.append(...head.childNodes);\n"
	"	head.append(button);\n"
	"	button.onclick = () => {\n"
	"		const was = head.getAttribute('aria-sort'), at = head.cellIndex;\n"
	"		const up = was ? was === 'descending' : head.className === 'word';\n"
	"		for (const other of head.parentNode.cells)\n"
	"			other.removeAttribute('aria-sort');\n"
	"		head.setAttribute('aria-sort', up ? 'ascending' : 'descending');\n"
	"		body.append(...[...body.rows].slice(1).sort((a, b) => (up ? 1 : -1) *\n"
	"			compare(value(a.cells[at]), value(b.cells[at]))));\n"
	"	};\n"
	"}\n";

/* Of the script and the line feed before it. */
#define SCRIPT_HASH	"sha256-hK3TwAM+JF4QOYtIe/RhVjnqweD+Jj2//fLjAXHZ4LY="

static void write_facts(const struct spe_sheet *sheet, FILE *out)
{
	char number[SPE_CELL_MAX];

	fputs("<dl class=\"facts\">\n", out);
	for (ssize_t row = 0; row < spe_sheet_rows(sheet); row++) {
		fputs("<div><dt>", out);
		html_text(out, spe_sheet_text(sheet, row, 1, number));
		fputs("</dt><dd>", out);
		html_text(out, spe_sheet_text(sheet, row, 2, number));
		fputs("</dd></div>\n", out);
	}
	fputs("</dl>\n", out);
}

/* One row, -1: the heads. */
static void write_row(const struct spe_sheet *sheet, FILE *out, ssize_t row)
{
	const char *tag = row < 0 ? "th" : "td";

	fputs("<tr>", out);
	/* Names go first, since a narrow page may cut columns off. */
	for (size_t n = 0; n < sheet->nr_columns; n++) {
		size_t i = (sheet->first_name + n) % sheet->nr_columns;
		const struct spe_cell *cell = spe_sheet_at(sheet, row < 0 ? 0 : row, i);
		char number[SPE_CELL_MAX];
		const char *text = spe_sheet_text(sheet, row, i, number);

		fprintf(out, "<%s%s", tag, cell->kind == SPE_CELL_TEXT ? " class=\"word\"" : "");
		if (row >= 0 && cell->kind == SPE_CELL_TEXT) {
			/* The page may cut it off. */
			fputs(" title=\"", out);
			html_text(out, text);
			fputc('"', out);
		}
		fputc('>', out);
		html_text(out, text);
		fprintf(out, "</%s>", tag);
		if (row < 0 && cell->kind == SPE_CELL_SHARE)
			fputs("<th></th>", out);
		else if (cell->kind == SPE_CELL_SHARE)
			fprintf(out, "<td><span class=\"bar\"><b style=\"width:%.1f%%\"></b></span>"
				"</td>", cell->number);
	}
	fputs("</tr>\n", out);
}

static void write_sheet(const struct spe_sheet *sheet, FILE *out)
{
	fprintf(out, "<h2 id=\"%s\">%s</h2>\n", sheet->key, sheet->title);
	if (sheet->is_facts) {
		write_facts(sheet, out);
	} else if (spe_sheet_rows(sheet)) {
		fputs("<div class=\"wide\"><table>", out);
		for (ssize_t row = -1; row < spe_sheet_rows(sheet); row++)
			write_row(sheet, out, row);
		fputs("</table></div>\n", out);
	} else {
		fputs("<p>none</p>\n", out);
	}
	if (!sheet->note)
		return;
	fputs(sheet->is_facts ? "<p class=\"note\">" : "<p class=\"bound\">", out);
	html_text(out, sheet->note);
	fputs("</p>\n", out);
}

void spe_sheets_page(const struct spe_sheets *sheets, FILE *out, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src '" SCRIPT_HASH "'\">\n<title>", out);
	html_text(out, title);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body class=\"spe\">\n<h1>",
		html_style);
	html_text(out, title);
	fputs("</h1>\n<nav>\n", out);
	for (size_t i = 0; i < sheets->nr; i++)
		fprintf(out, "<a href=\"#%s\">%.*s</a>\n", sheets->v[i].key,
			(int)strcspn(sheets->v[i].title, ","), sheets->v[i].title);
	fputs("</nav>\n", out);
	for (size_t i = 0; i < sheets->nr; i++)
		write_sheet(&sheets->v[i], out);
	fprintf(out, "<script>\n%s</script>\n</body>\n</html>\n", script);
}
