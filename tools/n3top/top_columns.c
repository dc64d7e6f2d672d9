// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * n3stat top: columns of the list, in the order of the display. They are given room by rank: the
 * sort column always has it, then the answer.
 */
#include <math.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/answer_read.h"
#include "libn3telemetry/rates.h"
#include "reader/telemetry.h"
#include "top.h"

#define LABEL_WIDTH	7
#define NUMBER_WIDTH	6
#define SHARE_WIDTH	5	/* "100.0" */
#define BUSY_WIDTH	4
#define RATE_WIDTH	5
#define END_WIDTH	(ANSWER_SHORT - 1)
#define ANSWER_FILES	3	/* of answer_choose_groups(), the first ones */
#define MIN_BAR		10	/* all of these, busy time and IPC fit 80 columns */
#define GOOD_BAR	30	/* with columns for wide screens */
#define MAX_BAR		40

enum { RANK_SORT, RANK_END, RANK_NAMED, RANK_IPC, RANK_AREA, RANK_RATE, RANK_WIDE };

static const char * const areas[] = {
	"frontend_bound", "backend_bound", "bad_speculation", "retiring"
};

static const char * const ipc[] = { "ipc" };

static const char * const usual_wide[] = {
	"branch_mpki", "l1i_cache_mpki", "l1d_cache_mpki", "l2_cache_mpki", "ll_cache_read_mpki",
	"itlb_mpki", "dtlb_mpki"
};

void top_choose_columns(struct top *top, const struct options *options)
{
	struct choice *choice = &top->choice;

	must(answer_choose_groups(&telemetry, choice));
	must(choose_known_group(&telemetry, choice, "General"));
	options_choose_names(options, choice);
	if (!options->nr_names)
		must(choose_known_group(&telemetry, choice, "MPKI"));
}

static struct top_column *add(struct top *top, enum top_kind kind, const char *key,
			      const char *title, int width, int rank)
{
	struct top_column *column;

	top->columns = xreallocarray(top->columns, top->nr_columns + 1, sizeof(*top->columns));
	column = &top->columns[top->nr_columns++];
	*column = (struct top_column) { .kind = kind, .key = key, .width = width, .rank = rank };
	snprintf(column->title, sizeof(column->title), "%s", title);
	return column;
}

static bool is_percent(const struct top *top, const struct top_column *column)
{
	return *top->choice.columns[column->at].short_unit == '%';
}

static void add_metric(struct top *top, size_t at, int rank)
{
	const struct column *chosen = &top->choice.columns[at];
	const char *name = chosen->metric < 0 ? chosen->name : catalog_narrow_name(chosen->metric);
	struct top_column *column = add(top, TOP_METRIC, chosen->name, name, NUMBER_WIDTH, rank);
	int length = (int)strlen(name);

	column->at = at;
	if (is_percent(top, column))
		column->width = SHARE_WIDTH;
	if (length > column->width)
		column->width = length;
}

static void add_usual(struct top *top, const char * const *names, size_t nr, int rank)
{
	for (size_t i = 0; i < nr; i++) {
		int at = choice_column(&top->choice, catalog_find_metric(names[i]));

		if (at >= 0)
			add_metric(top, (size_t)at, rank);
	}
}

static bool is_named(const struct choice *named, const struct choice *choice, size_t at)
{
	const struct column *column = &choice->columns[at];
	const char *file = choice->files[column->file].name;

	for (size_t i = 0; i < named->nr_files; i++)
		if (named->files[i].whole && !strcmp(named->files[i].name, file))
			return true;
	for (size_t i = 0; i < named->nr_columns; i++)
		if (!strcmp(named->columns[i].name, column->name) &&
		    !strcmp(named->files[named->columns[i].file].name, file))
			return true;
	return false;
}

/* Those of --metric and --group; rates have columns of their own. */
static void add_named(struct top *top, const struct options *options)
{
	struct choice named = { .places = top->choice.places };

	options_choose_names(options, &named);
	for (size_t i = 0; i < top->choice.nr_columns; i++)
		if (is_named(&named, &top->choice, i) &&
		    rates_find(top->choice.columns[i].name) < 0)
			add_metric(top, i, RANK_NAMED);
	named.places = (struct places) { 0 };
	choice_free(&named);
}

