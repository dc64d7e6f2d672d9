/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Common parts of the lists of "n3stat spe report". */
#ifndef N3SPE_REPORT_LISTS_H
#define N3SPE_REPORT_LISTS_H

#include "report_sheets.h"

/* Columns added by spe_add_counts(). */
#define SPE_COUNT_COLUMNS \
	{ "records", "records" }, { SPE_SHARE_KEY, "share %" }, { "latency", "mean cycles" }, \
	{ "loads", "loads" }, { "stores", "stores" }, { "mispredicted", "mispred." }, \
	{ "walks", "walks" }, { "late", "late" }, { "peer", "peer" }, { "source", "source" }

/* An empty list in this order, whose columns begin with SPE_COUNT_COLUMNS. */
struct spe_sheet *spe_list_new(struct spe_sheets *sheets, const char *key, const char *title,
			       const struct spe_column *columns, size_t nr,
			       const struct spe_order *order);

/* With the share of @key, by which the list is sorted, of @all. */
void spe_add_counts(struct spe_sheet *sheet, const struct spe_entry *entry, uint64_t key,
		    uint64_t all);

/* Sum of an order's keys over all records, also those that are in no list. */
uint64_t spe_total(const struct spe_summary *summary, const struct spe_order *order);

/* Return: the non-zero entries, largest first; the caller frees the array. */
struct spe_entry **spe_sorted(const struct spe_table *table, const struct spe_order *order,
			      size_t *nr);

/* Notes the accuracy of a list showing @shown of @nr entries. */
void spe_note_bound(struct spe_sheet *sheet, const struct spe_table *table, size_t shown,
		    size_t nr);

/* Return: "function+0x10"; the caller frees it. */
char *spe_code_name(struct spe_resolver *resolver, uint32_t owner, uint64_t address);

#endif
