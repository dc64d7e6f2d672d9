// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Largest losses of slots in the decision tree, and the path to the largest.
 *
 * The slots that a CPU loses are divided among the ends of the tree. An end is the deepest metric
 * that names lost slots: a leaf, or a metric whose children leave a remainder. A child without a
 * value names nothing, so its slots remain with its parent. Retiring slots are not lost.
 *
 * Metrics of Topdown_L1 are shares of all slots. Those below are shares of the cycles in
 * which their parent was stalled, so the product of the values down to a metric
 * approximates its share of all slots, to the extent that stalled cycles and lost slots
 * correlate. Children may overlap: the sum of their shares can exceed their parent's.
 *
 * Metrics below a small share of all slots are not looked at: no end there matters, and
 * errors are expensive.
 *
 * An error from two slices is accepted here, although users see an interval
 * only from four slices on: Student's t for one degree of freedom makes it wide,
 * so few slices lead to "mixed" and seldom to a wrong metric.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "libn3telemetry/stats/bottleneck.h"
#include "libn3t/spec.h"
#include "libn3telemetry/stats/scaled.h"
#include "libn3telemetry/stats/tree.h"

#define ALL		(100 * N3T_PERCENT)
#define SHARE_DECIMALS	4

static const struct n3t_estimate whole = { .verdict = N3T_VALUE, .value = ALL };

/* Does @first lead @second by more than the sum of their errors? */
static bool leads(const struct n3t_estimate *first, const struct n3t_estimate *second)
{
	if (first->error == N3T_ERROR_UNKNOWN || second->error == N3T_ERROR_UNKNOWN)
		return false;
	return first->value - second->value > first->error + second->error;
}

/* First verdict other than N3T_VALUE in order of precedence; N3T_VALUE if all have values. */
static enum n3t_verdict worst_verdict(const unsigned long *metrics,
				      const struct n3t_estimate *estimates)
{
	enum n3t_verdict worst = N3T_VALUE;
	unsigned int i;

	for_each_set_bit(i, metrics, N3T_NR_METRICS)
		worst = min(worst, estimates[i].verdict);
	return worst;
}

/* Square root, rounded up. */
static s64 root_of(u64 square)
{
	u64 root = int_sqrt64(square);

	return root + (root * root < square);
}

/* Part of the whole that none of @children covers, with errors treated as independent. */
static struct n3t_estimate rest_of(const unsigned long *children,
				   const struct n3t_estimate *estimates)
{
	struct n3t_estimate rest = whole;
	u64 squares = 0;
	unsigned int i;
	s64 error;

	for_each_set_bit(i, children, N3T_NR_METRICS) {
		if (estimates[i].error == N3T_ERROR_UNKNOWN)
			rest.error = N3T_ERROR_UNKNOWN;
		error = min_t(s64, estimates[i].error, ALL);
		squares += error * error;
		rest.value -= clamp_t(s64, estimates[i].value, 0, ALL);
	}
	rest.value = max_t(s64, rest.value, 0);
	if (rest.error != N3T_ERROR_UNKNOWN)
		rest.error = root_of(squares);
	return rest;
}

/* Keeps the largest losses in descending order; equal ones in the order of the table. */
static void add_loss(struct n3t_bottleneck *bottleneck, enum n3t_metric metric,
		     const struct n3t_estimate *share)
{
	struct n3t_loss *loss = bottleneck->loss;
	unsigned int i = bottleneck->nr_losses;

	if (i < N3T_BOTTLENECK_LOSSES)
		bottleneck->nr_losses++;
	for (; i > 0; i--) {
		if (loss[i - 1].share.value > share->value ||
		    (loss[i - 1].share.value == share->value && loss[i - 1].metric < metric))
			break;
		if (i < N3T_BOTTLENECK_LOSSES)
			loss[i] = loss[i - 1];
	}
	if (i < N3T_BOTTLENECK_LOSSES)
		loss[i] = (struct n3t_loss) { .metric = metric, .share = *share };
}

/* Sets the shares of those @metrics that have a value, and removes the others. */
static void set_shares(struct n3t_bottleneck *bottleneck, unsigned long *metrics,
		       const struct n3t_estimate *parent, const struct n3t_estimate *estimates)
{
	unsigned int i;

	for_each_set_bit(i, metrics, N3T_NR_METRICS) {
		if (estimates[i].verdict == N3T_VALUE)
			bottleneck->share[i] = n3t_bottleneck_share(parent, &estimates[i]);
		else
			__clear_bit(i, metrics);
	}
}

