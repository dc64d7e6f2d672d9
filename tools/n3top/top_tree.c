// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * n3stat top: decision tree of a place. On a small screen, branches outside the path are folded,
 * deepest first, to keep the path and its advice visible.
 */
#include <math.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/answer_read.h"
#include "reader/notices.h"
#include "reader/path_advice.h"
#include "top.h"

#define MAX_NODES	64
#define ERROR_WIDTH	7	/* "+-<0.01" */
#define WIDE		80	/* columns of a line with indented name, error and bar */

struct node {
	int metric;
	int above;		/* index of the parent node, or -1 */
	unsigned int depth;
	bool marked;
	bool hidden;
	bool folded;		/* its children are hidden */
};

struct tree {
	const struct top *top;
	size_t place;
	struct answer answer;
	struct node nodes[MAX_NODES];
	size_t nr;
};

static void collect(struct tree *tree, int above)
{
	unsigned int depth = above < 0 ? 0 : tree->nodes[above].depth + 1;
	int below[16];
	size_t nr = path_below(above < 0 ? -1 : tree->nodes[above].metric, below, NR(below));

	for (size_t i = 0; i < nr && tree->nr < MAX_NODES && depth < PATH_DEPTH; i++) {
		tree->nodes[tree->nr++] = (struct node) {
			.metric = below[i],
			.above = above,
			.depth = depth,
			.marked = answer_has(&tree->answer, below[i]),
		};
		collect(tree, (int)tree->nr - 1);
	}
}

/* Return: number of lines saved. */
static size_t fold_below(struct tree *tree, int above)
{
	size_t nr = 0;

	for (size_t i = 0; i < tree->nr; i++) {
		if (tree->nodes[i].above != above)
			continue;
		tree->nodes[i].hidden = true;
		nr++;
	}
	tree->nodes[above].folded = nr > 0;
	return nr;
}

static void fold(struct tree *tree, size_t room)
{
	size_t left = tree->nr;

	for (unsigned int depth = PATH_DEPTH; depth-- > 0;)
		for (size_t i = 0; i < tree->nr && left > room; i++)
			if (tree->nodes[i].depth == depth && !tree->nodes[i].marked)
				left -= fold_below(tree, (int)i);
}

static void add_node(struct top_lines *lines, const struct tree *tree, const struct node *node)
{
	const struct value *value = snapshot_estimate(&tree->top->snapshot, &tree->top->choice,
						      tree->place, node->metric);
	struct path_share share = answer_share_at(&tree->top->snapshot, &tree->top->choice,
						  tree->place, node->metric);
	const char *name = catalog_metric_name(node->metric), *more = node->folded ? " +" : "";
	const char *number;
	struct share_text text = { 0 };
	char of_parent[16] = "", bar[21] = "", mark = node->marked ? '>' : ' ';
	int width = ERROR_WIDTH;

	if (value->is_number)
		snprintf(of_parent, sizeof(of_parent), "%.1f%%", value->number);
	if (!isnan(share.value)) {
		text = path_share_format(node->metric, &share);
		/* "±" has two bytes and the width of one. */
		width += (unsigned char)*text.error > 127;
		memset(bar, '#', (size_t)(share.value / 5 + 0.5));
	}
	number = value->is_number ? text.number : value->text;
	if (COLS < WIDE)
		top_add_line(lines, node->marked,
			     format_string("%c %7s %*s%s%s", mark, number, node->depth, "", name,
					   more));
	else
		top_add_line(lines, node->marked,
			     format_string("%c %*s%-*s%9s %-*s|%-20s|%6s%s", mark, 2 * node->depth,
					   "", 30 - 2 * (int)node->depth, name, number, width,
					   text.error, bar, of_parent, more));
}

/* A text, which is freed, if there is one. */
static void add_taken(struct top_lines *lines, bool bold, const char *lead, char *text)
{
	if (text)
		top_add_text(lines, bold, lead, "         ", text);
	free(text);
}

