/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Values of the CPUs where a program runs. */
#ifndef N3STAT_STAT_WHO_H
#define N3STAT_STAT_WHO_H

#include "view.h"

/*
 * --pid, --comm, --cgroup: values of the CPUs where a program runs. Measures and prints,
 * repeatedly if requested; print: NULL for a table.
 */
void stat_who(const struct options *options, const struct view *base,
	      void (*print)(struct view *view));
/*
 * Finds the measured CPU where the threads ran most, and prints a line about it, or a line
 * that they did not run. Return: whether there is one.
 */
bool who_find_place(const struct options *options, struct place *place, FILE *out);

#endif
