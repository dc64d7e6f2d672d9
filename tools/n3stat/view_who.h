/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* View of the CPUs where threads ran: their share and the CPU's values. */
#ifndef N3STAT_VIEW_WHO_H
#define N3STAT_VIEW_WHO_H

#include "view.h"

void view_who(const struct view *view);

/* Title such as "pid 1 (init), comm sh"; the caller frees it. */
char *who_title(const struct who *who);
/* Explains that the threads did not run. */
void print_not_running(FILE *out, const struct who *who);

#endif
