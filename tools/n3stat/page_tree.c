// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The report's tree, of the main place and the whole span; the script does others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "common.h"
#include "page_tree.h"
#include "path.h"
#include "texts.h"

#define MAX_NODES	64
#define NOT_RECORDED	"not recorded"

struct tree {
	struct page *page;
	size_t place;
	struct path path;
	struct value values[MAX_NODES];
	int metrics[MAX_NODES];
	unsigned int depth[MAX_NODES];
	size_t nr;
	unsigned long recorded;	/* snapshots with the module's own path */
	unsigned long through[MAX_NODES];
};

static const struct value *value_in(const void *of, int metric)
{
	const struct tree *tree = of;

	for (size_t i = 0; i < tree->nr; i++)
		if (tree->metrics[i] == metric)
			return &tree->values[i];
	return NULL;
}

static void collect(struct tree *tree, int metric, unsigned int depth)
{
	const struct summary *summary = &tree->page->summary;
	int below[16];
	size_t nr = path_below(metric, below, NR(below));

	for (size_t i = 0; i < nr && tree->nr < MAX_NODES; i++) {
		int column = recording_column(tree->page->recording, below[i]);
		struct value value = value_of_text(NOT_RECORDED);

		if (column >= 0)
			value = summary_value(summary, summary_at(summary, tree->place, column));
		tree->metrics[tree->nr] = below[i];
		tree->depth[tree->nr] = depth;
		tree->values[tree->nr++] = value;
		collect(tree, below[i], depth + 1);
	}
}

static void count_paths(struct tree *tree)
{
	const struct cells *cells = &tree->page->cells;
	const uint16_t *track = cells->path_at[tree->place];

	for (size_t k = 0; track && k < cells->nr; k++) {
		tree->recorded += track[k] != 0;
		for (size_t i = 0; track[k] && i < tree->nr; i++)
			tree->through[i] += path_holds(&cells->paths[track[k] - 1],
						       tree->metrics[i]);
	}
}

/*
 * The module's path: where it led more often than not. That is one path: at most one of
 * several is taken more often than not, and what leads to it is taken as often.
 */
static void path_of_most(struct tree *tree)
{
	tree->path = (struct path) { .undecided = { -1, -1 }, .minor = -1 };
	for (size_t i = 0; i < tree->nr && tree->path.nr < PATH_DEPTH; i++)
		if (2 * tree->through[i] > tree->recorded)
			tree->path.metrics[tree->path.nr++] = tree->metrics[i];
	path_set_share(&tree->path, value_in, tree);
}

static void write_node(const struct tree *tree, size_t i)
{
	const struct value *value = &tree->values[i];
	double error = value_error(value);
	const char *name = catalog_metric_name(tree->metrics[i]);
	const char *path = path_holds(&tree->path, tree->metrics[i]) ? "path" : "";
	FILE *out = tree->page->out;
	char number[40] = "-", range[40] = "";
	bool tells = value->has_range &&
		     value_range_tells(value->low, value->high,
				       catalog_metric(tree->metrics[i]).unit);
	double low, high;

	if (value->is_number)
		snprintf(number, sizeof(number), "%.2f %%", value->number);
	else
		snprintf(number, sizeof(number), "%.38s", value->text);
	if (tells)
		snprintf(range, sizeof(range), "± %.2f", error);
	else if (value->is_number)
		strcpy(range, NO_RANGE);
	fprintf(out, "<tr class=\"%s\" data-metric=\"%s\"><td style=\"--depth:%u\">%s</td><td>",
		path, name, tree->depth[i], name);
	page_text(out, number);
	if (!tells)
		error = 0;
	low = fmin(fmax(value->is_number ? value->number - error : 0, 0), 100);
	high = fmin(fmax(value->is_number ? value->number + error : 0, 0), 100);
	fprintf(out, "</td><td>%s</td><td><span class=\"bar\"><b style=\"width:%.1f%%\"></b><s "
		"style=\"left:%.1f%%;width:%.1f%%\"></s></span></td>",
		range, fmin(fmax(value->is_number ? value->number : 0, 0), 100), low, high - low);
	if (tree->recorded)
		fprintf(out, "<td>%lu of %lu</td>", tree->through[i], tree->recorded);
	fputs("</tr>\n", out);
}

static void write_path(const struct tree *tree)
{
	FILE *out = tree->page->out;

	fprintf(out, "<p id=\"path\"%s>The path is the module's own, as it was recorded with each "
		"snapshot: marked are the metrics that it led through in more than half of "
		"them.<span id=\"nowhere\"%s> It led through none so often.</span></p>\n",
		tree->recorded ? "" : " hidden",
		tree->recorded && !tree->path.nr ? "" : " hidden");
}

static void write_estimates(const struct page *page)
{
	if (page->recording->estimated)
		fputs("<p id=\"estimates\">All numbers of this page are the module's estimates for "
		      "whole windows: what was counted in a part of the time, corrected by events "
		      "that are counted all of the time (anchors).</p>\n", page->out);
}

