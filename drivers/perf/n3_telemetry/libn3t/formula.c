// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Metric formulas: parsing and exact evaluation.
 *
 * The text of the specification is converted to reverse Polish notation once
 * (Dijkstra's shunting yard) and then evaluated on a small stack:
 *
 *	STALL_SLOT_BACKEND / (SLOTS * CPU_CYCLES) * 100
 *	STALL_SLOT_BACKEND SLOTS CPU_CYCLES * / 100 *
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/core.h"
#include "libn3t/formula.h"
#include "libn3t/spec.h"

#define NAME_SIZE	32	/* longest mnemonic with its terminator */
#define SLOTS		"SLOTS"

struct parser {
	const char *pos;
	struct n3t_formula *formula;
	unsigned int nr_waiting;
	char waiting[N3T_FORMULA_TOKENS];	/* operators and open parentheses */
};

static int emit(struct parser *parser, enum n3t_op op, u16 arg)
{
	struct n3t_formula *formula = parser->formula;

	if (formula->nr_tokens == N3T_FORMULA_TOKENS)
		return -EINVAL;
	formula->token[formula->nr_tokens].op = op;
	formula->token[formula->nr_tokens].arg = arg;
	formula->nr_tokens++;
	return 0;
}

/* Record an event of the formula; the cycle counter is always available. */
static int note_event(struct n3t_formula *formula, u16 code)
{
	unsigned int i;

	if (code == N3T_CODE_CPU_CYCLES) {
		formula->has_cycles = true;
		return 0;
	}
	for (i = 0; i < formula->nr_events; i++)
		if (formula->code[i] == code)
			return 0;
	if (formula->nr_events == N3T_FORMULA_EVENTS)
		return -EINVAL;
	formula->code[formula->nr_events++] = code;
	return 0;
}

/* An event or SLOTS. */
static int parse_name(struct parser *parser)
{
	char name[NAME_SIZE];
	size_t len = 0;
	int event;

	while (isalnum(*parser->pos) || *parser->pos == '_') {
		if (len == sizeof(name) - 1)
			return -EINVAL;
		name[len++] = *parser->pos++;
	}
	name[len] = '\0';

	if (!strcmp(name, SLOTS))
		return emit(parser, N3T_OP_SLOTS, N3T_SLOTS_n3);
	event = n3t_event_by_name(name);
	if (event < 0 || !n3t_events[event].countable)
		return -EINVAL;
	return note_event(parser->formula, n3t_events[event].code) ?:
	       emit(parser, N3T_OP_EVENT, n3t_events[event].code);
}

static int parse_constant(struct parser *parser)
{
	unsigned int value = 0;

	while (isdigit(*parser->pos)) {
		value = 10 * value + *parser->pos++ - '0';
		if (value > U16_MAX)
			return -EINVAL;
	}
	/* "5x" is neither a number nor a name. */
	if (isalpha(*parser->pos) || *parser->pos == '_')
		return -EINVAL;
	return emit(parser, N3T_OP_CONST, value);
}

static int emit_operator(struct parser *parser, char sign)
{
	switch (sign) {
	case '+':
		return emit(parser, N3T_OP_ADD, 0);
	case '-':
		return emit(parser, N3T_OP_SUB, 0);
	case '*':
		return emit(parser, N3T_OP_MUL, 0);
	case '/':
		return emit(parser, N3T_OP_DIV, 0);
	default:
		return -EINVAL;
	}
}

/* Precedence of an operator; lowest for an open parenthesis, which stops release(). */
static int binding(char sign)
{
	switch (sign) {
	case '*':
	case '/':
		return 2;
	case '+':
	case '-':
		return 1;
	default:
		return 0;
	}
}

/* Emit the waiting operators of at least this precedence. */
static int release(struct parser *parser, int strength)
{
	while (parser->nr_waiting && binding(parser->waiting[parser->nr_waiting - 1]) >= strength)
		if (emit_operator(parser, parser->waiting[--parser->nr_waiting]))
			return -EINVAL;
	return 0;
}

static int hold(struct parser *parser, char sign)
{
	if (parser->nr_waiting == sizeof(parser->waiting))
		return -EINVAL;
	parser->waiting[parser->nr_waiting++] = sign;
	return 0;
}

static int close_parenthesis(struct parser *parser)
{
	if (release(parser, 1) || !parser->nr_waiting)
		return -EINVAL;
	parser->nr_waiting--;
	return 0;
}

/* Read a mandatory operand and any open parentheses before it. */
static int parse_operand(struct parser *parser)
{
	for (;;) {
		parser->pos = skip_spaces(parser->pos);
		if (*parser->pos != '(')
			break;
		if (hold(parser, *parser->pos++))
			return -EINVAL;
	}
	if (isdigit(*parser->pos))
		return parse_constant(parser);
	return parse_name(parser);
}

/* Read the text after an operand: 1 if another operand must follow, 0 at the end. */
static int parse_operator(struct parser *parser)
{
	char sign;

	for (;;) {
		parser->pos = skip_spaces(parser->pos);
		sign = *parser->pos;
		if (sign != ')')
			break;
		if (close_parenthesis(parser))
			return -EINVAL;
		parser->pos++;
	}
	if (!sign)
		return 0;
	if (!binding(sign) || release(parser, binding(sign)) || hold(parser, sign))
		return -EINVAL;
	parser->pos++;
	return 1;
}

static bool fits_stack(const struct n3t_formula *formula)
{
	unsigned int depth = 0;
	unsigned int i;

	for (i = 0; i < formula->nr_tokens; i++) {
		if (formula->token[i].op >= N3T_OP_ADD)
			depth--;
		else if (++depth > N3T_FORMULA_DEPTH)
			return false;
	}
	return true;
}

/* A bit for the position of an event among at most 32 others; 0 if it is not one of them. */
u32 n3t_code_position(const u16 *codes, unsigned int nr, u16 code)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (codes[i] == code)
			return 1u << i;
	return 0;
}

