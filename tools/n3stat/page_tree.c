// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The report's tree of a span, and the data that its script reads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "common.h"
#include "json.h"
#include "page_tree.h"
#include "path.h"
#include "texts.h"

#define MAX_NODES	64
#define MAX_POINTS	600
#define MAX_STUDENTS	100	/* beyond it t hardly falls */

struct tree {
	struct page *page;
	size_t place;
	struct path path;
	struct value values[MAX_NODES];
	int metrics[MAX_NODES];
	unsigned int depth[MAX_NODES];
	size_t nr;
	struct series paths;	/* the module's own: in how many snapshots, over time */
	unsigned long recorded;	/* snapshots with such a path */
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
		struct value value = value_of_text(NO_VALUE);

		if (column >= 0)
			value = summary_value(summary, summary_at(summary, tree->place, column));
		tree->metrics[tree->nr] = below[i];
		tree->depth[tree->nr] = depth;
		tree->values[tree->nr++] = value;
		collect(tree, below[i], depth + 1);
	}
}

static unsigned long sum_line(const struct series *series, size_t line)
{
	double sum = 0;

	for (size_t i = 0; i < series->nr_bins; i++)
		sum += series->v[line * series->nr_bins + i];
	return (unsigned long)sum;
}

static void count_paths(struct tree *tree)
{
	series_of_paths(&tree->paths, &tree->page->summary, tree->page->recording, tree->place,
			tree->metrics, tree->nr, MAX_POINTS);
	for (size_t i = 0; i < tree->nr; i++)
		tree->through[i] = sum_line(&tree->paths, i);
	tree->recorded = sum_line(&tree->paths, tree->nr);
}

/*
 * The module's path: where it led more often than not. That is one path: at most one of
 * several is taken more often than not, and what leads to it is taken as often.
 */
static void path_of_most(struct tree *tree)
{
	tree->path = (struct path) { .undecided = { -1, -1 }, .minor = -1, .share = NAN };
	for (size_t i = 0; i < tree->nr && tree->path.nr < PATH_DEPTH; i++)
		if (2 * tree->through[i] > tree->recorded)
			tree->path.metrics[tree->path.nr++] = tree->metrics[i];
}

