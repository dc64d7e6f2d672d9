/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Metric formulas: parsing and exact evaluation. */
#ifndef _N3T_FORMULA_H
#define _N3T_FORMULA_H

#include "libn3t/fixed.h"
#include "libn3t/n3t.h"

#define N3T_FORMULA_TOKENS	24	/* the longest in the tables has 21 */
#define N3T_FORMULA_EVENTS	6
#define N3T_FORMULA_DEPTH	5	/* values on the stack; the tables need 4 */

enum n3t_op {
	N3T_OP_EVENT,
	N3T_OP_CONST,
	N3T_OP_SLOTS,	/* slots per cycle */
	N3T_OP_ADD,
	N3T_OP_SUB,
	N3T_OP_MUL,
	N3T_OP_DIV,
};

/**
 * enum n3t_part - parts of a metric that is a quotient of sums
 * @N3T_NUMERATOR: sum of the events above the line
 * @N3T_DENOMINATOR: sum of the events below it
 * @N3T_SUBTRAHEND: subtracted from the numerator, as a difference could decrease
 * @N3T_NR_PARTS: number of parts
 */
enum n3t_part {
	N3T_NUMERATOR,
	N3T_DENOMINATOR,
	N3T_SUBTRAHEND,
	N3T_NR_PARTS,
};

#define N3T_FORMULA_CYCLES	0x80000000u	/* CPU_CYCLES in a part */

/**
 * struct n3t_formula - a formula in reverse Polish notation
 * @nr_tokens: number of tokens
 * @token: operators and operands; @token.arg is an event number, a constant
 *	   or the slots per cycle
 * @has_cycles: the formula uses CPU_CYCLES
 * @nr_events: number of different programmable events (CPU_CYCLES is not one)
 * @code: event numbers
 * @part: the events of each part, a bit for their position in @code or N3T_FORMULA_CYCLES; 0 in
 *	all parts unless the formula is a quotient of sums, or of a difference, with a factor
 */
struct n3t_formula {
	unsigned int nr_tokens;
	struct {
		u16 op;
		u16 arg;
	} token[N3T_FORMULA_TOKENS];
	bool has_cycles;
	unsigned int nr_events;
	u16 code[N3T_FORMULA_EVENTS];
	u32 part[N3T_NR_PARTS];
};

int n3t_formula_init(void);
void n3t_formula_adapt(bool common_only, unsigned int slots, bool has_flush);
unsigned int n3t_slots_per_cycle(void);
bool n3t_metric_is_available(enum n3t_metric metric);
bool n3t_formula_set_slots(struct n3t_formula *formula, unsigned int slots);
const struct n3t_formula *n3t_metric_formula(enum n3t_metric metric);
int n3t_formula_parse(const char *text, struct n3t_formula *formula);
u32 n3t_code_position(const u16 *codes, unsigned int nr, u16 code);
u32 n3t_counts_summed(const u16 *codes, unsigned int nr, u16 code);
int n3t_counts_get(const struct n3t_counts *counts, u16 code, u64 *count);
enum n3t_verdict n3t_formula_eval(const struct n3t_formula *formula,
				  const struct n3t_counts *counts, struct n3t_ratio *value);

/* Does it contain an event, other than CPU_CYCLES? */
static inline bool n3t_formula_uses(const struct n3t_formula *formula, u16 code)
{
	return n3t_code_position(formula->code, formula->nr_events, code);
}

/* A quotient of sums that is 1 less another one: the numerator is the denominator. */
static inline bool n3t_formula_is_complement(const struct n3t_formula *formula)
{
	return formula->part[N3T_SUBTRAHEND] &&
	       formula->part[N3T_NUMERATOR] == formula->part[N3T_DENOMINATOR];
}

/* Does it have totals? A complement has those of the other formula. */
static inline bool n3t_formula_has_parts(const struct n3t_formula *formula)
{
	return formula->part[N3T_NUMERATOR] && !n3t_formula_is_complement(formula);
}

#endif /* _N3T_FORMULA_H */