/* How page and script come to the errors; the reasons are in summary_error(). */
static void write_errors(const struct tree *tree)
{
	unsigned long overlap = tree->page->summary.overlap, nr = tree->page->summary.nr;
	FILE *out = tree->page->out;

	fputs("<p id=\"errors\">Errors are 95 % intervals of the mean: from the intervals that "
	      "the module gave with each snapshot, or from how the snapshots differ, whichever "
	      "is larger. ", out);
	if (overlap > 1)
		fprintf(out, "The snapshots' windows overlap, up to %lu at a time, and share what "
			"was counted. Only those a whole window apart are taken as independent "
			"(%lu of %lu), and those that overlap as if all their errors had the "
			"same sign: an error is too large rather than too small. ",
			overlap, nr / overlap, nr);
	else
		fputs("No two of the snapshots' windows overlap, and they are taken as "
		      "independent. ", out);
	fputs("A snapshot without an interval of its own counts with the widest.</p>\n", out);
}

/* For all CPUs; the script puts in the number of one. */
static void write_command(FILE *out, const struct advice *advice, const char *pmu, bool spe)
{
	char *all = advice_command(advice, pmu, NULL, spe);
	char *one = advice_command(advice, pmu, "@", spe);

	fputs("<br>Find the code: <code data-all=\"", out);
	page_text(out, all);
	fputs("\" data-one=\"", out);
	page_text(out, one);
	fputs("\">", out);
	page_text(out, all);
	fputs("</code>", out);
	free(all);
	free(one);
}

/* For each metric that may be the end: the script shows that of the span. */
static void write_advice(const struct tree *tree, const char *metric, bool is_end)
{
	const char *pmu = recording_about(tree->page->recording, "pmu");
	bool spe = recording_about(tree->page->recording, "spe");
	const struct advice *advice = advice_for(metric);
	FILE *out = tree->page->out;

	fprintf(out, "<p class=\"end\" data-metric=\"%s\"%s><b>%s</b><span class=\"share\">",
		metric, is_end ? "" : " hidden", metric);
	if (is_end && !isnan(tree->path.share))
		fprintf(out, ", about %.0f %% of all slots", tree->path.share);
	fputs("</span>. ", out);
	if (advice) {
		page_text(out, advice->means);
		fputs(" Look at: ", out);
		page_text(out, advice->look);
		write_command(out, advice, pmu ? pmu : USUAL_PMU, spe);
	}
	fputs("</p>\n", out);
}

static void write_undetermined(const struct tree *tree)
{
	static const char close[] = "which are closer to each other than their errors";
	const struct path *path = &tree->path;
	char text[400] = "";

	if (path->undecided[0] >= 0 && !tree->recorded)
		snprintf(text, sizeof(text), "Undetermined: %s or %s, %s.",
			 catalog_metric_name(path->undecided[0]),
			 catalog_metric_name(path->undecided[1]),
			 path->too_few_slices ? TOO_FEW_SLICES : close);
	fprintf(tree->page->out, "<p id=\"undetermined\" data-close=\"%s\" "
		"data-few=\"%s\"%s>%s</p>\n", close, TOO_FEW_SLICES,
		*text ? "" : " hidden", text);
}

static void write_next_step(const struct tree *tree)
{
	const struct path *path = &tree->path;
	int end = path->nr ? path->metrics[path->nr - 1] : -1;

	for (size_t i = 0; i < tree->nr; i++)
		write_advice(tree, catalog_metric_name(tree->metrics[i]), tree->metrics[i] == end);
	write_undetermined(tree);
}

static void write_rows(const struct tree *tree)
{
	FILE *out = tree->page->out;

	fprintf(out, "<div class=\"wide\"><table id=\"tree\">" TABLE_HEAD "<tr><th>metric</th>"
		"<th>mean</th><th>95 %% error</th><th>0 to 100 %%</th>%s</tr>" TABLE_HEAD_END
		"\n<tbody>\n",
		tree->recorded ? "<th>on the path</th>" : "");
	for (size_t i = 0; i < tree->nr; i++)
		write_node(tree, i);
	fputs("</tbody></table></div>\n", out);
}

static void write_tree(struct tree *tree)
{
	collect(tree, -1, 0);
	count_paths(tree);
	if (tree->recorded)
		path_of_most(tree);
	else
		path_find(&tree->path, value_in, tree);
	fputs("<div id=\"tree-part\">\n", tree->page->out);
	write_rows(tree);
	write_path(tree);
	write_next_step(tree);
	fputs("</div>\n", tree->page->out);
}

void page_tree(struct page *page)
{
	struct tree tree = { .page = page, .place = recording_main_place(page->recording) };
	int columns[NR_LEVEL_1];

	if (page_level_1(page, columns))
		write_tree(&tree);
	else
		fputs("<p class=\"note\" id=\"no-tree\">The decision tree begins with Topdown "
		      "level 1, which was not recorded.</p>\n", page->out);
	write_estimates(page);
	write_errors(&tree);
}
