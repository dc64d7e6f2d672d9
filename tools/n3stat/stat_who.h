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
 * that they did not run. *where is an option that selects the processes in perf and n3stat spe,
 * which the caller frees, or NULL if they are many. Return: whether there is such a CPU.
 */
bool who_find_place(const struct options *options, struct place *place, char **where, FILE *out);

#endif
