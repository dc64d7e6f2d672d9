// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat [INTERVAL [COUNT]]: values, once or repeatedly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "lib/arguments.h"
#include "lib/clock.h"
#include "lib/memory.h"
#include "lib/streams.h"
#include "lib/suggest.h"
#include "lib/terminal.h"
#include "libn3telemetry/busy.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/order.h"
#include "libn3telemetry/answer_read.h"
#include "reader/errors.h"
#include "reader/notices.h"
#include "reader/options.h"
#include "reader/telemetry.h"
#include "stat_who.h"

struct stat_options {
	struct options common;
	const char *sort;
	bool times;
	bool values;
	bool errors;
	void (*print)(struct view *view);
};

static const char doc[] =
	"Show where the cycles of Neoverse N3 CPUs go, every INTERVAL seconds."
	"\vCommands: tree find top bottleneck containers list explain record report spe doctor "
	"selftest help version; n3stat help COMMAND, n3stat explain WORD.";

enum { OPTION_JSON = 256, OPTION_CSV, OPTION_VALUES, OPTION_ERRORS };

static const struct argp_option stat_options[] = {
	{ "sort", 's', "METRIC", 0, "largest first; +METRIC: smallest first", 3 },
	{ "timestamp", 't', NULL, 0, "add the time to each row", 3 },
	{ "values", OPTION_VALUES, NULL, 0, "counted values, not estimates; with errors", 3 },
	{ "errors", OPTION_ERRORS, NULL, OPTION_ALIAS, NULL, 3 },
	{ "json", OPTION_JSON, NULL, 0, "JSON, with values, estimates and errors", 4 },
	{ "csv", OPTION_CSV, NULL, 0, "comma separated values", 4 },
	{ 0 }
};

