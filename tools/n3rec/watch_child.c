// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The command that watch runs: one at a time, with the event in its environment. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/child.h"
#include "lib/memory.h"
#include "watch_child.h"

static struct child child;

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
	setenv("N3STAT_PLACES", state->due, 1);
	setenv("N3STAT_METRIC", state->condition.metric, 1);
	setenv("N3STAT_VALUE", place->seen.text, 1);
	set_number("N3STAT_LOW", place->seen.low);
	set_number("N3STAT_HIGH", place->seen.high);
	set_number("N3STAT_BOUND", place->bound);
}

static void prepare(const void *of)
{
	const struct occasion *occasion = of;
	int nothing = open("/dev/null", O_RDONLY);

	/* Ctrl-C must not reach the command. */
	setpgid(0, 0);
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
