// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The report's charts: Topdown over time, and CPUs over time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "common.h"
#include "page_charts.h"

#define WIDTH		960
#define LEFT		70
#define RIGHT		10
#define TOP		10
#define BOTTOM		40
#define PLOT_WIDTH	(WIDTH - LEFT - RIGHT)
#define TOPDOWN_HEIGHT	260

#define MAX_BINS	300
#define MAX_HEAT_BINS	120
#define MAX_HEAT_ROWS	128
#define NR_SHADES	9

/* From light to dark blue-green in even steps of lightness: it reads without colour. */
static const char * const shades[NR_SHADES] = {
	"#f0f9e8", "#dcf0d6", "#c5e6bf", "#a8ddb5", "#7bccc4", "#4eb3d3", "#2b8cbe", "#0868ac",
	"#084081"
};

static double x_of(const struct series *series, size_t bin)
{
	double first = series->time[0];
	double span = series->time[series->nr_bins - 1] - first;

	if (span <= 0)
		return LEFT;
	return LEFT + PLOT_WIDTH * (series->time[bin] - first) / span;
}

static void write_time_axis(const struct page *page, const struct series *series, double y)
{
	double span = series->time[series->nr_bins - 1] - series->time[0];
	FILE *out = page->out;

	for (int i = 0; i <= 4; i++) {
		const char *anchor = i == 0 ? "start" : i == 4 ? "end" : "middle";

		if (i && span <= 0)
			break;
		fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
			LEFT + PLOT_WIDTH * i / 4, y + 16, anchor,
			page_time(series->time[0] + span * i / 4));
	}
	fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">time since the "
		"start</text>\n",
		LEFT + PLOT_WIDTH / 2, y + 32);
}

static double y_of(double percent)
{
	return TOP + TOPDOWN_HEIGHT * (1 - fmin(fmax(percent, 0), 100) / 100);
}

/* The height of the lower edge of a band: all below it; NAN where one is missing. */
static double edge(const struct series *series, size_t bin, size_t line)
{
	double sum = 0;

	for (size_t i = 0; i < series->nr_lines; i++)
		if (isnan(series->v[i * series->nr_bins + bin]))
			return NAN;
	for (size_t i = 0; i < line; i++)
		sum += fmax(series->v[i * series->nr_bins + bin], 0);
	return sum;
}

/* One stretch without a gap, from one bin up to before another. */
static void write_band(FILE *out, const struct series *series, size_t line, size_t from,
		       size_t to)
{
	fprintf(out, "M");
	for (size_t i = from; i < to; i++)
		fprintf(out, "%.1f %.1f ", x_of(series, i), y_of(edge(series, i, line + 1)));
	/* A lone snapshot still has to be seen. */
	if (to - from == 1)
		fprintf(out, "h3 ");
	for (size_t i = to; i-- > from;)
		fprintf(out, "%s%.1f %.1f ", i == to - 1 ? "L" : "",
			x_of(series, i) + (to - from == 1 ? 3 : 0),
			y_of(edge(series, i, line)));
	if (to - from == 1)
		fprintf(out, "h-3 ");
	fprintf(out, "Z");
}

static void write_bands(FILE *out, const struct series *series, size_t line)
{
	size_t from = 0, to;

	fprintf(out, "<path class=\"band\" id=\"band-%s\" fill=\"%s\" d=\"", level_1[line].metric,
		level_1[line].colour);
	while (from < series->nr_bins) {
		if (isnan(edge(series, from, 0))) {
			from++;
			continue;
		}
		for (to = from + 1; to < series->nr_bins && !isnan(edge(series, to, 0)); to++)
			;
		write_band(out, series, line, from, to);
		from = to;
	}
	fprintf(out, "\"><title>%s</title></path>\n", level_1[line].title);
}

static void write_legend(FILE *out)
{
	fputs("<div class=\"legend\">", out);
	for (size_t i = NR_LEVEL_1; i-- > 0;)
		fprintf(out, "<span><i style=\"background:%s\"></i>%s</span>", level_1[i].colour,
			level_1[i].title);
	fputs("</div>\n", out);
}

void page_topdown(struct page *page)
{
	size_t place = recording_main_place(page->recording);
	int columns[NR_LEVEL_1];
	struct series series;
	FILE *out = page->out;

	for (size_t i = 0; i < NR_LEVEL_1; i++)
		columns[i] = recording_column(page->recording,
					      catalog_find_metric(level_1[i].metric));
	series_of_columns(&series, &page->summary, page->recording, place, columns, NR_LEVEL_1,
			  MAX_BINS);
	write_legend(out);
	fprintf(out, "<svg id=\"topdown\" viewBox=\"0 0 %d %d\" role=\"img\" "
		"aria-label=\"Topdown level 1 over time, percent of slots\">\n",
		WIDTH, TOP + TOPDOWN_HEIGHT + BOTTOM);
	for (int percent = 0; percent <= 100; percent += 25)
		fprintf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" "
			"stroke=\"#ccc\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d "
			"%%</text>\n",
			LEFT, WIDTH - RIGHT, y_of(percent), y_of(percent), LEFT - 6,
			y_of(percent) + 4, percent);
	fprintf(out, "<text transform=\"translate(14 %d) rotate(-90)\" "
		"text-anchor=\"middle\">share of slots</text>\n",
		TOP + TOPDOWN_HEIGHT / 2);
	for (size_t i = 0; i < NR_LEVEL_1 && series.nr_bins; i++)
		write_bands(out, &series, i);
	if (series.nr_bins) {
		fprintf(out, "<rect id=\"mark\" data-left=\"%d\" data-width=\"%d\" x=\"%d\" "
			"width=\"%d\" y=\"%d\" height=\"4\" fill=\"#1a1a1a\"/>\n",
			LEFT, PLOT_WIDTH, LEFT, PLOT_WIDTH, TOP + TOPDOWN_HEIGHT);
		write_time_axis(page, &series, TOP + TOPDOWN_HEIGHT + 4);
	}
	fputs("</svg>\n<p>White gaps: there was no number (idle, offline, ...). Parts below 0 "
		"are drawn as 0.</p>\n",
	      out);
	series_free(&series);
}