static void take_format(struct stat_options *options, void (*print)(struct view *view))
{
	if (options->print && options->print != print)
		die(ERR_CONFLICTING_OPTIONS, "--json and --csv: choose one");
	options->print = print;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct stat_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		for (size_t i = 0; i < 5; i++)
			state->child_inputs[i] = &options->common;
		return 0;
	case 's':
		options->sort = arg;
		return 0;
	case 't':
		options->times = true;
		return 0;
	case OPTION_VALUES:
		options->values = true;
		return 0;
	case OPTION_ERRORS:
		options->errors = true;
		return 0;
	case OPTION_JSON:
		take_format(options, view_json);
		return 0;
	case OPTION_CSV:
		take_format(options, view_csv);
		return 0;
	case ARGP_KEY_ARG:
		options_argument(&options->common, arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void check(const struct stat_options *options)
{
	const struct options *common = &options->common;

	if (who_names_any(&common->who) && (common->nr_names || options->sort))
		die(ERR_CONFLICTING_OPTIONS,
		    "--pid, --comm and --cgroup have columns and an order of "
		    "their own: not with -g, -m, --sort");
	if ((options->values || options->errors) && (options->print || !common->nr_names))
		die(ERR_CONFLICTING_OPTIONS,
		    "--values and --errors are for tables, -g and -m; JSON has both");
	if (options->times && options->print)
		die(ERR_CONFLICTING_OPTIONS, "-t is for tables; JSON and CSV always have the time");
}

static void choose_named(struct stat_options *options, struct choice *choice)
{
	struct options *common = &options->common;
	enum scope scope = common->nr_names ? SCOPE_CPU : SCOPE_SYSTEM;

	options_choose_places(common, choice, scope);
	options_choose_names(common, choice);
	if (common->nr_names)
		return;
	if (!options->print)
		options->print = view_brief;
	must(answer_choose_groups(&telemetry, choice));
	must(choose_known_group(&telemetry, choice, "General"));
}

/* Whether a column has ghz or gips, which busy alone does not need. */
static bool has_rates(const struct stat_options *options, const struct choice *choice)
{
	return !options->common.nr_names || choice_rate(choice, RATES_GHZ) >= 0 ||
	       choice_rate(choice, RATES_GIPS) >= 0;
}

/* Adds the groups and metrics that an output format needs. */
static void choose(struct stat_options *options, struct choice *choice, struct busy *busy)
{
	bool brief, json = options->print == view_json;

	choose_named(options, choice);
	brief = options->print == view_brief;
	if (brief || json || !options->common.nr_names || choice_has(choice, RATES_FILE))
		must(busy_start(&telemetry, busy, options->common.proc,
				brief || json || has_rates(options, choice)));
	else if (options->common.proc && !options_name_cpus_of_nodes(&options->common))
		die(ERR_CONFLICTING_OPTIONS,
		    "--proc is for the busy time of CPUs, which these groups and metrics do not "
		    "include; add -m busy, or see --pid");
	if (!options->common.nr_names && busy->known)
		must(choose_rates(&telemetry, choice));
	if (!options->print)
		options->print = view_table;
	/* Estimates and errors are expensive: not read for values alone. */
	choice->quality = (options->print != view_csv && !options->values) || options->errors ||
			  (options->print == view_csv && answer_is_chosen(choice));
}

/* Reports an unknown metric and suggests one of the shown metrics. */
static void __noreturn die_unknown(const struct choice *choice, const char *metric)
{
	struct suggestion suggestion;

	suggest_begin(&suggestion, metric);
	for (size_t i = 0; i < choice->nr_columns; i++)
		suggest_name(&suggestion, choice->columns[i].name);
	die(ERR_UNKNOWN_METRIC, "no metric '%s'%s", metric,
	    suggest_end(&suggestion, ": see n3stat list metrics"));
}

static double loss_at(const struct view *view, size_t place)
{
	struct answer answer;

	answer_of_snapshot(&answer, view->snapshot, view->choice, place);
	return answer_loss(&answer);
}

static double number_at(const struct view *view, size_t place, size_t column)
{
	const struct value *value = view->get(view->snapshot, view->choice, place, column);

	return value->is_number ? value->number : NAN;
}

/* Return: the column of a metric, or -1 for the slots lost, if the answer is shown. */
static int find_column(const struct choice *choice, const char *metric, bool answer)
{
	int known = catalog_find_short_name(metric);

	if (answer && !strcasecmp(metric, "answer"))
		return -1;
	if (known >= 0)
		metric = catalog_metric_name(known);
	for (size_t i = 0; i < choice->nr_columns; i++)
		if (!strcasecmp(choice->columns[i].name, metric))
			return (int)i;
	if (known < 0 && rates_find(metric) < 0)
		die_unknown(choice, metric);
	die(ERR_METRIC_NOT_SHOWN,
	    "cannot sort by '%s', which is not shown; add -m %s", metric, metric);
}

/* As in ps(1): "+ipc" sorts in ascending order, "-ipc" is the same as "ipc". */
static void sort_places(const struct view *view, size_t *order, const char *metric, bool answer)
{
	double *numbers;
	int column;

	if (!metric) {
		order_by_place(order, view->choice);
		return;
	}
	column = find_column(view->choice, metric + (*metric == '+' || *metric == '-'), answer);
	numbers = xcalloc(view->choice->places.nr, sizeof(*numbers));
	for (size_t i = 0; i < view->choice->places.nr; i++)
		numbers[i] = column < 0 ? loss_at(view, i) : number_at(view, i, column);
	order_by_number(order, view->choice, numbers, *metric == '+');
	free(numbers);
}

static const struct argp_child children[] = {
	{ &options_places, 0, NULL, 0 },
	{ &options_names, 0, NULL, 0 },
	{ &options_source, 0, NULL, 0 },
	{ &options_who, 0, NULL, 0 },
	{ &options_colour, 0, NULL, 0 },
	{ 0 }
};

const struct argp stat_argp = {
	stat_options, parse_option, "[COMMAND | INTERVAL [COUNT]]", doc, children, NULL, NULL
};

/* Prints the time that the columns cover, unless each row has its own. */
static void print_window(const struct options *options, bool intervals, bool busy)
{
	double window = telemetry_window(), interval = options->count > 1 ? options->interval : 0;
	bool overlap = interval && interval < window;

	if (intervals) {
		printf("means of %g s, since the row before; numbers with %c are of the last "
		       "%g s\n", interval, MARK_WINDOW, window);
		return;
	}
	if (overlap)
		printf("means of %g s: rows %g s apart overlap%s", window, interval,
		       busy ? "; " : "");
	if (busy && interval >= BUSY_SHORTEST)
		printf("busy is since the row before");
	else if (busy && interval)
		printf("busy is of at least %g s", BUSY_SHORTEST);
	else if (busy)
		printf("busy is of the last %g s", BUSY_SHORTEST);
	if (busy && !overlap)
		printf(", other columns of the last %g s", window);
	if (busy || overlap)
		putchar('\n');
}

/* The buffers of all snapshots, and the view of them. */
struct report {
	struct stat_options options;
	struct choice choice;
	struct snapshot snapshot;
	struct interval interval;
	struct included *included;
	struct busy busy;
	size_t *order;
	struct view view;
};

static void begin_view(struct report *report)
{
	const struct stat_options *options = &report->options;

	report->view = (struct view) {
		.choice = &report->choice, .snapshot = &report->snapshot, .first = true,
		.times = options->times, .errors = options->errors,
		.colour = options_use_colour(&options->common),
		.get = options->values || options->print == view_csv ? snapshot_at :
								       snapshot_estimate_at,
	};
}

static void begin(struct report *report)
{
	const struct options *common = &report->options.common;
	size_t nr = report->choice.places.nr;

	report->order = xreallocarray(NULL, nr, sizeof(*report->order));
	report->included = xcalloc(nr, sizeof(*report->included));
	report->view.order = report->order;
	report->view.rates = busy_has_totals(&report->busy);
	if (included_matters(&report->choice))
		report->view.included = report->included;
	if (common->count > 1 &&
	    telemetry_has_intervals(&report->interval, common->interval))
		report->view.interval = &report->interval;
}

static void read_values(struct report *report)
{
	struct choice *choice = &report->choice;
	struct snapshot *snapshot = &report->snapshot;

	must(report->view.interval ?
	     interval_read(&telemetry, &report->interval, snapshot, choice) :
	     snapshot_read(&telemetry, snapshot, choice));
	must(included_read(&telemetry, report->included, choice));
	must(busy_read(&telemetry, &report->busy, choice));
	report->view.busy = report->busy.v;
	busy_fill(&report->busy, snapshot, choice);
}

static void print_values(struct report *report)
{
	const struct stat_options *options = &report->options;

	sort_places(&report->view, report->order, options->sort,
		    options->print == view_brief || options->print == view_json);
	options->print(&report->view);
	flush_output(stdout);
	report->view.first = false;
}

static void print_all(struct report *report)
{
	const struct options *common = &report->options.common;
	struct ticker ticker;

	ticker_start(&ticker, common->interval);
	for (unsigned long i = 0; i < common->count; i++) {
		if (i && !ticker_wait(&ticker))
			break;
		read_values(report);
		print_values(report);
	}
}

static void end(struct report *report)
{
	free(report->included);
	free(report->order);
	busy_end(&report->busy);
	interval_free(&report->interval);
	snapshot_free(&report->snapshot);
	choice_free(&report->choice);
}

static void stat_places(struct report *report)
{
	struct stat_options *options = &report->options;

	choose(options, &report->choice, &report->busy);
	watch_screen();
	/* JSON has a key for it. */
	if (options->print != view_json)
		print_other_core(options->print == view_csv ? stderr : stdout);
	begin(report);
	if (options->print == view_brief || options->print == view_table)
		print_window(&options->common, report->view.interval, report->busy.known);
	busy_settle(&report->busy);
	print_all(report);
	end(report);
}

int command_stat(int argc, char **argv)
{
	struct report report = { .options.common = OPTIONS_DEFAULT };
	struct stat_options *options = &report.options;

	arguments_parse(&stat_argp, argc, argv, 0, options);
	check(options);
	must(source_open(&telemetry, options->common.root));
	begin_view(&report);
	if (who_names_any(&options->common.who))
		stat_who(&options->common, &report.view, options->print);
	else
		stat_places(&report);
	return EXIT_SUCCESS;
}