/**
 * struct term - a part of a formula: a sum, a difference, or their quotient by a sum
 * @part: events of each part, as in struct n3t_formula
 * @is_quotient: it has a denominator
 * @is_factor: a constant, which has no part
 */
struct term {
	u32 part[N3T_NR_PARTS];
	bool is_quotient;
	bool is_factor;
};

static bool is_sum(const struct term *term)
{
	return term->part[N3T_NUMERATOR] && !term->part[N3T_SUBTRAHEND] && !term->is_quotient;
}

/* False if the formula is more than a quotient of sums with a factor. */
static bool join_terms(u16 op, struct term *a, const struct term *b)
{
	u32 *part = a->part;

	switch (op) {
	case N3T_OP_ADD:
		/* An event that occurs twice would be counted once. */
		if (!is_sum(a) || !is_sum(b) || part[N3T_NUMERATOR] & b->part[N3T_NUMERATOR])
			return false;
		part[N3T_NUMERATOR] |= b->part[N3T_NUMERATOR];
		return true;
	case N3T_OP_SUB:
		part[N3T_SUBTRAHEND] = b->part[N3T_NUMERATOR];
		return !a->is_quotient && part[N3T_NUMERATOR] && is_sum(b);
	case N3T_OP_DIV:
		part[N3T_DENOMINATOR] = b->part[N3T_NUMERATOR];
		a->is_quotient = true;
		return part[N3T_NUMERATOR] && is_sum(b);
	default:
		return a->is_quotient && b->is_factor;
	}
}

static void set_term(struct term *term, const struct n3t_formula *formula, unsigned int token)
{
	memset(term, 0, sizeof(*term));
	if (formula->token[token].op == N3T_OP_EVENT)
		term->part[N3T_NUMERATOR] = n3t_code_position(formula->code, formula->nr_events,
							      formula->token[token].arg) ?:
					    N3T_FORMULA_CYCLES;
	else
		term->is_factor = true;
}

/* Sets the parts, unless the formula is not a quotient of sums, or of a difference. */
static void take_apart(struct n3t_formula *formula)
{
	struct term stack[N3T_FORMULA_DEPTH], *top = stack;	/* after the topmost */
	unsigned int i;

	for (i = 0; i < formula->nr_tokens; i++) {
		u16 op = formula->token[i].op;

		if (op == N3T_OP_SLOTS)
			return;
		if (op < N3T_OP_ADD) {
			set_term(top++, formula, i);
			continue;
		}
		if (!join_terms(op, top - 2, top - 1))
			return;
		top--;
	}
	if (stack[0].is_quotient)
		memcpy(formula->part, stack[0].part, sizeof(formula->part));
}

