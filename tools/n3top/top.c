// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: full-screen view of all CPUs; reading of the values. */
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/telemetry.h"
#include "lib/arguments.h"
#include "lib/clock.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "libn3telemetry/order.h"
#include "libn3telemetry/path_read.h"
#include "top.h"

static const char doc[] =
	"Full-screen view of all CPUs, with Topdown as bars; the arrow keys open a CPU's "
	"decision tree, '?' shows all keys."
	"\vNumbers are estimates for the whole window: counts corrected by events that "
	"are counted all of the time (anchors). "
	"Without --cpu, --node or --per it shows the system and every CPU, every INTERVAL "
	"seconds (1).";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const struct options *options = state->input;

	if (key == ARGP_KEY_ARG && options->nr_args)
		die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
	return options_parse(key, arg, state);
}

static void choose(const struct options *options, struct top *top)
{
	options_choose_places_or_all(options, &top->choice);
	must(choose_known_group(&telemetry, &top->choice, "Topdown_L1"));
	must(choose_known_group(&telemetry, &top->choice, "General"));
	top->nr_list_files = top->choice.nr_files;
	must(path_choose_groups(&telemetry, &top->choice));
	must(path_choose_bottleneck(&telemetry, &top->choice));
	top->choice.quality = true;
	top->order = xreallocarray(NULL, top->choice.places.nr, sizeof(*top->order));
	order_by_place(top->order, &top->choice);
}

static void read_list(struct top *top)
{
	must(snapshot_read_brief(&telemetry, &top->snapshot, &top->choice, top->nr_list_files));
	top->tree_of = TOP_NO_TREE;
	top_sort(top);
}

/* While paused, all views show the same moment. */
static void read_all(struct top *top)
{
	must(snapshot_read(&telemetry, &top->snapshot, &top->choice));
	top_sort(top);
}

static void read_tree(struct top *top)
{
	size_t place = top->order[top->selected];

	if (top->paused || top->view != TOP_TREE || top->tree_of == place)
		return;
	must(snapshot_read_place(&telemetry, &top->snapshot, &top->choice, place));
	top->tree_of = place;
}

/* ncurses sends only changes to the terminal. */
static void run(struct top *top)
{
	double next = monotonic_now() + top->interval, left;
	bool go_on = true, paused;

	while (go_on) {
		if (monotonic_now() >= next) {
			if (!top->paused)
				read_list(top);
			next = monotonic_now() + top->interval;
		}
		read_tree(top);
		top_draw(top);
		left = (next - monotonic_now()) * 1000;
		timeout(left < 1 ? 1 : left > 100000 ? 100000 : (int)left);
		paused = top->paused;
		top->rows = top_rows();
		go_on = top_key(top, top_screen_key());
		if (top->paused && !paused)
			read_all(top);
	}
}

int command_top(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &options_places, 0, NULL, 0 },
		{ &options_source, 0, NULL, 0 },
		{ 0 }
	};
	static const struct argp argp = {
		NULL, parse_option, "[INTERVAL]", doc, children, NULL, NULL
	};
	struct options options = OPTIONS_DEFAULT;
	struct top top = { .sort = TOP_BY_PLACE };

	arguments_parse(&argp, argc, argv, 0, &options);
	top.interval = options.nr_args ? options.interval : 1;
	must(source_open(&telemetry, options.root));
	choose(&options, &top);
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		die(ERR_NEEDS_TERMINAL,
		    "top needs a terminal; without one try: n3stat --per cpu 1");
	/* Report errors before the screen hides them. */
	read_list(&top);
	top_screen_open();
	run(&top);
	top_screen_close();
	free(top.order);
	snapshot_free(&top.snapshot);
	choice_free(&top.choice);
	return EXIT_SUCCESS;
}
