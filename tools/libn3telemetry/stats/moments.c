// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The records of a CPU's moments: sums over its window, from which all others here infer.
 *
 * A copy is untrusted, so each number that is an index or a size is checked, and the layout of
 * the products is that which the module derives from the plan.
 */
#include <endian.h>
#include <linux/align.h>
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <stdlib.h>
#include <string.h>

#include "libn3t/formula.h"
#include "libn3t/moments.h"
#include "libn3t/shape.h"
#include "libn3telemetry/stats/moments.h"

#define HEAD_BYTES	56
#define PLAN_AT		224
#define PLAN_BYTES	(N3T_MOMENTS_RECORD - PLAN_AT)
#define SET_BYTES	56		/* before the counts */
#define NONE		0xffff		/* instead of the number of a set */
#define WEIGHT_ONE	16		/* a weight of 1 is 2^this */
#define FADE_SHIFT	3
#define MIN_MEMORY	6
#define MAX_MEMORY	12
#define MAX_SHIFT	38		/* of a part */
#define MEAN_BITS	(2 * (N3T_UNIT_BITS + N3T_WHOLE_BITS))	/* of a product */
#define MAX_WINDOW_NS	(1000000 * 1000000000ull)

/* Reads one number after the other; beyond the end, all are 0. */
struct cursor {
	const unsigned char *at;
	const unsigned char *end;
	bool bad;
};

struct head {
	unsigned int record, records, cpu;
	u64 run, slices, since_ns, until_ns;
	unsigned int first, nr;
};

static const unsigned char *take_bytes(struct cursor *from, size_t bytes)
{
	const unsigned char *at = from->at;

	if ((size_t)(from->end - at) < bytes) {
		from->bad = true;
		return NULL;
	}
	from->at += bytes;
	return at;
}

static u64 take(struct cursor *from, unsigned int bytes)
{
	const unsigned char *at = take_bytes(from, bytes);
	u64 value = 0;

	if (at)
		memcpy(&value, at, bytes);
	return le64toh(value);
}

static void take_words(struct cursor *from, u64 *word, unsigned int nr)
{
	const unsigned char *at = take_bytes(from, nr * sizeof(*word));

	if (!at)
		return;
	memcpy(word, at, nr * sizeof(*word));
	for (unsigned int i = 0; i < nr; i++)
		word[i] = le64toh(word[i]);
}

static void take_bits(struct cursor *from, unsigned long *bits, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i += 64)
		bits[i / 64] = take(from, sizeof(u64));
	if (nr % 64 && bits[nr / 64] >> nr % 64)
		from->bad = true;
}

/* A number from @least to @most; otherwise the file is bad, and it is @least. */
static u64 take_between(struct cursor *from, unsigned int bytes, u64 least, u64 most)
{
	u64 value = take(from, bytes);

	if (value >= least && value <= most)
		return value;
	from->bad = true;
	return least;
}

static int take_set(struct cursor *from, unsigned int nr_sets)
{
	u64 set = take(from, 2);

	if (set == NONE)
		return N3T_NO_SET;
	from->bad |= set >= nr_sets;
	return from->bad ? 0 : set;
}

/* Return: false for another version. */
static bool take_head(struct cursor *from, struct head *head)
{
	if (take(from, 4) != N3T_MOMENTS_MAGIC) {
		from->bad = true;
		return true;
	}
	if (take(from, 2) != N3T_MOMENTS_VERSION || take(from, 2) != N3T_MOMENTS_RECORD)
		return false;
	head->record = take(from, 2);
	head->records = take(from, 2);
	head->cpu = take(from, 4);
	head->run = take(from, 8);
	head->slices = take(from, 8);
	head->since_ns = take(from, 8);
	head->until_ns = take(from, 8);
	head->first = take(from, 2);
	head->nr = take(from, 2);
	take(from, 4);
	from->bad |= head->until_ns < head->since_ns ||
		     head->until_ns - head->since_ns > MAX_WINDOW_NS;
	return true;
}

static void take_plan_set(struct cursor *from, struct n3t_plan *plan, struct n3t_set *set)
{
	set->nr = take_between(from, 2, 0, plan->budget);
	set->slots = take_between(from, 4, 0, (1ull << set->nr) - 1);
	for (unsigned int i = 0; i < N3T_MAX_ANCHORS; i++) {
		set->anchor[i] = take(from, 1);
		from->bad |= set->anchor[i] != N3T_NO_ANCHOR &&
			     (i >= plan->nr_anchors || set->anchor[i] >= set->nr);
	}
	for (unsigned int i = 0; i < set->nr; i++) {
		set->code[i] = take(from, 2);
		for (unsigned int k = 0; k < i; k++)
			from->bad |= set->code[k] == set->code[i];
	}
}