/**
 * n3t_formula_parse() - parse a formula
 * @text: event mnemonics, SLOTS, whole numbers up to 65535, + - * / and parentheses
 * @formula: the parsed formula, if the text is valid
 *
 * Return: 0, or -EINVAL for a syntax error, an event that is unknown or
 * not countable, or a formula too long, too deep or with too many events
 */
int n3t_formula_parse(const char *text, struct n3t_formula *formula)
{
	struct parser parser = { .pos = text, .formula = formula };
	int more;

	memset(formula, 0, sizeof(*formula));
	do {
		if (parse_operand(&parser))
			return -EINVAL;
		more = parse_operator(&parser);
	} while (more > 0);

	/* A remaining operator is an unclosed parenthesis. */
	if (more < 0 || release(&parser, 1) || parser.nr_waiting)
		return -EINVAL;
	if (!fits_stack(formula))
		return -EINVAL;
	take_apart(formula);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_formula_parse);

static struct n3t_formula formulas[N3T_NR_METRICS] __ro_after_init;

/**
 * n3t_formula_init() - parse the formulas of the metric table
 *
 * Call once, after n3t_spec_init().
 *
 * Return: 0, or -EINVAL if a formula is invalid, which the log names.
 */
int n3t_formula_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < N3T_NR_METRICS; i++) {
		err = n3t_formula_parse(n3t_metrics[i].formula, &formulas[i]);
		if (err) {
			pr_err("metric %s: cannot read its formula\n", n3t_metrics[i].name);
			return err;
		}
	}
	return 0;
}

/* The formula of a metric, complete after n3t_formula_init(). */
const struct n3t_formula *n3t_metric_formula(enum n3t_metric metric)
{
	return &formulas[metric];
}
EXPORT_SYMBOL_IF_KUNIT(n3t_metric_formula);

/* Adapts a parsed formula to a core's slots per cycle; true if it depends on them. */
bool n3t_formula_set_slots(struct n3t_formula *formula, unsigned int slots)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < formula->nr_tokens; i++) {
		if (formula->token[i].op != N3T_OP_SLOTS)
			continue;
		formula->token[i].arg = slots;
		any = true;
	}
	return any;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_formula_set_slots);

static bool is_common(const struct n3t_formula *formula)
{
	unsigned int i;

	for (i = 0; i < formula->nr_events; i++)
		if (!n3t_event_is_common(formula->code[i]))
			return false;
	return true;
}

/* Slots per cycle of the machine's cores, and metrics not defined on them. */
static unsigned int slots_per_cycle __ro_after_init = N3T_SLOTS_n3;
static DECLARE_BITMAP(unavailable, N3T_NR_METRICS) __ro_after_init;

/**
 * n3t_formula_adapt() - adapt the metrics to the machine's cores
 * @common_only: exclude metrics with events specific to the Neoverse N3
 * @slots: slots per cycle; 0 if unknown, which excludes metrics that depend on them
 * @has_flush: STALL_FRONTEND_FLUSH exists; without it those of Topdown_L1 are bounds, and
 *	others would be 0
 *
 * Context: at load, after n3t_formula_init() and before any other use of this unit.
 */
void n3t_formula_adapt(bool common_only, unsigned int slots, bool has_flush)
{
	unsigned int i;

	if (slots)
		slots_per_cycle = slots;
	for (i = 0; i < N3T_NR_METRICS; i++) {
		bool of_slots = n3t_formula_set_slots(&formulas[i], slots);
		bool lacks_flush = !has_flush && !of_slots &&
				   n3t_formula_uses(&formulas[i], N3T_CODE_STALL_FRONTEND_FLUSH);

		if ((of_slots && !slots) || lacks_flush ||
		    (common_only && !is_common(&formulas[i])))
			__set_bit(i, unavailable);
	}
}

/* Slots per cycle of the machine's cores; 5, as on Neoverse N3, if unknown. */
unsigned int n3t_slots_per_cycle(void)
{
	return slots_per_cycle;
}

/* Is a metric defined on the machine's cores, as n3t_formula_adapt() decided? */
bool n3t_metric_is_available(enum n3t_metric metric)
{
	return !test_bit(metric, unavailable);
}

static int find_count(const struct n3t_counts *counts, u16 code, u64 *count)
{
	unsigned int i;

	for (i = 0; i < counts->nr; i++) {
		if (counts->code[i] == code) {
			*count = counts->count[i];
			return 0;
		}
	}
	return -ENOENT;
}

