// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Nearly valid baselines, in memory, for the reader, the tables and the marks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/baseline.h"
#include "fuzz.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"

/* Another type, or another value of the right type; numbers are mostly valid. */
static void put_value(FILE *out, double number)
{
	static const char * const odd[] = {
		"null", "{}", "[]", "\"x\"", "-1", "1e999", "1e308", "NaN", "Infinity", "true",
		"99999999999999999999", "-0", "\"\\u001b[2J\\u0000\"", "[[[[[[", "1 2",
	};

	if (fuzz_below(60) == 0)
		fputs(odd[fuzz_below(NR(odd))], out);
	else
		fprintf(out, "%.4f", number);
}

static void put_percentiles(FILE *out)
{
	const char *comma = "";
	double number = 0;

	fputs("\"percentiles\":{", out);
	for (int i = 0; i < NR_PERCENTS; i++) {
		number += fuzz_below(1000) / 100.0;
		if (fuzz_below(6) == 0)
			continue;
		fprintf(out, "%s\"p%u\":", comma, percents[i]);
		put_value(out, number);
		comma = ",";
	}
	fputs("}", out);
}

static void put_metrics(FILE *out)
{
	const char *comma = "";

	fputs("\"metrics\":{", out);
	for (unsigned int i = fuzz_below(6); i > 0; i--) {
		const char *name = catalog_metric_name((int)fuzz_below(catalog_nr_metrics()));

		fprintf(out, "%s\"", comma);
		/* occasionally exceeds all names */
		for (unsigned int k = fuzz_below(30) ? 1 : 1 + fuzz_below(20); k > 0; k--)
			fputs(fuzz_below(20) ? name : fuzz_word(), out);
		fprintf(out, "\":{\"values\":%u,\"independent\":%u,", fuzz_below(1000),
			fuzz_below(200));
		put_percentiles(out);
		fputs("}", out);
		comma = ",";
	}
	fputs("}", out);
}

static void put_scopes(FILE *out)
{
	const char *comma = "";

	fputs("\"scopes\":{", out);
	for (int i = 0; i < BASELINE_SCOPES; i++) {
		if (fuzz_below(3) == 0)
			continue;
		fprintf(out, "%s\"%s\":{\"places\":%u,\"snapshots\":%u,\"independent\":%u,", comma,
			baseline_scope_names[i], fuzz_below(9), fuzz_below(999), fuzz_below(200));
		put_metrics(out);
		fputs("}", out);
		comma = ",";
	}
	fputs("}", out);
}

static char *make(size_t *size)
{
	char *text;
	FILE *out = fuzz_begin(&text, size);

	fputs("{\"format\":\"n3stat-baseline\",\"version\":1,\"hosts\":[\"a\"],", out);
	fputs("\"kernels\":[],\"pmus\":[\"n3_sim\",\"b\"],\"simulated\":false,", out);
	if (fuzz_below(4) == 0)
		fputs("\"core\":\"Neoverse V2\",", out);
	fputs("\"recordings\":3,\"window_ms\":", out);
	put_value(out, 2000);
	fputc(',', out);
	put_scopes(out);
	fputs("}\n", out);
	fclose(out);
	if (fuzz_below(3) == 0)
		fuzz_mutate(&text, size);
	return text;
}

void fuzz_baseline(void)
{
	struct baseline baseline;
	size_t size;
	char *text = make(&size);
	FILE *file = fmemopen(NULL, size + 1, "w+"), *out;

	if (!file)
		out_of_memory();
	fwrite(text, 1, size, file);
	free(text);
	rewind(file);
	baseline_read_stream(&baseline, file, "memory");
	fclose(file);
	baseline_print(&baseline);
	baseline_print_metric(&baseline,
			      catalog_metric_name((int)fuzz_below(catalog_nr_metrics())));
	out = fopen("/dev/null", "w");
	if (out) {
		baseline_write(&baseline, out);
		fclose(out);
	}
	baseline_free(&baseline);
}
