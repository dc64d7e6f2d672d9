// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The report's map of CPUs and time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "common.h"
#include "page_frame.h"
#include "page_heat.h"

#define MAX_BINS	120
#define FEW_ROWS	16
#define LEFT_OUT	14	/* pixels between names */

struct heat {
	struct page *page;
	size_t *cpus;
	size_t nr;
	size_t per_row;
	size_t nr_rows;
	size_t nr_bins;
	int column;
	double top;
	double row_height;
};

const char *heat_word_class(const char *word)
{
	static const char * const known[] = { "idle", "offline", "contended", "disabled" };

	for (size_t i = 0; i < NR(known); i++)
		if (!strcmp(word, known[i]))
			return known[i];
	return strcmp(word, NO_VALUE) ? "other" : "none";
}

double heat_top(const struct page *page, size_t column)
{
	double max = 0;

	if (!strncmp(page->recording->columns[column].unit, "percent", strlen("percent")))
		return 100;
	for (size_t i = 0; i < page->recording->places.nr; i++)
		if (page->recording->places.v[i].scope == SCOPE_CPU)
			max = fmax(max, summary_at(&page->summary, i, column)->max);
	return page_round_up(max);
}

static bool is_shown(const struct page *page, size_t column)
{
	return recording_has_values(page->recording, column) &&
	       page_has_line(page, SCOPE_CPU, column);
}

/* Backend bound, another of level 1, or what else there is. */
static int choose_column(const struct page *page)
{
	int columns[NR_LEVEL_1];

	page_level_1(page, columns);
	for (size_t i = NR_LEVEL_1; i-- > 0;)
		if (columns[i] >= 0 && is_shown(page, (size_t)columns[i]))
			return columns[i];
	return page_any_column(page, SCOPE_CPU);
}

/* A shade, or behind these the number of a word. */
static size_t kind_of(const struct heat *heat, size_t row, size_t bin)
{
	const struct cells *cells = &heat->page->cells;
	struct cells_sum sum = { 0 };
	double share;

	for (size_t i = row * heat->per_row; i < (row + 1) * heat->per_row && i < heat->nr; i++)
		cells_add(&sum, cells_line(cells, heat->cpus[i], (size_t)heat->column),
			  cells_bin(cells, heat->nr_bins, bin),
			  cells_bin(cells, heat->nr_bins, bin + 1));
	if (!sum.numbers)
		return HEAT_SHADES + sum.word;
	share = fmin(fmax(sum.max / heat->top, 0), 0.999);
	return (size_t)(share * HEAT_SHADES);
}

static double left_of(const struct heat *heat, size_t bin)
{
	const struct page *page = heat->page;

	return frame_x(page, cells_edge(&page->cells, &page->summary,
					cells_bin(&page->cells, heat->nr_bins, bin)));
}

/* Neighbours of the same kind are one box. */
static void write_kind(const struct heat *heat, const size_t *kinds, size_t kind)
{
	FILE *out = heat->page->out;
	size_t to;

	for (size_t row = 0; row < heat->nr_rows; row++) {
		const size_t *line = &kinds[row * heat->nr_bins];

		for (size_t bin = 0; bin < heat->nr_bins; bin = to) {
			for (to = bin + 1; to < heat->nr_bins && line[to] == line[bin]; to++)
				;
			if (line[bin] == kind)
				fprintf(out, "M%.1f %.1fH%.1fv%.1fH%.1fz", left_of(heat, bin),
					heat->row_height * (double)row, left_of(heat, to),
					heat->row_height, left_of(heat, bin));
		}
	}
}

static void write_kinds(const struct heat *heat)
{
	size_t *kinds = xreallocarray(NULL, heat->nr_rows * heat->nr_bins, sizeof(*kinds));
	const struct cells *cells = &heat->page->cells;
	bool seen[HEAT_SHADES + CELLS_MAX_WORDS] = { false };

	for (size_t i = 0; i < heat->nr_rows * heat->nr_bins; i++) {
		kinds[i] = kind_of(heat, i / heat->nr_bins, i % heat->nr_bins);
		seen[kinds[i]] = true;
	}
	for (size_t kind = 0; kind < HEAT_SHADES + cells->nr_words; kind++) {
		if (!seen[kind])
			continue;
		if (kind < HEAT_SHADES)
			fprintf(heat->page->out, "<path class=\"h%zu\" d=\"", kind);
		else
			fprintf(heat->page->out, "<path class=\"w-%s\" d=\"",
				heat_word_class(cells->words[kind - HEAT_SHADES]));
		write_kind(heat, kinds, kind);
		fputs("\"/>\n", heat->page->out);
	}
	free(kinds);
}

static void write_rows(const void *of)
{
	const struct heat *heat = of;
	const struct places *places = &heat->page->recording->places;
	size_t step = 1 + (size_t)(LEFT_OUT / heat->row_height);
	double height = heat->row_height * (double)heat->nr_rows;

	fputs("<div class=\"values\">", heat->page->out);
	for (size_t row = 0; row < heat->nr_rows; row += step) {
		size_t last = (row + 1) * heat->per_row - 1;

		fprintf(heat->page->out, "<span style=\"top:%.2f%%\">%s",
			heat->row_height * ((double)row + 0.5) / height * 100,
			places->v[heat->cpus[row * heat->per_row]].name);
		if (heat->per_row > 1)
			fprintf(heat->page->out, "-%u",
				places->v[heat->cpus[last < heat->nr ? last : heat->nr - 1]].id);
		fputs("</span>", heat->page->out);
	}
	fputs("</div>", heat->page->out);
}