/* A set that holds a metric has each of its events. */
static bool holds_metrics(const struct n3t_plan *plan)
{
	for (unsigned int metric = 0; metric < N3T_NR_METRICS; metric++) {
		const struct n3t_formula *formula = n3t_metric_formula(metric);
		const struct n3t_set *set;

		if (plan->set_of[metric] == N3T_NO_SET)
			continue;
		set = &plan->set[plan->set_of[metric]];
		for (unsigned int i = 0; i < formula->nr_events; i++)
			if (!n3t_counts_summed(set->code, set->nr, formula->code[i]))
				return false;
	}
	return true;
}

#define PLAN_FLAGS	(N3T_MOMENTS_DERIVES_STALL_SLOT | N3T_MOMENTS_HAS_CUSTOM | \
			 N3T_MOMENTS_CUSTOM_UNSUPPORTED)

/* Return: false for tables other than those of this program. */
static bool take_plan(struct cursor *from, struct n3t_plan *plan, unsigned int flags)
{
	plan->budget = take_between(from, 2, 1, N3T_MAX_COUNTERS);
	plan->nr_sets = take_between(from, 2, 0, N3T_MAX_SETS);
	plan->nr_events = take(from, 2);
	plan->l1_set = take_set(from, plan->nr_sets);
	plan->custom_set = take_set(from, plan->nr_sets);
	plan->derives_stall_slot = flags & N3T_MOMENTS_DERIVES_STALL_SLOT;
	plan->has_custom = flags & N3T_MOMENTS_HAS_CUSTOM;
	plan->custom_unsupported = flags & N3T_MOMENTS_CUSTOM_UNSUPPORTED;
	plan->nr_anchors = take_between(from, 2, 0, N3T_MAX_ANCHORS);
	for (unsigned int i = 0; i < N3T_MAX_ANCHORS; i++)
		plan->anchor[i] = take(from, 2);
	if (take(from, 2) != N3T_NR_METRICS || take(from, 2) != N3T_NR_EVENTS)
		return false;
	take_bits(from, plan->distrust, N3T_NR_EVENTS);
	take_bits(from, plan->chosen, N3T_NR_METRICS);
	take_bits(from, plan->unsupported, N3T_NR_METRICS);
	for (unsigned int i = 0; i < N3T_NR_METRICS; i++)
		plan->set_of[i] = take_set(from, plan->nr_sets);
	for (unsigned int i = 0; i < plan->nr_sets; i++)
		take_plan_set(from, plan, &plan->set[i]);
	from->bad |= !from->bad && !holds_metrics(plan);
	return true;
}

static size_t set_bytes(const struct moments_layout *layout, unsigned int set)
{
	const struct n3t_shape *shape = &layout->plan.set[set].shape;
	unsigned int nr = layout->plan.set[set].nr;

	return SET_BYTES + (nr + 2 * (3 + nr) + shape->nr_products) * sizeof(u64) +
	       ALIGN(3 * shape->nr_parts, sizeof(u64));
}

static void begin_layout(struct moments_layout *layout)
{
	n3t_shape_find(&layout->plan);
	for (unsigned int i = 0; i < layout->plan.nr_sets; i++) {
		const struct n3t_shape *shape = &layout->plan.set[i].shape;

		layout->size.parts = max_t(unsigned int, layout->size.parts, shape->nr_parts);
		layout->size.entries = max_t(unsigned int, layout->size.entries,
					     shape->nr_products);
	}
	layout->nr_records = 1;
}

/* Checks a plan that no other CPU has had. */
static enum moments_outcome make_layout(const unsigned char *bytes, unsigned int flags,
					struct moments_layout **layout)
{
	struct cursor from = { .at = bytes, .end = bytes + PLAN_BYTES };
	enum moments_outcome outcome = MOMENTS_READ;
	struct moments_layout *made = calloc(1, sizeof(*made) + PLAN_BYTES);

