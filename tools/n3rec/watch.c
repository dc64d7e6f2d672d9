// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat watch: run a command when a metric exceeds a bound for some time. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/marks.h"
#include "cli/options.h"
#include "cli/telemetry.h"
#include "commands.h"
#include "lib/arguments.h"
#include "lib/child.h"
#include "lib/clock.h"
#include "lib/memory.h"
#include "signal_clock.h"
#include "watch_child.h"
#include "watch_state.h"

struct watch_options {
	struct options common;
	const char *baseline;
	char **words;			/* of the condition */
	size_t nr_words;
	char **command;
	double time_to_hold;		/* negative: one window */
	double every;
	unsigned long times;		/* 0: unlimited */
	bool each;
	bool quiet;
};

struct watch {
	const struct watch_options *options;
	struct watch_state state;
	struct signal_clock clock;
	unsigned long nr_snapshots;
	unsigned long runs;		/* for one place or, with --each, for all */
	double tried;			/* time of the last attempt, initially -INFINITY */
	double started;			/* time of the last process */
	bool counted;			/* a process of the current run was started */
	bool reported_running;		/* reported since then why the command is not run */
	bool reported_limit;
};

static const char doc[] =
	"Run a COMMAND when a CONDITION holds, e.g. 'backend_bound > 60', 'ipc < 0.5' or, with a "
	"baseline, 'branch_mpki > p95'; quote it. The whole 95 % interval must be beyond the bound."
	"\vN3STAT_PLACE, _PLACES, _METRIC, _VALUE, _LOW, _HIGH and _BOUND in the environment of COMMAND "
	"describe the event. INTERVAL defaults to the window, places to all CPUs.";

enum { OPTION_FOR = 256, OPTION_EVERY, OPTION_TIMES, OPTION_EACH };

static const struct argp_option list[] = {
	{ "for", OPTION_FOR, "SECONDS", 0, "minimum duration of the condition (the window)", 4 },
	{ "every", OPTION_EVERY, "SECONDS", 0, "minimum time between runs (60)", 4 },
	{ "times", OPTION_TIMES, "N", 0, "end after N runs", 4 },
	{ "each", OPTION_EACH, NULL, 0, "run it for each place, one after another", 4 },
	{ "quiet", 'q', NULL, 0, "only print errors", 4 },
	{ 0 }
};

static double seconds_or_none(const char *what, const char *arg)
{
	if (!strcmp(arg, "0"))
		return 0;
	if (*arg == '-' || !strpbrk(arg, "0123456789"))
		die(ERR_BAD_VALUE, "bad %s '%s'; write seconds, 0 to 1000000", what, arg);
	return options_seconds(what, arg);
}

static unsigned long parse_times(const char *arg)
{
	unsigned long times = strtoul(arg, NULL, 10);

	if (strspn(arg, "0123456789") != strlen(arg) || strlen(arg) > 9 || !times)
		die(ERR_BAD_VALUE, "bad --times '%s'; write a number from 1 on", arg);
	return times;
}

static void set_children(struct argp_state *state, struct watch_options *options)
{
	state->child_inputs[0] = &options->common;
	state->child_inputs[1] = &options->common;
	state->child_inputs[2] = &options->baseline;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct watch_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		set_children(state, options);
		return 0;
	case OPTION_FOR:
		options->time_to_hold = seconds_or_none("--for", arg);
		return 0;
	case OPTION_EVERY:
		options->every = seconds_or_none("--every", arg);
		return 0;
	case OPTION_TIMES:
		options->times = parse_times(arg);
		return 0;
	case OPTION_EACH:
		options->each = true;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case ARGP_KEY_ARGS:
		options->words = state->argv + state->next;
		options->nr_words = (size_t)(state->argc - state->next);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void parse(struct watch_options *options, int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &options_places, 0, NULL, 0 },
		{ &options_source, 0, NULL, 0 },
		{ &options_baseline, 0, NULL, 0 },
		{ 0 }
	};
	static const struct argp argp = {
		list, parse_option, "CONDITION [INTERVAL] -- COMMAND [ARG...]", doc, children,
		NULL, NULL
	};

	argc = arguments_split(argc, argv, &options->command);
	arguments_parse(&argp, argc, argv, 0, options);
	if (!options->nr_words)
		die(ERR_MISSING_ARGUMENT,
		    "watch what? n3stat watch 'backend_bound > 60' -- COMMAND");
	if (!options->command)
		die(ERR_MISSING_ARGUMENT, "no command: write it behind --");
}

static double bound_at(const struct watch_condition *condition, const char *metric,
		       const struct baseline *baseline, enum scope scope)
{
	const struct baseline_metric *found;

	if (condition->percentile < 0)
		return condition->number;
	found = baseline_find(baseline, scope, metric);
	if (!found || !found->known[condition->percentile])
		die(ERR_NOT_IN_BASELINE, "%s has no %s of %s for %s: see n3stat baseline %s",
		    baseline->name, condition->text, metric, baseline_scope_names[scope],
		    baseline->name);
	return found->v[condition->percentile];
}

