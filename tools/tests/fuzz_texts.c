// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The fuzzer's texts in the formats of the module, with errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"

static const char * const files[] = {
	"topdown_l1", "topdown_frontend", "topdown_backend", "general", "mpki", "custom",
	"operation_mix", "new_group", "status",
};

static const char * const places[] = {
	"cpu0", "cpu1", "cpu17", "node0", "system", "cpu8191", "cpu8192", "cpux", "node",
};

static const char *pick(const char * const *from, size_t nr)
{
	return from[fuzz_below(nr)];
}

static void put_name(FILE *out)
{
	if (fuzz_below(20) == 0)
		fputs(fuzz_word(), out);
	else
		fputs(catalog_metric_name(fuzz_below(catalog_nr_metrics())), out);
}

static void put_quality(FILE *out)
{
	static const char * const keys[] = {
		"value", "low", "high", "coverage", "slices", "estimate", "estimate_low",
		"estimate_high",
	};

	for (size_t i = 0; i < NR(keys); i++) {
		if (fuzz_below(60) == 0)
			continue;
		fprintf(out, " %s=", fuzz_below(40) ? keys[i] : fuzz_word());
		fuzz_number(out);
	}
	fputc('\n', out);
}

static void put_metric(FILE *out, int metric, bool quality)
{
	if (metric < 0 || fuzz_below(20) == 0)
		put_name(out);
	else
		fputs(catalog_metric_name(metric), out);
	if (quality) {
		put_quality(out);
		return;
	}
	fputc(' ', out);
	fuzz_number(out);
	fputc('\n', out);
}

static char *make_file(const char *file, bool quality)
{
	int group = catalog_find_group(file);
	char *text;
	size_t size;
	FILE *out = fuzz_begin(&text, &size);

	if (group >= 0)
		for (size_t i = 0; i < catalog_group(group).nr_members; i++)
			put_metric(out, catalog_member(group, i), quality);
	else
		for (unsigned int i = fuzz_below(5); i > 0; i--)
			put_metric(out, -1, quality || fuzz_below(2));
	fclose(out);
	if (fuzz_below(10) == 0)
		fuzz_mutate(&text, &size);
	return text;
}

void fuzz_tree_make(void)
{
	bool quality = fuzz_below(2);

	fuzz_tree_clear();
	for (unsigned int i = 1 + fuzz_below(4); i > 0; i--) {
		const char *place = fuzz_below(4) == 0 ? pick(places, NR(places)) :
				    i % 2 ? "cpu0" : "system";

		for (unsigned int k = 2 + fuzz_below(8); k > 0; k--) {
			const char *file = pick(files, NR(files));

			fuzz_tree_add(format_string(FUZZ_MODULE "/%s/%s", place, file),
				      make_file(file, false));
			if (quality && fuzz_below(2))
				fuzz_tree_add(format_string(FUZZ_MODULE "/%s/quality/%s", place,
							    file),
					      make_file(file, true));
		}
	}
	/* else a tree without moments is refused if it has the status of a CPU */
	if (fuzz_below(10))
		fuzz_tree_add(xstrdup(FUZZ_MODULE "/results"), xstrdup("text\n"));
	if (fuzz_below(2))
		fuzz_tree_add(xstrdup(FUZZ_MODULE "/window_ms"), make_file("window_ms", false));
	if (fuzz_below(2))
		fuzz_tree_add(xstrdup(FUZZ_MODULE "/spec"), make_file("spec", false));
}