static void add_find_it(struct top_lines *lines, const struct tree *tree, const char *name)
{
	const struct place *place = &tree->top->choice.places.v[tree->place];
	struct advice_facts facts = path_facts(place);
	char *lead = format_string("%s ", path_find_it_lead(&facts));

	add_taken(lines, false, lead, path_find_it_text(name, &facts, place));
	free(lead);
}

/* Return: whether groups are not chosen. */
static bool add_disabled(struct top_lines *lines, const struct tree *tree)
{
	char *command;
	char *text = disabled_text(&tree->top->snapshot, &tree->top->choice, tree->place,
				   &command);

	if (!text)
		return false;
	add_taken(lines, false, "disabled: ", text);
	add_taken(lines, false, "try:     ", command);
	return true;
}

/* The answer and the next step. */
static void add_answer(struct top_lines *lines, const struct tree *tree)
{
	int metric = answer_metric(&tree->answer, 0);
	char text[ANSWER_LONG];

	answer_long(text, &tree->answer);
	top_add_text(lines, true, "", "  ", text);
	if ((metric < 0 || tree->answer.areas[0].word) && add_disabled(lines, tree))
		return;
	if (metric < 0)
		add_taken(lines, false, "",
			  no_values_text(&tree->top->choice.places.v[tree->place],
					 tree->answer.word));
	for (size_t i = 0; i < tree->answer.nr; i++)
		add_find_it(lines, tree, catalog_metric_name(answer_metric(&tree->answer, i)));
}

/* Details below the tree. */
static void add_end(struct top_lines *lines, const struct tree *tree)
{
	const struct place *place = &tree->top->choice.places.v[tree->place];
	struct advice_facts facts = path_facts(place);
	int metric = answer_metric(&tree->answer, 0);
	const char *name;

	if (metric < 0)
		return;
	name = catalog_metric_name(metric);
	add_taken(lines, false, "losses:  ", path_losses_text(&tree->answer));
	add_taken(lines, false, "CPUs:    ", path_cpus_text(place));
	if (advice_exists(name)) {
		add_taken(lines, true, "means:   ", advice_text(name, ADVICE_MEANS, &facts));
		add_taken(lines, false, "look at: ", advice_text(name, ADVICE_LOOK, &facts));
	}
	add_taken(lines, false, "groups:  ", path_groups_text(metric));
}

void top_draw_tree(struct top *top)
{
	struct tree tree = { .top = top, .place = top->order[top->selected] };
	struct top_lines lines = { 0 }, end = { 0 };
	size_t rows = top_rows(), others;
	char label[TOP_LABEL];
	bool fits;

	answer_of_snapshot(&tree.answer, &top->snapshot, &top->choice, tree.place);
	collect(&tree, -1);
	add_answer(&lines, &tree);
	add_end(&end, &tree);
	others = lines.nr + end.nr;
	fits = tree.nr + 1 + others <= rows;
	if ((!fits || !tree.answer.nr) && !top->whole_tree)
		fold(&tree, rows > others && tree.answer.nr ? rows - others : 0);
	for (size_t i = 0; i < tree.nr; i++)
		if (!tree.nodes[i].hidden)
			add_node(&lines, &tree, &tree.nodes[i]);
	/* Separates tree and advice, if nothing is hidden by it. */
	if (fits || top->whole_tree)
		top_add_line(&lines, false, xstrdup(""));
	for (size_t i = 0; i < end.nr; i++)
		top_add_line(&lines, end.v[i].bold, end.v[i].text);
	free(end.v);
	top_label(top, tree.place, label);
	attron(A_UNDERLINE);
	if (COLS < WIDE)
		top_draw_line(2, "%-*s", COLS, label);
	else
		top_draw_line(2, "%-32s%14s%*s", label, "of all slots", 78 - 32 - 14, "of parent");
	attroff(A_UNDERLINE);
	top_draw_lines(&lines, TOP_HEAD_LINES, rows, &top->tree_first);
	top_free_lines(&lines);
}
