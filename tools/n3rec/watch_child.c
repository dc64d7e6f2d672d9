// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Waiting of watch, without missing signals, and the command that it runs: one at a time, with
 * the event in its environment.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/child.h"
#include "lib/clock.h"
#include "lib/memory.h"
#include "lib/signals.h"
#include "watch_child.h"

static sigset_t ours;
static sigset_t before;
static struct child child;

void watch_clock_start(struct watch_clock *clock, double interval)
{
	signals_to_wait_for(&ours);
	sigaddset(&ours, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ours, &before);
	*clock = (struct watch_clock) { interval, monotonic_now() + interval };
}

int watch_clock_wait(struct watch_clock *clock)
{
	double left = clock->next - monotonic_now();
	struct timespec timeout = { 0 };
	int sig;

	if (left > 0) {
		timeout.tv_sec = (time_t)left;
		timeout.tv_nsec = (long)((left - (double)timeout.tv_sec) * 1e9);
	}
	sig = sigtimedwait(&ours, NULL, &timeout);
	if (sig > 0)
		return sig;
	/* Stopped and continued. */
	if (errno == EINTR)
		return SIGCHLD;
	clock->next += clock->interval;
	/* Do not catch up when late. */
	if (clock->next < monotonic_now())
		clock->next = monotonic_now() + clock->interval;
	return 0;
}

struct occasion {
	const struct watch_state *state;
	const struct watch_place *place;
};

static void set_number(const char *name, double number)
{
	char *text = format_string("%.10g", number);

	setenv(name, text, 1);
	free(text);
}

static void set_environment(const struct watch_state *state, const struct watch_place *place)
{
	setenv("N3STAT_PLACE", watch_state_name(state, place), 1);
	setenv("N3STAT_METRIC", state->condition.metric, 1);
	setenv("N3STAT_VALUE", place->estimate->text, 1);
	set_number("N3STAT_LOW", place->estimate->low);
	set_number("N3STAT_HIGH", place->estimate->high);
	set_number("N3STAT_BOUND", place->bound);
}

static void prepare(const void *of)
{
	const struct occasion *occasion = of;
	int nothing = open("/dev/null", O_RDONLY);

	/* Ctrl-C must not reach the command. */
	setpgid(0, 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
		close(STDIN_FILENO);
	if (nothing > STDIN_FILENO)
		close(nothing);
	set_environment(occasion->state, occasion->place);
}

int watch_child_start(char **command, const struct watch_state *state,
		      const struct watch_place *place)
{
	struct occasion occasion = { state, place };
	int error = child_start(&child, command, prepare, &occasion), status;

	if (error)
		return error;
	error = child_release(&child);
	/* A failed exec() ends the child at once. */
	while (error && !child_wait(&child, 0, &status))
		;
	return error;
}

int watch_child_pid(void)
{
	return child.pid;
}

bool watch_child_has_ended(int *status)
{
	return child.pid && child_wait(&child, WNOHANG, status);
}
