// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Source lines from a program's debug information. */
#include <assert.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "sorted.h"
#include "symbols.h"

/* Replaces .debug_aranges, which not all compilers write. */
struct range {
	uint64_t start, end;
	Dwarf_Off unit;
};

static_assert(!offsetof(struct range, start));

struct spe_lines {
	Dwarf *dwarf;
	struct range *ranges;
	size_t nr, max;
	bool ready;
};

static void add_range(struct spe_lines *lines, uint64_t start, uint64_t end, Dwarf_Off unit)
{
	/* Code dropped by the linker has address 0. */
	if (!start || end <= start)
		return;
	lines->ranges = xgrow(lines->ranges, lines->nr, &lines->max, sizeof(*lines->ranges));
	lines->ranges[lines->nr++] = (struct range) { start, end, unit };
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

static void read_ranges(struct spe_lines *lines)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	lines->ready = true;
	while (!dwarf_get_units(lines->dwarf, cu, &cu, NULL, NULL, &unit, NULL)) {
		Dwarf_Addr base, start, end;
		ptrdiff_t at = 0;

		if (dwarf_tag(&unit) != DW_TAG_compile_unit)
			continue;
		while ((at = dwarf_ranges(&unit, at, &base, &start, &end)) > 0)
			add_range(lines, start, end, dwarf_dieoffset(&unit));
	}
	if (lines->nr)
		qsort(lines->ranges, lines->nr, sizeof(*lines->ranges), compare_ranges);
}

struct spe_lines *spe_lines_open(Elf *elf, Elf *debug)
{
	struct spe_lines *lines;
	Dwarf *dwarf = debug ? dwarf_begin_elf(debug, DWARF_C_READ, NULL) : NULL;

	if (!dwarf)
		dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!dwarf)
		return NULL;
	lines = xcalloc(1, sizeof(*lines));
	lines->dwarf = dwarf;
	return lines;
}

void spe_lines_close(struct spe_lines *lines)
{
	if (!lines)
		return;
	dwarf_end(lines->dwarf);
	free(lines->ranges);
	free(lines);
}

bool spe_lines_find(struct spe_lines *lines, uint64_t address, const char **file, int *line)
{
	const struct range *range;
	Dwarf_Die unit;
	Dwarf_Line *found;
	size_t nr;

	if (!lines->ready)
		read_ranges(lines);
	nr = sorted_up_to(lines->ranges, lines->nr, sizeof(*lines->ranges), address);
	if (!nr)
		return false;
	range = &lines->ranges[nr - 1];
	if (address >= range->end || !dwarf_offdie(lines->dwarf, range->unit, &unit))
		return false;
	found = dwarf_getsrc_die(&unit, address);
	if (!found || dwarf_lineno(found, line) || !*line)
		return false;
	*file = dwarf_linesrc(found, NULL, NULL);
	return *file;
}
