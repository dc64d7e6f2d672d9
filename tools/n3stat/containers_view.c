// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Output of n3stat containers: a table with notes, or JSON. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "containers_view.h"
#include "json_parts.h"
#include "lib/clock.h"
#include "lib/json.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/plain.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "reader/notices.h"
#include "reader/telemetry.h"

#define SCHEMA		"n3stat-containers-1"
#define SAMPLED		"sampled"
#define MIN_COVERAGE	90	/* percent; less has a note */
#define MIN_WIDTH	9
#define MAX_WIDTH	48	/* of names; longer ones shift their row */
#define TIME_WIDTH	8
#define SHARE_WIDTH	9

/* Numbers of CPUs by the word of "containers" in their status. */
static json_object *read_words(void)
{
	json_object *words = json_object_new_object();
	struct place place;
	char **names;
	size_t nr = telemetry_list("", &names);

	for (size_t i = 0; i < nr; i++) {
		char *path = format_string("%s/status", names[i]), *word = NULL;
		const char *text = place_parse(names[i], &place) && place.scope == SCOPE_CPU ?
				   telemetry_read(path) : NULL;

		if (text)
			word = value_of_key(text, "containers");
		if (word) {
			plain_text(word);
			json_add(words, word, json_object_new_int64(1 +
				 json_object_get_int64(json_object_object_get(words, word))));
		}
		free(path);
		free(word);
	}
	free_names(names);
	return words;
}

static const char *remedy_of(const char *word)
{
	static const struct {
		const char *word;
		const char *remedy;
	} known[] = {
		{ "off", "offline, or not in the setting cpus" },
		{ "no_direct", "the setting switch has to be auto" },
		{ "split", "topdown_l1 has to be in groups, and reserved_counters 0" },
		{ "too_many_switches", "raise max_cost, or lower container_pieces" },
	};

	for (size_t i = 0; i < NR(known); i++)
		if (!strcmp(word, known[i].word))
			return known[i].remedy;
	return "see containers in cpuN/status";
}

void containers_check(void)
{
	json_object *words = read_words();

	json_object_object_foreach(words, word, number)
		if (number && !json_object_object_get(words, SAMPLED))
			die(ERR_CONTAINERS_OFF, "no CPU is sampled: %s (%s)", word,
			    remedy_of(word));
	json_object_put(words);
}

/* Record 0, and the sampled time of all rows, over the interval, or since the module was loaded. */
struct totals_of_all {
	struct containers_file head;
	unsigned long long pieces, time_ns;
	double coverage;	/* percent, NAN if unknown */
};

static struct totals_of_all find_totals(const struct containers_rows *rows)
{
	static const struct containers_file none;
	const struct containers_file *to = &rows->file;
	bool is_new = to->switches < rows->first.switches ||
		      to->covered_ns < rows->first.covered_ns;
	const struct containers_file *from = is_new ? &none : &rows->first;
	struct totals_of_all all = {
		.head = {
			.switches = to->switches - from->switches,
			.evicted = to->evicted - from->evicted,
			.other = to->other - from->other,
			.other_ns = to->other_ns - from->other_ns,
			.dropped = to->dropped - from->dropped,
		},
	};

	for (size_t i = 0; i < rows->nr; i++) {
		all.pieces += rows->sorted[i]->pieces;
		for (size_t k = 0; k < CONTAINERS_PARTS; k++)
			all.time_ns += rows->sorted[i]->parts[k].time_ns;
	}
	/* The busy time is that since boot. */
	all.coverage = is_new || to->busy_ns == from->busy_ns ? NAN :
		       100 * (double)(to->covered_ns - from->covered_ns) /
		       (double)(to->busy_ns - from->busy_ns);
	return all;
}

static double other_percent(const struct totals_of_all *all)
{
	double sum = (double)all->time_ns + (double)all->head.other_ns;

	return all->head.other ? 100 * (double)all->head.other_ns / sum : 0;
}

/* table */

/* "few" is in the column of the answer alone. Small errors are rounded up to the last digit. */
static void print_share(const struct value *value)
{
	struct number_text text = number_text(value->number, value_error(value), 1);
	const char *number = text.number + (*text.number == '-' && !strtod(text.number, NULL));
	const char *error = text.error + (*text.error == '<');
	int sign = strcmp(plus_minus(), "+-") ? 1 : 2;
	int width = SHARE_WIDTH - sign - (int)strlen(error);

	if (value->is_number)
		printf(" %*s%s%s", width > 0 ? width : 0, number, plus_minus(), error);
	else
		printf(" %*s", SHARE_WIDTH,
		       strcmp(value->text, CONTAINERS_FEW) ? value->text : NO_VALUE);
}

static void print_row(const struct containers_row *row, int width)
{
	char time[32] = NO_VALUE, text[ANSWER_SHORT];
	struct answer answer;

	if (!isnan(row->seconds))
		snprintf(time, sizeof(time), "%.2f", row->seconds);
	containers_answer(&answer, &row->values);
	answer_short(text, &answer);
	printf("%-*s %*s", width, row->name, TIME_WIDTH, time);
	for (size_t i = 0; i < CONTAINERS_METRICS; i++)
		print_share(&row->values.v[i]);
	printf(" %s\n", text);
}