	if (!made)
		return MOMENTS_NO_MEMORY;
	made->flags = flags;
	memcpy(made->bytes, bytes, PLAN_BYTES);
	if (!take_plan(&from, &made->plan, flags))
		outcome = MOMENTS_OTHER_VERSION;
	else if (from.bad)
		outcome = MOMENTS_MALFORMED;
	if (outcome != MOMENTS_READ) {
		free(made);
		return outcome;
	}
	begin_layout(made);
	*layout = made;
	return MOMENTS_READ;
}

static enum moments_outcome find_layout(const unsigned char *bytes, unsigned int flags,
					struct moments_layout **layouts,
					struct moments_layout **found)
{
	enum moments_outcome outcome;
	struct moments_layout *layout;

	flags &= PLAN_FLAGS;
	for (layout = *layouts; layout; layout = layout->next)
		if (layout->flags == flags && !memcmp(layout->bytes, bytes, PLAN_BYTES))
			break;
	if (!layout) {
		outcome = make_layout(bytes, flags, &layout);
		if (outcome != MOMENTS_READ)
			return outcome;
		layout->next = *layouts;
		*layouts = layout;
	}
	layout->users++;
	*found = layout;
	return MOMENTS_READ;
}

static void take_first(struct cursor *from, struct moments *moments, unsigned int *flags,
		       u64 *cycles, enum n3t_trust *trust)
{
	take_bytes(from, 8);		/* window_ms and slice_ms */
	moments->between = take_between(from, 4, 0, 1 << 15);
	moments->state = take_between(from, 1, 0, N3T_NR_CPU_STATES - 1);
	take(from, 1);			/* how sets are switched */
	moments->slots = take(from, 1);
	*trust = take_between(from, 1, 0, N3T_TRUST_PRETENDS);
	*flags = take(from, 4);
	moments->node = take(from, 4);
	*cycles = take(from, 8);
	moments->newest_ns = take(from, 8);
	for (unsigned int i = 0; i < N3T_MAX_ANCHORS; i++) {
		moments->anchors.count[i] = take(from, 8);
		moments->anchors.time_ns[i] = take_between(from, 8, 0, MAX_WINDOW_NS);
		moments->newest.count[i] = take(from, 8);
		moments->newest.time_ns[i] = take_between(from, 8, 0, MAX_WINDOW_NS);
	}
}

static bool is_shape(const struct n3t_shape *shape, const unsigned char *part,
		     const unsigned char *from, const unsigned char *shift)
{
	for (unsigned int i = 0; i < shape->nr_parts; i++)
		if (shift[i] > MAX_SHIFT)
			return false;
	return !memcmp(part, shape->part, shape->nr_parts) &&
	       !memcmp(from, shape->from, shape->nr_parts);
}

/* The bytes of a set after its sums; checks them. @weight: of the products, in whole slices */
static void skip_products(struct cursor *from, const struct n3t_shape *shape, u32 weight)
{
	const unsigned char *part, *first, *shift, *begun = from->at;
	const unsigned char *at = take_bytes(from, shape->nr_products * sizeof(u64));
	u64 beyond = 0;

	for (unsigned int i = 0; at && i < shape->nr_products; i++) {
		u64 product;

		memcpy(&product, at + i * sizeof(product), sizeof(product));
		/* of the same sign as the product, so that this has only its leading bits */
		product = le64toh(product);
		beyond |= product ^ -(product >> 63);
	}
	from->bad |= beyond >> (MEAN_BITS + fls(weight)) != 0;
	part = take_bytes(from, shape->nr_parts);
	first = take_bytes(from, shape->nr_parts);
	shift = take_bytes(from, shape->nr_parts);
	take_bytes(from, -(from->at - begun) & 7);
	from->bad |= !from->bad && !is_shape(shape, part, first, shift);
}

/* The numbers with which each set begins. */
static void take_sizes(struct cursor *from, const struct n3t_plan *plan, unsigned int set)
{
	const struct n3t_shape *shape = &plan->set[set].shape;
	unsigned int nr = plan->set[set].nr;

	take_between(from, 2, set, set);
	take_between(from, 1, nr, nr);
	take_between(from, 1, shape->nr_parts, shape->nr_parts);
	take_between(from, 2, shape->nr_products, shape->nr_products);
}

