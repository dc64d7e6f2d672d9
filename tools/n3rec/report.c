// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat report: HTML page of a recording, or differences between two recordings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "diff.h"
#include "lib/arguments.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/streams.h"
#include "lib/text.h"
#include "page.h"
#include "reader/errors.h"
#include "reader/options.h"
#include "recording.h"
#include "report.h"

struct report_options {
	const char *output;
	const char *files[2];
	size_t nr_files;
	const char *place;
	bool diff;
	bool json;
	bool stdio;
	double from;
	double to;
};

#define WHOLE_CELLS	3500000		/* a page of some 24 MB */

static const char doc[] =
	"Print the decision tree of a recording (" RECORDING_DEFAULT "), or a table of all "
	"metrics if stdout is not a terminal. With -o, make an HTML page: Topdown and CPUs over "
	"time, the tree of a span, tables with errors. With --diff, print the changes from "
	"recording A to recording B and whether they exceed the error."
	"\vNumbers are estimates for whole windows, if recorded. The page works offline; -o - "
	"writes it to stdout.";

enum {
	OPTION_DIFF = 256, OPTION_FROM, OPTION_TO, OPTION_PLACE, OPTION_JSON, OPTION_STDIO
};

static const struct argp_option report_options[] = {
	{ "output", 'o', "FILE", 0, "make a page in this file", 1 },
	{ "stdio", OPTION_STDIO, NULL, 0, "print a table even on a terminal", 1 },
	{ "from", OPTION_FROM, "SECONDS", 0, "exclude snapshots before (from the start)", 2 },
	{ "to", OPTION_TO, "SECONDS", 0, "exclude snapshots after", 2 },
	{ "diff", OPTION_DIFF, NULL, 0, "compare two recordings", 3 },
	{ "json", OPTION_JSON, NULL, 0, "one JSON object", 1 },
	{ "place", OPTION_PLACE, "PLACE", 0, "cpu3, node0, ... (default: system)", 3 },
	{ 0 }
};

