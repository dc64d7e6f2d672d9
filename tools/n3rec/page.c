// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* HTML report: frame of the page and facts about the recording. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/html.h"
#include "lib/memory.h"
#include "page.h"

#define PAGE_TIME	40
#define FELL_BEHIND	1.05	/* times the requested interval */

/* A time from the start, in the format for a recording of this length. */
static const char *time_text(char text[PAGE_TIME], double seconds, double longest)
{
	/* Rounded to tenths first, as 59.96 s would become 0:60.0. */
	double all = seconds > 0 && seconds < 1e9 ? round(seconds * 10) : 0;
	unsigned long tenths = (unsigned long)all, whole = tenths / 10;
	char part[8] = "";

	if (tenths % 10)
		snprintf(part, sizeof(part), ".%lu", tenths % 10);
	if (longest < 60)
		snprintf(text, PAGE_TIME, "%lu%s s", whole, part);
	else if (longest < 3600)
		snprintf(text, PAGE_TIME, "%lu:%02lu%s", whole / 60, whole % 60, part);
	else
		snprintf(text, PAGE_TIME, "%lu:%02lu:%02lu%s", whole / 3600, whole / 60 % 60,
			 whole % 60, part);
	return text;
}

/* The same for a time of this page. */
static const char *clock_text(const struct page *page, char text[PAGE_TIME], double seconds)
{
	return time_text(text, seconds, page_end(page));
}

static void write_fact(FILE *out, const char *what, const char *value)
{
	fprintf(out, "<div><dt>%s</dt><dd>", what);
	html_text(out, value);
	fputs("</dd></div>\n", out);
}

static double asked_interval(const struct page *page)
{
	const char *text = recording_about(page->recording, "interval");

	return text ? strtod(text, NULL) : 0;
}

static bool fell_behind(const struct page *page)
{
	double asked = asked_interval(page);

	return asked > 0 && page->cells.nr > 1 &&
	       cells_interval(&page->cells, &page->summary) > FELL_BEHIND * asked;
}

/* Writes the actual interval if it differs from the requested one. */
static void write_interval(const struct page *page)
{
	double reached = cells_interval(&page->cells, &page->summary);
	double asked = asked_interval(page);
	char text[80];

	if (fell_behind(page))
		snprintf(text, sizeof(text), "reached %.3g s, asked %.3g s", reached, asked);
	else
		snprintf(text, sizeof(text), "%.3g s", asked > 0 ? asked : reached);
	if (asked > 0 || page->cells.nr > 1)
		write_fact(page->out, "Interval", text);
}

/* Writes the extent of the recording and of the part on this page. */
static void write_extent(const struct page *page)
{
	double length = page->summary.end - page->summary.start;
	bool part = page_is_part(page);
	char text[80], clock[PAGE_TIME];

	write_fact(page->out, part ? "Length of the recording" : "Length",
		   time_text(clock, length, fmax(length, page_end(page))));
	if (part)
		snprintf(text, sizeof(text), "%lu of %zu", page->summary.nr, page->recording->nr);
	else
		snprintf(text, sizeof(text), "%lu", page->summary.nr);
	write_fact(page->out, "Snapshots", text);
}

/* The time of the start, or "" if it is not one. */
static const char *start_text(const struct page *page, char text[PAGE_TIME])
{
	double start = page->summary.start;
	time_t seconds = start < 1e11 ? (time_t)start : 0;
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(text, PAGE_TIME, "%Y-%m-%d %H:%M:%S UTC", &tm))
		*text = '\0';
	return text;
}

/* The file first, as tabs are narrow. */
static void write_title(const struct page *page)
{
	const char *host = recording_about(page->recording, "host");
	const char *name = page->recording->name, *slash = strrchr(name, '/');
	char text[PAGE_TIME];

	html_text(page->out, slash ? slash + 1 : name);
	fputs(", ", page->out);
	if (host) {
		html_text(page->out, host);
		fputs(", ", page->out);
	}
	fprintf(page->out, "%s: where the cycles went", start_text(page, text));
}

static void write_facts(const struct page *page)
{
	static const struct {
		const char *key;
		const char *title;
	} keys[] = {
		{ "host", "Machine" },
		{ "kernel", "Kernel" },
		{ "pmu", "PMU" },
		{ "who", "Processes" },
		{ "window_ms", "Window, ms" },
		{ "covers", "A snapshot covers the" },
		{ "included", "CPUs included at the start" },
	};
	const struct summary *summary = &page->summary;
	char text[80];

	fputs("<dl class=\"facts\">\n", page->out);
	write_fact(page->out, "Recording", page->recording->name);
	for (size_t i = 0; i < NR(keys); i++)
		if (recording_about(page->recording, keys[i].key))
			write_fact(page->out, keys[i].title,
				   recording_about(page->recording, keys[i].key));
	if (*start_text(page, text))
		write_fact(page->out, "Started", text);
	write_interval(page);
	write_extent(page);
	fputs("</dl>\n", page->out);
	if (page_is_part(page)) {
		fprintf(page->out, "<p class=\"note\">Only the span from %s ",
			clock_text(page, text, summary->from));
		fprintf(page->out, "to %s is shown.</p>\n",
			clock_text(page, text, fmin(summary->to, summary->end - summary->start)));
	}
}