void top_make_columns(struct top *top, const struct options *options)
{
	add(top, TOP_PLACE, "place", "place", 0, RANK_SORT);
	if (top->who)
		add(top, TOP_THEIRS, "theirs", "theirs", NUMBER_WIDTH, RANK_NAMED);
	if (options->nr_names) {
		add_named(top, options);
	} else {
		add_usual(top, areas, NR(areas), RANK_AREA);
		add_usual(top, ipc, NR(ipc), RANK_IPC);
	}
	/* Those that were asked for have a column in any case. */
	if (top->busy.known || choice_rate(&top->choice, RATES_BUSY) >= 0)
		add(top, TOP_BUSY, "busy", "busy", BUSY_WIDTH, RANK_NAMED);
	if (busy_has_totals(&top->busy) || choice_rate(&top->choice, RATES_GHZ) >= 0)
		add(top, TOP_GHZ, "ghz", "GHz", RATE_WIDTH, RANK_RATE);
	if (busy_has_totals(&top->busy) || choice_rate(&top->choice, RATES_GIPS) >= 0)
		add(top, TOP_GIPS, "gips", "Gi/s", RATE_WIDTH, RANK_RATE);
	add(top, TOP_END, "answer", "answer", END_WIDTH, RANK_END);
	if (!options->nr_names)
		add_usual(top, usual_wide, NR(usual_wide), RANK_WIDE);
	top->layout.v = xcalloc(top->nr_columns, sizeof(*top->layout.v));
}

void top_free_columns(struct top *top)
{
	free(top->columns);
	free(top->layout.v);
}

char *top_column_names(const struct top *top, const char *lead)
{
	char *names = NULL, *text;

	for (size_t i = 0; i < top->nr_columns; i++)
		append_text(&names, ", ", "%s", top->columns[i].key);
	text = format_string("%s: %s", lead, names);
	free(names);
	return text;
}

void top_label(const struct top *top, size_t place, char label[TOP_LABEL])
{
	const struct included *included = &top->included[place];
	const char *name = top->choice.places.v[place].name;

	if (included->known && included->nr != included->cpus)
		snprintf(label, TOP_LABEL, "%s (%lu of %lu CPUs)", name, included->nr,
			 included->cpus);
	else
		snprintf(label, TOP_LABEL, "%s", name);
}

static int label_width(const struct top *top)
{
	int width = LABEL_WIDTH;

	for (size_t i = 0; i < top->choice.places.nr; i++) {
		int length = (int)strlen(top->choice.places.v[i].name);

		width = length >= width ? length + 1 : width;
	}
	return width;
}

/* Marks columns of a rank while the bar keeps its width. Return: the room left, 0 if it ends. */
static int fit_rank(struct top *top, int rank, int room)
{
	int bar = rank < RANK_WIDE ? MIN_BAR : GOOD_BAR;

	for (size_t i = 1; i < top->nr_columns; i++) {
		struct top_column *column = &top->columns[i];

		if ((i == top->sort ? RANK_SORT : column->rank) != rank)
			continue;
		column->fits = room - 1 - column->width >= bar;
		if (column->fits)
			room -= 1 + column->width;
		else if (rank > RANK_END)
			return 0;
	}
	return room;
}

void top_fit_columns(struct top *top)
{
	struct top_layout *layout = &top->layout;
	struct top_column *columns = top->columns;
	int room, left;
	size_t end = 0;

	for (size_t i = 0; i < top->nr_columns; i++)
		columns[i].fits = false;
	layout->label = label_width(top);
	layout->nr = 0;
	room = COLS - layout->label - 2;
	left = room;
	for (int rank = RANK_SORT; rank <= RANK_WIDE && left; rank++)
		left = fit_rank(top, rank, left);
	for (size_t i = 1; i < top->nr_columns; i++) {
		if (!columns[i].fits)
			continue;
		room -= 1 + columns[i].width;
		if (columns[i].kind == TOP_END)
			end = i;
		else
			layout->v[layout->nr++] = i;
	}
	if (end)
		layout->v[layout->nr++] = end;
	layout->bar = room < MIN_BAR ? MIN_BAR : room > MAX_BAR ? MAX_BAR : room;
}