/* Adds the children of @metric that have values to @level, and its own loss. */
static void split(struct n3t_bottleneck *bottleneck, enum n3t_metric metric,
		  const struct n3t_estimate *estimates, unsigned long *level)
{
	const struct n3t_estimate *share = &bottleneck->share[metric];
	DECLARE_BITMAP(children, N3T_NR_METRICS);
	struct n3t_estimate rest, own;

	bitmap_zero(children, N3T_NR_METRICS);
	n3t_tree_children(metric, children);
	set_shares(bottleneck, children, share, estimates);
	rest = rest_of(children, estimates);
	own = n3t_bottleneck_share(share, &rest);
	add_loss(bottleneck, metric, &own);
	bitmap_or(level, level, children, N3T_NR_METRICS);
}

/* Topdown_L1 must be complete: a missing metric may be the largest. */
static void split_all(struct n3t_bottleneck *bottleneck, const struct n3t_estimate *estimates,
		      unsigned long *level)
{
	bottleneck->verdict = worst_verdict(bottleneck->candidates, estimates);
	if (bottleneck->verdict != N3T_VALUE) {
		bottleneck->end = N3T_END_NO_VALUE;
		return;
	}
	bitmap_copy(level, bottleneck->candidates, N3T_NR_METRICS);
	set_shares(bottleneck, level, &whole, estimates);
	__clear_bit(N3T_METRIC_retiring, level);
}

/* Metrics of @level are either ends, or their children are the next candidates. */
static void open_level(struct n3t_bottleneck *bottleneck, const unsigned long *level)
{
	DECLARE_BITMAP(children, N3T_NR_METRICS);
	unsigned int i;

	bitmap_zero(bottleneck->open, N3T_NR_METRICS);
	bitmap_zero(bottleneck->candidates, N3T_NR_METRICS);
	for_each_set_bit(i, level, N3T_NR_METRICS) {
		bitmap_zero(children, N3T_NR_METRICS);
		if (bottleneck->share[i].value >= N3T_MINOR_SHARE)
			n3t_tree_children(i, children);
		if (bitmap_empty(children, N3T_NR_METRICS)) {
			add_loss(bottleneck, i, &bottleneck->share[i]);
			continue;
		}
		__set_bit(i, bottleneck->open);
		bitmap_or(bottleneck->candidates, bottleneck->candidates, children, N3T_NR_METRICS);
	}
}

/* Minor losses count only if nothing else does. */
static void drop_minor(struct n3t_bottleneck *bottleneck, bool retiring)
{
	const struct n3t_loss *loss = bottleneck->loss;

	if (!retiring && loss[0].share.value < N3T_MINOR_SHARE)
		return;
	while (bottleneck->nr_losses &&
	       loss[bottleneck->nr_losses - 1].share.value < N3T_MINOR_SHARE)
		bottleneck->nr_losses--;
}

static void find_path(struct n3t_bottleneck *bottleneck, enum n3t_metric end)
{
	unsigned int i;

	for (int metric = end; metric >= 0; metric = n3t_tree_parent(metric))
		bottleneck->nr_path++;
	i = bottleneck->nr_path;
	for (int metric = end; metric >= 0; metric = n3t_tree_parent(metric))
		bottleneck->path[--i] = metric;
}

/* Adds the groups that the tree recommends at @metric, or above if it has none. */
static void add_next(struct n3t_bottleneck *bottleneck, int metric)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);

	bitmap_zero(groups, N3T_NR_GROUPS);
	for (; metric >= 0 && bitmap_empty(groups, N3T_NR_GROUPS);
	     metric = n3t_tree_parent(metric))
		n3t_tree_next(metric, groups);
	bitmap_or(bottleneck->next, bottleneck->next, groups, N3T_NR_GROUPS);
}

/* Word in place of metrics below @end; those below a minor share were not read. */
static enum n3t_verdict verdict_below(const struct n3t_bottleneck *bottleneck,
				      enum n3t_metric end, const struct n3t_estimate *estimates)
{
	DECLARE_BITMAP(children, N3T_NR_METRICS);

	bitmap_zero(children, N3T_NR_METRICS);
	if (bottleneck->share[end].value >= N3T_MINOR_SHARE)
		n3t_tree_children(end, children);
	return worst_verdict(children, estimates);
}

static void conclude(struct n3t_bottleneck *bottleneck, const struct n3t_estimate *estimates)
{
	bool retiring = bottleneck->share[N3T_METRIC_retiring].value > N3T_RETIRING_SHARE;
	const struct n3t_loss *loss = bottleneck->loss;
	enum n3t_metric end;

	if (bottleneck->end == N3T_END_NO_VALUE)
		return;

	drop_minor(bottleneck, retiring);
	end = retiring ? N3T_METRIC_retiring : loss[0].metric;
	if (!retiring && bottleneck->nr_losses > 1 && !leads(&loss[0].share, &loss[1].share))
		bottleneck->end = N3T_END_MIXED;
	find_path(bottleneck, end);
	bottleneck->verdict = verdict_below(bottleneck, end, estimates);

	add_next(bottleneck, end);
	for (unsigned int i = 0; i < bottleneck->nr_losses; i++)
		add_next(bottleneck, loss[i].metric);
}

