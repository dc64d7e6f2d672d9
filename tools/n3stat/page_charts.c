// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The report's charts: Topdown over time, and any metric over time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "common.h"
#include "page_charts.h"
#include "page_frame.h"

#define MAX_BINS	300
#define TOPDOWN_HEIGHT	260
#define EXTREMES_HEIGHT	56
#define METRIC_HEIGHT	180

/* Some lines of one place in bins: bins[line * nr_bins + bin]. */
struct binned {
	const struct page *page;
	struct cells_sum *bins;
	size_t nr_bins;
};

static struct binned bin_lines(const struct page *page, size_t place, const int *columns, size_t nr)
{
	size_t nr_bins = cells_bins(&page->cells, MAX_BINS);
	struct binned binned = { page, calloc(nr * nr_bins, sizeof(struct cells_sum)), nr_bins };

	if (!binned.bins)
		die(ERR_OUT_OF_MEMORY, "out of memory");
	for (size_t i = 0; i < nr; i++)
		for (size_t bin = 0; bin < nr_bins && columns[i] >= 0; bin++)
			cells_add(&binned.bins[i * nr_bins + bin],
				  cells_line(&page->cells, place, columns[i]),
				  cells_bin(&page->cells, nr_bins, bin),
				  cells_bin(&page->cells, nr_bins, bin + 1));
	return binned;
}

static double left_of(const struct binned *binned, size_t bin)
{
	const struct page *page = binned->page;
	size_t snapshot = cells_bin(&page->cells, binned->nr_bins, bin);

	return frame_x(page, cells_edge(&page->cells, &page->summary, snapshot));
}

static void write_box(const struct frame *frame, const struct binned *binned, size_t bin,
		      double low, double high)
{
	fprintf(frame->page->out, "M%.1f %.1fH%.1fV%.1fH%.1fz", left_of(binned, bin),
		frame_y(frame, low), left_of(binned, bin + 1), frame_y(frame, high),
		left_of(binned, bin));
}

/* Return: whether all four have a number. */
static bool is_whole(const struct binned *binned, size_t bin)
{
	for (size_t i = 0; i < NR_LEVEL_1; i++)
		if (!binned->bins[i * binned->nr_bins + bin].numbers)
			return false;
	return true;
}

static void write_bands(const struct frame *frame, const struct binned *binned)
{
	double *below = calloc(binned->nr_bins, sizeof(*below));

	if (!below)
		die(ERR_OUT_OF_MEMORY, "out of memory");
	for (size_t i = 0; i < NR_LEVEL_1; i++) {
		fprintf(frame->page->out, "<path class=\"band l%zu\" data-metric=\"%s\" d=\"", i,
			level_1[i].metric);
		for (size_t bin = 0; bin < binned->nr_bins; bin++) {
			double mean = fmax(binned->bins[i * binned->nr_bins + bin].mean, 0);

			if (!is_whole(binned, bin))
				continue;
			write_box(frame, binned, bin, below[bin], below[bin] + mean);
			below[bin] += mean;
		}
		fprintf(frame->page->out, "\"><title>%s</title></path>\n", level_1[i].title);
	}
	free(below);
}

/* Means as a line of steps, and what lies between the smallest and the largest. */
static void write_line(const struct frame *frame, const struct binned *binned, size_t line)
{
	const struct cells_sum *bins = &binned->bins[line * binned->nr_bins];
	FILE *out = frame->page->out;
	bool joined = false;

	fputs("<path class=\"extremes\" d=\"", out);
	for (size_t bin = 0; bin < binned->nr_bins; bin++)
		if (bins[bin].numbers > 1)
			write_box(frame, binned, bin, bins[bin].min, bins[bin].max);
	fputs("\"/><path class=\"mean\" d=\"", out);
	for (size_t bin = 0; bin < binned->nr_bins; bin++) {
		if (bins[bin].numbers)
			fprintf(out, joined ? "V%.1f" : "M%.1f %.1f",
				joined ? frame_y(frame, bins[bin].mean) : left_of(binned, bin),
				frame_y(frame, bins[bin].mean));
		joined = bins[bin].numbers;
		if (joined)
			fprintf(out, "H%.1f", left_of(binned, bin + 1));
	}
	fputs("\"/>\n", out);
}

static void write_legend(FILE *out)
{
	fputs("<div class=\"legend\">", out);
	for (size_t i = NR_LEVEL_1; i-- > 0;)
		fprintf(out, "<span><i class=\"l%zu\"></i>%s</span>", i, level_1[i].title);
	fputs("</div>\n", out);
}

