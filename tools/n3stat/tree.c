// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat tree: the decision tree with values, and advice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "lib/arguments.h"
#include "lib/clock.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/streams.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "libn3telemetry/included.h"
#include "libn3telemetry/answer_read.h"
#include "reader/notices.h"
#include "reader/options.h"
#include "reader/path_advice.h"
#include "reader/telemetry.h"
#include "stat_who.h"
#include "tree.h"
#include "tree_causes.h"
#include "tree_json.h"

#define NAME_WIDTH	30
#define SHARE_WIDTH	9
#define ERROR_WIDTH	8
#define BAR_WIDTH	20
#define CAUSE_DECIMALS	2	/* at most, as of shares */

struct tree {
	const struct snapshot *snapshot;
	const struct choice *choice;
	size_t place;
	const char *where;	/* the processes for perf, or NULL */
	const char *end;	/* metric of the first place with advice, or NULL */
	struct answer answer;
	int decimals;		/* most of the shares */
	bool colour;
	char *note;		/* the last one printed, or NULL */
};

struct tree_options {
	struct options common;
	bool json;
};

enum { OPTION_JSON = 256 };

static const struct argp_option tree_options[] = {
	{ "json", OPTION_JSON, NULL, 0, "one JSON object per interval", 4 },
	{ 0 }
};

static const char doc[] =
	"Print where the slots go, the next step, and the decision tree of the Topdown methodology: "
	"metrics that the answer names are marked with '>'."
	"\vValues are estimates for the whole window: counts corrected by events that are always "
	"counted (anchors). "
	"Without --cpu, --node or --per it shows the system.";

/* '#' up to the share, '-' for its interval. */
static void print_bar(const struct path_share *share)
{
	double error = isnan(share->error) ? 0 : share->error;

	putchar('|');
	for (int i = 0; i < BAR_WIDTH; i++) {
		double percent = (i + 0.5) * 100 / BAR_WIDTH;
		char c = percent <= share->value ? '#' : ' ';

		if (error && percent > share->value - error && percent < share->value + error)
			c = '-';
		putchar(c);
	}
	putchar('|');
}

/* "±" has two bytes and the width of one. */
static int error_width(const struct share_text *text)
{
	return ERROR_WIDTH + ((unsigned char)*text->error > 127);
}

/* Share of all slots with its error. */
static void print_share_of(const struct tree *tree, int metric, const struct path_share *share)
{
	struct share_text text = path_share_format(metric, share);
	int pad = tree->decimals - text.decimals + (tree->decimals && !text.decimals);

	printf("%*s%*s %-*s", SHARE_WIDTH - 1 - pad, text.number, pad, "",
	       error_width(&text), text.error);
	print_bar(share);
}

/* The metric's own value: of Topdown_L1 it is the share, of others the share of the parent. */
static void print_number(const struct tree *tree, int metric, const struct value *value)
{
	struct path_share share = answer_share_at(tree->snapshot, tree->choice, tree->place,
						  metric);
	int decimals;

	if (isnan(share.value))
		printf("%*s", SHARE_WIDTH + ERROR_WIDTH + BAR_WIDTH + 2, "");
	else
		print_share_of(tree, metric, &share);
	decimals = value_decimals(value, 1);
	printf("%*.*f%%", decimals ? 7 : 5, decimals, value->number);
}

static void print_node(const struct tree *tree, int metric, unsigned int depth)
{
	const struct value *value = snapshot_estimate(tree->snapshot, tree->choice, tree->place,
						      metric);
	bool marked = answer_has(&tree->answer, metric);

	if (tree->colour && marked)
		printf("\033[1m");
	printf("%c %*s%-*s", marked ? '>' : ' ', 2 * depth, "", NAME_WIDTH - 2 * (int)depth,
	       catalog_metric_name(metric));
	if (!value || !value->is_number)
		printf(" %*s", SHARE_WIDTH - 2, value ? value->text : NO_VALUE);
	else
		print_number(tree, metric, value);
	printf("%s\n", tree->colour && marked ? "\033[0m" : "");
}

/* A count with its unit and error, below the shares; "~": the error is unknown. */
static void print_cause(const struct tree *tree, int metric, unsigned int depth)
{
	const struct value *value = snapshot_estimate(tree->snapshot, tree->choice, tree->place,
						      metric);
	struct path_share share;
	struct share_text text;
	bool known;
	int pad;

	/* It is not an event of this core. */
	if (value && !strcmp(value->text, "disabled"))
		return;
	printf("  %*s%-*s", 2 * depth, "", NAME_WIDTH - 2 * (int)depth,
	       catalog_metric_name(metric));
	if (!value || !value->is_number) {
		printf(" %*s\n", SHARE_WIDTH - 2, value ? value->text : NO_VALUE);
		return;
	}
	share = path_of_value(value);
	known = !isnan(share.error);
	text = path_number_format(known ? "" : "~", &share, "");
	pad = CAUSE_DECIMALS - text.decimals + !text.decimals;
	printf("%*s%*s %s%s%s\n", SHARE_WIDTH - 1 - pad, text.number, pad, "",
	       catalog_metric(metric).short_unit, known ? " " : "", known ? text.error : "");
}

