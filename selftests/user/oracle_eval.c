// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Evaluation of metrics over counts, for oracle_test.py. Reads lines of the form
 *
 *	<metric> <event>=<count> ...
 *	<metric> uncorrected <event>=<count> ...
 *	<metric> / <CPU> / <CPU> ...
 *
 * and answers each with the value as printed and as scaled, or with a verdict.
 * Uncorrected counts are those of a slice of a CPU whose stall events overcount. A CPU is
 * "<nanoseconds> <event>=<count> ..." or its verdict in place of a value.
 */
#include <linux/overflow.h>
#include <errno.h>

#include "eval.h"
#include "libn3t/formula.h"
#include "libn3t/combine.h"
#include "libn3t/slices.h"
#include "libn3t/verdict.h"
#include "libn3telemetry/stats/scaled.h"

#define TEXT_SIZE	128

static void read_count(struct n3t_counts *counts, char *word)
{
	char *number = strchr(word, '=');
	unsigned long long count;
	int event;

	if (!number)
		die("no count");
	*number++ = '\0';
	errno = 0;
	count = strtoull(number, NULL, 10);
	event = n3t_event_by_name(word);
	if (errno || event < 0)
		die("no such event or count");

	if (event == N3T_EVENT_CPU_CYCLES) {
		counts->cycles = count;
		return;
	}
	if (counts->nr == N3T_MAX_COUNTERS)
		die("too many events");
	counts->code[counts->nr] = n3t_events[event].code;
	counts->count[counts->nr++] = count;
}

static void answer(unsigned int metric, enum n3t_verdict verdict, const struct n3t_ratio *value)
{
	unsigned int decimals = n3t_metrics[metric].decimals;
	char text[TEXT_SIZE];

	if (verdict != N3T_VALUE) {
		puts(n3t_verdict_word(verdict));
		return;
	}
	n3t_ratio_print(text, sizeof(text), value, decimals);
	printf("%s %lld\n", text, n3t_ratio_scaled(value, decimals));
}

/* As at the end of a slice. */
static void correct(struct n3t_counts *counts)
{
	struct n3t_slice slice = { .state = N3T_SLICE_KEPT, .cycles = counts->cycles };
	struct n3t_ring_set in_ring = { 0 };
	struct n3t_ring ring = { .slice = &slice, .set = &in_ring };
	struct n3t_set set = { .nr = counts->nr };

	memcpy(set.code, counts->code, sizeof(set.code));
	memcpy(slice.count, counts->count, sizeof(slice.count));
	n3t_ring_correct(&ring, &set);
	memcpy(counts->count, slice.count, sizeof(slice.count));
}

static void answer_counts(unsigned int metric, char *word)
{
	bool uncorrected = word && !strcmp(word, "uncorrected");
	struct n3t_counts counts = { 0 };
	struct n3t_ratio value;

	if (uncorrected)
		word = strtok(NULL, EVAL_SEPARATORS);
	for (; word; word = strtok(NULL, EVAL_SEPARATORS))
		read_count(&counts, word);
	if (uncorrected)
		correct(&counts);
	answer(metric, n3t_formula_eval(n3t_metric_formula(metric), &counts, &value), &value);
}

static enum n3t_verdict verdict_by_word(const char *word)
{
	enum n3t_verdict verdict;

	for (verdict = 0; verdict < N3T_VALUE; verdict++)
		if (!strcmp(n3t_verdict_word(verdict), word))
			return verdict;
	die("no such word");
	return 0;
}

/* Counts of a CPU whose set has exactly these events. */
static void add_counts(struct n3t_combined *combined, u64 time_ns, const struct n3t_counts *counts)
{
	const struct n3t_formula *formula = n3t_metric_formula(combined->metric);
	struct n3t_counts ordered = { .cycles = counts->cycles };
	struct n3t_ratio value;
	unsigned int i;

	for (i = 0; i < formula->nr_events; i++)
		n3t_counts_get(counts, formula->code[i], &ordered.count[i]);
	n3t_combine_add(combined, n3t_formula_eval(formula, counts, &value), &ordered, time_ns);
}

static void answer_cpus(unsigned int metric)
{
	struct n3t_combined combined;
	struct n3t_counts counts;
	struct n3t_ratio value;
	char *word;
	u64 time_ns;

	n3t_combine_begin(&combined, metric);
	word = strtok(NULL, EVAL_SEPARATORS);
	while (word) {
		char *rest;

		time_ns = strtoull(word, &rest, 10);
		if (*rest)
			n3t_combine_add(&combined, verdict_by_word(word), NULL, 0);
		memset(&counts, 0, sizeof(counts));
		while ((word = strtok(NULL, EVAL_SEPARATORS)) && strcmp(word, "/"))
			read_count(&counts, word);
		if (!*rest)
			add_counts(&combined, time_ns, &counts);
		if (word)
			word = strtok(NULL, EVAL_SEPARATORS);
	}
	answer(metric, n3t_combine_end(&combined, &value), &value);
}

int main(void)
{
	static char line[EVAL_LINE_SIZE];
	unsigned int metric;
	char *word;

	if (n3t_spec_init() || n3t_formula_init())
		return 2;
	while (fgets(line, sizeof(line), stdin)) {
		word = strtok(line, EVAL_SEPARATORS);
		if (!word)
			continue;
		metric = metric_by_name(word);
		word = strtok(NULL, EVAL_SEPARATORS);
		if (word && !strcmp(word, "/"))
			answer_cpus(metric);
		else
			answer_counts(metric, word);
	}
	return 0;
}
