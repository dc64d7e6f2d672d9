// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat spe record: samples of single operations into a file. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "lib/child.h"
#include "lib/clock.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/signals.h"
#include "lib/text.h"
#include "record_session.h"

#define ROUND_MS	100
/* Size of a record on all existing cores. */
#define RECORD_SIZE	64

static atomic_int caught;

/* The COMMAND after "--": its process waits until the events are open. */
struct command {
	struct child child;
	int status;		/* once it has ended */
};

static void on_signal(int sig)
{
	if (sig != SIGCHLD)
		caught = sig;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	signals_catch(on_signal);
	/* The exit of the command interrupts a wait. */
	sigaction(SIGCHLD, &action, NULL);
}

/* Always: the command must not outlive a failed recorder. */
static void end_command(void *context)
{
	const struct child *child = context;

	close(child->go);
	if (child->pid > 0)
		kill(child->pid, SIGTERM);
}

/* Takes the flags of waitpid(2), which a signal interrupts. Return: whether it has ended. */
static bool command_has_ended(struct command *command, int flags)
{
	return !command->child.pid || child_wait(&command->child, flags, &command->status);
}

/* Return: whether any process of -p still exists. */
static bool any_process(const struct spe_record_options *options)
{
	for (size_t i = 0; i < options->nr_pids; i++)
		if (!kill(options->pids[i], 0) || errno != ESRCH)
			return true;
	return !options->nr_pids;
}

static void choose_tasks(struct spe_session *session, struct child *child)
{
	const struct spe_record_options *options = session->options;
	int error;

	for (size_t i = 0; i < options->nr_pids; i++)
		spe_session_add_threads(session, options->pids[i]);
	if (!options->command)
		return;
	error = child_start(child, options->command);
	if (error)
		die(ERR_CANNOT_START, "%s: %s", options->command[0], strerror(error));
	before_dying(end_command, child);
	/* With -C, the CPUs are recorded for the whole time, whatever runs on them. */
	if (options->cpus.nr)
		return;
	session->on_exec = true;
	spe_session_add_threads(session, child->pid);
}

static void start(struct spe_session *session, struct child *child)
{
	char **command = session->options->command;
	int error;

	choose_tasks(session, child);
	spe_session_open(session);
	spe_out_open(&session->out, session->options->output);
	spe_put_begin(session);
	spe_put_kernel(session);
	spe_put_processes(session);
	spe_put_mark(&session->out, SPE_PERF_FINISHED_INIT);
	spe_session_enable(session);
	error = command ? child_release(child) : 0;
	/* The command may not exist. */
	if (error)
		die(error == EACCES ? ERR_PERMISSION_DENIED : ERR_CANNOT_START, "%s: %s",
		    command[0], strerror(error));
}

/* Until the time limit, a signal, or the end of all targets. */
static void run(struct spe_session *session, struct command *command)
{
	const struct spe_record_options *options = session->options;
	double end = options->seconds ? monotonic_now() + options->seconds : 0, left;
	bool ended = false, any = true;
	int wait;

	while (!caught && !ended && any) {
		left = end ? end - monotonic_now() : 1;
		if (left <= 0)
			break;
		wait = left < ROUND_MS / 1e3 ? (int)(left * 1e3) + 1 : ROUND_MS;
		any = spe_session_round(session, wait) && any_process(options);
		/* All events of tasks may have ended while their children still run. */
		any |= !!options->command;
		ended = options->command && command_has_ended(command, WNOHANG);
	}
}

/* Return: number of lost windows. */
static uint64_t print_lost(const struct spe_totals *totals)
{
	const char *separator = ": ";
	uint64_t nr = 0;

	for (int i = 1; i < SPE_NR_LOST; i++)
		nr += totals->lost[i];
	fprintf(stderr, "n3stat: %" PRIu64 " lost %s", nr, plural(nr, "window", "windows"));
	for (int i = 1; i < SPE_NR_LOST; i++) {
		if (!totals->lost[i])
			continue;
		fprintf(stderr, "%s%" PRIu64 " %s", separator, totals->lost[i], spe_lost_text(i));
		separator = ", ";
	}
	return nr;
}

static const char *no_samples_reason(const struct spe_record_options *options)
{
	for (size_t i = 0; i < options->nr_terms; i++)
		if (strstr(options->terms[i].name, "_filter") ||
		    !strcmp(options->terms[i].name, "min_latency"))
			return "no operation passed the filters, or too few were executed";
	return "fewer operations were executed than the period";
}

/* Command of perf that records the same, unless the kernel stops SPE, which perf does not see. */
static void print_perf(const struct spe_session *session)
{
	const struct spe_record_options *options = session->options;
	char *command = xstrdup("perf record --switch-events");

	for (size_t i = 0; i + 1 < session->out.nr_events; i++)
		append_text(&command, " ", "-e %s", session->out.events[i].name);
	if (options->pid_list)
		append_text(&command, " ", "-p %s", options->pid_list);
	if (options->cpu_list)
		append_text(&command, " ", "-C %s", options->cpu_list);
	else if (!session->nr_tasks)
		append_text(&command, " ", "-a");
	if (options->command)
		append_text(&command, " ", "-- COMMAND");
	fputs("n3stat: ", stderr);
	print_command(stderr, "perf would do, too: ", "  ", command, 72);
	free(command);
}

static void print_summary(const struct spe_session *session, double seconds)
{
	const struct spe_totals *totals = &session->totals;
	uint64_t nr_lost;

	fprintf(stderr, "n3stat: at most %" PRIu64 " samples, period %" PRIu64
		", in %.1f s; %.1f MB in %s\n",
		totals->aux_bytes / RECORD_SIZE, session->period, seconds,
		(double)session->out.bytes / 1e6, session->out.name);
	if (!totals->aux_bytes)
		fprintf(stderr, "n3stat: nothing was sampled: %s\n",
			no_samples_reason(session->options));
	nr_lost = print_lost(totals);
	if (totals->collisions)
		fprintf(stderr, "; collisions flagged in %" PRIu64 " of %" PRIu64 " AUX records",
			totals->collisions, totals->aux_records);
	fputc('\n', stderr);
	if (totals->aux_bytes && !nr_lost)
		print_perf(session);
}

/* Only the command's own exit counts. */
static int wait_for_command(struct command *command)
{
	int sig;

	do {
		sig = atomic_exchange(&caught, 0);
		if (sig && command->child.pid > 0)
			kill(command->child.pid, sig);
	} while (!command_has_ended(command, 0));
	before_dying(NULL, NULL);
	return command->status;
}

int spe_command_record(int argc, char **argv)
{
	struct spe_record_options options;
	struct command command = { 0 };
	struct spe_session session;
	double began, seconds;
	int status;

	spe_record_options_parse(&options, argc, argv);
	spe_session_prepare(&session, &options);
	catch_signals();
	start(&session, &command.child);
	began = monotonic_now();
	run(&session, &command);
	seconds = monotonic_now() - began;
	spe_session_finish(&session);
	spe_put_end(&session);
	if (!options.quiet)
		print_summary(&session, seconds);
	status = options.command ? wait_for_command(&command) : EXIT_SUCCESS;
	spe_session_free(&session);
	spe_record_options_free(&options);
	return status;
}
