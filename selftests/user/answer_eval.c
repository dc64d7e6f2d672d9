// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * answer_eval - reads lines of quality (see n3t_quality_print()) up to an empty one, and prints the
 * answer of the estimates and an empty line; likewise for all that follow
 * answer_eval names - the short name of each metric, and the metric with this name
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/errors.h"
#include "libn3telemetry/answer.h"

#define TEXT_SIZE	16384

static const struct value *value_at(const void *values, int metric)
{
	const struct named_value *found = values_find(values, catalog_metric_name(metric));

	return found ? &found->estimate : NULL;
}

static void print_end(const char *key, const struct answer_end *end)
{
	printf("%s %s %.9f ", key, catalog_metric_name(end->metric), end->share.value);
	if (isnan(end->share.error))
		printf("none");
	else
		printf("%.9f", end->share.error);
	puts(end->rest ? " rest" : "");
}

static void print_answer(const struct answer *answer)
{
	char in_full[ANSWER_LONG], in_short[ANSWER_SHORT];
	int groups[PATH_MAX_NEXT];
	size_t nr = path_groups(answer_metric(answer, 0), groups);

	for (size_t i = 0; i < answer->nr; i++) {
		const struct answer_area *area = &answer->areas[i];

		print_end("area", &(struct answer_end) { area->metric, false, area->share });
		for (size_t k = 0; k < area->nr_causes; k++)
			print_end(area->spread ? "part" : "cause", &area->causes[k]);
		printf("rest %.9f below %s\n", area->rest, area->word ?: "known");
	}
	for (size_t i = 0; i < answer->nr_losses; i++)
		print_end("loss", &answer->losses[i]);
	printf("loses %.9f next", isnan(answer_loss(answer)) ? -1 : answer_loss(answer));
	for (size_t i = 0; i < nr; i++)
		printf(" %s", catalog_group(groups[i]).file);
	answer_long(in_full, answer);
	answer_short(in_short, answer);
	printf("\nlong %s\nshort %s\n\n", in_full, in_short);
}

static void print_names(void)
{
	for (int i = 0; i < catalog_nr_metrics(); i++)
		printf("%s %s %s\n", catalog_metric_name(i), catalog_short_name(i),
		       catalog_metric_name(catalog_find_short_name(catalog_short_name(i))));
}

int main(int argc, char **argv)
{
	struct values values;
	struct failure failure = { 0 };
	struct answer answer;
	char text[TEXT_SIZE];
	size_t len = 0;

	(void)argv;
	if (!catalog_init())
		return 2;
	if (argc > 1) {
		print_names();
		return 0;
	}
	while (fgets(text + len, sizeof(text) - len, stdin)) {
		if (text[len] != '\n') {
			len += strlen(text + len);
			continue;
		}
		text[len] = 0;
		len = 0;
		if (!values_parse(&values, text, "stdin", &failure))
			die(failure.kind, "%s", failure.text);
		answer_find(&answer, value_at, &values);
		print_answer(&answer);
	}
	return 0;
}