static void print_header(const struct containers_values *values, int width)
{
	printf("%-*s %*s", width, "container", TIME_WIDTH, "cpu");
	for (size_t i = 0; i < CONTAINERS_METRICS; i++)
		printf(" %*s", SHARE_WIDTH, catalog_narrow_name(values->metrics[i]));
	printf(" answer\n%-*s %*s", width, "", TIME_WIDTH, "s");
	for (size_t i = 0; i < CONTAINERS_METRICS; i++)
		printf(" %*s", SHARE_WIDTH, catalog_metric(values->metrics[i]).short_unit);
	puts(" of all slots");
}

static void print_rows(const struct containers_rows *rows)
{
	int width = MIN_WIDTH;

	for (size_t i = 0; i < rows->nr; i++) {
		int len = (int)strlen(rows->sorted[i]->name);

		if (len > width)
			width = len < MAX_WIDTH ? len : MAX_WIDTH;
	}
	if (rows->nr)
		print_header(&rows->sorted[0]->values, width);
	for (size_t i = 0; i < rows->nr; i++)
		print_row(rows->sorted[i], width);
}

static void print_words(void)
{
	json_object *words = read_words();

	json_object_object_foreach(words, word, number) {
		int cpus = json_object_get_int(number);

		if (strcmp(word, SAMPLED))
			printf("%d %s not sampled: %s (%s)\n", cpus,
			       plural(cpus, "CPU is", "CPUs are"), word, remedy_of(word));
	}
	json_object_put(words);
}

static void print_notes(const struct totals_of_all *all)
{
	if (all->coverage < MIN_COVERAGE)
		printf("coverage %.0f %% of the busy time; the rest was not sampled\n",
		       all->coverage);
	print_words();
	if (all->head.evicted)
		printf("%llu evicted: cgroups replaced, as the module's table is full\n",
		       all->head.evicted);
	if (all->head.other)
		printf("%llu pieces (%.1f %% of the time) of cgroups without room in the module's "
		       "table\n", all->head.other, other_percent(all));
	if (all->head.dropped)
		printf("%llu slices dropped with their pieces\n", all->head.dropped);
}

void containers_table(const struct containers_rows *rows, double seconds)
{
	const struct totals_of_all all = find_totals(rows);

	print_simulated(stdout);
	print_other_core(stdout);
	printf("means of %.3g s with 95 %% intervals, of %llu pieces of runs; %s: fewer than %d "
	       "pieces, or wider than %s%d points\n", seconds, all.pieces, CONTAINERS_FEW,
	       CONTAINERS_PIECES, plus_minus(), CONTAINERS_POINTS);
	print_rows(rows);
	print_notes(&all);
}

/* JSON */

static json_object *number_or_null(double number, int decimals)
{
	return isnan(number) ? NULL : json_decimal(number, decimals);
}

static json_object *object_of_row(const struct containers_row *row)
{
	json_object *object = json_object_new_object(), *metrics = json_object_new_object();
	char path[4 * PATH_MAX];
	struct answer answer;

	json_add(object, "name", json_object_new_string(row->name));
	cgroup_escape(path, sizeof(path), row->path ? row->path : "");
	json_add(object, "cgroup", row->path ? json_object_new_string(path) : NULL);
	json_add(object, "cpu_s", number_or_null(row->seconds, 6));
	json_add(object, "lost_cpu_s", number_or_null(row->lost, 6));
	json_add(object, "pieces", json_object_new_uint64(row->pieces));
	for (size_t i = 0; i < CONTAINERS_METRICS; i++) {
		struct catalog_metric metric = catalog_metric(row->values.metrics[i]);
		const struct value *value = &row->values.v[i];

		json_add(metrics, metric.name, json_of_value(value, value, metric.unit));
	}
	json_add(object, "metrics", metrics);
	containers_answer(&answer, &row->values);
	json_add_answer(object, &answer);
	return object;
}

void containers_json(const struct containers_rows *rows, double seconds)
{
	const struct totals_of_all all = find_totals(rows);
	json_object *object = json_of_round(SCHEMA, unix_now());
	json_object *containers = json_object_new_array();

	/* The window is that of other values. */
	json_object_object_del(object, "window_ms");
	json_add(object, "interval_s", json_decimal(seconds, 3));
	json_add(object, "coverage", number_or_null(all.coverage, 2));
	json_add(object, "pieces", json_object_new_uint64(all.pieces));
	json_add(object, "switches", json_object_new_uint64(all.head.switches));
	json_add(object, "evicted", json_object_new_uint64(all.head.evicted));
	json_add(object, "other_pieces", json_object_new_uint64(all.head.other));
	json_add(object, "other_percent", json_decimal(other_percent(&all), 2));
	json_add(object, "dropped_slices", json_object_new_uint64(all.head.dropped));
	json_add(object, "cpus", read_words());
	for (size_t i = 0; i < rows->nr; i++)
		json_append(containers, object_of_row(rows->sorted[i]));
	json_add(object, "containers", containers);
	json_print_line(object);
}
