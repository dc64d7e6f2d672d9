// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A chart of the report without what is in it: axes and labels. */
#include <math.h>
#include <string.h>

#include "common.h"
#include "page_frame.h"

#define MAX_TICKS	10
#define HIGH_ENOUGH	100	/* pixels, for more than three lines */

/* The same as in page_charts.js. */
static const double steps[] = {
	0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800,
	21600, 43200, 86400
};

static double time_step(double span)
{
	for (size_t i = 0; i < NR(steps); i++)
		if (span / steps[i] <= MAX_TICKS)
			return steps[i];
	return 86400 * ceil(span / 86400 / MAX_TICKS);
}

static double begin_of(const struct page *page)
{
	return page->cells.time[0];
}

double frame_x(const struct page *page, double time)
{
	double span = page_end(page) - begin_of(page);

	return FRAME_WIDTH * fmin(fmax((time - begin_of(page)) / span, 0), 1);
}

double frame_y(const struct frame *frame, double value)
{
	double inside = fmin(fmax(value, frame->low), frame->high);

	return frame->height * (frame->high - inside) / (frame->high - frame->low);
}

void frame_fit(struct frame *frame, double min, double max)
{
	bool percent = !strncmp(frame->unit, "percent", strlen("percent"));

	frame->low = min < 0 ? -page_round_up(-min) : 0;
	frame->high = percent && max > 20 && max <= 100 ? 100 : page_round_up(fmax(max, TINY));
}

/* Every second label gives way where there is little room, and more of those with tenths. */
static void write_times(const struct page *page)
{
	double span = page_end(page) - begin_of(page), step = time_step(span);
	double first = ceil(begin_of(page) / step - TINY);
	FILE *out = page->out;

	fprintf(out, "<div class=\"times%s\">", step < 1 ? " fine" : "");
	for (double i = first; i * step <= page_end(page) + step * TINY; i++)
		fprintf(out, "<span%s style=\"left:%.2f%%\">%s</span>",
			fmod(i - first, 2) > 0 ? " class=\"minor\"" : "",
			frame_x(page, i * step) / FRAME_WIDTH * 100,
			page_time(i * step, page_end(page), step < 1));
	fputs("</div>\n", out);
}

static size_t nr_parts(const struct frame *frame)
{
	return frame->low < 0 ? 1 : frame->height >= HIGH_ENOUGH ? 4 : 2;
}

static double value_at(const struct frame *frame, size_t i)
{
	return frame->low + (frame->high - frame->low) * (double)i / (double)nr_parts(frame);
}

static void write_values(const struct frame *frame)
{
	const char *sign = !strncmp(frame->unit, "percent", strlen("percent")) ? " %" : "";
	FILE *out = frame->page->out;

	fputs("<div class=\"values\">", out);
	for (size_t i = 0; i <= nr_parts(frame); i++)
		fprintf(out, "<span style=\"top:%.1f%%\">%g%s</span>",
			frame_y(frame, value_at(frame, i)) / frame->height * 100,
			value_at(frame, i), sign);
	if (frame->low < 0)
		fprintf(out, "<span style=\"top:%.1f%%\">0</span>",
			frame_y(frame, 0) / frame->height * 100);
	fputs("</div>", out);
}

void frame_begin(const struct frame *frame)
{
	FILE *out = frame->page->out;

	fprintf(out, "<div class=\"chart\" id=\"%s\">", frame->id);
	if (frame->write_labels)
		frame->write_labels(frame->of);
	else
		write_values(frame);
	fprintf(out, "<div class=\"plot\" style=\"height:%.0fpx\"><svg viewBox=\"0 0 %d %.0f\" "
		"preserveAspectRatio=\"none\" role=\"img\" aria-label=\"", frame->height,
		FRAME_WIDTH, frame->height);
	page_text(out, frame->title);
	fputs("\">\n", out);
	for (size_t i = 0; i <= nr_parts(frame) && !frame->write_labels; i++)
		fprintf(out, "<path class=\"grid\" d=\"M0 %.1fH%d\"/>",
			frame_y(frame, value_at(frame, i)), FRAME_WIDTH);
}

void frame_end(const struct frame *frame, bool time_axis)
{
	fputs("</svg></div>", frame->page->out);
	if (time_axis)
		write_times(frame->page);
	fputs("</div>\n", frame->page->out);
}
