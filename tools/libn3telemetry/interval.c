// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Values over the time between two snapshots, from the module's totals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interval.h"
#include "lib/clock.h"
#include "libn3t/formula.h"
#include "libn3t/replicates.h"
#include "libn3t/spec.h"
#include "libn3t/totals.h"
#include "libn3t/verdict.h"
#include "stats/parts.h"
#include "totals_file.h"

#define DIGITS		12	/* of the values of replicates */
#define INTERVAL_TOTALS	8	/* of one value: Topdown_L1 and slices of a replicate */

/* Modulo 2^64, as only differences matter. */
struct cell_totals {
	unsigned int has;	/* mask of those that exist */
	unsigned long long v[INTERVAL_TOTALS];
};

struct place_totals {
	bool known;
	bool has_cycles;
	unsigned long long start_ns;	/* when the module was loaded */
	unsigned long long cycles;
	struct cell_totals replicates[N3T_NR_REPLICATES];
};

static bool is_complement(int metric)
{
	return n3t_metric_complement(metric) >= 0;
}

/* A complement has no totals of its own. */
static int metric_counted(int metric)
{
	return is_complement(metric) ? n3t_metric_complement(metric) : metric;
}

static bool take_cell(struct source *source, const char *text, struct cell_totals *cell,
		      int metric)
{
	char key[TOTAL_KEY];

	for (unsigned int i = 0; i < INTERVAL_TOTALS; i++) {
		bool has = total_key(metric_counted(metric), i, key);

		if (has && !total_take(source, text, key, &cell->v[i], &has))
			return false;
		cell->has |= has << i;
	}
	return true;
}

static bool read_file(struct source *source, const struct choice *choice, size_t place,
		      size_t file, struct cell_totals *cells)
{
	const char *text;

	if (choice->files[file].rates)
		return true;
	if (!totals_file_read(source, choice->places.v[place].name, choice->files[file].name,
			      &text))
		return false;
	for (size_t i = 0; i < choice->nr_columns && text; i++)
		if (choice->columns[i].file == file && choice->columns[i].metric >= 0 &&
		    !take_cell(source, text, &cells[i], choice->columns[i].metric))
			return false;
	return true;
}

static bool read_time(struct source *source, const struct place *place,
		      struct place_totals *totals)
{
	const char *text;

	totals->known = true;
	totals->has_cycles = true;
	return totals_file_read(source, place->name, "time", &text) &&
	       total_take(source, text, "start_ns", &totals->start_ns, &totals->known) &&
	       total_take(source, text, "cycles_total", &totals->cycles, &totals->has_cycles);
}

static bool take_replicate(struct source *source, const char *text, unsigned int replicate,
			   struct cell_totals *totals)
{
	char key[TOTAL_KEY];

	for (unsigned int i = 0; total_replicate_key(replicate, i, key); i++) {
		bool has = true;

		if (!total_take(source, text, key, &totals->v[i], &has))
			return false;
		totals->has |= has << i;
	}
	return true;
}

/* There are none while the setting is off. */
static bool read_replicates(struct source *source, const struct place *place,
			    struct place_totals *totals)
{
	const char *text;

	if (!totals_file_read(source, place->name, REPLICATES_FILE, &text))
		return false;
	for (unsigned int i = 0; i < N3T_NR_REPLICATES && text && *text; i++)
		if (!take_replicate(source, text, i, &totals->replicates[i]))
			return false;
	return true;
}

static bool has_slots(const struct choice *choice)
{
	for (size_t i = 0; i < choice->nr_columns; i++)
		if (choice->columns[i].metric >= 0 && total_is_of_slots(choice->columns[i].metric))
			return true;
	return false;
}

