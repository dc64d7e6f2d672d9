// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: all CPUs on a full screen; keys and what they do. */
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common.h"
#include "options.h"
#include "source.h"
#include "tables.h"
#include "top.h"
#include "walk.h"

const char * const top_bars[TOP_NR_BARS] = {
	"frontend_bound", "backend_bound", "bad_speculation", "retiring"
};

const char top_letters[TOP_NR_BARS] = { 'F', 'B', 'S', 'R' };

static const char * const sort_metrics[TOP_NR_SORTS] = {
	NULL, "frontend_bound", "backend_bound", "bad_speculation", "retiring", "ipc"
};

static const char doc[] =
	"Show all CPUs on a full screen, Topdown as bars; the arrow keys lead into a CPU's "
	"decision tree, '?' shows all keys."
	"\vWithout --cpu, --node or --per it shows the system and every CPU, INTERVAL seconds (1) "
	"apart.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const struct options *options = state->input;

	if (key == ARGP_KEY_ARG && options->nr_args)
		die(EXIT_BAD_USAGE, "too many arguments: '%s'", arg);
	return options_parse(key, arg, state);
}

const char *top_sort_name(enum top_sort sort)
{
	return sort_metrics[sort] ? sort_metrics[sort] : "place";
}

static const struct top *sorted;

static int compare(const void *a, const void *b)
{
	size_t pa = *(const size_t *)a, pb = *(const size_t *)b;
	int metric = tables_find_metric(sort_metrics[sorted->sort]);
	const struct value *va = snapshot_metric(&sorted->snapshot, &sorted->choice, pa, metric);
	const struct value *vb = snapshot_metric(&sorted->snapshot, &sorted->choice, pb, metric);

	/* Words go last, and equal values as they were. */
	if (va->is_number != vb->is_number)
		return va->is_number ? -1 : 1;
	if (va->is_number && va->number != vb->number)
		return va->number < vb->number ? 1 : -1;
	return pa < pb ? -1 : 1;
}

/* The place that is selected stays selected, wherever it goes. */
void top_sort(struct top *top)
{
	size_t place = top->order[top->selected];

	for (size_t i = 0; i < top->choice.places.nr; i++)
		top->order[i] = i;
	sorted = top;
	if (top->sort != TOP_BY_PLACE)
		qsort(top->order, top->choice.places.nr, sizeof(*top->order), compare);
	for (size_t i = 0; i < top->choice.places.nr; i++)
		if (top->order[i] == place)
			top->selected = i;
}

static void move_selection(struct top *top, long by)
{
	long to = (long)top->selected + by;
	long last = (long)top->choice.places.nr - 1;

	top->selected = to < 0 ? 0 : to > last ? (size_t)last : (size_t)to;
	top->tree_first = 0;
}

static void scroll_tree(struct top *top, long by)
{
	long to = (long)top->tree_first + by;

	top->tree_first = to < 0 ? 0 : (size_t)to;
}

static void move_by(struct top *top, long by)
{
	if (top->view == TOP_TREE)
		scroll_tree(top, by);
	else
		move_selection(top, by);
}

static void change_view(struct top *top, enum top_view view)
{
	if (view == TOP_HELP && top->view != TOP_HELP)
		top->before_help = top->view;
	top->view = view;
}

static void go_back(struct top *top)
{
	if (top->view == TOP_HELP)
		top->view = top->before_help;
	else
		top->view = TOP_LIST;
}

static void change_sort(struct top *top, int by)
{
	top->sort = (enum top_sort)((top->sort + TOP_NR_SORTS + by) % TOP_NR_SORTS);
	top_sort(top);
}

/* Any key leaves the help. */
bool top_key(struct top *top, int key, size_t rows)
{
	if (top->view == TOP_HELP && key != 'q' && key != ERR && key != KEY_RESIZE) {
		go_back(top);
		return true;
	}
	switch (key) {
	case 'q':
		return false;
	case KEY_UP:
	case 'k':
		move_by(top, -1);
		break;
	case KEY_DOWN:
	case 'j':
		move_by(top, 1);
		break;
	case KEY_PPAGE:
		move_by(top, -(long)rows);
		break;
	case KEY_NPAGE:
		move_by(top, (long)rows);
		break;
	case KEY_HOME:
		move_by(top, -(long)top->choice.places.nr);
		break;
	case KEY_END:
		move_by(top, (long)top->choice.places.nr);
		break;
	case KEY_RIGHT:
	case KEY_ENTER:
	case '\n':
	case 'l':
		change_view(top, TOP_TREE);
		break;
	case KEY_LEFT:
	case KEY_BACKSPACE:
	case 27:
	case 'h':
		go_back(top);
		break;
	case 'n':
		move_selection(top, 1);
		break;
	case 'N':
		move_selection(top, -1);
		break;
	case 'a':
		top->whole_tree = !top->whole_tree;
		break;
	case 's':
		change_sort(top, 1);
		break;
	case 'S':
		change_sort(top, -1);
		break;
	case ' ':
	case 'p':
		top->paused = !top->paused;
		break;
	case '?':
		change_view(top, TOP_HELP);
		break;
	default:
		break;
	}
	return true;
}

static void choose(const struct options *options, struct top *top)
{
	options_choose_places_or_all(options, &top->choice);
	choose_known_group(&top->choice, "Topdown_L1");
	choose_known_group(&top->choice, "General");
	top->nr_list_files = top->choice.nr_files;
	walk_choose(&top->choice);
	walk_choose_way(&top->choice);
	top->choice.quality = true;
	top->order = xreallocarray(NULL, top->choice.places.nr, sizeof(*top->order));
	for (size_t i = 0; i < top->choice.places.nr; i++)
		top->order[i] = i;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void read_list(struct top *top)
{
	snapshot_read_brief(&top->snapshot, &top->choice, top->nr_list_files);
	top->tree_of = TOP_NO_TREE;
	top_sort(top);
}

/* Whatever is looked at while it is held still is of one moment. */
static void read_all(struct top *top)
{
	snapshot_read(&top->snapshot, &top->choice);
	top_sort(top);
}

static void read_tree(struct top *top)
{
	size_t place = top->order[top->selected];

	if (top->paused || top->view != TOP_TREE || top->tree_of == place)
		return;
	snapshot_read_place(&top->snapshot, &top->choice, place);
	top->tree_of = place;
}

/* Only what changed goes to the terminal: ncurses sees to that. */
static void run(struct top *top)
{
	double next = now() + top->interval, left;
	bool go_on = true, paused;

	while (go_on) {
		if (now() >= next) {
			if (!top->paused)
				read_list(top);
			next = now() + top->interval;
		}
		read_tree(top);
		top_draw(top);
		left = (next - now()) * 1000;
		timeout(left < 1 ? 1 : left > 100000 ? 100000 : (int)left);
		paused = top->paused;
		go_on = top_key(top, getch(), top_rows());
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

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	top.interval = options.nr_args ? options.interval : 1;
	source_open(options.root);
	choose(&options, &top);
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		die(EXIT_BAD_USAGE, "top wants a terminal; without one try: n3stat --per cpu 1");
	/* An error after this would be drawn over. */
	read_list(&top);
	top_draw_begin();
	run(&top);
	top_draw_end();
	free(top.order);
	snapshot_free(&top.snapshot);
	choice_free(&top.choice);
	return EXIT_SUCCESS;
}