/* Exits on any error before the first snapshot. */
static void prepare(struct watch *watch)
{
	const struct watch_options *options = watch->options;
	struct watch_state *state = &watch->state;
	struct watch_condition *condition = &state->condition;
	const struct baseline *baseline = NULL;

	watch_condition_parse(condition, options->words, options->nr_words);
	child_check_command(options->command[0]);
	must(source_open(&telemetry, options->common.root));
	options_choose_places(&options->common, &state->choice, SCOPE_CPU);
	must(choose_metric(&telemetry, &state->choice, condition->metric));
	if (choice_has(&state->choice, RATES_FILE))
		die(ERR_BAD_CONDITION, "%s has no 95 %% interval, so a condition on it never holds",
		    condition->metric);
	strcpy(condition->metric, state->choice.columns[0].name);
	state->choice.quality = true;
	if (condition->percentile >= 0)
		baseline = marks_use(options->baseline);
	if (condition->percentile >= 0 && !baseline)
		die(ERR_MISSING_ARGUMENT, "%s is of a baseline: which? write --baseline FILE",
		    condition->text);
	state->places = xreallocarray(NULL, state->choice.places.nr, sizeof(*state->places));
	for (size_t i = 0; i < state->choice.places.nr; i++)
		state->places[i] = (struct watch_place) {
			.bound = bound_at(condition, condition->metric, baseline,
					  state->choice.places.v[i].scope),
		};
	state->changed = options->quiet ? NULL : watch_event_condition;
	state->time_to_hold = options->time_to_hold < 0 ? telemetry_window() :
							  options->time_to_hold;
}

/* Return: whether the command was started. */
static bool start(struct watch *watch, const struct watch_place *place)
{
	char **command = watch->options->command;
	int error = watch_child_start(command, &watch->state, place);

	if (error) {
		warn(ERR_CANNOT_START, "%s: %s", command[0], strerror(error));
		return false;
	}
	watch->started = monotonic_now();
	watch->runs += !watch->counted;
	watch->counted = true;
	if (!watch->options->quiet)
		watch_event("%s: started %s, process %d", watch_state_name(&watch->state, place),
			    command[0], watch_child_pid());
	return true;
}

/* Runs the command for the next place in the queue, if any. */
static void run_next(struct watch *watch)
{
	const struct watch_place *place;

	while ((place = watch_state_next(&watch->state)))
		if (start(watch, place))
			return;
}

static void run(struct watch *watch, const struct watch_place *place, double now)
{
	watch->tried = now;
	watch->counted = false;
	watch->reported_running = false;
	watch->reported_limit = false;
	watch_state_queue(&watch->state, watch->options->each ? NULL : place);
	run_next(watch);
}

static void report_suppressed(struct watch *watch, const struct watch_place *place)
{
	const char *name = watch_state_name(&watch->state, place);
	bool running = watch_child_pid();
	bool *told = running ? &watch->reported_running : &watch->reported_limit;

	if (*told || watch->options->quiet)
		return;
	*told = true;
	if (running)
		watch_event("%s: not started again while process %d runs", name,
			    watch_child_pid());
	else
		watch_event("%s: not started again before %g s are over", name,
			    watch->options->every);
}

/* Without errors the condition could never hold. */
static void report_blind(const struct watch_state *state)
{
	if (!state->changed)
		return;
	for (size_t i = 0; i < state->choice.places.nr; i++)
		if (state->places[i].estimate->has_range)
			return;
	watch_event("no place has a 95 %% interval of %s now, so the condition cannot hold",
		    state->condition.metric);
}

static void take_snapshot(struct watch *watch)
{
	const struct watch_place *due;
	double now;

	must(snapshot_read(&telemetry, &watch->state.snapshot, &watch->state.choice));
	now = monotonic_now();
	watch_state_take(&watch->state, now);
	if (!watch->nr_snapshots++)
		report_blind(&watch->state);
	due = watch_state_due(&watch->state, now);
	if (!due)
		return;
	if (watch_child_pid() || now - watch->tried < watch->options->every)
		report_suppressed(watch, due);
	else
		run(watch, due, now);
}

static void reap(struct watch *watch)
{
	int pid = watch_child_pid(), status;

	if (!watch_child_has_ended(&status))
		return;
	if (!watch->options->quiet)
		watch_event("process %d ended with status %d after %.1f s", pid, status,
			    monotonic_now() - watch->started);
	run_next(watch);
}

static bool has_runs_left(const struct watch *watch)
{
	return !watch->options->times || watch->runs < watch->options->times;
}

/* Return: true when the next snapshot is due, false at the end. */
static bool wait_for_tick(struct watch *watch)
{
	int sig;

	while ((sig = signal_clock_wait(&watch->clock)) == SIGCHLD) {
		reap(watch);
		if (!has_runs_left(watch) && !watch_child_pid())
			return false;
	}
	return !sig;
}

static void watch_all(struct watch *watch)
{
	double interval = watch->state.condition.interval;
	bool go_on;

	signal_clock_start(&watch->clock, interval ? interval : telemetry_window());
	/* The end of the last run is also reported. */
	do {
		if (has_runs_left(watch))
			take_snapshot(watch);
		go_on = has_runs_left(watch) || watch_child_pid();
	} while (go_on && wait_for_tick(watch));
	if (watch_child_pid() && !watch->options->quiet)
		watch_event("interrupted; process %d goes on", watch_child_pid());
}

int command_watch(int argc, char **argv)
{
	struct watch_options options = {
		.common = OPTIONS_DEFAULT, .time_to_hold = -1, .every = 60
	};
	struct watch watch = { .options = &options, .tried = -INFINITY };

	parse(&options, argc, argv);
	prepare(&watch);
	watch_all(&watch);
	watch_state_free(&watch.state);
	return EXIT_SUCCESS;
}