static void write_node(const struct tree *tree, size_t i)
{
	const struct value *value = &tree->values[i];
	double error = value_error(value);
	const char *name = catalog_metric_name(tree->metrics[i]);
	const char *path = path_holds(&tree->path, tree->metrics[i]) ? "path" : "";
	FILE *out = tree->page->out;
	char number[40] = "-", range[40] = "";
	double low, high;

	if (value->is_number)
		snprintf(number, sizeof(number), "%.2f %%", value->number);
	else
		snprintf(number, sizeof(number), "%.38s", value->text);
	if (value->has_range)
		snprintf(range, sizeof(range), "± %.2f", error);
	fprintf(out, "<tr class=\"%s\" data-path=\"%s\" data-metric=\"%s\" data-value=\"", path,
		path, name);
	page_text(out, number);
	fprintf(out, "\" data-error=\"%s\"><td style=\"padding-left:%.1fem\">%s</td><td>", range,
		1.5 * tree->depth[i], name);
	page_text(out, number);
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

	if (!tree->recorded)
		return;
	fprintf(out, "<p id=\"path\">The path is the module's own, as it was recorded with each "
		"snapshot: marked are the metrics that it led through in more than half of "
		"them.<span id=\"nowhere\"%s> It led through none so often.</span></p>\n",
		tree->path.nr ? " hidden" : "");
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

/* For each metric that may be the end: the script shows that of the span. */
static void write_advice(const struct tree *tree, const char *metric, bool is_end)
{
	const char *pmu = recording_about(tree->page->recording, "pmu");
	bool spe = recording_about(tree->page->recording, "spe");
	const struct advice *advice = advice_for(metric);
	FILE *out = tree->page->out;
	char *command;

	fprintf(out, "<p class=\"end\" data-metric=\"%s\"%s><b>%s</b>. ", metric,
		is_end ? "" : " hidden", metric);
	if (advice) {
		page_text(out, advice->means);
		fputs(" Look at: ", out);
		page_text(out, advice->look);
		command = advice_command(advice, pmu ? pmu : USUAL_PMU, NULL, spe);
		fputs("<br>Find the code: <code>", out);
		page_text(out, command);
		fputs("</code>", out);
		free(command);
	}
	fputs("</p>\n", out);
}

static void write_undetermined(const struct tree *tree)
{
	static const char close[] = "which are closer to each other than their errors";
	const struct path *path = &tree->path;
	char text[400] = "";

	if (path->undecided[0] >= 0)
		snprintf(text, sizeof(text), "Undetermined: %s or %s, %s.",
			 catalog_metric_name(path->undecided[0]),
			 catalog_metric_name(path->undecided[1]),
			 path->too_few_slices ? TOO_FEW_SLICES : close);
	fprintf(tree->page->out, "<p id=\"undetermined\" data-whole=\"%s\" data-close=\"%s\" "
		"data-few=\"%s\"%s>%s</p>\n", text, close, TOO_FEW_SLICES,
		*text ? "" : " hidden", text);
}

static void write_next_step(const struct tree *tree)
{
	const struct path *path = &tree->path;
	int end = path->nr ? path->metrics[path->nr - 1] : -1;

	for (size_t i = 0; i < tree->nr; i++)
		write_advice(tree, catalog_metric_name(tree->metrics[i]), tree->metrics[i] == end);
	if (!tree->recorded)
		write_undetermined(tree);
}

/* NAN is not in JSON. */
static json_object *array_of(const double *v, size_t nr, int decimals)
{
	json_object *array = json_object_new_array();
	char text[400];

	for (size_t i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "%.*f", decimals, v[i]);
		json_append(array, isnan(v[i]) ? NULL : json_object_new_double_s(v[i], text));
	}
	return array;
}