static double parse_seconds(const char *arg)
{
	struct value value = value_of_text(arg);

	if (!value.is_number || value.number < 0)
		die(ERR_BAD_VALUE, "bad time '%s'; write seconds from the start", arg);
	return value.number;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct report_options *options = state->input;

	switch (key) {
	case 'o':
		options->output = arg;
		return 0;
	case OPTION_DIFF:
		options->diff = true;
		return 0;
	case OPTION_FROM:
		options->from = parse_seconds(arg);
		return 0;
	case OPTION_TO:
		options->to = parse_seconds(arg);
		return 0;
	case OPTION_JSON:
		options->json = true;
		return 0;
	case OPTION_STDIO:
		options->stdio = true;
		return 0;
	case OPTION_PLACE:
		options->place = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (options->nr_files == NR(options->files))
			die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
		options->files[options->nr_files++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void __noreturn die_empty(const struct report_options *options, const char *name)
{
	if (options->to < HUGE_VAL)
		die(ERR_EMPTY_RECORDING, "%s: no complete snapshot between %g s and %g s", name,
		    options->from, options->to);
	if (options->from > 0)
		die(ERR_EMPTY_RECORDING,
		    "%s: no complete snapshot after %g s", name, options->from);
	die(ERR_EMPTY_RECORDING, "%s: no complete snapshot", name);
}

static void warn_of_damage(const struct recording *recording)
{
	if (recording->cut)
		warn(ERR_INCOMPLETE_RECORDING,
		     "%s: cut off in the middle of a snapshot; %lu complete %s before it",
		     recording->name, recording->nr, plural(recording->nr, "one", "ones"));
	if (recording->broken)
		warn(ERR_INCOMPLETE_RECORDING,
		     "%s: damaged at byte %llu; %lu %s before it", recording->name,
		     recording->at, recording->nr,
		     plural(recording->nr, "snapshot", "snapshots"));
}

static void check_read(const struct recording *recording, const struct summary *summary,
		       const struct report_options *options, const char *name)
{
	if (!summary->nr)
		die_empty(options, name);
	warn_of_damage(recording);
}

static void read_side(struct diff_side *side, const struct report_options *options,
		      const char *name)
{
	side->summary.from = options->from;
	side->summary.to = options->to;
	recording_open(&side->recording, name);
	diff_read(side, options->place);
	check_read(&side->recording, &side->summary, options, name);
}

static void report_diff(const struct report_options *options)
{
	struct diff diff = { 0 };

	read_side(&diff.a, options, options->files[0]);
	read_side(&diff.b, options, options->files[1]);
	diff_make(&diff);
	if (options->json)
		diff_json(&diff);
	else
		diff_print(&diff);
	flush_output(stdout);
	diff_warn(&diff);
	diff_free(&diff);
}

/* @name: of the output file, NULL for stdout. */
static void check_output(const struct report_options *options, const char *name)
{
	if (is_same_file(options->files[0], name))
		die(ERR_INPUT_IS_OUTPUT, "%s: this is the recording; the report needs another file",
		    name ? name : options->files[0]);
}

static void print_text(const struct report_options *options, const struct recording *recording,
		       const struct summary *summary)
{
	size_t place = report_place(recording, summary, options->place);

	if (options->json)
		report_json(recording, summary, options->place);
	else if (!options->stdio && isatty(STDOUT_FILENO))
		report_tree(recording, summary, place);
	else
		report_table(recording, summary, place);
}

static void report_text(const struct report_options *options)
{
	struct summary summary = { .from = options->from, .to = options->to };
	struct recording recording;

	check_output(options, NULL);
	recording_open(&recording, options->files[0]);
	recording_place(&recording, options->place);
	summary_begin(&summary, &recording);
	while (recording_next(&recording))
		summary_add(&summary, &recording);
	check_read(&recording, &summary, options, options->files[0]);
	print_text(options, &recording, &summary);
	flush_output(stdout);
	summary_free(&summary);
	recording_close(&recording);
}

static void print_progress(unsigned long nr)
{
	fprintf(stderr, "\rread %lu %s ", nr, plural(nr, "snapshot", "snapshots"));
}

/* The progress line is erased at the end. */
static void read_cells(struct page *page, const struct report_options *options)
{
	bool progress = isatty(STDERR_FILENO);

	recording_open(page->recording, page->file);
	page->summary = (struct summary) { .from = options->from, .to = options->to };
	cells_read(&page->cells, &page->summary, page->recording,
		   progress ? print_progress : NULL);
	if (progress)
		fputs("\r\033[K", stderr);
	check_read(page->recording, &page->summary, options, page->file);
}

static void report_page(const struct report_options *options)
{
	struct recording recording;
	struct page page = { .recording = &recording, .file = options->files[0],
			     .whole_cells = WHOLE_CELLS };
	const char *name = strcmp(options->output, "-") ? options->output : NULL;
	struct output output;

	read_cells(&page, options);
	page.place = report_place(&recording, &page.summary, NULL);
	check_output(options, name);
	output_open(&output, name);
	page.out = output.file;
	page_write(&page);
	output_close(&output);
	if (name && isatty(STDOUT_FILENO))
		printf("%s\n", name);
	cells_free(&page.cells);
	summary_free(&page.summary);
	recording_close(page.recording);
}

static void use_default(struct report_options *options)
{
	if (options->nr_files || options->diff)
		return;
	if (access(RECORDING_DEFAULT, F_OK))
		die(ERR_CANNOT_READ, "no " RECORDING_DEFAULT " here: name a recording, or make "
		    "one with n3stat record");
	options->files[options->nr_files++] = RECORDING_DEFAULT;
}

static void check_diff_options(const struct report_options *options)
{
	if (options->output)
		die(ERR_CONFLICTING_OPTIONS,
		    "--diff does not make a page: redirect its output instead of using -o");
	if (options->nr_files != 2)
		die(ERR_MISSING_ARGUMENT, "--diff needs two recordings");
}

static void check_options(const struct report_options *options)
{
	if (options->diff)
		check_diff_options(options);
	else if (options->nr_files != 1)
		die(ERR_TOO_MANY_ARGUMENTS, "report needs one recording (or --diff and two)");
	if (options->output && (options->stdio || options->json))
		die(ERR_CONFLICTING_OPTIONS,
		    "-o makes a page: redirect the output of --stdio and --json");
	if (options->output && options->place)
		die(ERR_CONFLICTING_OPTIONS, "a page has all places: no --place with -o");
	if (options->stdio && options->json)
		die(ERR_CONFLICTING_OPTIONS, "--stdio and --json: choose one");
	if (options->from > options->to)
		die(ERR_BAD_VALUE, "--from %g is after --to %g", options->from, options->to);
}

int command_report(int argc, char **argv)
{
	static const struct argp argp = {
		report_options, parse_option, "[FILE]\n--diff A B", doc, NULL, NULL, NULL
	};
	struct report_options options = { .to = HUGE_VAL };

	arguments_parse(&argp, argc, argv, 0, &options);
	use_default(&options);
	check_options(&options);
	if (options.diff)
		report_diff(&options);
	else if (options.output)
		report_page(&options);
	else
		report_text(&options);
	return EXIT_SUCCESS;
}
