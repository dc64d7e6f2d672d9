// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Metrics of Topdown_L1 from sums of the pieces of a cgroup, by the module's formulas.
 *
 * The intervals are those of a jackknife over parts of the time: the pieces of one task are alike
 * for a while, so that pieces at random would look more certain than they are.
 */
#include <linux/build_bug.h>
#include <math.h>
#include <string.h>

#include "containers_shares.h"
#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "libn3t/totals.h"
#include "snapshot.h"
#include "source.h"
#include "totals_file.h"

#define QUANTILE	2.365	/* of Student's distribution with 7 degrees of freedom */
#define DIGITS		12	/* of the values that are compared */

static_assert(N3T_NR_SLOTS - N3T_SLOTS_STALL == CONTAINERS_COUNTS);

static bool read_system(struct source *source, struct choice *choice, struct snapshot *snapshot)
{
	choice->quality = true;
	return (places_add_one(&choice->places, place_make(SCOPE_SYSTEM, 0)) ||
		failure_no_memory(&source->failure)) &&
	       choose_known_group(source, choice, n3t_groups[N3T_GROUP_Topdown_L1].name) &&
	       snapshot_read(source, snapshot, choice);
}

bool containers_machine(struct source *source, struct containers_values *machine)
{
	struct snapshot snapshot = { 0 };
	struct choice choice = { 0 };
	bool ok = read_system(source, &choice, &snapshot);

	path_below(-1, machine->metrics, CONTAINERS_METRICS);
	for (size_t i = 0; i < CONTAINERS_METRICS && ok; i++) {
		const struct value *value = snapshot_metric(&snapshot, &choice, 0,
							    machine->metrics[i]);

		machine->v[i] = value ? *value : value_of_text(NO_VALUE);
	}
	if (ok)
		snapshot_free(&snapshot);
	choice_free(&choice);
	return ok;
}

static struct value eval(int metric, const struct containers_sums *sums, unsigned int decimals)
{
	struct n3t_counts counts = { .cycles = sums->cycles };
	char text[N3T_RATIO_SIZE];
	struct n3t_ratio ratio;

	for (unsigned int i = 0; i < CONTAINERS_COUNTS; i++) {
		counts.code[counts.nr] = total_slots_code(N3T_SLOTS_STALL + i);
		counts.count[counts.nr++] = sums->counts[i];
	}
	if (n3t_formula_eval(n3t_metric_formula(metric), &counts, &ratio) != N3T_VALUE)
		return value_of_text(NO_VALUE);
	n3t_ratio_print(text, sizeof(text), &ratio, decimals);
	return value_of_text(text);
}

/* All parts but one, or all. */
static struct containers_sums sum_of(const struct containers_sums parts[], size_t except)
{
	struct containers_sums sums = { 0 };

	for (size_t i = 0; i < CONTAINERS_PARTS; i++)
		if (i != except)
			containers_add(&sums, &parts[i]);
	return sums;
}

/* Return: half of the width of the interval, NAN if it is unknown. */
static double error_of(int metric, const struct containers_sums parts[])
{
	double v[CONTAINERS_PARTS], mean = 0, squares = 0;

	for (size_t i = 0; i < CONTAINERS_PARTS; i++) {
		struct containers_sums sums = sum_of(parts, i);
		struct value value = eval(metric, &sums, DIGITS);

		if (!value.is_number)
			return NAN;
		v[i] = value.number;
		mean += v[i] / CONTAINERS_PARTS;
	}
	for (size_t i = 0; i < CONTAINERS_PARTS; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	return QUANTILE * sqrt((CONTAINERS_PARTS - 1) * squares / CONTAINERS_PARTS);
}

void containers_find(struct containers_values *values, const struct containers_values *machine,
		     const struct containers_sums parts[CONTAINERS_PARTS])
{
	const struct containers_sums all = sum_of(parts, CONTAINERS_PARTS);
	bool few = all.pieces < CONTAINERS_PIECES;

	*values = *machine;
	for (size_t i = 0; i < CONTAINERS_METRICS; i++) {
		struct value *value = &values->v[i];
		int metric = values->metrics[i];
		double error;

		if (value_is_withheld(value))
			continue;
		*value = eval(metric, &all, n3t_metrics[metric].decimals);
		error = error_of(metric, parts);
		/* also if it is unknown */
		few |= !(error <= CONTAINERS_POINTS);
		value->has_range = value->is_number;
		value->low = value->number - error;
		value->high = value->number + error;
	}
	for (size_t i = 0; i < CONTAINERS_METRICS; i++)
		if (few && values->v[i].is_number)
			values->v[i] = value_of_text(CONTAINERS_FEW);
}

const struct value *containers_value(const void *data, int metric)
{
	const struct containers_values *values = data;

	for (size_t i = 0; i < CONTAINERS_METRICS; i++)
		if (values->metrics[i] == metric)
			return &values->v[i];
	return NULL;
}

/* Nothing below an area is counted, which needs no word. */
void containers_answer(struct answer *answer, const struct containers_values *values)
{
	answer_find(answer, containers_value, values);
	for (size_t i = 0; i < answer->nr; i++)
		answer->areas[i].word = NULL;
}
