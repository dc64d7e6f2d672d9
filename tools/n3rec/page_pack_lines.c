// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Selection of the page's lines, and of the ones with every snapshot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "page_pack.h"

#define BINS		500000		/* per line that is not whole */
#define MIN_BINS	60
#define MAX_BINS	600
#define MAX_HALF	10000		/* steps of a half width */

/* Lines get space in this order. */
enum rank { RANK_MAIN, RANK_NODES, RANK_CPUS_FIRST, RANK_CPUS, NR_RANKS };

static bool is_first(const struct page *page, size_t column)
{
	const char *name = page->recording->columns[column].name;

	for (size_t i = 0; i < NR_LEVEL_1; i++)
		if (!strcmp(name, level_1[i].metric))
			return true;
	return !strcmp(name, "ipc");
}

static enum rank rank_of(const struct page *page, size_t main_place, const struct pack_line *line)
{
	if (line->place == main_place)
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

/*
 * A column is whole for all CPUs or for none, as the map shows all of them. Return: for each
 * rank and column, whether it is whole.
 */
static bool *find_whole(const size_t *nr, size_t nr_columns, size_t nr_snapshots, size_t room)
{
	bool *whole = xcalloc(NR_RANKS * nr_columns, sizeof(*whole));

	for (size_t i = 0; i < NR_RANKS * nr_columns; i++) {
		whole[i] = nr[i] * nr_snapshots <= room;
		if (whole[i])
			room -= nr[i] * nr_snapshots;
	}
	return whole;
}

static void choose_whole(struct pack *pack, const struct page *page)
{
	size_t main_place = recording_main_place(page->recording);
	size_t nr_columns = page->cells.nr_columns, binned = 0;
	size_t *at = xreallocarray(NULL, pack->nr_lines, sizeof(*at));
	size_t *nr = xcalloc(NR_RANKS * nr_columns, sizeof(*nr));
	bool *whole;

	for (size_t i = 0; i < pack->nr_lines; i++) {
		at[i] = rank_of(page, main_place, &pack->lines[i]) * nr_columns +
			pack->lines[i].column;
		nr[at[i]]++;
	}
	whole = find_whole(nr, nr_columns, page->cells.nr, page->whole_cells);
	for (size_t i = 0; i < pack->nr_lines; i++) {
		pack->lines[i].whole = whole[at[i]];
		binned += !whole[at[i]];
	}
	pack->nr_bins = cells_bins(&page->cells, !binned ? MAX_BINS :
				   (size_t)fmin(fmax(BINS / (double)binned, MIN_BINS), MAX_BINS));
	free(whole);
	free(nr);
	free(at);
}

static void find_tracks(struct pack *pack, const struct page *page)
{
	int column = recording_find(page->recording, BOTTLENECK_FILE,
				    bottleneck_names[BOTTLENECK_END]);

	pack->track_column = (size_t)column;
	pack->tracks = xreallocarray(NULL, page->cells.nr_places, sizeof(*pack->tracks));
	for (size_t i = 0; column >= 0 && i < page->cells.nr_places; i++)
		if (cells_line(&page->cells, i, pack->track_column))
			pack->tracks[pack->nr_tracks++] = i;
}

void pack_make(struct pack *pack, const struct page *page)
{
	*pack = (struct pack) { 0 };
	find_lines(pack, page);
	choose_whole(pack, page);
	find_tracks(pack, page);
}

void pack_free(struct pack *pack)
{
	free(pack->lines);
	free(pack->tracks);
}
