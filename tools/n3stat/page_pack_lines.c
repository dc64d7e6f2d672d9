// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Which lines of the recording the page has, and which of them with every snapshot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "common.h"
#include "page_pack.h"

#define BINS		500000		/* of all that is not */
#define MIN_BINS	60
#define MAX_BINS	600
#define MAX_HALF	10000		/* steps of a half width */

/* In this order lines get what room there is. */
enum rank { RANK_MAIN, RANK_NODES, RANK_CPUS_FIRST, RANK_CPUS, NR_RANKS };

static bool is_first(const struct page *page, size_t column)
{
	const char *name = page->recording->columns[column].name;

	for (size_t i = 0; i < NR_LEVEL_1; i++)
		if (!strcmp(name, level_1[i].metric))
			return true;
	return !strcmp(name, "ipc");
}

static enum rank rank_of(const struct page *page, const struct pack_line *line)
{
	if (line->place == recording_main_place(page->recording))
		return RANK_MAIN;
	if (page->recording->places.v[line->place].scope != SCOPE_CPU)
		return RANK_NODES;
	return is_first(page, line->column) ? RANK_CPUS_FIRST : RANK_CPUS;
}

static void scale(struct pack_line *line, const struct summary_cell *cell)
{
	line->low = cell->numbers ? cell->min : 0;
	line->step = page_round_up((cell->max - line->low) / (PACK_WORDS - 2));
	line->half_step = page_round_up(cell->widest / MAX_HALF);
	line->widest = cell->widest;
}

static void find_lines(struct pack *pack, const struct page *page)
{
	const struct cells *cells = &page->cells;

	for (size_t place = 0; place < cells->nr_places; place++) {
		for (size_t column = 0; column < cells->nr_columns; column++) {
			struct pack_line line = { .place = place, .column = column };

			if (!cells_line(cells, place, column) ||
			    !recording_has_values(page->recording, column))
				continue;
			scale(&line, summary_at(&page->summary, place, column));
			pack->lines = xreallocarray(pack->lines, pack->nr_lines + 1,
						    sizeof(line));
			pack->lines[pack->nr_lines++] = line;
		}
	}
}

/* A column of all CPUs is whole, or of none: a map of some would be odd. */
static size_t choose_column(struct pack *pack, const struct page *page, enum rank rank,
			    size_t column, size_t room)
{
	size_t nr = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < pack->nr_lines; i++) {
			struct pack_line *line = &pack->lines[i];

			if (line->column != column || rank_of(page, line) != rank)
				continue;
			if (pass)
				line->whole = true;
			else
				nr++;
		}
		if (nr * page->cells.nr > room)
			return 0;
	}
	return nr * page->cells.nr;
}

static void choose_whole(struct pack *pack, const struct page *page)
{
	size_t room = page->whole_cells, binned = 0;

	for (enum rank rank = 0; rank < NR_RANKS; rank++)
		for (size_t column = 0; column < page->cells.nr_columns; column++)
			room -= choose_column(pack, page, rank, column, room);
	for (size_t i = 0; i < pack->nr_lines; i++)
		binned += !pack->lines[i].whole;
	pack->nr_bins = cells_bins(&page->cells, !binned ? MAX_BINS :
				   (size_t)fmin(fmax(BINS / (double)binned, MIN_BINS), MAX_BINS));
}

void pack_make(struct pack *pack, const struct page *page)
{
	*pack = (struct pack) { 0 };
	find_lines(pack, page);
	choose_whole(pack, page);
	pack->tracks = xreallocarray(NULL, page->cells.nr_places, sizeof(*pack->tracks));
	for (size_t i = 0; i < page->cells.nr_places; i++)
		if (page->cells.path_at[i])
			pack->tracks[pack->nr_tracks++] = i;
}

void pack_free(struct pack *pack)
{
	free(pack->lines);
	free(pack->tracks);
}