static bool read_place(struct source *source, struct interval_end *end,
		       const struct choice *choice, size_t place)
{
	size_t nr_files = choice_nr_files(choice, place);

	if (!read_time(source, &choice->places.v[place], &end->places[place]))
		return false;
	if (has_slots(choice) &&
	    !read_replicates(source, &choice->places.v[place], &end->places[place]))
		return false;
	for (size_t file = 0; file < nr_files && end->places[place].known; file++)
		if (!read_file(source, choice, place, file,
			       &end->cells[place * choice->nr_columns]))
			return false;
	return true;
}

static void free_end(struct interval_end *end)
{
	free(end->places);
	free(end->cells);
	*end = (struct interval_end) { 0 };
}

static bool read_end(struct source *source, struct interval_end *end, const struct choice *choice)
{
	const struct places *places = &choice->places;

	end->places = calloc(places->nr, sizeof(*end->places));
	end->cells = calloc(places->nr * choice->nr_columns, sizeof(*end->cells));
	if (!end->places || !end->cells)
		return failure_no_memory(&source->failure);
	for (size_t i = 0; i < places->nr; i++)
		if (!read_place(source, end, choice, i))
			return false;
	end->time = monotonic_now();
	return true;
}

/* Sets the growth of the totals. Return: false if any became smaller. */
static bool find_growth(struct cell_totals *growth, const struct cell_totals *before,
			const struct cell_totals *after)
{
	growth->has = before->has & after->has;
	for (unsigned int i = 0; i < INTERVAL_TOTALS; i++) {
		growth->v[i] = growth->has & 1u << i ? after->v[i] - before->v[i] : 0;
		if (growth->v[i] >> 63)
			return false;
	}
	return true;
}

/* Cycles that are counted in slots need no factor. */
static bool eval_slots(struct n3t_ratio *ratio, int metric, const struct cell_totals *growth)
{
	struct n3t_formula formula = *n3t_metric_formula(metric);
	struct n3t_counts counts = { .cycles = growth->v[N3T_SLOTS] };

	n3t_formula_set_slots(&formula, 1);
	for (unsigned int i = N3T_SLOTS + 1; i < N3T_NR_SLOTS; i++) {
		if (!(growth->has & 1u << i))
			continue;
		counts.code[counts.nr] = total_slots_code(i);
		counts.count[counts.nr++] = growth->v[i];
	}
	return growth->has & 1u << N3T_SLOTS &&
	       n3t_formula_eval(&formula, &counts, ratio) == N3T_VALUE;
}

/* The factor of a formula, as 100 of a percentage, is its only constant. */
static unsigned int factor_of(int metric)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric);

	for (unsigned int i = 0; i < formula->nr_tokens; i++)
		if (formula->token[i].op == N3T_OP_CONST)
			return formula->token[i].arg;
	return 1;
}

static bool eval_parts(struct n3t_ratio *ratio, int metric, const struct cell_totals *growth)
{
	unsigned int parts = n3t_metric_parts(metric_counted(metric));
	struct n3t_ratio numerator, less, denominator, factor;

	if (!parts || (growth->has & parts) != parts)
		return false;
	n3t_ratio_set(&numerator, growth->v[N3T_NUMERATOR]);
	n3t_ratio_set(&less, growth->v[N3T_SUBTRAHEND]);
	n3t_ratio_set(&denominator, growth->v[N3T_DENOMINATOR]);
	n3t_ratio_set(&factor, factor_of(metric));
	*ratio = numerator;
	if (is_complement(metric)) {
		*ratio = denominator;
		less = numerator;
	}
	return !n3t_ratio_sub(ratio, &less) && !n3t_ratio_mul(ratio, &factor) &&
	       !n3t_ratio_div(ratio, &denominator);
}

/* Return: false if there is no such value. */
static bool eval(struct value *value, int metric, const struct cell_totals *growth,
		 unsigned int decimals)
{
	char text[N3T_RATIO_SIZE];
	struct n3t_ratio ratio = { 0 };
	bool ok = total_is_of_slots(metric) ? eval_slots(&ratio, metric, growth) :
					      eval_parts(&ratio, metric, growth);

	if (!ok)
		return false;
	n3t_ratio_print(text, sizeof(text), &ratio, decimals);
	*value = value_of_text(text);
	value->of_interval = true;
	return true;
}