/* What a point of a chart is. */
static void write_bin_note(const struct page *page, const char *id)
{
	size_t nr_bins = cells_bins(&page->cells, MAX_BINS);
	size_t per = (page->cells.nr + nr_bins - 1) / nr_bins;

	fprintf(page->out, "<p class=\"bins\" id=\"%s\">", id);
	if (per > 1)
		fprintf(page->out, "A point is the mean of up to %zu snapshots; the pale band "
			"reaches from the smallest of them to the largest.</p>\n", per);
	else
		fputs("A point is one snapshot.</p>\n", page->out);
}

static void write_extremes(const struct page *page, const struct binned *binned,
			   const int columns[NR_LEVEL_1])
{
	size_t last = 0;
	char id[80];

	while (columns[last] < 0)
		last++;
	fputs("<h3>Each share by itself, with its extremes</h3>\n", page->out);
	for (size_t i = NR_LEVEL_1; i-- > 0;) {
		struct frame frame = {
			.page = page, .id = id, .title = level_1[i].title, .high = 100,
			.height = EXTREMES_HEIGHT, .unit = "percent of slots",
		};

		if (columns[i] < 0)
			continue;
		snprintf(id, sizeof(id), "extremes-%s", level_1[i].metric);
		fprintf(page->out, "<p class=\"name\">%s</p>\n", level_1[i].title);
		frame_begin(&frame);
		write_line(&frame, binned, i);
		frame_end(&frame, i == last);
	}
	write_bin_note(page, "extremes-note");
}

/* Return: whether all four were recorded; says which were not. */
static bool has_all(const struct page *page, const int columns[NR_LEVEL_1])
{
	bool all = true;

	for (size_t i = NR_LEVEL_1; i-- > 0;) {
		if (columns[i] >= 0)
			continue;
		fprintf(page->out, all ? "<p class=\"note\" id=\"no-topdown\">Of Topdown level 1 "
			"these were not recorded: %s" : ", %s", level_1[i].metric);
		all = false;
	}
	if (!all)
		fputs(".</p>\n", page->out);
	return all;
}

static void write_topdown(struct page *page, const int columns[NR_LEVEL_1])
{
	struct binned binned = bin_lines(page, recording_main_place(page->recording), columns,
					 NR_LEVEL_1);
	struct frame frame = {
		.page = page, .id = "topdown", .height = TOPDOWN_HEIGHT, .high = 100,
		.title = "Topdown level 1 over time, percent of slots",
		.unit = "percent of slots",
	};

	if (has_all(page, columns)) {
		write_legend(page->out);
		frame_begin(&frame);
		write_bands(&frame, &binned);
		frame_end(&frame, true);
		fputs("<p class=\"bins\">Means, in percent of slots. Gaps: there was no number "
		      "(idle, offline, ...). Parts below 0 are drawn as 0.</p>\n", page->out);
	}
	write_extremes(page, &binned, columns);
	free(binned.bins);
}

void page_topdown(struct page *page)
{
	int columns[NR_LEVEL_1];

	if (page_level_1(page, columns))
		write_topdown(page, columns);
	else
		fputs("<p class=\"note\" id=\"no-topdown\">Topdown level 1 was not recorded "
		      "(<code>n3stat record -g topdown_l1</code>).</p>\n", page->out);
}

static void write_metric(struct page *page, size_t place, int column)
{
	struct binned binned = bin_lines(page, place, &column, 1);
	const struct recording_column *about = &page->recording->columns[column];
	const struct summary_cell *cell = summary_at(&page->summary, place, column);
	struct frame frame = {
		.page = page, .id = "metric", .height = METRIC_HEIGHT, .title = about->name,
		.unit = about->unit,
	};

	frame_fit(&frame, cell->min, cell->max);
	fprintf(page->out, "<p class=\"name\" id=\"metric-name\">");
	page_text(page->out, about->name);
	fprintf(page->out, " of %s%s", page->recording->places.v[place].name,
		*about->unit ? ", " : "");
	page_text(page->out, about->unit);
	fputs("</p>\n", page->out);
	frame_begin(&frame);
	write_line(&frame, &binned, 0);
	frame_end(&frame, true);
	write_bin_note(page, "metric-note");
	free(binned.bins);
}

void page_metric(struct page *page)
{
	size_t place = recording_main_place(page->recording);
	int column = page_any_column(page, page->recording->places.v[place].scope);

	if (column < 0)
		fputs("<p class=\"note\">No metric was recorded.</p>\n", page->out);
	else
		write_metric(page, place, column);
}
