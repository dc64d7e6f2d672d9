// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What all parts of the report use. */
#include "page_parts.h"

/* Okabe and Ito's colours: the common kinds of colour blindness tell them apart. */
const struct level_1 level_1[NR_LEVEL_1] = {
	{ "retiring", "Retiring", "#009e73" },
	{ "bad_speculation", "Bad speculation", "#cc79a7" },
	{ "frontend_bound", "Frontend bound", "#e69f00" },
	{ "backend_bound", "Backend bound", "#0072b2" },
};

void page_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

const char *page_time(double seconds)
{
	static char text[40];
	unsigned long whole = seconds > 0 && seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 0;

	if (seconds < 10)
		snprintf(text, sizeof(text), "%.1f s", seconds);
	else if (whole < 60)
		snprintf(text, sizeof(text), "%lu s", whole);
	else if (whole < 3600)
		snprintf(text, sizeof(text), "%lu:%02lu", whole / 60, whole % 60);
	else
		snprintf(text, sizeof(text), "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60,
			 whole % 60);
	return text;
}
