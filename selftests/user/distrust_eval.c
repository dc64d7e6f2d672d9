// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Plans without distrusted events, for distrust_test.py. Reads lines of the form
 *
 *	<counters> <event> ...
 *
 * and answers each with lines "set <event> ...", "home <metric> <set>" and
 * "unsupported <metric>" for a plan of all groups with the automatic anchor, then "end".
 */
#include <linux/bitmap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "libn3t/spec.h"

#define LINE_SIZE	16384
#define SEPARATORS	"\n "

static void die(const char *what, const char *which)
{
	fprintf(stderr, "distrust_eval: %s: %s\n", what, which);
	exit(2);
}

static void read_events(unsigned long *distrust)
{
	char *word;
	int event;

	bitmap_zero(distrust, N3T_NR_EVENTS);
	while ((word = strtok(NULL, SEPARATORS))) {
		event = n3t_event_by_name(word);
		if (event < 0)
			die("no such event", word);
		__set_bit(event, distrust);
	}
}

static void answer(const struct n3t_plan *plan)
{
	unsigned int i, k;

	for (i = 0; i < plan->nr_sets; i++) {
		printf("set");
		for (k = 0; k < plan->set[i].nr; k++)
			printf(" %s", n3t_events[n3t_event_by_code(plan->set[i].code[k])].name);
		printf("\n");
	}
	for (i = 0; i < N3T_NR_METRICS; i++) {
		if (plan->set_of[i] != N3T_NO_SET)
			printf("home %s %d\n", n3t_metrics[i].name, plan->set_of[i]);
		if (test_bit(i, plan->unsupported))
			printf("unsupported %s\n", n3t_metrics[i].name);
	}
	puts("end");
}

int main(void)
{
	static const struct n3t_anchors automatic = { .automatic = true };
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS);
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	static char line[LINE_SIZE];
	static struct n3t_plan plan;
	char *word;

	if (n3t_spec_init() || n3t_formula_init())
		return 2;
	bitmap_fill(groups, N3T_NR_GROUPS);
	while (fgets(line, sizeof(line), stdin)) {
		word = strtok(line, SEPARATORS);
		if (!word)
			continue;
		read_events(distrust);
		if (n3t_plan_make(&plan, atoi(word), groups, &automatic, distrust))
			die("no plan", word);
		answer(&plan);
	}
	return 0;
}