/* A place of the kind that the heat map is about. */
static size_t find_cpus(const struct recording *recording, size_t *cpus)
{
	size_t nr = 0;

	for (size_t i = 0; i < recording->places.nr; i++)
		if (recording->places.v[i].scope == SCOPE_CPU)
			cpus[nr++] = i;
	return nr;
}

/* The left edge of a bin's cell, halfway between two snapshots. */
static double left_of(const struct series *series, size_t bin)
{
	if (bin == 0)
		return LEFT;
	if (bin == series->nr_bins)
		return LEFT + PLOT_WIDTH;
	return (x_of(series, bin - 1) + x_of(series, bin)) / 2;
}

/* All cells of a shade are one path. */
static void write_shade(FILE *out, const struct series *series, int shade, double row_height)
{
	bool any = false;
	double width;

	for (size_t line = 0; line < series->nr_lines; line++) {
		for (size_t bin = 0; bin < series->nr_bins; bin++) {
			double v = series->v[line * series->nr_bins + bin];

			if (isnan(v) || (int)(fmin(fmax(v, 0), 99.9) * NR_SHADES / 100) != shade)
				continue;
			if (!any)
				fprintf(out, "<path fill=\"%s\" d=\"", shades[shade]);
			any = true;
			width = left_of(series, bin + 1) - left_of(series, bin);
			fprintf(out, "M%.1f %.1fh%.1fv%.1fh-%.1fz", left_of(series, bin),
				TOP + row_height * (double)line, width, row_height, width);
		}
	}
	if (any)
		fputs("\"/>\n", out);
}

static void write_rows_axis(const struct page *page, const size_t *cpus, size_t nr,
			    size_t per_line, double row_height)
{
	size_t lines = (nr + per_line - 1) / per_line;
	size_t step = 1 + (size_t)(14 / row_height);

	for (size_t line = 0; line < lines; line += step) {
		size_t last = (line + 1) * per_line - 1;
		const struct place *place = &page->recording->places.v[cpus[line * per_line]];

		fprintf(page->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s", LEFT - 6,
			TOP + row_height * ((double)line + 0.5) + 4, place->name);
		if (per_line > 1)
			fprintf(page->out, "-%u",
				page->recording->places.v[cpus[last < nr ? last : nr - 1]].id);
		fputs("</text>\n", page->out);
	}
}

static void write_shades(FILE *out)
{
	fputs("<div class=\"legend\"><span>share of slots:</span>", out);
	for (int i = 0; i < NR_SHADES; i++)
		fprintf(out, "<span><i style=\"background:%s\"></i>%d%s</span>", shades[i],
			i * 100 / NR_SHADES, i == NR_SHADES - 1 ? " to 100 %" : "");
	fputs("<span><i class=\"none\"></i>no number</span></div>\n", out);
}

static void write_heat(struct page *page, const size_t *cpus, size_t nr)
{
	size_t per_line = (nr + MAX_HEAT_ROWS - 1) / MAX_HEAT_ROWS;
	size_t lines = (nr + per_line - 1) / per_line;
	double row_height = lines <= 16 ? 20 : fmax(320.0 / (double)lines, 5);
	double height = row_height * (double)lines;
	struct series series;

	fprintf(page->out, "<svg id=\"heat\" viewBox=\"0 0 %d %.0f\" role=\"img\" "
		"aria-label=\"One Topdown share of every CPU over time\">\n<pattern id=\"none\" "
		"width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path d=\"M0 6L6 0\" "
		"stroke=\"#aaa\"/></pattern>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" "
		"height=\"%.1f\" fill=\"url(#none)\" stroke=\"#888\"/>\n",
		WIDTH, TOP + height + BOTTOM, LEFT, TOP, PLOT_WIDTH, height);
	for (size_t i = NR_LEVEL_1; i-- > 0;) {
		int column = recording_column(page->recording,
					      catalog_find_metric(level_1[i].metric));

		series_of_places(&series, &page->summary, page->recording, cpus, nr, per_line,
				 column, MAX_HEAT_BINS);
		fprintf(page->out, "<g class=\"heat\" data-metric=\"%s\"%s>\n", level_1[i].metric,
			i == NR_LEVEL_1 - 1 ? "" : " display=\"none\"");
		for (int shade = 0; shade < NR_SHADES; shade++)
			write_shade(page->out, &series, shade, row_height);
		fputs("</g>\n", page->out);
		if (i == 0 && series.nr_bins)
			write_time_axis(page, &series, TOP + height);
		series_free(&series);
	}
	write_rows_axis(page, cpus, nr, per_line, row_height);
	fputs("</svg>\n", page->out);
}

void page_heat_map(struct page *page)
{
	size_t *cpus = xreallocarray(NULL, page->recording->places.nr, sizeof(*cpus));
	size_t nr = find_cpus(page->recording, cpus);

	if (nr) {
		fputs("<p class=\"choose\"><label>Show <select id=\"heat-choose\">", page->out);
		for (size_t i = NR_LEVEL_1; i-- > 0;)
			fprintf(page->out, "<option value=\"%s\">%s</option>", level_1[i].metric,
				level_1[i].title);
		fputs("</select></label></p>\n", page->out);
		write_shades(page->out);
		write_heat(page, cpus, nr);
	} else {
		fputs("<p>No CPU was recorded.</p>\n", page->out);
	}
	free(cpus);
}
