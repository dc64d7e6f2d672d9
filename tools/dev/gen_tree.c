// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * gen_tree - writes Documentation/pictures/tree.svg, the decision tree from the module's tables: a
 * row for each node, indented by depth. Started by gen-docs.sh, which adds the style.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <stdio.h>

#include "libn3t/spec.h"
#include "libn3telemetry/stats/tree.h"

#define ROW	30U	/* from a node to the next */
#define BOX	22U
#define WIDTH	206U
#define INDENT	26U
#define LEFT	16U
#define TOP	44U
#define NEXT	334U	/* left end of the groups to look at next */
#define TOTAL	660U

/* Of each part of the tree, as in the pictures drawn by hand. */
static const char * const colours[] = { "blue", "amber", "red", "green" };

static unsigned int rows;

static unsigned int nr_nodes(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < N3T_NR_GROUPS; i++)
		nr += n3t_groups[i].stage == 1 ? n3t_groups[i].nr_members : 0;
	return nr;
}

/* The @i-th of all nodes, in the order of groups and of their files. */
static unsigned int node(unsigned int i)
{
	const struct n3t_group_info *group = n3t_groups;

	for (; group->stage != 1 || i >= group->nr_members; group++)
		i -= group->stage == 1 ? group->nr_members : 0;
	return group->members[i];
}

static void emit_box(unsigned int metric, unsigned int depth, const char *colour)
{
	unsigned int x = LEFT + depth * INDENT, y = TOP + rows * ROW;

	printf("<rect class=\"box %s\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"4\"/>\n",
	       colour, x, y, WIDTH, BOX);
	printf("<text class=\"name\" x=\"%u\" y=\"%u\">%s</text>\n", x + 10, y + 15,
	       n3t_metrics[metric].name);
}

/* From the box of @parent's row down and to the box of this row. */
static void emit_branch(unsigned int parent, unsigned int depth)
{
	printf("<path class=\"line\" d=\"M%u %uV%uh%u\"/>\n", LEFT + (depth - 1) * INDENT + 13,
	       TOP + parent * ROW + BOX, TOP + rows * ROW + BOX / 2, INDENT - 13);
}

/* Two in a line. */
static void emit_groups(unsigned int metric, unsigned int depth)
{
	unsigned int x = LEFT + depth * INDENT + WIDTH, y = TOP + rows * ROW + BOX / 2;
	DECLARE_BITMAP(next, N3T_NR_GROUPS) = { };
	unsigned int group, nr = 0;

	n3t_tree_next(metric, next);
	if (bitmap_empty(next, N3T_NR_GROUPS))
		return;
	printf("<path class=\"line dots\" d=\"M%u %uH%u\"/>\n", x, y, NEXT - 6);
	for_each_set_bit(group, next, N3T_NR_GROUPS) {
		if (nr % 2)
			fputs(", ", stdout);
		else
			printf("%s<text class=\"soft\" x=\"%u\" y=\"%u\">", nr ? ",</text>\n" : "",
			       NEXT, y + 4 + nr / 2 * 15);
		fputs(n3t_groups[group].file, stdout);
		nr++;
	}
	puts("</text>");
}

static void emit_node(unsigned int metric, unsigned int depth, const char *colour)
{
	DECLARE_BITMAP(children, N3T_NR_METRICS) = { };
	unsigned int i, row = rows;

	emit_box(metric, depth, colour);
	emit_groups(metric, depth);
	rows++;
	n3t_tree_children(metric, children);
	for (i = 0; i < nr_nodes(); i++) {
		if (!test_bit(node(i), children))
			continue;
		emit_branch(row, depth + 1);
		emit_node(node(i), depth + 1, colour);
	}
}

static void emit_nodes(void)
{
	DECLARE_BITMAP(roots, N3T_NR_METRICS) = { };
	unsigned int i, nr = 0;

	n3t_tree_roots(N3T_GROUP_Topdown_L1, roots);
	for (i = 0; i < nr_nodes(); i++)
		if (test_bit(node(i), roots))
			emit_node(node(i), 0, colours[nr++ % ARRAY_SIZE(colours)]);
}

int main(void)
{
	unsigned int height;

	if (n3t_spec_init())
		return 1;
	height = TOP + nr_nodes() * ROW + 16;
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" "
	       "height=\"%u\" role=\"img\">\n", TOTAL, height, TOTAL, height);
	puts("<!-- Made by tools/dev/gen-docs.sh from libn3t/n3t_groups.def.h: change that. -->");
	puts("<title>Decision tree</title>");
	puts("<style>\n</style>");
	printf("<rect class=\"paper\" width=\"%u\" height=\"%u\" rx=\"8\"/>\n", TOTAL, height);
	printf("<text class=\"soft\" x=\"%u\" y=\"24\">metric, and the parts of it</text>\n", LEFT);
	printf("<text class=\"soft\" x=\"%u\" y=\"24\">groups to look at next</text>\n", NEXT);
	emit_nodes();
	puts("</svg>");
	return 0;
}
