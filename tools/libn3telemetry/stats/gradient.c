// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Partial derivatives of formulas. */
#include <linux/errno.h>
#include <string.h>

#include "libn3telemetry/stats/gradient.h"

/*
 * A token as a node of the expression tree.
 * @value: value of the subexpression that ends with this token
 * @slope: derivative of the formula's value by it
 * @left: first operand of an operator; the second is the token before it
 */
struct formula_node {
	double value;
	double slope;
	u8 left;
};

static void apply_real(u16 op, struct formula_node *node, const struct formula_node *left,
		       const struct formula_node *right)
{
	switch (op) {
	case N3T_OP_ADD:
		node->value = left->value + right->value;
		break;
	case N3T_OP_SUB:
		node->value = left->value - right->value;
		break;
	case N3T_OP_MUL:
		node->value = left->value * right->value;
		break;
	default:
		node->value = left->value / right->value;
	}
}

/* Evaluate all nodes from the leaves up. */
static int find_values(const struct n3t_formula *formula, const struct n3t_counts *counts,
		       struct formula_node *node)
{
	unsigned int depth = 0;
	u8 stack[N3T_FORMULA_DEPTH];
	u64 count;
	int err;

	for (unsigned int i = 0; i < formula->nr_tokens; i++) {
		u16 op = formula->token[i].op, arg = formula->token[i].arg;

		if (op == N3T_OP_EVENT) {
			err = n3t_counts_get(counts, arg, &count);
			if (err)
				return err;
			node[i].value = count;
		} else if (op == N3T_OP_CONST || op == N3T_OP_SLOTS) {
			node[i].value = arg;
		} else {
			depth -= 2;
			if (op == N3T_OP_DIV && !node[i - 1].value)
				return -EDOM;
			node[i].left = stack[depth];
			apply_real(op, &node[i], &node[node[i].left], &node[i - 1]);
		}
		stack[depth++] = i;
	}
	return 0;
}

/* Chain rule for one operator: pass its slope on to the operands. */
static void pass_slope(u16 op, const struct formula_node *node, struct formula_node *left,
		       struct formula_node *right)
{
	switch (op) {
	case N3T_OP_ADD:
		left->slope = node->slope;
		right->slope = node->slope;
		break;
	case N3T_OP_SUB:
		left->slope = node->slope;
		right->slope = -node->slope;
		break;
	case N3T_OP_MUL:
		left->slope = node->slope * right->value;
		right->slope = node->slope * left->value;
		break;
	default:
		left->slope = node->slope / right->value;
		right->slope = -(left->slope * node->value);
	}
}

static void add_slope(struct n3t_gradient *gradient, const struct n3t_formula *formula, u16 code,
		      double slope)
{
	double *sum = &gradient->cycles;

	for (unsigned int i = 0; i < formula->nr_events; i++)
		if (formula->code[i] == code)
			sum = &gradient->event[i];
	*sum += slope;
}

/**
 * n3t_formula_gradient() - partial derivatives of a formula
 * @formula: as parsed by n3t_formula_parse()
 * @counts: counts over the same time
 * @gradient: the result
 *
 * Applies the chain rule from the whole formula down to its events, one operator at a
 * time: any formula that can be parsed has a gradient.
 *
 * Return: 0; -EDOM if a denominator is 0, -ENOENT or -EOVERFLOW as n3t_counts_get().
 * On error @gradient is undefined.
 */
int n3t_formula_gradient(const struct n3t_formula *formula, const struct n3t_counts *counts,
			 struct n3t_gradient *gradient)
{
	struct formula_node node[N3T_FORMULA_TOKENS];
	unsigned int i = formula->nr_tokens;
	int err;

	err = find_values(formula, counts, node);
	if (err)
		return err;

	memset(gradient, 0, sizeof(*gradient));
	gradient->value = node[i - 1].value;
	node[i - 1].slope = 1;
	while (i-- > 0) {
		u16 op = formula->token[i].op;

		if (op == N3T_OP_EVENT)
			add_slope(gradient, formula, formula->token[i].arg, node[i].slope);
		else if (op >= N3T_OP_ADD)
			pass_slope(op, &node[i], &node[node[i].left], &node[i - 1]);
	}
	return 0;
}
