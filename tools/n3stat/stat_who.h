/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat --pid, --comm, --cgroup: from a program to the CPUs where it runs. */
#ifndef N3STAT_STAT_WHO_H
#define N3STAT_STAT_WHO_H

#include "cli/options.h"
#include "view.h"

/* Prints what was measured, again and again if that is wanted; print: NULL for a table. */
void stat_who(const struct options *options, const struct view *of,
	      void (*print)(const struct view *view));
/*
 * The CPU where they ran most, of those that are measured, with a line that says so; none
 * and a line about that if they did not run. Return: whether there is one.
 */
bool who_find_place(const struct options *options, struct place *place, FILE *out);

#endif
