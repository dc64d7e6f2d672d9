// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * infer DIR PLACE [FILE] - what the library infers from the moments of a place's CPUs: lines of the
 * group FILE, or "bottleneck"; without FILE those of all metrics, then the bottleneck. A line
 * "# cpu RUN SLICES SINCE UNTIL" for each CPU precedes them, with the window of each set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/errors.h"
#include "libn3t/spec.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/infer.h"
#include "libn3telemetry/stats/moments.h"
#include "libn3telemetry/source.h"
#include "libn3telemetry/stats/quality.h"

static void print_times(const struct inference *inference)
{
	const struct moments *moments;

	for (unsigned int i = 0; (moments = infer_moments(inference, i)); i++) {
		printf("# %u %llu %llu", moments->cpu, (unsigned long long)moments->run,
		       (unsigned long long)moments->slices);
		for (unsigned int k = 0; moments->run && k < moments->layout->plan.nr_sets; k++)
			printf(" %llu %llu", (unsigned long long)moments->set[k].since_ns,
			       (unsigned long long)moments->set[k].until_ns);
		printf("\n");
	}
}

static void print(struct inference *inference)
{
	struct n3t_quality quality;
	char text[4096];

	for (unsigned int i = 0; i < N3T_NR_METRICS; i++) {
		infer_quality(inference, i, &quality);
		n3t_quality_print(text, sizeof(text), i, &quality);
		fputs(text, stdout);
	}
	infer_bottleneck(inference, text, sizeof(text));
	fputs(text, stdout);
}

int main(int argc, char **argv)
{
	static struct source source;
	struct inference *inference = NULL;
	struct place place;

	char *text;

	if (argc < 3 || argc > 4 || !catalog_init() || !place_parse(argv[2], &place))
		return EXIT_BAD_USAGE;
	if (!source_open(&source, argv[1]) || !infer_begin(&source, &place, &inference))
		die(source.failure.kind, "%s", source.failure.text ?: "out of memory");
	if (!inference)
		die(ERR_NO_SUCH_PLACE, "%s: no moments", argv[2]);
	if (argc > 3) {
		if (!infer_file(&source, &place, argv[3], &text) || !text)
			die(ERR_NO_SUCH_PLACE, "%s: no such file", argv[3]);
		fputs(text, stdout);
	} else {
		print_times(inference);
		print(inference);
	}
	source_close(&source);
	return 0;
}
