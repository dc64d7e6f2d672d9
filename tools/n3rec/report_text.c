// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Report of a place as text: the decision tree by the means, or a table of all metrics. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "reader/path_advice.h"
#include "report.h"

#define NAME_WIDTH	31

/* A place of a recording, its means and the answer that follows from them. */
struct report {
	const struct recording *recording;
	const struct summary *summary;
	size_t place;
	struct value *means;
	struct answer answer;
};

static void begin(struct report *report, const struct recording *recording,
		  const struct summary *summary, size_t place)
{
	*report = (struct report) {
		.recording = recording, .summary = summary, .place = place,
		.means = means_of(recording, summary, place),
	};
	answer_find(&report->answer, means_at, report->means);
}

/* Return: the share of time in which the recorded processes ran on a CPU, 0 if unknown. */
static double theirs_at(const struct recording *recording, const struct summary *summary,
			size_t place)
{
	int column = recording_find(recording, RATES_FILE, rates_theirs.name);

	if (column < 0 || recording->places.v[place].scope != SCOPE_CPU)
		return 0;
	return summary_at(summary, place, (size_t)column)->mean;
}

size_t report_place(const struct recording *recording, const struct summary *summary,
		    const char *name)
{
	size_t best = recording_place(recording, name);
	double most = 0;

	for (size_t i = 0; !name && i < recording->places.nr; i++) {
		double theirs = theirs_at(recording, summary, i);

		if (theirs <= most)
			continue;
		most = theirs;
		best = i;
	}
	return best;
}

/* CPUs on which the recorded processes ran, in the order of their numbers. */
static void print_who(const struct report *report, size_t width)
{
	const struct recording *recording = report->recording;
	const char *who = recording_about(recording, "who");
	char *text = NULL;

	if (!who)
		return;
	for (size_t i = 0; i < recording->places.nr; i++) {
		double theirs = theirs_at(recording, report->summary, i);

		if (theirs > 0)
			append_text(&text, ", ", "%s %.2g %%", recording->places.v[i].name, theirs);
	}
	printf("processes: %s\n", who);
	print_folded(stdout, "time of theirs: ", "  ", text ? text : "none", width);
	free(text);
}

/* The answer and the largest losses. */
static void print_answer(const struct answer *answer, size_t width)
{
	char text[ANSWER_LONG], *losses = path_losses_text(answer);

	answer_long(text, answer);
	printf("answer: %s\n", text);
	if (losses)
		print_folded(stdout, "losses: ", "        ", losses, width);
	free(losses);
}

static void print_head(const struct report *report, size_t width)
{
	const struct recording *recording = report->recording;
	const struct summary *summary = report->summary;

	if (recording_about(recording, "simulated"))
		puts("simulated counts (n3_sim)");
	printf("%s: %s, %lu %s\n", recording->name, recording->places.v[report->place].name,
	       summary->nr, plural(summary->nr, "snapshot", "snapshots"));
	if (recording_about(recording, "included"))
		printf("included at the start: %s\n", recording_about(recording, "included"));
	if (recording_about(recording, "covers"))
		printf("each snapshot covers the interval of %g s before it\n", summary->window);
	print_who(report, width);
	print_answer(&report->answer, width);
	putchar('\n');
}

static void print_aligned(const char *text, int pad)
{
	printf(" %*s%*s", 12 - pad, text, pad, "");
}

static void print_row(const struct summary *summary, const struct summary_cell *cell,
		      const struct recording_column *column)
{
	struct summary_text text;

	if (!cell->numbers) {
		printf("%-33s %12s %12s %12s %12s", column->name,
		       *cell->word ? cell->word : NO_VALUE, "-", "-", "-");
	} else {
		summary_format(&text, summary, cell, column);
		printf("%-33s", column->name);
		print_aligned(text.mean.number, text.mean.pad);
		print_aligned(text.mean.error,
			      strcmp(text.mean.error, NO_RANGE) ? text.mean.pad : 0);
		print_aligned(text.min.number, text.min.pad);
		print_aligned(text.max.number, text.max.pad);
	}
	printf(" %9lu  %s\n", cell->numbers, *column->unit ? column->unit : "-");
}

void report_table(const struct recording *recording, const struct summary *summary, size_t place)
{
	struct report report;

	begin(&report, recording, summary, place);
	/* One line for scripts. */
	print_head(&report, SIZE_MAX);
	printf("%-33s %12s %12s %12s %12s %9s  %s\n", "metric", "mean", "error", "min", "max",
	       "snapshots", "unit");
	for (size_t i = 0; i < recording->nr_columns; i++)
		if (recording_is_first(recording, i))
			print_row(summary, summary_at(summary, place, i), &recording->columns[i]);
	free(report.means);
}

static void print_node(const struct report *report, int metric, unsigned int depth)
{
	struct path_share share = path_share(metric, means_at, report->means);
	const struct value *mean = means_at(report->means, metric);
	bool marked = answer_has(&report->answer, metric);
	struct share_text text;

	printf("%c %*s%-*s ", marked ? '>' : ' ', 2 * (int)depth, "", NAME_WIDTH - 2 * (int)depth,
	       catalog_metric_name(metric));
	if (isnan(share.value)) {
		printf("%9s\n", mean->is_number ? NO_VALUE : mean->text);
		return;
	}
	text = path_share_format(metric, &share);
	printf("%9s %s\n", text.number, text.error);
}

static void print_below(const struct report *report, int metric, unsigned int depth)
{
	int below[16];
	size_t nr = path_below(metric, below, NR(below));

	for (size_t i = 0; i < nr && depth < PATH_DEPTH; i++) {
		print_node(report, below[i], depth);
		print_below(report, below[i], depth + 1);
	}
}

static void print_advice(const struct report *report)
{
	const char *name = catalog_metric_name(answer_metric(&report->answer, 0));
	const struct place *place = &report->recording->places.v[report->place];
	struct advice_facts facts = facts_of_recording(report->recording);
	const char *pmu = recording_about(report->recording, "pmu");
	char *text, cpu[16];

	if (!advice_exists(name))
		return;
	putchar('\n');
	path_print_text("  means:    ", advice_text(name, ADVICE_MEANS, &facts));
	path_print_text("  look at:  ", advice_text(name, ADVICE_LOOK, &facts));
	snprintf(cpu, sizeof(cpu), "%u", place->id);
	text = advice_command(name, &facts, pmu ? pmu : USUAL_PMU,
			      place->scope == SCOPE_CPU ? cpu : NULL);
	path_print_command(&facts, text);
}

static void print_page_command(const struct report *report)
{
	char *file = shell_word(report->recording->name), *text;

	text = format_string("n3stat report -o page.html %s", file);
	putchar('\n');
	print_command(stdout, "page: ", "", text, screen_width(PATH_WIDTH));
	free(text);
	free(file);
}

void report_tree(const struct recording *recording, const struct summary *summary, size_t place)
{
	struct report report;

	begin(&report, recording, summary, place);
	print_head(&report, PATH_WIDTH);
	printf("%-*s %s\n", NAME_WIDTH - 2, recording->places.v[place].name, "of all slots");
	print_below(&report, -1, 0);
	if (report.answer.nr)
		print_advice(&report);
	if (strcmp(recording->name, "-"))
		print_page_command(&report);
	free(report.means);
}
