// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Marks of values beyond the 5th and 95th percentile of the current baseline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "errors.h"
#include "marks.h"
#include "telemetry.h"

#define ENVIRONMENT	"N3STAT_BASELINE"

static struct baseline baseline;
static bool in_use;

static const struct argp_option list[] = {
	{ "baseline", 'b', "FILE", 0, "mark values outside a baseline's p5 to p95", 3 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const char **file = state->input;

	if (key != 'b')
		return ARGP_ERR_UNKNOWN;
	*file = arg;
	return 0;
}

const struct argp options_baseline = { list, parse_option, NULL, NULL, NULL, NULL, NULL };

const struct baseline *marks_read(const char *file)
{
	if (in_use)
		baseline_free(&baseline);
	in_use = false;
	if (!file)
		file = getenv(ENVIRONMENT);
	if (!file || !*file)
		return NULL;
	baseline_read(&baseline, file);
	in_use = true;
	return &baseline;
}

/* Copies and baselines of copies may come from any machine. */
static void check_kernel(void)
{
	struct utsname name;
	char *kernels;

	if (!source_is_live(&telemetry) || !*baseline.kernels || uname(&name))
		return;
	for (size_t i = 0; baseline.kernels[i]; i++)
		if (!strcmp(baseline.kernels[i], name.release))
			return;
	kernels = baseline_join(baseline.kernels);
	warn(ERR_BASELINE_DIFFERS,
	     "%s is a baseline of kernel %s, this is %s", baseline.name, kernels, name.release);
	free(kernels);
}

static void check_kind(void)
{
	static const char n3[] = "Neoverse N3";
	const char *core = telemetry_other_core();

	if (baseline.simulated != telemetry_is_simulated())
		warn(ERR_BASELINE_DIFFERS,
		     "%s is a baseline of %s counts, these are %s", baseline.name,
		     baseline.simulated ? "simulated" : "real",
		     baseline.simulated ? "real" : "simulated");
	if (strcmp(baseline.core ? baseline.core : n3, core ? core : n3))
		warn(ERR_BASELINE_DIFFERS,
		     "%s is a baseline of another core: %s; this is %s", baseline.name,
		     baseline.core ? baseline.core : n3, core ? core : n3);
}

const struct baseline *marks_use(const char *file)
{
	if (!marks_read(file))
		return NULL;
	check_kind();
	check_kernel();
	return &baseline;
}

bool marks_in_use(void)
{
	return in_use;
}

bool marks_range(enum scope scope, const char *metric, double *low, double *high)
{
	const struct baseline_metric *found =
		in_use ? baseline_find(&baseline, scope, metric) : NULL;

	if (!found || !found->known[AT_P5] || !found->known[AT_P95])
		return false;
	*low = found->v[AT_P5];
	*high = found->v[AT_P95];
	return true;
}

char mark_of(enum scope scope, const char *metric, const struct value *estimate)
{
	double low, high;

	if (!estimate->has_range || !marks_range(scope, metric, &low, &high))
		return MARK_NONE;
	return estimate->low > high ? MARK_ABOVE : estimate->high < low ? MARK_BELOW : MARK_NONE;
}

size_t marks_print_legend(FILE *out)
{
	if (!in_use)
		return 0;
	fprintf(out, "%c above p95, %c below p5 of %s%s (estimate with all of its interval)\n",
		MARK_ABOVE, MARK_BELOW, baseline.name,
		baseline.simulated ? ", simulated counts" : "");
	return 1;
}
