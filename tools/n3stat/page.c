// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The report: its frame and what it says about the recording. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "common.h"
#include "page.h"
#include "page_charts.h"
#include "page_embedded.h"
#include "page_tables.h"
#include "page_tree.h"

static void write_fact(FILE *out, const char *what, const char *value)
{
	fprintf(out, "<div><dt>%s</dt><dd>", what);
	page_text(out, value);
	fputs("</dd></div>\n", out);
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
		{ "interval", "Interval, s" },
		{ "window_ms", "Window, ms" },
	};
	const struct summary *summary = &page->summary;
	time_t start = summary->start < 1e11 ? (time_t)summary->start : 0;
	char text[80];
	struct tm tm;

	fputs("<dl class=\"facts\">\n", page->out);
	for (size_t i = 0; i < NR(keys); i++)
		if (recording_about(page->recording, keys[i].key))
			write_fact(page->out, keys[i].title,
				   recording_about(page->recording, keys[i].key));
	if (gmtime_r(&start, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
		write_fact(page->out, "Started", text);
	write_fact(page->out, "Length", page_time(summary->end - summary->start));
	snprintf(text, sizeof(text), "%lu", summary->nr);
	write_fact(page->out, "Snapshots", text);
	fputs("</dl>\n", page->out);
	if (summary->from > 0 || summary->to < summary->end - summary->start) {
		fprintf(page->out, "<p class=\"note\">Only the span from %s ",
			page_time(summary->from));
		fprintf(page->out, "to %s is shown.</p>\n",
			page_time(fmin(summary->to, summary->end - summary->start)));
	}
}

static void write_notes(const struct page *page)
{
	if (recording_about(page->recording, "simulated"))
		fputs("<p class=\"note\" id=\"simulated\">The counts were simulated (n3_sim): "
			"this page says nothing about any machine.</p>\n",
		      page->out);
	if (recording_about(page->recording, "core")) {
		fputs("<p class=\"note\" id=\"core\">", page->out);
		page_text(page->out, recording_about(page->recording, "core"));
		fputs(": for rehearsal only.</p>\n", page->out);
	}
	if (page->recording->cut)
		fputs("<p class=\"note\" id=\"cut\">The recording was cut off in the middle of a "
			"snapshot. All before it is here.</p>\n",
		      page->out);
	if (page->recording->broken)
		fprintf(page->out,
			"<p class=\"note\" id=\"broken\">The recording is damaged at %s. "
			"All before it is here.</p>\n",
			recording_where(page->recording));
}

void page_write(struct page *page)
{
	size_t main_at = recording_main_place(page->recording);
	const char *main_place = page->recording->places.v[main_at].name;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	      "<title>Where the cycles went</title>\n<style>\n", page->out);
	fputs(page_style, page->out);
	fputs("</style>\n</head>\n<body>\n<h1>Where the cycles went</h1>\n", page->out);
	write_facts(page);
	write_notes(page);
	fprintf(page->out, "<h2>Topdown over time: %s</h2>\n", main_place);
	page_topdown(page);
	fputs("<h2>CPUs over time</h2>\n", page->out);
	page_heat_map(page);
	fprintf(page->out, "<h2>Decision tree: %s</h2>\n", main_place);
	page_tree(page);
	fputs("<h2>Values</h2>\n", page->out);
	page_tables(page);
	fputs("<script>\n", page->out);
	fputs(page_script, page->out);
	fputs("</script>\n</body>\n</html>\n", page->out);
}