/* Return: the number of files up to that of a column. */
static size_t files_of(const struct top *top, size_t column)
{
	switch (top->columns[column].kind) {
	case TOP_METRIC:
		return top->choice.columns[top->columns[column].at].file + 1;
	case TOP_END:
		return ANSWER_FILES;
	default:
		return 0;
	}
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

size_t top_files(const struct top *top)
{
	/* The bar is drawn from the first. */
	size_t nr = larger(1, files_of(top, top->sort));

	for (size_t i = 0; i < top->layout.nr; i++)
		nr = larger(nr, files_of(top, top->layout.v[i]));
	if (top->typed || *top->search || *top->filter)
		nr = larger(nr, ANSWER_FILES);
	return nr;
}

double top_theirs(const struct top *top, size_t place)
{
	const struct place *shown = &top->choice.places.v[place];

	for (size_t i = 0; top->who && i < top->who->nr_shares; i++)
		if (top->who->shares[i].cpu == shown->id && shown->scope == SCOPE_CPU)
			return top->who->shares[i].theirs;
	return NAN;
}

bool top_answer(const struct top *top, size_t place, struct answer *answer)
{
	if (top->nr_read < ANSWER_FILES)
		return false;
	answer_of_snapshot(answer, &top->snapshot, &top->choice, place);
	return true;
}

static double loss_at(const struct top *top, size_t place)
{
	struct answer answer;

	return top_answer(top, place, &answer) ? answer_loss(&answer) : NAN;
}

const char *top_word(const struct top *top, size_t place)
{
	const struct value *value = snapshot_estimate(&top->snapshot, &top->choice, place,
						      catalog_find_metric("frontend_bound"));

	return value && !value->is_number ? value->text : NULL;
}

static const struct value *value_of(const struct top *top, size_t place,
				    const struct top_column *column)
{
	return snapshot_estimate_at(&top->snapshot, &top->choice, place, column->at);
}

double top_number(const struct top *top, size_t place, const struct top_column *column)
{
	const struct value *value;

	switch (column->kind) {
	case TOP_THEIRS:
		return top_theirs(top, place);
	case TOP_METRIC:
		value = value_of(top, place, column);
		return value->is_number ? value->number : NAN;
	case TOP_BUSY:
		return top->busy.v && top->busy.v[place].known ? top->busy.v[place].busy : NAN;
	case TOP_GHZ:
		return top->busy.rates ? top->busy.rates[place].ghz : NAN;
	case TOP_GIPS:
		return top->busy.rates ? top->busy.rates[place].instructions / 1e9 : NAN;
	case TOP_END:
		return loss_at(top, place);
	default:
		return NAN;
	}
}

static char *rate_text(double rate)
{
	return isnan(rate) ? xstrdup(NO_VALUE) : format_string("%.*f", rate < 100 ? 2 : 0, rate);
}

/* The digits that are not below the error, or a word, unless the bar has it, cut to the column. */
static char *metric_text(const struct top *top, size_t place, const struct top_column *column)
{
	const struct value *value = value_of(top, place, column);
	int most = is_percent(top, column) ? 1 : 2, kept = value_decimals(value, most);
	const char *word = top_word(top, place);
	char *text;

	if (!value->is_number && word && !strcmp(value->text, word))
		return xstrdup(NO_VALUE);
	if (!value->is_number && strlen(value->text) > (size_t)column->width)
		return format_string("%.*s.", column->width - 1, value->text);
	if (!value->is_number)
		return xstrdup(value->text);
	text = format_string("%.*f%*s", kept, value->number, most - kept + (most && !kept), "");
	if (strlen(text) <= (size_t)column->width)
		return text;
	free(text);
	return format_string("%.0e", value->number);
}

static char *end_text(const struct top *top, size_t place)
{
	char text[ANSWER_SHORT] = NO_VALUE;
	struct answer answer;

	if (top_answer(top, place, &answer))
		answer_short(text, &answer);
	return xstrdup(text);
}

char *top_cell(const struct top *top, size_t place, const struct top_column *column)
{
	char percent[PERCENT_SIZE];

	switch (column->kind) {
	case TOP_THEIRS:
		return xstrdup(percent_text(percent, top_theirs(top, place)));
	case TOP_METRIC:
		return metric_text(top, place, column);
	case TOP_BUSY:
		return xstrdup(top->busy.v ? utilisation_text(percent, &top->busy.v[place]) :
					   NO_VALUE);
	case TOP_GHZ:
	case TOP_GIPS:
		return rate_text(top_number(top, place, column));
	case TOP_END:
		return end_text(top, place);
	default:
		return xstrdup("");
	}
}
