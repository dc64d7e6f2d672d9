/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The CPUs where threads ran: shares of each, and what the module tells of it. */
#ifndef N3STAT_VIEW_WHO_H
#define N3STAT_VIEW_WHO_H

#include "view.h"

void view_who(const struct view *view);

/* Who it is: "pid 1 (init), comm sh". To be freed. */
char *who_title(const struct who *who);
/* They did not run: what that says. */
void print_not_running(FILE *out, const struct who *who);

#endif