/* Causes of a metric as counts, or the command that selects their group. */
static void print_causes(const struct tree *tree, int metric, unsigned int depth)
{
	int group = path_causes(metric);
	char *command;

	if (group < 0)
		return;
	if (choice_has(tree->choice, catalog_group(group).file)) {
		for (int i = 0; i < catalog_nr_metrics(); i++)
			if (catalog_has_member(group, i))
				print_cause(tree, i, depth);
		return;
	}
	command = causes_command(group);
	if (command)
		print_command(stdout, "    causes:   ", "    ", command, screen_width(PATH_WIDTH));
	free(command);
}

static void print_below(const struct tree *tree, int metric, unsigned int depth)
{
	int below[16];
	size_t nr = path_below(metric, below, NR(below));

	for (size_t i = 0; i < nr && depth < PATH_DEPTH; i++) {
		print_node(tree, below[i], depth);
		print_below(tree, below[i], depth + 1);
		print_causes(tree, below[i], depth + 1);
	}
}

/* Most decimals of the shares below a metric. */
static int most_decimals(const struct tree *tree, int metric, unsigned int depth)
{
	int below[16], most = 0;
	size_t nr = path_below(metric, below, NR(below));

	for (size_t i = 0; i < nr && depth < PATH_DEPTH; i++) {
		struct path_share share = answer_share_at(tree->snapshot, tree->choice,
							  tree->place, below[i]);
		int own = isnan(share.value) ? 0 : path_share_format(below[i], &share).decimals;
		int deeper = most_decimals(tree, below[i], depth + 1);

		most = own > most ? own : most;
		most = deeper > most ? deeper : most;
	}
	return most;
}

/* Prints a note on the command, unless it is that of the tree before. */
static void print_note(struct tree *tree, char *note)
{
	if (note && (!tree->note || strcmp(note, tree->note)))
		print_folded(stdout, "  note:     ", PATH_INDENT, note, PATH_WIDTH);
	if (note) {
		free(tree->note);
		tree->note = note;
	}
}

/* The command that finds the code of the answer. */
static void print_find_it(const struct tree *tree, const char *name)
{
	struct advice_facts facts = path_facts(&tree->choice->places.v[tree->place]);
	char *text;

	facts.where = tree->where;
	text = path_find_it_text(name, &facts, &tree->choice->places.v[tree->place]);
	path_print_command(&facts, text);
}

/* Prints groups that are not chosen, and the command. Return: whether there are any. */
static bool print_disabled(const struct tree *tree)
{
	char *command, *text;

	text = disabled_text(tree->snapshot, tree->choice, tree->place, &command);
	if (!text)
		return false;
	print_folded(stdout, "  disabled: ", PATH_INDENT, text, PATH_WIDTH);
	print_command(stdout, "  try:      ", "  ", command, screen_width(PATH_WIDTH));
	free(command);
	free(text);
	return true;
}

/* The answer and the next step. */
static void print_answer(struct tree *tree)
{
	int metric = answer_metric(&tree->answer, 0);
	char text[ANSWER_LONG];

	answer_long(text, &tree->answer);
	if (tree->choice->places.nr > 1)
		printf("%s:\n", tree->choice->places.v[tree->place].name);
	if (!tree->place)
		tree->end = metric < 0 ? NULL : catalog_metric_name(metric);
	printf("%s%s%s\n", tree->colour ? "\033[1m" : "", text, tree->colour ? "\033[0m" : "");
	if ((metric < 0 || tree->answer.areas[0].word) && print_disabled(tree))
		return;
	if (metric < 0)
		path_print_text("  ", no_values_text(&tree->choice->places.v[tree->place],
						     tree->answer.word));
	for (size_t i = 0; i < tree->answer.nr; i++)
		print_find_it(tree, catalog_metric_name(answer_metric(&tree->answer, i)));
}

/* Details below the tree. */
static void print_end(struct tree *tree)
{
	struct advice_facts facts = path_facts(&tree->choice->places.v[tree->place]);
	int metric = answer_metric(&tree->answer, 0);
	const char *name;

	if (metric < 0)
		return;
	name = catalog_metric_name(metric);
	putchar('\n');
	path_print_text("  losses:   ", path_losses_text(&tree->answer));
	path_print_text("  CPUs:     ", path_cpus_text(&tree->choice->places.v[tree->place]));
	path_print_text("  means:    ", advice_text(name, ADVICE_MEANS, &facts));
	path_print_text("  look at:  ", advice_text(name, ADVICE_LOOK, &facts));
	path_print_text("  groups:   ", path_groups_text(metric));
	print_note(tree, advice_text(name, ADVICE_NOTE, &facts));
}

