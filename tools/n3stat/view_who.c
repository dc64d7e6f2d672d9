// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* View of the CPUs where threads ran: their share and the CPU's values. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/answer_read.h"
#include "reader/notices.h"
#include "view.h"

#define WIDTH		80
#define MUCH		10	/* percent of others' time that is worth a note */
#define MAX_NAMED	3	/* CPUs named in the note */

static const struct view_column columns[VIEW_WIDTHS] = {
	{ "frontend_bound", 0, 5 },
	{ "backend_bound", 0, 4 },
	{ "bad_speculation", 0, 4 },
	{ "retiring", 0, 5 },
	{ "ipc", 2, 4 },
};

static const char * const units[VIEW_WIDTHS] = { "%", "%", "%", "%", "/cyc" };

static void print_header(const struct view *view)
{
	char *title = who_names_text(view->who->set.names, false);
	char *text = format_string("CPUs where %s ran; the values are those of the CPUs with "
				   "everything that ran there, not of the program", title);

	print_simulated(stdout);
	print_folded(stdout, "", "", text, WIDTH);
	free(text);
	free(title);
	view_print_head(view, 4, "cpu");
	printf(" busy theirs others idle");
	for (size_t i = 0; i < NR(columns); i++)
		printf(" %*s", view->widths[i],
		       catalog_narrow_name(catalog_find_metric(columns[i].metric)));
	printf(" answer\n");
	view_print_head(view, 4, "");
	printf(" %4s %6s %6s %4s", "%", "%", "%", "%");
	for (size_t i = 0; i < NR(columns); i++)
		printf(" %*s", view->widths[i], units[i]);
	printf(" of all slots\n");
}

static void print_row(const struct view *view, size_t place)
{
	const struct who_share *share = &view->who->shares[place];
	char percent[PERCENT_SIZE], buffer[VIEW_CELL_SIZE], end[ANSWER_SHORT];
	bool known = share->all.known;
	struct answer answer;

	answer_of_snapshot(&answer, view->snapshot, view->choice, place);
	view_print_place(view, 4, place);
	printf(" %4s", utilisation_text(percent, &share->all));
	printf(" %6s", percent_text(percent, share->theirs));
	printf(" %6s", known ? percent_text(percent, share->others) : "-");
	printf(" %4s", known ? percent_text(percent, share->all.idle) : "-");
	for (size_t i = 0; i < NR(columns); i++) {
		int column = choice_column(view->choice, catalog_find_metric(columns[i].metric));
		const char *colour = view_colour(view, place,
						 column < 0 ? VIEW_NO_COLUMN : (size_t)column,
						 false);

		printf(" %s%*s%s", colour, view->widths[i],
		       view_metric(view, place, &columns[i], buffer), view_colour_end(colour));
	}
	answer_short(end, &answer);
	printf(" %s\n", end);
}

static void print_totals(const struct who *who)
{
	size_t nr = who_set_count(&who->set);
	double seconds = who_seconds(who);

	printf("%zu %s, %zu %s: ran for %.2f s", nr, plural(nr, "process", "processes"),
	       who->threads.nr, plural(who->threads.nr, "thread", "threads"),
	       (double)who->ran / 1e9);
	printf(" and waited %.2f s for a CPU, in %.2f s\n", (double)who->waited / 1e9, seconds);
}

static void print_moves(const struct who *who)
{
	double percent = who->ran ? (double)who->doubt / (double)who->ran * 100 : 0;
	char *text;

	if (percent < MUCH)
		return;
	text = format_string("moved between CPUs: seen %lu %s in %lu samples; %.0f %% of their "
			     "time may belong to another of these CPUs", who->moves,
			     plural(who->moves, "time", "times"), who->samples, percent);
	print_folded(stdout, "", "  ", text, WIDTH);
	free(text);
}

/* Relative to busy time, as values do not include idle time. */
static double percent_of_others(const struct who_share *share)
{
	double busy = share->theirs + share->others;

	return share->all.known && busy > 0 ? share->others / busy * 100 : 0;
}

/* Others are expected where they ran little. */
static bool matters(const struct who *who, const struct who_share *share)
{
	return percent_of_others(share) >= MUCH && share->theirs * 4 >= who->shares[0].theirs;
}

static void print_others(const struct who *who)
{
	char *text = NULL, *longer;
	size_t nr = 0;

	for (size_t i = 0; i < who->nr_shares; i++) {
		if (!matters(who, &who->shares[i]) || nr++ >= MAX_NAMED)
			continue;
		longer = format_string("%s%s %.0f %% of the busy time of cpu%u", text ? text : "",
				       text ? "," : "others had",
				       percent_of_others(&who->shares[i]), who->shares[i].cpu);
		free(text);
		text = longer;
	}
	if (!nr)
		return;
	if (nr > MAX_NAMED)
		longer = format_string("%s and the same of %zu more", text, nr - MAX_NAMED);
	else
		longer = xstrdup(text);
	free(text);
	text = format_string("%s: the values are theirs as well; pinning (taskset, cpusets) keeps "
			     "them apart", longer);
	print_folded(stdout, "", "  ", text, WIDTH);
	free(longer);
	free(text);
}

static void print_steal(const struct who *who)
{
	const struct utilisation *all = &who->shares[0].all;

	if (all->known && all->steal >= MUCH)
		printf("steal: the hypervisor had cpu%u for %.0f %% of the time\n",
		       who->shares[0].cpu, all->steal);
}

void print_not_running(FILE *out, const struct who *who)
{
	char *title = who_names_text(who->set.names, false);
	char *text = format_string("%s did not run in %.2f s: not CPU bound; see n3stat(1), "
				   "FROM A PROGRAM TO CPUS", title, who_seconds(who));

	print_folded(out, "", "  ", text, WIDTH);
	free(text);
	free(title);
}

void view_who(struct view *view)
{
	const struct who *who = view->who;
	char *names = who_names_text(who->set.names, true);

	if (!view->first)
		putchar('\n');
	view_widen(view, columns);
	print_header(view);
	for (size_t i = 0; i < view->choice->places.nr; i++)
		print_row(view, i);
	print_totals(who);
	print_moves(who);
	print_others(who);
	print_steal(who);
	printf("next: n3stat tree %s\n", names);
	free(names);
}