/**
 * n3t_counts_get() - count of an event
 * @counts: counts over the same time
 * @code: event number
 * @count: the count
 *
 * STALL_SLOT need not be counted itself: on this core it is the sum of
 * STALL_SLOT_FRONTEND and STALL_SLOT_BACKEND.
 *
 * Return: 0, -ENOENT if the event was not counted, or -EOVERFLOW if that sum
 * exceeds 64 bits
 */
int n3t_counts_get(const struct n3t_counts *counts, u16 code, u64 *count)
{
	u64 frontend, backend;

	if (code == N3T_CODE_CPU_CYCLES) {
		*count = counts->cycles;
		return 0;
	}
	if (!find_count(counts, code, count))
		return 0;
	if (code != N3T_CODE_STALL_SLOT ||
	    find_count(counts, N3T_CODE_STALL_SLOT_FRONTEND, &frontend) ||
	    find_count(counts, N3T_CODE_STALL_SLOT_BACKEND, &backend))
		return -ENOENT;
	if (frontend > U64_MAX - backend)
		return -EOVERFLOW;
	*count = frontend + backend;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_counts_get);

/**
 * n3t_counts_summed() - counts that n3t_counts_get() sums up for an event
 * @codes: event numbers of the counts
 * @nr: number of counts, at most N3T_MAX_COUNTERS
 * @code: the event number, not that of CPU_CYCLES
 *
 * Return: a bit for each position in @codes; 0 if the event is not counted.
 */
u32 n3t_counts_summed(const u16 *codes, unsigned int nr, u16 code)
{
	u32 own = n3t_code_position(codes, nr, code), frontend, backend;

	if (own || code != N3T_CODE_STALL_SLOT)
		return own;
	frontend = n3t_code_position(codes, nr, N3T_CODE_STALL_SLOT_FRONTEND);
	backend = n3t_code_position(codes, nr, N3T_CODE_STALL_SLOT_BACKEND);
	return frontend && backend ? frontend | backend : 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_counts_summed);

static int apply(u16 op, struct n3t_ratio *a, const struct n3t_ratio *b)
{
	switch (op) {
	case N3T_OP_ADD:
		return n3t_ratio_add(a, b);
	case N3T_OP_SUB:
		return n3t_ratio_sub(a, b);
	case N3T_OP_MUL:
		return n3t_ratio_mul(a, b);
	default:
		return n3t_ratio_div(a, b);
	}
}

static int eval(const struct n3t_formula *formula, const struct n3t_counts *counts,
		struct n3t_ratio *value)
{
	struct n3t_ratio stack[N3T_FORMULA_DEPTH];
	unsigned int i, depth = 0;
	u64 count;
	int err;

	for (i = 0; i < formula->nr_tokens; i++) {
		u16 arg = formula->token[i].arg;

		switch (formula->token[i].op) {
		case N3T_OP_EVENT:
			err = n3t_counts_get(counts, arg, &count);
			if (err)
				return err;
			n3t_ratio_set(&stack[depth++], count);
			break;
		case N3T_OP_CONST:
		case N3T_OP_SLOTS:
			n3t_ratio_set(&stack[depth++], arg);
			break;
		default:
			depth--;
			err = apply(formula->token[i].op, &stack[depth - 1], &stack[depth]);
			if (err)
				return err;
		}
	}
	*value = stack[0];
	return 0;
}

/**
 * n3t_formula_eval() - evaluate a formula
 * @formula: as parsed by n3t_formula_parse()
 * @counts: counts over the same time
 * @value: the exact value, if there is one
 *
 * Return:
 * * N3T_VALUE - @value is set
 * * N3T_UNDEF - a denominator is 0
 * * N3T_UNPLACED - an event of the formula was not counted
 * * N3T_IMPLAUSIBLE - overflow; none of the tables' formulas overflows for
 *   64-bit counts, except that a STALL_SLOT taken as a sum can
 */
enum n3t_verdict n3t_formula_eval(const struct n3t_formula *formula,
				  const struct n3t_counts *counts, struct n3t_ratio *value)
{
	switch (eval(formula, counts, value)) {
	case 0:
		return N3T_VALUE;
	case -EDOM:
		return N3T_UNDEF;
	case -ENOENT:
		return N3T_UNPLACED;
	default:
		return N3T_IMPLAUSIBLE;
	}
}
EXPORT_SYMBOL_IF_KUNIT(n3t_formula_eval);
