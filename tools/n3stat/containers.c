// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat containers: measurement of each container and unit over an interval. */
#include <stdlib.h>

#include "commands.h"
#include "containers_view.h"
#include "lib/arguments.h"
#include "lib/clock.h"
#include "reader/errors.h"
#include "reader/options.h"
#include "reader/telemetry.h"

#define INTERVAL	30	/* seconds */

struct containers_options {
	struct options common;
	const char *cgroups;
	bool json;
};

static const char doc[] =
	"Show where the slots of each container and unit go, over INTERVAL seconds (30): CPU time, "
	"Topdown level 1 with 95 % intervals, the answer; the most lost slots first. The module has "
	"to sample containers: setting container_pieces.";

enum { OPTION_JSON = 256, OPTION_CGROUPS };

static const struct argp_option containers_options[] = {
	{ "cgroups", OPTION_CGROUPS, "DIR", 0, "directory of cgroups: /sys/fs/cgroup", 3 },
	{ "json", OPTION_JSON, NULL, 0, "JSON, with all numbers", 4 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct containers_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case OPTION_CGROUPS:
		options->cgroups = arg;
		return 0;
	case OPTION_JSON:
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->common.nr_args++)
			die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
		options->common.interval = arguments_seconds("interval", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Return: the seconds between the first and the last reading. */
static double measure(struct containers_rows *rows, double interval)
{
	double first = monotonic_now();

	containers_rows_read(rows);
	containers_check();
	for (int part = 1; part <= CONTAINERS_PARTS; part++) {
		sleep_until(first + interval * part / CONTAINERS_PARTS);
		containers_rows_read(rows);
	}
	return monotonic_now() - first;
}

int command_containers(int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_source, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		containers_options, parse_option, "[INTERVAL]", doc, children, NULL, NULL
	};
	struct containers_options options = { .common = OPTIONS_DEFAULT };
	struct containers_rows rows = { 0 };
	double seconds;
	char *root;

	options.common.interval = INTERVAL;
	arguments_parse(&argp, argc, argv, 0, &options);
	must(source_open(&telemetry, options.common.root));
	must(cgroups_open(&telemetry.failure, &telemetry, options.cgroups, &root));
	rows.root = root;
	seconds = measure(&rows, options.common.interval);
	containers_rows_end(&rows);
	if (rows.cut_off)
		warn(ERR_TOO_MANY_CGROUPS, "%s: too many cgroups, or too deep ones; those left out "
		     "count as removed", root);
	(options.json ? containers_json : containers_table)(&rows, seconds);
	containers_rows_free(&rows);
	free(root);
	return EXIT_SUCCESS;
}