static void write_note(const struct page *page, const char *id, const char *text)
{
	fprintf(page->out, "<p class=\"note\" id=\"%s\">%s</p>\n", id, text);
}

static void write_notes(const struct page *page)
{
	const char *core = recording_about(page->recording, "core");

	if (recording_about(page->recording, "simulated"))
		write_note(page, "simulated", "The counts were simulated (n3_sim): this page does "
			   "not describe a real machine.");
	if (core) {
		fputs("<p class=\"note\" id=\"core\">", page->out);
		html_text(page->out, core);
		fputs(": for rehearsal only.</p>\n", page->out);
	}
	if (fell_behind(page))
		write_note(page, "behind", "The recorder fell behind: reading took longer than the "
			   "requested interval.");
	if (page->recording->cut)
		write_note(page, "cut", "The recording was truncated in the middle of a snapshot. "
			   "This page has all snapshots before it.");
	if (page->recording->broken)
		fprintf(page->out,
			"<p class=\"note\" id=\"broken\">The recording is damaged at byte %llu. "
			"This page has all snapshots before it.</p>\n",
			page->recording->at);
}

/* Names the metrics of level 1 that no chart can show. */
static void write_missing(const struct page *page)
{
	int columns[NR_LEVEL_1];
	const char *before = "<p class=\"note\" id=\"no-topdown\">"
			     "Of Topdown level 1 these were not recorded: ";

	if (!page_level_1(page, columns)) {
		write_note(page, "no-topdown", "Topdown level 1 was not recorded "
			   "(<code>n3stat record -g topdown_l1</code>).");
		return;
	}
	for (size_t i = NR_LEVEL_1; i-- > 0;) {
		if (columns[i] >= 0)
			continue;
		fprintf(page->out, "%s%s", before, level_1[i].metric);
		before = ", ";
	}
	if (*before == ',')
		fputs(".</p>\n", page->out);
}

/* Fill patterns of the map's cells with words. */
static const char patterns[] =
	"<svg width=\"0\" height=\"0\" class=\"patterns\" aria-hidden=\"true\">"
	"<pattern id=\"p-offline\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
	"<path class=\"p-back\" d=\"M0 0h6v6h-6z\"/><path d=\"M0 0L6 6M0 6L6 0\"/></pattern>"
	"<pattern id=\"p-contended\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
	"<path class=\"p-back\" d=\"M0 0h6v6h-6z\"/><path d=\"M0 6L6 0\"/></pattern>"
	"<pattern id=\"p-disabled\" width=\"6\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
	"<path class=\"p-back\" d=\"M0 0h6v5h-6z\"/><path d=\"M0 2.5H6\"/></pattern>"
	"<pattern id=\"p-other\" width=\"5\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
	"<path class=\"p-back\" d=\"M0 0h5v6h-5z\"/><path d=\"M2.5 0V6\"/></pattern></svg>\n";

void page_write(struct page *page)
{
	const char *main_place = page->recording->places.v[page->place].name;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	      "<title>", page->out);
	write_title(page);
	fputs("</title>\n<style>\n", page->out);
	fputs(html_style, page->out);
	fputs("</style>\n<noscript><style>.script { display: none }</style></noscript>\n"
	      "</head>\n<body>\n<h1>Where the cycles went</h1>\n", page->out);
	fputs(patterns, page->out);
	page_answer(page);
	write_facts(page);
	write_notes(page);
	fputs("<noscript><p class=\"note\">Charts and the decision tree require scripting. The "
	      "tables below have the values of the whole recording.</p></noscript>\n"
	      "<div id=\"controls\" hidden></div>\n", page->out);
	fprintf(page->out, "<h2 class=\"script\" id=\"topdown-head\">Topdown over time: %s</h2>\n"
		"<div id=\"topdown-part\">\n", main_place);
	write_missing(page);
	fprintf(page->out, "</div>\n<h2 class=\"script\">CPUs over time</h2>\n"
		"<div id=\"heat-part\"></div>\n"
		"<h2 class=\"script\" id=\"tree-head\">Decision tree: %s</h2>\n", main_place);
	page_tree(page);
	fprintf(page->out, "<h2 class=\"script\">One metric over time</h2>\n"
		"<div id=\"metric-part\"></div>\n"
		"<h2 id=\"values-head\">Values: %s</h2>\n", main_place);
	page_tables(page);
	page_data(page);
	fputs("<script>\n", page->out);
	fputs(page_script, page->out);
	fputs("</script>\n</body>\n</html>\n", page->out);
}
