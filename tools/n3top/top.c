// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: full-screen view of all CPUs; reading of the values. */
#include <ncurses.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/arguments.h"
#include "lib/clock.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "libn3telemetry/order.h"
#include "libn3telemetry/answer_read.h"
#include "reader/telemetry.h"
#include "top.h"

static const char doc[] =
	"Full-screen view of all CPUs, with Topdown as bars; the arrow keys open a CPU's "
	"decision tree, 'h' shows all keys."
	"\vNumbers are estimates for the whole window: counts corrected by events that "
	"are counted all of the time (anchors). "
	"Without --cpu, --node or --per it shows the system and every CPU, every INTERVAL "
	"seconds (1); with --pid, --comm or --cgroup the CPUs where these processes run.";

struct top_options {
	struct options common;
	const char *sort;
};

static const struct argp_option top_options[] = {
	{ "sort", 's', "COLUMN", 0, "largest first; +COLUMN: smallest first", 3 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct top_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		for (size_t i = 0; i < 4; i++)
			state->child_inputs[i] = &options->common;
		return 0;
	case 's':
		options->sort = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (options->common.nr_args)
			die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
		options_argument(&options->common, arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Nodes that are the whole system have no rows unless they are named. */
static void choose_places(const struct options *options, struct top *top)
{
	struct places *places = &top->choice.places;
	bool nodes[MAX_PLACES] = { false };
	size_t nr = 0;

	if (top->who || options_name_places(options)) {
		options_choose_places(options, &top->choice, SCOPE_CPU);
		top->nodes = TOP_NODES_AND_CPUS;
		return;
	}
	xplaces_add_one(places, place_make(SCOPE_SYSTEM, 0));
	must(places_present(&telemetry, SCOPE_NODE, nodes));
	for (size_t i = 0; i < NR(nodes); i++)
		nr += nodes[i];
	if (nr > 1)
		must(places_add(&telemetry, places, SCOPE_NODE, NULL));
	must(places_add(&telemetry, places, SCOPE_CPU, NULL));
}

/* Finds the nodes of CPUs, unless they are unknown, as for a copy. */
static void find_nodes(struct top *top)
{
	const struct places *places = &top->choice.places;

	for (size_t i = 0; i < places->nr; i++)
		top->node_of[i] = TOP_NO_TREE;
	for (size_t i = 0; i < places->nr; i++) {
		bool cpus[MAX_PLACES] = { false };

		if (!top->busy.known || places->v[i].scope != SCOPE_NODE ||
		    !busy_node_cpus(top->busy.proc, places->v[i].id, cpus))
			continue;
		for (size_t j = 0; j < places->nr; j++)
			if (places->v[j].scope == SCOPE_CPU && cpus[places->v[j].id])
				top->node_of[j] = i;
	}
}

static void choose(const struct options *options, struct top *top)
{
	size_t nr;

	choose_places(options, top);
	top_choose_columns(top, options);
	top->nr_read = top->choice.nr_files;
	must(answer_choose_groups(&telemetry, &top->choice));
	top->choice.quality = true;
	nr = top->choice.places.nr;
	top->order = xcalloc(nr, sizeof(*top->order));
	top->sorted = xcalloc(nr, sizeof(*top->sorted));
	top->is_row = xcalloc(nr, sizeof(*top->is_row));
	top->node_of = xcalloc(nr, sizeof(*top->node_of));
	top->numbers = xcalloc(nr, sizeof(*top->numbers));
	top->included = xcalloc(nr, sizeof(*top->included));
	order_by_place(top->order, &top->choice);
}

static void read_values(struct top *top)
{
	must(snapshot_read_brief(&telemetry, &top->snapshot, &top->choice, top->nr_read));
	must(included_read(&telemetry, top->included, &top->choice));
	top->tree_of = TOP_NO_TREE;
}

static void read_list(struct top *top)
{
	if (top->who) {
		must(who_sample(top->who) && who_end(top->who));
		who_begin(top->who);
	}
	must(busy_read(&telemetry, &top->busy, &top->choice));
	read_values(top);
	top_sort(top);
}

/* Reads values of columns that were not shown so far. */
static void read_more(struct top *top)
{
	size_t nr, before = top->nr_read;

	top_fit_columns(top);
	nr = top_files(top);
	if (top->paused)
		return;
	top->nr_read = nr;
	if (nr <= before)
		return;
	read_values(top);
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

/* Return: the time of the next sample of processes, or of the next update. */
static double next_action(const struct top *top, double update)
{
	return top->who && !top->paused ? who_due(top->who, update) : update;
}

/* ncurses sends only changes to the terminal. */
static void run(struct top *top)
{
	double first = top->interval < BUSY_SHORTEST ? top->interval : BUSY_SHORTEST;
	/* Utilisation is not known before the second time. */
	double next = monotonic_now() + (top->busy.known ? first : top->interval), left;
	double interval = top->interval;
	bool go_on = true, paused;

	while (go_on) {
		if (monotonic_now() >= next) {
			if (!top->paused)
				read_list(top);
			next = monotonic_now() + top->interval;
		} else if (top->who && !top->paused && monotonic_now() >= who_due(top->who, next)) {
			must(who_sample(top->who));
		}
		read_more(top);
		read_tree(top);
		top_draw(top);
		left = (next_action(top, next) - monotonic_now()) * 1000;
		timeout(left < 1 ? 1 : left > 100000 ? 100000 : (int)left);
		paused = top->paused;
		go_on = top_key(top, top_screen_key());
		if (top->paused && !paused)
			read_all(top);
		next += top->interval - interval;
		interval = top->interval;
	}
}

static void start_processes(struct top *top, const struct options *options, struct who *who)
{
	if (!who_names_any(&options->who))
		return;
	options_start_who(options, who);
	who_begin(who);
	top->who = who;
	top->who_names = who_names_text(&options->who, true);
}

static void end(struct top *top)
{
	if (top->who)
		who_free(top->who);
	free(top->who_names);
	busy_end(&top->busy);
	top_free_columns(top);
	free(top->order);
	free(top->sorted);
	free(top->is_row);
	free(top->node_of);
	free(top->numbers);
	free(top->included);
	snapshot_free(&top->snapshot);
	choice_free(&top->choice);
}

int command_top(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &options_places, 0, NULL, 0 },
		{ &options_source, 0, NULL, 0 },
		{ &options_names, 0, NULL, 0 },
		{ &options_who, 0, NULL, 0 },
		{ 0 }
	};
	static const struct argp argp = {
		top_options, parse_option, "[INTERVAL]", doc, children, NULL, NULL
	};
	struct top_options options = { .common = OPTIONS_DEFAULT };
	struct top top = { .tree_of = TOP_NO_TREE };
	struct who who;

	arguments_parse(&argp, argc, argv, 0, &options);
	top.interval = options.common.nr_args ? options.common.interval : 1;
	must(source_open(&telemetry, options.common.root));
	start_processes(&top, &options.common, &who);
	choose(&options.common, &top);
	must(busy_start(&telemetry, &top.busy, options.common.proc, true));
	find_nodes(&top);
	/* Report errors before the screen hides them. */
	read_values(&top);
	top_make_columns(&top, &options.common);
	top_sort_option(&top, options.sort ? options.sort : top.who ? "theirs" : "place");
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		die(ERR_NEEDS_TERMINAL,
		    "top needs a terminal; without one try: n3stat --per cpu 1");
	top_screen_open();
	run(&top);
	top_screen_close();
	end(&top);
	return EXIT_SUCCESS;
}