/**
 * n3t_bottleneck_share() - share of a metric in all slots
 * @parent: share of its parent; 100 % for a metric of Topdown_L1
 * @value: the metric, a share of the parent
 *
 * All are percentages in units of the fourth decimal; values outside 0 to 100 % are
 * clamped. The errors are treated as independent.
 *
 * Return: the metric's share of all slots, from 0 to its parent's share
 */
struct n3t_estimate n3t_bottleneck_share(const struct n3t_estimate *parent,
					 const struct n3t_estimate *value)
{
	s64 part = clamp_t(s64, value->value, 0, ALL), of_parent, of_value;
	struct n3t_estimate share = { .verdict = N3T_VALUE };

	share.value = div_s64(parent->value * part, ALL);
	share.error = N3T_ERROR_UNKNOWN;
	if (parent->error == N3T_ERROR_UNKNOWN || value->error == N3T_ERROR_UNKNOWN)
		return share;

	of_parent = part * min_t(s64, parent->error, ALL);
	of_value = parent->value * min_t(s64, value->error, ALL);
	of_parent = div_s64(of_parent + ALL - 1, ALL);
	of_value = div_s64(of_value + ALL - 1, ALL);
	share.error = root_of(of_parent * of_parent + of_value * of_value);
	return share;
}

/**
 * n3t_bottleneck_begin() - start at the top of the decision tree
 * @bottleneck: emptied; the candidates are the metrics of Topdown_L1
 */
void n3t_bottleneck_begin(struct n3t_bottleneck *bottleneck)
{
	memset(bottleneck, 0, sizeof(*bottleneck));
	n3t_tree_roots(N3T_GROUP_Topdown_L1, bottleneck->candidates);
}

/**
 * n3t_bottleneck_step() - descend one level of the decision tree
 * @bottleneck: the losses
 * @estimates: N3T_NR_METRICS estimates; those of the candidates are read, now and in later steps
 *
 * Errors are expensive, so the caller computes those of the candidates only.
 *
 * Return: true if @bottleneck has new candidates; false if it is complete.
 */
bool n3t_bottleneck_step(struct n3t_bottleneck *bottleneck, const struct n3t_estimate *estimates)
{
	DECLARE_BITMAP(level, N3T_NR_METRICS);
	unsigned int i;

	bitmap_zero(level, N3T_NR_METRICS);
	if (bitmap_empty(bottleneck->open, N3T_NR_METRICS))
		split_all(bottleneck, estimates, level);
	for_each_set_bit(i, bottleneck->open, N3T_NR_METRICS)
		split(bottleneck, i, estimates, level);
	open_level(bottleneck, level);
	if (!bitmap_empty(bottleneck->candidates, N3T_NR_METRICS))
		return true;

	conclude(bottleneck, estimates);
	return false;
}

/**
 * n3t_bottleneck_count() - count a CPU
 * @cpus: number of CPUs by the end of their paths
 * @bottleneck: the CPU's, complete
 */
void n3t_bottleneck_count(struct n3t_bottleneck_cpus *cpus,
			  const struct n3t_bottleneck *bottleneck)
{
	if (bottleneck->end == N3T_END_NO_VALUE)
		cpus->nr[N3T_NR_METRICS + bottleneck->verdict]++;
	else
		cpus->nr[bottleneck->path[bottleneck->nr_path - 1]]++;
}

static void add_number(struct n3t_text *text, s64 number, unsigned int decimals)
{
	n3t_text_add(text, " ");
	n3t_text_add_scaled(text, number, decimals);
}

static void add_metric(struct n3t_text *text, const char *key, enum n3t_metric metric,
		       const struct n3t_estimate *estimate)
{
	n3t_text_add(text, key);
	n3t_text_add(text, n3t_metrics[metric].name);
	add_number(text, estimate->value, SHARE_DECIMALS);
	if (estimate->error == N3T_ERROR_UNKNOWN)
		n3t_text_add(text, " none");
	else
		add_number(text, estimate->error, SHARE_DECIMALS);
	n3t_text_add(text, "\n");
}

static void add_path(struct n3t_text *text, const struct n3t_bottleneck *bottleneck,
		     const struct n3t_estimate *estimates)
{
	const u8 *path = bottleneck->path;
	unsigned int i;

	if (!bottleneck->nr_path)
		return;
	for (i = 0; i < bottleneck->nr_path; i++)
		add_metric(text, "path ", path[i], &estimates[path[i]]);
	n3t_text_add(text, "share");
	add_number(text, bottleneck->share[path[i - 1]].value, SHARE_DECIMALS);
	n3t_text_add(text, "\n");
}

