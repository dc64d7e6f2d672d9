/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tables of "n3stat spe report". */
#ifndef N3SPE_REPORT_SHEETS_H
#define N3SPE_REPORT_SHEETS_H

#include "sheet.h"
#include "summary.h"

/* Return: the sort key of that name; exits if there is none. */
int spe_order_find(const char *name);

struct spe_lists {
	int order;		/* of spe_order_find(), largest first */
	size_t top;		/* rows of each */
	unsigned char chosen[SPE_SHEETS_MAX];	/* in this order; none: all */
	size_t nr_chosen;
};

/* Names as in "functions,lines", which are cut; exits if a list does not exist. */
void spe_lists_choose(struct spe_lists *lists, char *names);
void spe_add_lists(struct spe_sheets *sheets, const struct spe_summary *summary,
		   const struct spe_lists *lists);

/* The lists that are not sorted. */
void spe_fill_recording(struct spe_sheet *sheet, const struct spe_summary *summary);
void spe_fill_operations(struct spe_sheet *sheet, const struct spe_summary *summary);
void spe_fill_latency(struct spe_sheet *sheet, const struct spe_summary *summary);
void spe_fill_sources(struct spe_sheet *sheet, const struct spe_summary *summary);
void spe_fill_events(struct spe_sheet *sheet, const struct spe_summary *summary);
void spe_fill_losses(struct spe_sheet *sheet, const struct spe_summary *summary);
void spe_fill_limits(struct spe_sheet *sheet, const struct spe_summary *summary);

#endif
