// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Signals and the limit of open files, common to all commands. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

#include "memory.h"
#include "signals.h"

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
static struct {
	void (*pipe)(int sig);
	void (*child)(int sig);
	struct rlimit limit;	/* .rlim_max is 0 until it was raised */
} at_start;

static bool is_ignored(int sig)
{
	struct sigaction action = { 0 };

	sigaction(sig, NULL, &action);
	return action.sa_handler == SIG_IGN;
}

/* With many CPUs, more files stay open than the usual limit of 1024 lets. */
static void raise_limit(void)
{
	struct rlimit raised;

	if (getrlimit(RLIMIT_NOFILE, &at_start.limit))
		return;
	raised = at_start.limit;
	raised.rlim_cur = raised.rlim_max;
	setrlimit(RLIMIT_NOFILE, &raised);
}

void signals_start(void)
{
	/* "&" in a script ignores both, unasked: kill -INT must work. */
	if (is_ignored(SIGINT) && is_ignored(SIGQUIT))
		signal(SIGINT, SIG_DFL);
	/* A closed pipe is an error of write(). */
	at_start.pipe = signal(SIGPIPE, SIG_IGN);
	/* If ignored, the exit status of children would be lost. */
	at_start.child = signal(SIGCHLD, SIG_DFL);
	raise_limit();
}

void signals_catch(void (*handler)(int sig))
{
	struct sigaction action = { .sa_handler = handler };

	for (size_t i = 0; i < NR(ending); i++)
		if (!is_ignored(ending[i]))
			sigaction(ending[i], &action, NULL);
}

void signals_to_wait_for(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < NR(ending); i++)
		if (!is_ignored(ending[i]))
			sigaddset(set, ending[i]);
}

void signals_restore(void)
{
	signal(SIGPIPE, at_start.pipe);
	signal(SIGCHLD, at_start.child);
	if (at_start.limit.rlim_max)
		setrlimit(RLIMIT_NOFILE, &at_start.limit);
}