static json_object *name_of(int metric)
{
	return json_object_new_string(catalog_metric_name(metric));
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static json_object *edges(const struct tree *tree)
{
	json_object *object = json_object_new_object();

	for (size_t i = 0; i <= tree->nr; i++) {
		int below[16];
		int metric = i == tree->nr ? -1 : tree->metrics[i];
		size_t nr = path_below(metric, below, NR(below));
		json_object *array = json_object_new_array();

		/* As the module looks at them: of equal values the first leads. */
		qsort(below, nr, sizeof(*below), compare);
		for (size_t k = 0; k < nr; k++)
			json_append(array, name_of(below[k]));
		json_add(object, metric < 0 ? "" : catalog_metric_name(metric), array);
	}
	return object;
}

/* Only where there is any: most metrics are never on the path. */
static void add_paths(json_object *object, const struct tree *tree)
{
	json_object *through = json_object_new_object();
	const struct series *paths = &tree->paths;

	for (size_t i = 0; i < tree->nr; i++)
		if (tree->through[i])
			json_add(through, catalog_metric_name(tree->metrics[i]),
				 array_of(&paths->v[i * paths->nr_bins], paths->nr_bins, 0));
	json_add(object, "through", through);
	json_add(object, "recorded",
		 array_of(&paths->v[tree->nr * paths->nr_bins], paths->nr_bins, 0));
}

/* What the errors of a span follow from, as in summary_error(). */
static json_object *errors_of(const struct tree *tree, const struct series *series, size_t line,
			      int column)
{
	const struct summary_cell *cells = &series->cells[line * series->nr_bins];
	double *v = xreallocarray(NULL, 4 * series->nr_bins, sizeof(*v));
	json_object *object = json_object_new_object();
	double widest = 0;
	char text[400];

	for (size_t i = 0; i < series->nr_bins; i++) {
		v[i] = (double)cells[i].numbers;
		v[series->nr_bins + i] = cells[i].squares;
		v[2 * series->nr_bins + i] = (double)cells[i].ranges;
		v[3 * series->nr_bins + i] = cells[i].halves;
	}
	json_add(object, "numbers", array_of(v, series->nr_bins, 0));
	json_add(object, "squares", array_of(&v[series->nr_bins], series->nr_bins, 6));
	json_add(object, "ranges", array_of(&v[2 * series->nr_bins], series->nr_bins, 0));
	json_add(object, "halves", array_of(&v[3 * series->nr_bins], series->nr_bins, 6));
	free(v);
	if (column >= 0)
		widest = summary_at(&tree->page->summary, tree->place, column)->widest;
	snprintf(text, sizeof(text), "%.4f", widest);
	json_add(object, "widest", json_object_new_double_s(widest, text));
	return object;
}

static json_object *students(size_t nr)
{
	double t[MAX_STUDENTS] = { 0 };

	if (nr > MAX_STUDENTS)
		nr = MAX_STUDENTS;
	for (size_t i = 0; i < nr; i++)
		t[i] = summary_student(i + 1);
	return array_of(t, nr, 3);
}

static void write_data(const struct tree *tree)
{
	json_object *object = json_object_new_object();
	json_object *metrics = json_object_new_object();
	json_object *errors = json_object_new_object();
	struct page *page = tree->page;
	int columns[MAX_NODES];
	struct series series;

	for (size_t i = 0; i < tree->nr; i++)
		columns[i] = recording_column(page->recording, tree->metrics[i]);
	series_of_columns(&series, &page->summary, page->recording, tree->place, columns,
			  tree->nr, MAX_POINTS);
	for (size_t i = 0; i < tree->nr; i++) {
		const char *name = catalog_metric_name(tree->metrics[i]);

		json_add(metrics, name, array_of(&series.v[i * series.nr_bins], series.nr_bins, 3));
		json_add(errors, name, errors_of(tree, &series, i, columns[i]));
	}
	json_add(object, "times", array_of(series.time, series.nr_bins, 3));
	json_add(object, "metrics", metrics);
	json_add(object, "errors", errors);
	json_add(object, "overlap", json_object_new_int64((int64_t)page->summary.overlap));
	json_add(object, "students", students(page->summary.nr));
	if (tree->recorded)
		add_paths(object, tree);
	json_add(object, "below", edges(tree));
	json_add(object, "decimals",
		 json_object_new_int64(catalog_metric(tree->metrics[0]).decimals));
	fprintf(page->out, "<script type=\"application/json\" id=\"data\">%s</script>\n",
		json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	if (series.nr_bins > 1)
		fprintf(page->out, "<div class=\"span\" id=\"span\">Span: <output "
			"id=\"span-text\"></output><label>from <input type=\"range\" id=\"from\" "
			"min=\"0\" max=\"%zu\" value=\"0\"></label><label>to <input "
			"type=\"range\" id=\"to\" min=\"0\" max=\"%zu\" value=\"%zu\"></label>"
			"</div>\n",
			series.nr_bins - 1, series.nr_bins - 1, series.nr_bins - 1);
	json_object_put(object);
	series_free(&series);
}

void page_tree(struct page *page)
{
	struct tree tree = { .page = page, .place = recording_main_place(page->recording) };

	collect(&tree, -1, 0);
	count_paths(&tree);
	if (tree.recorded)
		path_of_most(&tree);
	else
		path_find(&tree.path, value_in, &tree);
	write_data(&tree);
	fprintf(page->out, "<table id=\"tree\"><tr><th>metric</th><th>mean</th>"
		"<th>95 %% error</th><th>0 to 100 %%</th>%s</tr>\n",
		tree.recorded ? "<th>on the path</th>" : "");
	for (size_t i = 0; i < tree.nr; i++)
		write_node(&tree, i);
	fputs("</table>\n", page->out);
	write_estimates(page);
	write_errors(&tree);
	write_path(&tree);
	write_next_step(&tree);
	series_free(&tree.paths);
}
