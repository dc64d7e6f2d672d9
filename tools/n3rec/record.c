// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat record: snapshots in a file. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "commands.h"
#include "lib/arguments.h"
#include "lib/child.h"
#include "lib/clock.h"
#include "lib/files.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "libn3telemetry/busy.h"
#include "libn3telemetry/included.h"
#include "libn3telemetry/answer_read.h"
#include "reader/errors.h"
#include "reader/options.h"
#include "reader/spe_usable.h"
#include "reader/telemetry.h"
#include "record_wait.h"
#include "record_who.h"
#include "recording.h"

#define ROUNDING	0.000001	/* of sums of intervals, in seconds */
#define MAX_BEHIND	1.1	/* tolerated ratio of actual and requested interval */

struct record_options {
	struct options common;
	const char *output;
	bool quiet;
	double seconds;			/* 0: no limit */
	char **command;			/* or NULL */
};

struct record {
	const struct record_options *options;
	struct choice *choice;
	struct recording_writer *writer;
	struct interval interval;
	struct busy busy;
	struct record_who who;
	bool intervals;			/* snapshots cover the time since the one before */
	struct signal_clock clock;
	struct record_command command;
	double start;			/* in terms of monotonic_now() */
	double end;
	bool interrupted;
	bool command_ended;
	unsigned long nr;		/* snapshots */
	double first;			/* time of the first one */
};

static const char doc[] =
	"Record snapshots, every INTERVAL seconds (1), COUNT times, until interrupted, or while a "
	"COMMAND runs, whose exit status is returned."
	"\vWith --pid, --comm or --cgroup each snapshot has the CPUs on which these ran, and for how "
	"long. For CPUs it records the groups of the decision tree and General, for nodes and the "
	"system all groups; -g selects the groups of all places. A file stays readable if the "
	"recorder is killed. n3stat report reads it.";

enum { OPTION_SECONDS = 256 };

