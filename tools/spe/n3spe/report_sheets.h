/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tables of "n3stat spe report". */
#ifndef N3SPE_REPORT_SHEETS_H
#define N3SPE_REPORT_SHEETS_H

#include "sheet.h"
#include "summary.h"

/* Sort key of a list: largest first. */
struct spe_order {
	const char *name;
	const char *share;	/* heading of the shares of all keys */
	uint64_t (*key)(const struct spe_entry *entry);
};

/* Return: NULL for an unknown name. */
const struct spe_order *spe_order_find(const char *name);

struct spe_lists {
	const struct spe_order *order;
	size_t top;
};

void spe_add_totals(struct spe_sheets *sheets, const struct spe_summary *summary);
void spe_add_code(struct spe_sheets *sheets, const struct spe_summary *summary,
		  const struct spe_lists *lists);
void spe_add_data(struct spe_sheets *sheets, const struct spe_summary *summary,
		  const struct spe_lists *lists);
void spe_add_limits(struct spe_sheets *sheets, const struct spe_summary *summary);

#endif
