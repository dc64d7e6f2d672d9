// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat --pid, --comm, --cgroup: values of the CPUs where a program runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/streams.h"
#include "lib/text.h"
#include "libn3telemetry/order.h"
#include "libn3telemetry/answer_read.h"
#include "reader/errors.h"
#include "reader/notices.h"
#include "reader/telemetry.h"
#include "stat_who.h"

#define WIDTH		80
#define MAX_PIDS	16	/* more make the command hard to read */

/* Cgroups may be added until the end. */
static void measure(struct who *who, double seconds)
{
	bool warned = who->set.cut_off;

	must(who_measure(who, who->last + seconds));
	if (!warned)
		warn_of_cgroups(&who->set);
}

static bool is_measured(unsigned int cpu)
{
	struct place place = place_make(SCOPE_CPU, cpu);
	char **names;
	size_t nr = telemetry_list(place.name, &names);

	free_names(names);
	return nr;
}

/* Index of the first share of a measured CPU, or the number of shares. */
static size_t first_measured(const struct who *who)
{
	size_t i = 0;

	while (i < who->nr_shares && !is_measured(who->shares[i].cpu))
		i++;
	return i;
}

static void __noreturn not_measured(const struct who *who)
{
	die(ERR_NO_SUCH_PLACE,
	    "they ran on CPUs that are not measured, mostly cpu%u: %s/cpu%u does not exist",
	    who->shares[0].cpu, telemetry.root, who->shares[0].cpu);
}

static void choose(const struct who *who, struct choice *choice)
{
	for (size_t i = 0; i < who->nr_shares; i++)
		xplaces_add_one(&choice->places, place_make(SCOPE_CPU, who->shares[i].cpu));
	must(answer_choose_groups(&telemetry, choice));
	must(choose_known_group(&telemetry, choice, "General"));
	choice->quality = true;
}

static void report(struct view *base, void (*print)(struct view *view))
{
	struct view view = *base;
	struct snapshot snapshot = { 0 };
	struct choice choice = { 0 };
	size_t *order = xreallocarray(NULL, view.who->nr_shares, sizeof(*order));

	if (first_measured(view.who) == view.who->nr_shares)
		not_measured(view.who);
	choose(view.who, &choice);
	must(snapshot_read(&telemetry, &snapshot, &choice));
	order_by_place(order, &choice);
	view.choice = &choice;
	view.snapshot = &snapshot;
	view.order = order;
	print(&view);
	/* Later reports have the same columns. */
	memcpy(base->widths, view.widths, sizeof(base->widths));
	free(order);
	snapshot_free(&snapshot);
	choice_free(&choice);
}

static void report_none(const struct view *base, void (*print)(struct view *view))
{
	struct view view = *base;
	struct snapshot snapshot = { 0 };
	struct choice choice = { 0 };

	if (print != view_json) {
		print_not_running(print == view_who ? stdout : stderr, view.who);
		return;
	}
	snapshot.time = unix_now();
	view.choice = &choice;
	view.snapshot = &snapshot;
	print(&view);
}

void stat_who(const struct options *options, const struct view *base,
	      void (*print)(struct view *view))
{
	double seconds = options->interval ? options->interval : telemetry_window();
	struct view view = *base;
	struct who who;

	if (!print)
		print = view_who;
	options_start_who(options, &who);
	if (print != view_json)
		print_other_core(print == view_csv ? stderr : stdout);
	view.who = &who;
	for (unsigned long i = 0; i < options->count; i++) {
		if (i && who_set_is_over(&who.set)) {
			warn(ERR_PROCESSES_ENDED, "the processes have ended");
			break;
		}
		measure(&who, seconds);
		if (who.nr_shares)
			report(&view, print);
		else
			report_none(&view, print);
		flush_output(stdout);
		view.first &= print == view_csv && !who.nr_shares;
	}
	who_free(&who);
}

/* The shown CPU is a measured one, although they may have run longer on another. */
static char *place_text(const struct who *who, size_t at)
{
	char *title = who_names_text(who->set.names, false), *text;

	if (at)
		text = format_string("%s ran most on cpu%u, which is not measured: there is no "
				     "%s/cpu%u; of the CPUs that are measured it is cpu%u",
				     title, who->shares[0].cpu, telemetry.root,
				     who->shares[0].cpu, who->shares[at].cpu);
	else
		text = format_string("cpu%u, where %s ran most", who->shares[0].cpu, title);
	free(title);
	return text;
}

static void print_where(FILE *out, const struct who *who, size_t at)
{
	const struct who_share *share = &who->shares[at];
	char *place = place_text(who, at), *text;

	text = format_string("%s: %.0f %% of its time was theirs, %.0f %% others'; the values are "
			     "those of the CPU with everything that ran there, not of the program",
			     place, share->theirs, share->others);
	print_folded(out, "", "", text, WIDTH);
	free(text);
	free(place);
}

static char *option_of(const struct who_set *set)
{
	char *pids = NULL, *text;

	if (!who_set_count(set) || who_set_count(set) > MAX_PIDS)
		return NULL;
	for (size_t i = 0; i < set->nr; i++)
		if (who_is_meant(&set->v[i]))
			append_text(&pids, ",", "%d", set->v[i].pid);
	text = format_string("-p %s", pids);
	free(pids);
	return text;
}

bool who_find_place(const struct options *options, struct place *place, char **where, FILE *out)
{
	struct who who;
	size_t at;

	options_start_who(options, &who);
	measure(&who, telemetry_window());
	at = first_measured(&who);
	if (!who.nr_shares)
		print_not_running(out, &who);
	else if (at == who.nr_shares)
		not_measured(&who);
	else
		print_where(out, &who, at);
	if (who.nr_shares)
		*place = place_make(SCOPE_CPU, who.shares[at].cpu);
	*where = option_of(&who.set);
	at = who.nr_shares;
	who_free(&who);
	return at;
}