static void set_range(struct value *value, double half)
{
	value->has_range = true;
	value->low = value->number - half;
	value->high = value->number + half;
}

/*
 * Where the error is unknown, that of the window, of fewer slices, decides how many digits are
 * worth printing, and whether a difference is larger than errors.
 */
static void take_margin(struct value *value, const struct value *window)
{
	value->is_margin = true;
	if (window->has_range || (window->is_number && !window->has_coverage))
		set_range(value, value_error(window));
}

/* Return: false without enough slices in each replicate, or without replicates. */
static bool take_error(struct value *value, int metric, const struct place_totals *before,
		       const struct place_totals *after)
{
	double v[N3T_NR_REPLICATES], mean = 0, squares = 0;

	if (!total_is_of_slots(metric))
		return false;
	for (unsigned int i = 0; i < N3T_NR_REPLICATES; i++) {
		struct cell_totals growth;
		struct value replicate;

		if (!find_growth(&growth, &before->replicates[i], &after->replicates[i]) ||
		    growth.v[N3T_NR_SLOTS] < REPLICATE_SLICES ||
		    !eval(&replicate, metric, &growth, DIGITS))
			return false;
		v[i] = replicate.number;
		mean += v[i] / N3T_NR_REPLICATES;
	}
	for (unsigned int i = 0; i < N3T_NR_REPLICATES; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	set_range(value, REPLICATES_FACTOR * sqrt(squares / N3T_NR_REPLICATES));
	return true;
}

static void fill_cell(const struct interval *interval, struct snapshot *snapshot, size_t place,
		      size_t at, int metric)
{
	struct cell_totals growth;
	struct value value;

	if (value_is_withheld(&snapshot->v[at]) ||
	    !find_growth(&growth, &interval->before.cells[at], &interval->after.cells[at]) ||
	    !eval(&value, metric, &growth, n3t_metrics[metric].decimals))
		return;
	if (!take_error(&value, metric, &interval->before.places[place],
			&interval->after.places[place]))
		take_margin(&value, &snapshot->v[at]);
	snapshot->v[at] = value;
	snapshot->estimates[at] = value;
}

/* The same bounds as for the values of a window. */
static bool has_counted(const struct place_totals *before, const struct place_totals *after)
{
	if (!before->known || !after->known || before->start_ns != after->start_ns)
		return false;
	return !before->has_cycles || !after->has_cycles ||
	       after->cycles - before->cycles >= N3T_IDLE_CYCLES;
}

static void fill_place(const struct interval *interval, struct snapshot *snapshot,
		       const struct choice *choice, size_t place)
{
	size_t row = place * choice->nr_columns;

	if (!has_counted(&interval->before.places[place], &interval->after.places[place]))
		return;
	for (size_t i = 0; i < choice->nr_columns; i++)
		if (choice->columns[i].metric >= 0)
			fill_cell(interval, snapshot, place, row + i, choice->columns[i].metric);
}

static void begin_next(struct interval *interval)
{
	free_end(&interval->before);
	interval->before = interval->after;
	interval->after = (struct interval_end) { 0 };
	interval->seconds = 0;
}

bool interval_read(struct source *source, struct interval *interval, struct snapshot *snapshot,
		   struct choice *choice)
{
	begin_next(interval);
	/* A snapshot finds the columns. */
	if (!snapshot_read(source, snapshot, choice) ||
	    !read_end(source, &interval->after, choice)) {
		snapshot_free(snapshot);
		interval_free(interval);
		return false;
	}
	if (!interval->before.time)
		return true;
	interval->seconds = interval->after.time - interval->before.time;
	for (size_t i = 0; i < choice->places.nr && interval->seconds >= interval->shortest; i++)
		fill_place(interval, snapshot, choice, i);
	return true;
}

void interval_free(struct interval *interval)
{
	free_end(&interval->before);
	free_end(&interval->after);
}