static void take_moments_set(struct cursor *from, struct moments *moments, unsigned int set)
{
	struct n3t_set_sum *sum = n3t_window_sum(moments->window, set);
	const struct n3t_plan *plan = &moments->layout->plan;
	unsigned int nr = plan->set[set].nr, memory;
	u32 differences, weight;
	bool has_edges;

	take_sizes(from, plan, set);
	memory = take_between(from, 1, MIN_MEMORY, MAX_MEMORY);
	has_edges = take_between(from, 1, 0, 1);
	differences = take_between(from, 4, 0, 1u << memory);
	weight = take_between(from, 4, 0, (1u << (memory + WEIGHT_ONE)) - 1 + (1u << WEIGHT_ONE));
	from->bad |= differences && weight < 1u << WEIGHT_ONE;
	sum->slices = take_between(from, 8, has_edges, U32_MAX);
	sum->dropped = take(from, 8);
	sum->time_ns = take(from, 8);
	sum->middles_ns = take(from, 8);
	sum->cycles = take(from, 8);
	take_words(from, sum->count, nr);
	take_bytes(from, 2 * (3 + nr) * sizeof(u64));
	skip_products(from, &plan->set[set].shape, weight >> WEIGHT_ONE);
}

/* Sets that a record holds, in a layout that did not know them. */
static bool learn(struct moments_layout *layout, const struct head *head,
		  const unsigned char *record, bool is_last)
{
	unsigned int set = layout->first[head->record], end = set + head->nr;
	bool all = end == layout->plan.nr_sets;
	size_t at = HEAD_BYTES;

	if (head->first != set || !head->nr || head->nr > layout->plan.nr_sets - set ||
	    is_last != all)
		return false;
	for (; set < end; set++) {
		struct cursor from = { .at = record + at, .end = record + N3T_MOMENTS_RECORD };

		if (at + set_bytes(layout, set) > N3T_MOMENTS_RECORD)
			return false;
		take_sizes(&from, &layout->plan, set);
		if (from.bad)
			return false;
		layout->at[set] = at;
		at += set_bytes(layout, set);
	}
	layout->first[++layout->nr_records] = end;
	return true;
}

static enum moments_outcome take_record(struct moments *moments, const struct head *head,
					const unsigned char *record)
{
	struct moments_layout *layout = moments->layout;
	unsigned int set = head->first, end = set + head->nr;

	if (head->record == layout->nr_records &&
	    !learn(layout, head, record, head->record + 1 == head->records))
		return MOMENTS_MALFORMED;
	if (set != layout->first[head->record] || end != layout->first[head->record + 1]) {
		layout->nr_records = 1;
		return MOMENTS_TRY_AGAIN;
	}
	for (; set < end; set++) {
		struct moments_set *to = &moments->set[set];
		size_t bytes = set_bytes(layout, set);
		struct cursor from;

		if (!to->at)
			continue;
		from = (struct cursor){ .at = to->at, .end = to->at + bytes };
		memcpy(to->at, record + layout->at[set], bytes);
		to->is_read = true;
		to->since_ns = head->since_ns;
		to->until_ns = head->until_ns;
		take_moments_set(&from, moments, set);
		if (from.bad)
			return MOMENTS_MALFORMED;
	}
	return MOMENTS_READ;
}

unsigned int moments_next(const struct moments *moments)
{
	const struct moments_layout *layout = moments->layout;
	unsigned int record = 1;

	for (unsigned int set = 0; moments->window && set < layout->plan.nr_sets; set++) {
		if (!moments->set[set].at || moments->set[set].is_read)
			continue;
		while (record < layout->nr_records && set >= layout->first[record + 1])
			record++;
		return record;
	}
	return 0;
}

enum moments_outcome moments_add(struct moments *moments, const unsigned char *record, size_t len)
{
	struct cursor from = { .at = record, .end = record + len };
	unsigned int nr = moments_next(moments);
	struct head head = { 0 };

	if (nr >= moments->records || (len && len != N3T_MOMENTS_RECORD))
		return MOMENTS_MALFORMED;
	/* The plan of another run may have fewer. */
	if (!len)
		return MOMENTS_TRY_AGAIN;
	if (!take_head(&from, &head))
		return MOMENTS_OTHER_VERSION;
	if (!from.bad && head.run != moments->run)
		return MOMENTS_TRY_AGAIN;
	if (from.bad || head.record != nr || head.cpu != moments->cpu ||
	    head.records != moments->records)
		return MOMENTS_MALFORMED;
	return take_record(moments, &head, record);
}

