// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* CSV view: as in RFC 4180 except for line ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/answer_read.h"
#include "reader/telemetry.h"
#include "view.h"

/* Quotes text that would end the field. */
static void print_field(const char *text)
{
	if (!strpbrk(text, "\",\r\n")) {
		fputs(text, stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

/* A metric of several groups has one column. */
static bool came_before(const struct choice *choice, size_t column)
{
	for (size_t i = 0; i < column; i++)
		if (!strcmp(choice->columns[i].name, choice->columns[column].name))
			return true;
	return false;
}

/* Empty for CPUs. */
static void print_included(const struct included *included)
{
	if (included->known)
		printf(",%lu,%lu", included->cpus, included->nr);
	else
		printf(",,");
}

static void print_answer(const struct view *view, size_t place)
{
	struct answer answer;
	char text[ANSWER_SHORT];

	answer_of_snapshot(&answer, view->snapshot, view->choice, place);
	answer_short(text, &answer);
	putchar(',');
	print_field(text);
}

static void print_header(const struct view *view)
{
	const struct choice *choice = view->choice;

	fputs(view->who ? "time,place,busy,theirs,others,idle,steal,doubt" : "time,place", stdout);
	for (size_t i = 0; i < choice->nr_columns; i++) {
		if (came_before(choice, i))
			continue;
		putchar(',');
		print_field(choice->columns[i].name);
	}
	if (answer_is_chosen(view->choice))
		printf(",answer");
	if (view->included)
		printf(",cpus,included");
	if (view->interval)
		printf(",of_window");
	printf(",%s\n", "simulated");
}

/* Unknown numbers are empty fields. */
static void print_shares(const struct who_share *share)
{
	const struct utilisation *all = &share->all;

	if (all->known)
		printf(",%.1f,%.1f,%.1f,%.1f,%.1f,%.1f", all->busy, share->theirs, share->others,
		       all->idle, all->steal, share->doubt);
	else
		printf(",,%.1f,,,,%.1f", share->theirs, share->doubt);
}

/* The names of columns that cover the window instead of the interval. */
static void print_of_window(const struct view *view, size_t place)
{
	const struct choice *choice = view->choice;
	char *names = NULL;

	for (size_t i = 0; i < choice->nr_columns; i++)
		if (!came_before(choice, i) && view_is_of_window(view, place, i))
			append_text(&names, " ", "%s", choice->columns[i].name);
	putchar(',');
	print_field(names ? names : "");
	free(names);
}

void view_csv(struct view *view)
{
	const struct choice *choice = view->choice;

	if (view->first)
		print_header(view);
	for (size_t i = 0; i < choice->places.nr; i++) {
		size_t place = view->order[i];

		printf("%.3f,%s", view->snapshot->time, choice->places.v[place].name);
		if (view->who)
			print_shares(&view->who->shares[place]);
		for (size_t k = 0; k < choice->nr_columns; k++) {
			if (came_before(choice, k))
				continue;
			putchar(',');
			print_field(snapshot_at(view->snapshot, choice, place, k)->text);
		}
		if (answer_is_chosen(view->choice))
			print_answer(view, place);
		if (view->included)
			print_included(&view->included[place]);
		if (view->interval)
			print_of_window(view, place);
		printf(",%s\n", telemetry_is_simulated() ? "1" : "0");
	}
}