/* The place, with its excluded CPUs. */
static void print_head(const struct tree *tree)
{
	const struct place *place = &tree->choice->places.v[tree->place];
	char text[INCLUDED_TEXT], *name;
	struct included included;

	must(included_of(&telemetry, &included, place));
	name = format_string("%s%s", place->name, included_text(text, &included));
	printf("\n%-*s %*s%*s\n", NAME_WIDTH + 1, name, SHARE_WIDTH + 5, "of all slots",
	       ERROR_WIDTH + BAR_WIDTH + 5, "of parent");
	free(name);
}

static void print_tree(struct tree *tree)
{
	answer_of_snapshot(&tree->answer, tree->snapshot, tree->choice, tree->place);
	tree->decimals = most_decimals(tree, -1, 0);
	print_answer(tree);
	print_head(tree);
	print_below(tree, -1, 0);
	print_end(tree);
}

/*
 * Prints facts about the selected threads to @out; *where are the processes for perf. Return: false
 * if they did not run.
 */
static bool choose(const struct options *options, struct choice *choice, char **where, FILE *out)
{
	struct place place;

	if (who_names_any(&options->who)) {
		if (!who_find_place(options, &place, where, out))
			return false;
		xplaces_add_one(&choice->places, place);
	} else {
		options_choose_places(options, choice, SCOPE_SYSTEM);
	}
	must(answer_choose_groups(&telemetry, choice) && causes_choose(choice));
	choice->quality = true;
	return true;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct tree_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		state->child_inputs[1] = &options->common;
		state->child_inputs[2] = &options->common;
		state->child_inputs[3] = &options->common;
		return 0;
	case ARGP_KEY_ARG:
		options_argument(&options->common, arg);
		return 0;
	case OPTION_JSON:
		options->json = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Prints all places of a round. */
static void print_trees(struct tree *tree, bool first)
{
	for (tree->place = 0; tree->place < tree->choice->places.nr; tree->place++) {
		if (!first || tree->place)
			putchar('\n');
		print_tree(tree);
	}
}

/* JSON output always has a round. */
static void print_no_places(void)
{
	struct snapshot snapshot = { 0 };
	struct choice choice = { 0 };

	must(snapshot_read(&telemetry, &snapshot, &choice));
	tree_json(&snapshot, &choice, NULL);
	snapshot_free(&snapshot);
}

static const struct argp_child children[] = {
	{ &options_places, 0, NULL, 0 },
	{ &options_source, 0, NULL, 0 },
	{ &options_who, 0, NULL, 0 },
	{ &options_colour, 0, NULL, 0 },
	{ 0 }
};

static const struct argp argp = {
	tree_options, parse_option, "[INTERVAL [COUNT]]", doc, children, NULL, NULL
};

static void check(const struct options *options)
{
	if (who_names_any(&options->who))
		options_check_who(options);
	else if (options->proc && !options_name_cpus_of_nodes(options))
		die(ERR_CONFLICTING_OPTIONS, "--proc is for --pid, --comm and --cgroup");
}

/* Return: the metric whose code is to be found at the first place, or NULL. */
static const char *print_rounds(const struct tree_options *options, struct choice *choice,
				const char *where)
{
	struct snapshot snapshot = { 0 };
	struct tree tree = {
		.snapshot = &snapshot, .choice = choice, .where = where,
		.colour = options_use_colour(&options->common)
	};
	struct ticker ticker;

	ticker_start(&ticker, options->common.interval);
	for (unsigned long i = 0; i < options->common.count; i++) {
		if (i && !ticker_wait(&ticker))
			break;
		must(snapshot_read(&telemetry, &snapshot, choice));
		if (options->json)
			tree_json(&snapshot, choice, where);
		else
			print_trees(&tree, !i);
		flush_output(stdout);
	}
	free(tree.note);
	snapshot_free(&snapshot);
	return tree.end;
}

static void print(const struct tree_options *options, struct tree_end *end)
{
	struct choice choice = { 0 };

	*end = (struct tree_end) { 0 };
	if (!options->json) {
		print_other_core(stdout);
		print_simulated(stdout);
	}
	if (choose(&options->common, &choice, &end->where, options->json ? stderr : stdout)) {
		end->metric = print_rounds(options, &choice, end->where);
		end->place = choice.places.v[0];
	} else if (options->json) {
		print_no_places();
	}
	choice_free(&choice);
}

void tree_print(const struct options *options, struct tree_end *end)
{
	print(&(struct tree_options) { .common = *options }, end);
}

int command_tree(int argc, char **argv)
{
	struct tree_options options = { .common = OPTIONS_DEFAULT };
	struct tree_end end;

	arguments_parse(&argp, argc, argv, 0, &options);
	must(source_open(&telemetry, options.common.root));
	check(&options.common);
	print(&options, &end);
	free(end.where);
	return EXIT_SUCCESS;
}