/* Makes room for the sets that are needed. Return: false if out of memory. */
static bool begin_sets(struct moments *moments, const unsigned long *metrics)
{
	const struct moments_layout *layout = moments->layout;
	unsigned int nr_sets = layout->plan.nr_sets;
	bool needed[N3T_MAX_SETS] = { false };
	size_t bytes = 0;

	for (unsigned int i = 0; metrics && i < N3T_NR_METRICS; i++)
		if (test_bit(i, metrics) && layout->plan.set_of[i] != N3T_NO_SET)
			needed[layout->plan.set_of[i]] = true;
	for (unsigned int i = 0; i < nr_sets; i++)
		if (!metrics || needed[i])
			bytes += set_bytes(layout, i);
	moments->set = calloc(nr_sets + 1, sizeof(*moments->set));
	moments->data = malloc(bytes + 1);
	if (!moments->set || !moments->data)
		return false;
	bytes = 0;
	for (unsigned int i = 0; i < nr_sets; i++) {
		if (metrics && !needed[i])
			continue;
		moments->set[i].at = moments->data + bytes;
		bytes += set_bytes(layout, i);
	}
	return true;
}

static bool begin_window(struct moments *moments, unsigned int flags, u64 cycles,
			 enum n3t_trust trust)
{
	const struct n3t_plan *plan = &moments->layout->plan;
	struct n3t_window *window = calloc(1, n3t_window_bytes(plan));

	moments->window = window;
	if (!window)
		return false;
	window->nr_sets = plan->nr_sets;
	window->sum_words = offsetof(struct n3t_set_sum, count) / sizeof(u64) + plan->budget;
	window->complete = true;
	window->judged = true;
	window->trust = trust;
	window->cycles = cycles;
	window->starved = flags & N3T_MOMENTS_STARVED;
	window->slots_off = flags & N3T_MOMENTS_SLOTS_OFF;
	return true;
}

static enum moments_outcome decode(struct moments *moments, const unsigned char *record,
				   const unsigned long *metrics, struct moments_layout **layouts)
{
	struct cursor from = { .at = record, .end = record + N3T_MOMENTS_RECORD };
	enum moments_outcome outcome;
	enum n3t_trust trust;
	struct head head = { 0 };
	unsigned int flags;
	u64 cycles;

	if (!take_head(&from, &head))
		return MOMENTS_OTHER_VERSION;
	take_first(&from, moments, &flags, &cycles, &trust);
	if (from.bad || head.record || head.first || head.nr || head.cpu != moments->cpu ||
	    !(flags & N3T_MOMENTS_SAMPLED) != !head.run ||
	    (moments->state == N3T_CPU_SAMPLING && !head.run))
		return MOMENTS_MALFORMED;
	moments->run = head.run;
	moments->slices = head.slices;
	moments->until_ns = head.until_ns;
	moments->records = head.records;
	outcome = find_layout(record + PLAN_AT, flags, layouts, &moments->layout);
	if (outcome != MOMENTS_READ || !head.run)
		return outcome;
	if (!begin_window(moments, flags, cycles, trust) || !begin_sets(moments, metrics))
		return MOMENTS_NO_MEMORY;
	return MOMENTS_READ;
}

enum moments_outcome moments_begin(const unsigned char *record, size_t len, unsigned int cpu,
				   const unsigned long *metrics, struct moments_layout **layouts,
				   struct moments **moments)
{
	enum moments_outcome outcome;

	*moments = NULL;
	if (!len)
		return MOMENTS_ABSENT;
	if (len != N3T_MOMENTS_RECORD)
		return MOMENTS_MALFORMED;
	*moments = calloc(1, sizeof(**moments));
	if (!*moments)
		return MOMENTS_NO_MEMORY;
	(*moments)->cpu = cpu;
	outcome = decode(*moments, record, metrics, layouts);
	if (outcome == MOMENTS_READ)
		return outcome;
	moments_free(*moments);
	*moments = NULL;
	return outcome;
}

void moments_free(struct moments *moments)
{
	if (!moments)
		return;
	if (moments->layout)
		moments->layout->users--;
	free(moments->window);
	free(moments->set);
	free(moments->data);
	free(moments);
}

void moments_layouts_free(struct moments_layout **layouts)
{
	while (*layouts) {
		struct moments_layout *layout = *layouts;

		if (layout->users) {
			layouts = &layout->next;
			continue;
		}
		*layouts = layout->next;
		free(layout);
	}
}

void moments_window(const struct moments *moments, unsigned int set, u64 *since_ns,
		    u64 *until_ns)
{
	*since_ns = moments->set[set].since_ns;
	*until_ns = moments->set[set].until_ns;
}

/* Checked before: the numbers of a set from byte @at on. */
static struct cursor in_set(const struct moments *moments, unsigned int set, size_t at)
{
	const unsigned char *begin = moments->set[set].at;