static const struct argp_option record_options[] = {
	{ "output", 'o', "FILE", 0, "output (default: " RECORDING_DEFAULT "), - for stdout", 3 },
	{ "seconds", OPTION_SECONDS, "N", 0, "stop after N seconds", 3 },
	{ "quiet", 'q', NULL, 0, "print warnings, but no progress", 3 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct record_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		for (size_t i = 0; i < 4; i++)
			state->child_inputs[i] = &options->common;
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	case OPTION_SECONDS:
		options->seconds = arguments_seconds("time", arg);
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		options_argument(&options->common, arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void choose(const struct options *options, struct choice *choice, struct busy *busy)
{
	options_choose_places_or_all(options, choice);
	choice->quality = true;
	must(busy_start(&telemetry, busy, options->proc, true));
	if (options->nr_names) {
		options_choose_names(options, choice);
	} else {
		must(answer_choose_groups(&telemetry, choice));
		must(choose_known_group(&telemetry, choice, "General"));
		choice->nr_cpu_files = choice->nr_files;
		must(choose_every_group(&telemetry, choice));
	}
	if (busy->known)
		must(choose_rates(&telemetry, choice));
}

static void write_pmu(struct recording_writer *writer)
{
	const char *core = telemetry_other_core(), *spec = telemetry_read("spec");
	char *name = spec ? value_of_key(spec, "pmu") : NULL;

	if (name && *name)
		recording_write_about(writer, "pmu", name);
	if (core)
		recording_write_about(writer, "core", core);
	if (telemetry_is_simulated())
		recording_write_about(writer, "simulated", "1");
	free(name);
}

/* Nodes and the system that lack CPUs at the start, as in "system (4 of 8 CPUs)". */
static void write_included(struct recording_writer *writer, const struct choice *choice)
{
	char *all = NULL;

	for (size_t i = 0; i < choice->places.nr; i++) {
		const struct place *place = &choice->places.v[i];
		struct included included;

		must(included_of(&telemetry, &included, place));
		if (!included.known || included.nr == included.cpus)
			continue;
		append_text(&all, ", ", "%s (%lu of %lu CPUs)", place->name, included.nr,
			    included.cpus);
	}
	if (all)
		recording_write_about(writer, "included", all);
	free(all);
}

/* The time that a value covers. */
static void write_window(struct recording_writer *writer, double interval, bool intervals)
{
	char number[32] = "";
	const char *text = telemetry_read("window_ms");

	if (intervals)
		snprintf(number, sizeof(number), "%.12g", 1000 * interval);
	else if (text)
		snprintf(number, sizeof(number), "%.20s", text);
	number[strcspn(number, "\n")] = '\0';
	if (*number)
		recording_write_about(writer, "window_ms", number);
	if (intervals)
		recording_write_about(writer, "covers", "interval");
}

/* Writes the "about" lines, which the report shows. */
static void write_about(struct recording_writer *writer, const struct choice *choice,
			double interval, bool intervals)
{
	struct utsname name;
	char number[32];

	/* A copy may come from any machine. */
	if (source_is_live(&telemetry) && !uname(&name)) {
		recording_write_about(writer, "host", name.nodename);
		recording_write_about(writer, "kernel", name.release);
	}
	snprintf(number, sizeof(number), "%g", interval);
	recording_write_about(writer, "interval", number);
	write_window(writer, interval, intervals);
	write_pmu(writer);
	write_included(writer, choice);
	if (spe_is_at_source(NULL))
		recording_write_about(writer, "spe", "1");
}

static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void print_progress(const struct record *record, const char *end)
{
	fprintf(stderr, "%srecorded %lu %s in %.1f s, %.1f MB, %.1f ms of CPU each%s",
		isatty(STDERR_FILENO) ? "\r" : "", record->nr,
		plural(record->nr, "snapshot", "snapshots"), monotonic_now() - record->start,
		(double)record->writer->bytes / 1e6,
		1000 * cpu_seconds() / (double)record->nr, end);
}

/* Warns if the interval was too short; the times of snapshots are recorded anyway. */
static void warn_if_behind(double asked, double got)
{
	if (got > MAX_BEHIND * asked)
		warn(ERR_FELL_BEHIND,
		     "fell behind: a snapshot every %g s was requested, one every %.3g s taken; "
		     "write a longer interval or fewer places or groups", asked, got);
}

/* Samples processes until a time, or a signal, which it returns. */
static int sample_until(struct record *record, double time)
{
	double due;
	int sig;

	while ((due = record_who_due(&record->who, time)) < time) {
		sig = signal_clock_wait_until(due);
		if (sig)
			return sig;
		record_who_sample(&record->who);
	}
	return 0;
}

/* Return: false at the end. The end of the command is a time for a snapshot. */
static bool wait_for_snapshot(struct record *record)
{
	/* A snapshot that is due at the end is taken. */
	bool is_last = record->clock.next > record->end + ROUNDING;
	int sig;

	do {
		sig = sample_until(record, is_last ? record->end : record->clock.next);
		if (!sig)
			sig = is_last ? signal_clock_wait_until(record->end) :
					signal_clock_wait(&record->clock);
		if (!sig)
			return !is_last;
		record->command_ended = record->options->command &&
					record_command_has_ended(&record->command);
	} while (sig == SIGCHLD && !record->command_ended);
	record->interrupted = sig != SIGCHLD;
	return !record->interrupted;
}

static void read_snapshot(struct record *record, struct snapshot *snapshot)
{
	must(record->intervals ?
	     interval_read(&telemetry, &record->interval, snapshot, record->choice) :
	     snapshot_read(&telemetry, snapshot, record->choice));
}

static void take_snapshot(struct record *record, struct snapshot *snapshot)
{
	record_who_sample(&record->who);
	read_snapshot(record, snapshot);
	/* The first snapshot is taken at once, unless a command runs. */
	if (record->nr || record->options->command) {
		must(busy_read(&telemetry, &record->busy, record->choice));
		busy_fill(&record->busy, snapshot, record->choice);
		record_who_fill(&record->who, &record->busy, snapshot, record->choice);
	}
	record_who_begin(&record->who);
	if (!record->nr) {
		record->first = snapshot->time;
		recording_write_columns(record->writer, record->choice);
	}
	recording_add(record->writer, snapshot);
	record->nr++;
}

/* Without a command the first snapshot is taken at once; it is of the time before. */
static void take_snapshots(struct record *record, struct snapshot *snapshot)
{
	const struct record_options *options = record->options;
	bool progress = !options->quiet && isatty(STDERR_FILENO);
	bool wait = options->command;

	while (record->nr < options->common.count && !record->command_ended &&
	       !record_who_is_over(&record->who)) {
		if (wait && !wait_for_snapshot(record))
			break;
		wait = true;
		take_snapshot(record, snapshot);
		if (progress)
			print_progress(record, "");
	}
}

static void record(struct record *record)
{
	const struct record_options *options = record->options;
	struct snapshot snapshot = { 0 };

	if (record->intervals && options->command)
		read_snapshot(record, &snapshot);
	record_who_begin(&record->who);
	signal_clock_start(&record->clock, options->common.interval);
	record->start = monotonic_now();
	if (options->command)
		record_command_start(&record->command, options->command);
	if (options->seconds)
		record->end = record->clock.next - options->common.interval + options->seconds;
	take_snapshots(record, &snapshot);
	if (!options->quiet && record->nr)
		print_progress(record, "\n");
	if (record->nr > 1)
		warn_if_behind(options->common.interval,
			       (snapshot.time - record->first) / (double)(record->nr - 1));
	snapshot_free(&snapshot);
	interval_free(&record->interval);
}

/* A recorder holds the lock of its file. */
static void check_unused(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		die(ERR_FILE_IN_USE, "%s: another process is writing to it", name);
	close(fd);
}

/* As perf record does. Links and devices stay. */
static void keep_old(const char *name)
{
	struct stat st;
	char *old;

	if (lstat(name, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return;
	check_unused(name);
	old = format_string("%s.old", name);
	if (rename(name, old))
		die(errno == EACCES ? ERR_PERMISSION_DENIED : ERR_CANNOT_WRITE,
		    "%s: cannot be renamed to %s: %s", name, old, strerror(errno));
	free(old);
}

/*
 * Opens the file, or stdout if its name is "-". A regular file with contents is renamed to
 * NAME.old before.
 */
static FILE *open_output(const char *name)
{
	if (strcmp(name, "-")) {
		keep_old(name);
		return create_private(name);
	}
	if (isatty(STDOUT_FILENO))
		die(ERR_OUTPUT_TO_TERMINAL,
		    "a recording is not printed on a terminal; write -o FILE");
	return stdout;
}

static void parse(struct record_options *options, int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &options_places, 0, NULL, 0 },
		{ &options_names, 0, NULL, 0 },
		{ &options_source, 0, NULL, 0 },
		{ &options_who, 0, NULL, 0 },
		{ 0 }
	};
	static const struct argp argp = {
		record_options, parse_option, "[INTERVAL [COUNT]] [-- COMMAND [ARG...]]", doc,
		children, NULL, NULL
	};
	int nr = arguments_split(argc, argv, &options->command);

	arguments_parse(&argp, nr, argv, 0, options);
	if (nr < argc && !options->command)
		die(ERR_MISSING_ARGUMENT, "no command after --");
	if (options->command && !strcmp(options->output, "-"))
		die(ERR_CONFLICTING_OPTIONS, "-o - and a command would both write to stdout");
	if (options->command)
		child_check_command(options->command[0]);
}

int command_record(int argc, char **argv)
{
	struct record_options options = { .common = OPTIONS_DEFAULT, .output = RECORDING_DEFAULT };
	struct snapshot snapshot = { 0 };
	struct recording_writer writer;
	struct choice choice = { 0 };
	struct record it = { .options = &options, .choice = &choice, .writer = &writer,
			     .end = INFINITY };

	options.common.count = ULONG_MAX;
	options.common.interval = 1;
	parse(&options, argc, argv);
	must(source_open(&telemetry, options.common.root));
	choose(&options.common, &choice, &it.busy);
	record_who_start(&it.who, &options.common, &choice);
	/* An error of the source must not replace the output. */
	must(snapshot_read(&telemetry, &snapshot, &choice));
	snapshot_free(&snapshot);
	recording_begin(&writer, open_output(options.output), options.output);
	it.intervals = telemetry_has_intervals(&it.interval, options.common.interval);
	record_who_describe(&it.who, &writer);
	write_about(&writer, &choice, options.common.interval, it.intervals);
	record(&it);
	recording_end(&writer);
	record_who_end(&it.who);
	busy_end(&it.busy);
	choice_free(&choice);
	return options.command ? record_command_wait(&it.command, it.interrupted) : EXIT_SUCCESS;
}
