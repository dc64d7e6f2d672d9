// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The answer, and texts of the decision tree; the page's script draws it and chooses the advice. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/html.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/texts.h"
#include "page.h"
#include "reader/path_advice.h"
#include "report.h"

#define MAX_BELOW	16

static void write_estimates(const struct page *page)
{
	if (page->recording->estimated)
		fputs("<p id=\"estimates\">All numbers on this page are n3stat's estimates for "
		      "whole windows: counts of a part of the time, corrected by events that are "
		      "always counted (anchors).</p>\n", page->out);
}

/* Explains how errors are computed; see summary_error() for the reasons. */
static void write_errors(const struct page *page)
{
	unsigned long overlap = page->summary.overlap, nr = page->summary.nr;
	FILE *out = page->out;

	fputs("<p id=\"errors\">Errors are 95 % intervals of the mean: from n3stat's intervals "
	      "of the snapshots, or from their variance, whichever is larger. ", out);
	if (overlap > 1)
		fprintf(out, "The snapshots' windows overlap, up to %lu at a time, and share "
			"counts. Only those a whole window apart are taken as independent "
			"(%lu of %lu), and errors of overlapping ones as if they had the same "
			"sign, so errors are conservative. ",
			overlap, nr / overlap, nr);
	else
		fputs("The snapshots' windows do not overlap, and they are taken as "
		      "independent. ", out);
	fputs("Snapshots without an interval are given the widest one.</p>\n", out);
}

/* For all CPUs; the script inserts the number of a single one. */
static void write_command(FILE *out, const char *metric, const struct advice_facts *facts,
			  const char *pmu)
{
	char *all = advice_command(metric, facts, pmu, NULL);
	char *one = advice_command(metric, facts, pmu, "@");

	fprintf(out, "<br>Find the code%s: <code data-all=\"",
		facts->simulated ? " on a real Neoverse N3" : "");
	html_text(out, all);
	fputs("\" data-one=\"", out);
	html_text(out, one);
	fputs("\">", out);
	html_text(out, all);
	fputs("</code>", out);
	free(all);
	free(one);
}

/* Writes and frees a text, if there is one. */
static void write_text(FILE *out, const char *lead, char *text)
{
	if (!text)
		return;
	fputs(lead, out);
	html_text(out, text);
	free(text);
}

static void write_advice(const struct page *page, const char *metric)
{
	const char *pmu = recording_about(page->recording, "pmu");
	struct advice_facts facts = facts_of_recording(page->recording);
	FILE *out = page->out;

	fprintf(out, "<p class=\"advice\" data-metric=\"%s\" hidden><b>%s</b>. ", metric, metric);
	if (advice_exists(metric)) {
		write_text(out, "", advice_text(metric, ADVICE_MEANS, &facts));
		write_text(out, " Look at: ", advice_text(metric, ADVICE_LOOK, &facts));
		write_command(out, metric, &facts, pmu ? pmu : USUAL_PMU);
		write_text(out, "<br>", advice_text(metric, ADVICE_NOTE, &facts));
	}
	fputs("</p>\n", out);
}

static void write_all_advice(const struct page *page, int metric)
{
	int below[MAX_BELOW];
	size_t nr = path_below(metric, below, NR(below));

	for (size_t i = 0; i < nr; i++) {
		write_advice(page, catalog_metric_name(below[i]));
		write_all_advice(page, below[i]);
	}
}

void page_answer(const struct page *page)
{
	struct value *means;
	struct answer answer;
	char text[ANSWER_LONG], *losses;
	int columns[NR_LEVEL_1];

	if (!page_level_1(page, columns))
		return;
	means = means_of(page->recording, &page->summary, page->place);
	answer_find(&answer, means_at, means);
	answer_long(text, &answer);
	losses = path_losses_text(&answer);
	fprintf(page->out, "<p id=\"answer\"><span>%s</span>: <b>",
		page->recording->places.v[page->place].name);
	html_text(page->out, text);
	fprintf(page->out, "</b></p>\n<p id=\"losses\"%s>", losses ? "" : " hidden");
	write_text(page->out, "Largest losses, of all slots: ", losses);
	fputs("</p>\n", page->out);
	free(means);
}

static void write_tree(const struct page *page)
{
	FILE *out = page->out;

	fputs("<div id=\"tree-part\" hidden>\n"
	      "<div class=\"wide\"><table id=\"tree\">" TABLE_HEAD TABLE_HEAD_END
	      "<tbody></tbody></table></div>\n"
	      "<p>~ marks an unknown error before the area of an answer, and an "
	      "approximate number before other shares: metrics below Topdown level 1 are "
	      "shares of cycles, not of slots. Metrics that the answer names, or that lead to "
	      "those, are marked.</p>\n", out);
	write_all_advice(page, -1);
	fputs("</div>\n", out);
}

void page_tree(struct page *page)
{
	int columns[NR_LEVEL_1];

	if (page_level_1(page, columns))
		write_tree(page);
	else
		fputs("<p class=\"note\" id=\"no-tree\">The decision tree starts with Topdown "
		      "level 1, which was not recorded.</p>\n", page->out);
	write_estimates(page);
	write_errors(page);
}