	return (struct cursor) { .at = begin + at,
				 .end = begin + set_bytes(moments->layout, set) };
}

static void take_edge(struct cursor *from, struct n3t_slice *slice, unsigned int nr)
{
	slice->end_ns = take(from, 8);
	slice->time_ns = take(from, 8);
	slice->cycles = take(from, 8);
	take_words(from, slice->count, nr);
}

bool moments_edges(const struct moments *moments, unsigned int set, struct n3t_slice *first,
		   struct n3t_slice *last)
{
	unsigned int nr = moments->layout->plan.set[set].nr;
	struct cursor from = in_set(moments, set, SET_BYTES + nr * sizeof(u64));

	take_edge(&from, first, nr);
	take_edge(&from, last, nr);
	from = in_set(moments, set, 7);
	return take(&from, 1);
}

/*
 * Equivalent number of squares of equal weight: with a factor q for each block of m
 * squares, b blocks in total, that is
 *
 *	m * (1 + q) / (1 - q) * (1 - q^b) / (1 + q^b)
 *
 * where m / (1 - q) is the length of the memory, and 1 - q^b the share of the sum of weights
 * in it. Squares of successive differences overlap: n of them have 2 n^2 / (3 n - 1) degrees
 * of freedom, about 2/3 n + 2/9 (von Neumann). Rounded to nearest.
 */
static u64 freedom_of(unsigned int memory, u64 weight)
{
	u64 full = 1ull << (memory + WEIGHT_ONE);
	u64 squares, per;

	weight = min(weight, full);
	squares = (((2ull << FADE_SHIFT) - 1) << (memory - FADE_SHIFT)) * weight;
	per = 2 * full - weight;	/* divisor of squares */
	return max(div64_u64(12 * squares + 13 * per, 18 * per), 1ull);
}

/* Factor for products, with 31 fraction bits: half the mean. */
static u64 per_weight(u32 weight)
{
	return (1ull << (30 + WEIGHT_ONE + N3T_ENTRY_BITS)) / weight;
}

u64 moments_covariance(const struct moments *moments, unsigned int set,
		       struct n3t_matrix *matrix, s64 *entry, u64 *freedom)
{
	const struct n3t_shape *shape = &moments->layout->plan.set[set].shape;
	unsigned int nr = moments->layout->plan.set[set].nr;
	struct cursor from = in_set(moments, set, 6);
	unsigned int memory = take(&from, 1);
	u32 differences, weight;
	u64 factor;

	take(&from, 1);
	differences = take(&from, 4);
	weight = take(&from, 4);
	n3t_matrix_init(matrix, shape);
	from = in_set(moments, set, SET_BYTES + (nr + 2 * (3 + nr)) * sizeof(u64));
	take_words(&from, (u64 *)entry, shape->nr_products);
	take_bytes(&from, 2 * shape->nr_parts);
	memcpy(matrix->shift, take_bytes(&from, shape->nr_parts), shape->nr_parts);
	if (!differences)
		return 0;

	factor = per_weight(weight);
	for (unsigned int i = 0; i < shape->nr_products; i++)
		entry[i] = (__int128)entry[i] * factor >> 31;
	*freedom = freedom_of(memory, weight);
	return differences;
}

/*
 * The totals end with the newest slice, on average half a slice before the window. In the rest of
 * the window, work resembles that slice more than the mean of the window. The rest is at most as
 * long as the slice: a CPU may be idle for longer.
 */
static double anchor_mean(const struct moments *moments, unsigned int i)
{
	u64 time_ns = moments->anchors.time_ns[i], slice_ns = moments->newest.time_ns[i];
	u64 rest_ns = moments->until_ns - min(moments->newest_ns, moments->until_ns);
	double count = moments->anchors.count[i];

	rest_ns = min(rest_ns, slice_ns);
	if (rest_ns)
		count += (double)moments->newest.count[i] * rest_ns / slice_ns;
	return count / (time_ns + rest_ns);
}

void moments_anchors(const struct moments *moments, struct n3t_anchor_means *means)
{
	memset(means, 0, sizeof(*means));
	means->between = moments->between;
	for (unsigned int i = 0; i < N3T_MAX_ANCHORS; i++) {
		means->time_ns[i] = moments->anchors.time_ns[i];
		if (means->time_ns[i])
			means->per_ns[i] = anchor_mean(moments, i);
	}
}