/* Words of any CPU, as often as a reader may come upon them in the map. */
static void find_words(const struct heat *heat, bool seen[CELLS_MAX_WORDS])
{
	const struct cells *cells = &heat->page->cells;

	for (size_t i = 0; i < heat->nr; i++) {
		for (size_t column = 0; column < cells->nr_columns; column++) {
			const struct cells_line *line = cells_line(cells, heat->cpus[i], column);

			if (!line || !recording_has_values(heat->page->recording, column))
				continue;
			for (size_t k = line->from; k < cells->nr; k++)
				if (isnan(line->value[k]))
					seen[(size_t)line->half[k]] = true;
		}
	}
}

static void write_legend(const struct heat *heat)
{
	const struct recording_column *column = &heat->page->recording->columns[heat->column];
	const struct cells *cells = &heat->page->cells;
	bool seen[CELLS_MAX_WORDS] = { false };
	FILE *out = heat->page->out;

	fputs("<div class=\"legend\" id=\"heat-legend\"><span id=\"heat-unit\">", out);
	page_text(out, *column->unit ? column->unit : column->name);
	fputs(":</span>", out);
	for (int i = 0; i < HEAT_SHADES; i++)
		fprintf(out, "%s<span><i class=\"h%d\"></i><b>%g</b>", i ? "</span>" : "", i,
			heat->top * i / HEAT_SHADES);
	fprintf(out, " to <b>%g</b></span>", heat->top);
	find_words(heat, seen);
	for (size_t i = 0; i < cells->nr_words; i++) {
		if (!seen[i])
			continue;
		fprintf(out, "<span><i class=\"w-%s\"></i>", heat_word_class(cells->words[i]));
		page_text(out, i ? cells->words[i] : "not recorded");
		fputs("</span>", out);
	}
	fputs("</div>\n", out);
}

/* What a cell of the map is. */
static void write_note(const struct heat *heat)
{
	size_t per = (heat->page->cells.nr + heat->nr_bins - 1) / heat->nr_bins;

	fputs("<p class=\"bins\" id=\"heat-note\">", heat->page->out);
	if (per > 1)
		fprintf(heat->page->out, "A cell has the shade of the largest of up to %zu "
			"snapshots. ", per);
	else
		fputs("A cell is one snapshot. ", heat->page->out);
	if (heat->per_row > 1)
		fprintf(heat->page->out, "A row is %zu CPUs and shows the largest of them. ",
			heat->per_row);
	fputs("</p>\n", heat->page->out);
}

static void write_map(const struct heat *heat, const char *id)
{
	struct frame frame = {
		.page = heat->page, .id = id, .write_labels = write_rows, .of = heat,
		.title = "One metric of every CPU over time", .unit = "",
		.height = heat->row_height * (double)heat->nr_rows,
	};

	frame_begin(&frame);
	write_kinds(heat);
	frame_end(&frame, true);
}

/* For browsers without scripts: the script has a list to choose from instead. */
static void write_others(const struct heat *heat)
{
	struct heat other = *heat;
	int columns[NR_LEVEL_1];
	char id[80];

	page_level_1(heat->page, columns);
	for (size_t i = NR_LEVEL_1; i-- > 0;) {
		if (columns[i] < 0 || columns[i] == heat->column ||
		    !is_shown(heat->page, (size_t)columns[i]))
			continue;
		other.column = columns[i];
		other.top = heat_top(heat->page, (size_t)columns[i]);
		snprintf(id, sizeof(id), "heat-%s", level_1[i].metric);
		fprintf(heat->page->out, "<details class=\"static\"><summary>%s</summary>\n",
			level_1[i].metric);
		write_map(&other, id);
		fputs("</details>\n", heat->page->out);
	}
}

static void write_heat(const struct heat *heat)
{
	const struct recording_column *column = &heat->page->recording->columns[heat->column];

	fputs("<p class=\"name\" id=\"heat-name\">", heat->page->out);
	page_text(heat->page->out, column->name);
	fputs("</p>\n", heat->page->out);
	write_legend(heat);
	write_map(heat, "heat");
	write_note(heat);
	write_others(heat);
}

static size_t find_cpus(const struct recording *recording, size_t *cpus)
{
	size_t nr = 0;

	for (size_t i = 0; i < recording->places.nr; i++)
		if (recording->places.v[i].scope == SCOPE_CPU)
			cpus[nr++] = i;
	return nr;
}

void page_heat_map(struct page *page)
{
	struct heat heat = { .page = page, .column = choose_column(page) };

	heat.cpus = xreallocarray(NULL, page->recording->places.nr, sizeof(*heat.cpus));
	heat.nr = find_cpus(page->recording, heat.cpus);
	if (heat.nr && heat.column >= 0) {
		heat.per_row = (heat.nr + HEAT_ROWS - 1) / HEAT_ROWS;
		heat.nr_rows = (heat.nr + heat.per_row - 1) / heat.per_row;
		heat.nr_bins = cells_bins(&page->cells, MAX_BINS);
		heat.row_height = heat.nr_rows <= FEW_ROWS ? 20 :
				  fmax(round(320.0 / (double)heat.nr_rows), 5);
		heat.top = heat_top(page, (size_t)heat.column);
		write_heat(&heat);
	} else {
		fputs("<p>No CPU was recorded.</p>\n", page->out);
	}
	free(heat.cpus);
}