static void add_word(struct n3t_text *text, const char *key, const char *word)
{
	n3t_text_add(text, key);
	n3t_text_add(text, word);
	n3t_text_add(text, "\n");
}

static void add_end(struct n3t_text *text, const struct n3t_bottleneck *bottleneck)
{
	const char *word = n3t_verdict_word(bottleneck->verdict);
	const struct n3t_loss *loss = bottleneck->loss;

	if (bottleneck->end == N3T_END_NO_VALUE) {
		add_word(text, "verdict ", word);
		return;
	}
	if (word)
		add_word(text, "below ", word);
	if (bottleneck->end == N3T_END_FOUND) {
		add_word(text, "found ",
			 n3t_metrics[bottleneck->path[bottleneck->nr_path - 1]].name);
		return;
	}
	n3t_text_add(text, "mixed ");
	n3t_text_add(text, n3t_metrics[loss[0].metric].name);
	add_word(text, " ", n3t_metrics[loss[1].metric].name);
}

/* Largest number of CPUs below @limit, or 0. */
static unsigned int next_number(const struct n3t_bottleneck_cpus *cpus, unsigned int limit)
{
	unsigned int most = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(cpus->nr); i++)
		if (cpus->nr[i] < limit)
			most = max(most, cpus->nr[i]);
	return most;
}

static void add_cpus(struct n3t_text *text, const struct n3t_bottleneck_cpus *cpus)
{
	unsigned int nr = U32_MAX;

	while ((nr = next_number(cpus, nr))) {
		for (unsigned int i = 0; i < ARRAY_SIZE(cpus->nr); i++) {
			if (cpus->nr[i] != nr)
				continue;
			n3t_text_add(text, "cpus");
			add_number(text, nr, 0);
			add_word(text, " ", i < N3T_NR_METRICS ? n3t_metrics[i].name :
				 n3t_verdict_word(i - N3T_NR_METRICS));
		}
	}
}

static void add_next_groups(struct n3t_text *text, const unsigned long *next)
{
	unsigned int i;

	n3t_text_add(text, "next");
	for_each_set_bit(i, next, N3T_NR_GROUPS) {
		n3t_text_add(text, " ");
		n3t_text_add(text, n3t_groups[i].file);
	}
	n3t_text_add(text, bitmap_empty(next, N3T_NR_GROUPS) ? " none\n" : "\n");
}

/**
 * n3t_bottleneck_print() - losses and path as text
 * @buf: output buffer; always terminated
 * @size: its size in bytes, not 0; 4096 suffice
 * @bottleneck: the path and the losses
 * @estimates: estimates that they were found from
 * @cpus: numbers of CPUs to print, or NULL
 *
 * Each line is a key with its values:
 *
 *	path backend_bound 71.3500 0.4100
 *	path backend_mem_bound 60.1000 1.2000
 *	path backend_mem_tlb_bound 52.0000 2.1000
 *	share 22.2979
 *	loss backend_mem_tlb_bound 22.2979 1.0110
 *	loss backend_core_bound 21.4050 0.9000
 *	mixed backend_mem_tlb_bound backend_core_bound
 *	cpus 3 backend_mem_tlb_bound
 *	cpus 1 idle
 *	next topdown_backend dtlb_effectiveness
 *
 * "path" is repeated for each metric, with value and error ("none" if there are
 * too few slices for it). "share", unless the path is empty, is the share of its
 * last metric in all slots in percent. "loss" is repeated for each loss, with its share
 * of all slots and the error. "below" has the text reported in place of a metric below the
 * path. Then comes the outcome: "found" with the last metric of the path, "mixed" with two
 * metrics, or "verdict" with the text reported in place of a metric of Topdown_L1. "cpus"
 * is repeated, with the number of CPUs and the end of their paths or the text reported
 * instead. The last line is "next" with the files of the groups to look at, or "none".
 *
 * Return: length of the text in @buf
 */
size_t n3t_bottleneck_print(char *buf, size_t size, const struct n3t_bottleneck *bottleneck,
			    const struct n3t_estimate *estimates,
			    const struct n3t_bottleneck_cpus *cpus)
{
	struct n3t_text text = { .buf = buf, .size = size };
	const struct n3t_loss *loss = bottleneck->loss;

	add_path(&text, bottleneck, estimates);
	for (unsigned int i = 0; i < bottleneck->nr_losses; i++)
		add_metric(&text, "loss ", loss[i].metric, &loss[i].share);
	add_end(&text, bottleneck);
	if (cpus)
		add_cpus(&text, cpus);
	add_next_groups(&text, bottleneck->next);
	return text.len;
}
