// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat baseline: percentiles of every metric, computed from recordings. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "baseline_make.h"
#include "cli/baseline.h"
#include "cli/errors.h"
#include "commands.h"
#include "lib/arguments.h"
#include "lib/files.h"
#include "lib/streams.h"
#include "lib/text.h"

struct baseline_options {
	const char *output;
	char **files;
	size_t nr_files;
};

static const char doc[] =
	"Compute a baseline from recordings: percentiles of every metric over snapshots and CPUs, "
	"over snapshots and nodes, and of the system. Without -o, print a baseline as a table."
	"\vn3stat, n3stat tree and explain use the file with -b. p5 and p95 need 20 "
	"non-overlapping snapshots, p1 and p99 100.";

static const struct argp_option list[] = {
	{ "output", 'o', "FILE", 0, "write a baseline to FILE, - for stdout", 1 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct baseline_options *options = state->input;

	switch (key) {
	case 'o':
		options->output = arg;
		return 0;
	case ARGP_KEY_ARGS:
		options->files = state->argv + state->next;
		options->nr_files = (size_t)(state->argc - state->next);
		return 0;
	case ARGP_KEY_NO_ARGS:
		die(ERR_MISSING_ARGUMENT, options->output ? "baseline of which recordings?" :
		    "which baseline? To make one: n3stat baseline -o FILE RECORDING...");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void check_output(const struct baseline_options *options)
{
	for (size_t i = 0; i < options->nr_files; i++)
		if (is_same_file(options->files[i], options->output))
			die(ERR_INPUT_IS_OUTPUT,
			    "%s: this is a recording; the baseline needs another file",
			    options->files[i]);
}

/* Prints the inputs of the baseline and its limits. */
static void print_summary(const struct baseline *baseline)
{
	for (int i = BASELINE_SCOPES - 1; i >= 0; i--) {
		const struct baseline_scope *scope = &baseline->scopes[i];

		if (!scope->places)
			continue;
		fprintf(stderr, "%s: %lu %s, %lu independent\n", baseline_scope_names[i],
			scope->snapshots, plural(scope->snapshots, "snapshot", "snapshots"),
			scope->independent);
		if (scope->independent < percentile_needs(percents[AT_P5]))
			warn(ERR_FEW_SAMPLES,
			     "too few for p5 and p95: nothing of %s will be marked; record %g s",
			     baseline_scope_names[i],
			     baseline->window * (double)percentile_needs(percents[AT_P5]));
	}
}

static void make(const struct baseline_options *options)
{
	struct baseline baseline;
	FILE *out = stdout;

	check_output(options);
	baseline_make(&baseline, options->files, options->nr_files);
	if (strcmp(options->output, "-"))
		out = create_private(options->output);
	baseline_write(&baseline, out);
	flush_output(out);
	if (out != stdout && fclose(out))
		die(ERR_CANNOT_WRITE, "%s: %s", options->output, strerror(errno));
	print_summary(&baseline);
	baseline_free(&baseline);
}

static void print(const char *name)
{
	struct baseline baseline;

	baseline_read(&baseline, name);
	baseline_print(&baseline);
	baseline_free(&baseline);
}

int command_baseline(int argc, char **argv)
{
	static const struct argp argp = {
		list, parse_option, "-o FILE RECORDING...\nFILE", doc, NULL, NULL, NULL
	};
	struct baseline_options options = { 0 };

	arguments_parse(&argp, argc, argv, 0, &options);
	if (options.output) {
		make(&options);
		return EXIT_SUCCESS;
	}
	if (options.nr_files != 1)
		die(ERR_TOO_MANY_ARGUMENTS,
		    "too many arguments: '%s'; -o FILE makes a baseline of recordings",
		    options.files[1]);
	print(options.files[0]);
	return EXIT_SUCCESS;
}
