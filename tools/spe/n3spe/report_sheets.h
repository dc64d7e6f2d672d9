/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tables of "n3stat spe report". */
#ifndef N3SPE_REPORT_SHEETS_H
#define N3SPE_REPORT_SHEETS_H

#include "sheet.h"
#include "summary.h"

/* Return: the sort key of that name, -1 if unknown. */
int spe_order_find(const char *name);

struct spe_lists {
	int order;		/* of spe_order_find(), largest first */
	size_t top;
};

void spe_add_totals(struct spe_sheets *sheets, const struct spe_summary *summary);
void spe_add_lists(struct spe_sheets *sheets, const struct spe_summary *summary,
		   const struct spe_lists *lists);
void spe_add_limits(struct spe_sheets *sheets, const struct spe_summary *summary);
/* Warns on stderr of CPUs that fall silent. */
void spe_losses_warn(const struct spe_recording *recording);

#endif
