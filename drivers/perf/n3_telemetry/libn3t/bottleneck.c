// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Path down the decision tree to the bottleneck of a CPU.
 *
 * The path starts at the largest metric of Topdown_L1 and descends into the
 * largest child while it leads the next by more than the sum of both errors.
 * Only siblings are compared: they are shares of the same total, in the same
 * unit. The remainder of that total, which no child covers, is a rival as well:
 * an only child of 33 % does not explain the other 67 %.
 *
 * A child with a small share of all slots is not worth reporting, whatever its
 * lead. Metrics below Topdown_L1 are shares of the cycles in which their parent
 * was stalled, so their product approximates that share, to the extent that
 * stalled cycles and lost slots correlate.
 *
 * If a child has no value, the largest is unknown and the path ends.
 *
 * An error from two slices is accepted here, although users see an interval
 * only from four slices on: Student's t for one degree of freedom makes it wide,
 * so few slices lead to "undetermined" and seldom to a wrong metric.
 */
#include <linux/bitmap.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/bottleneck.h"
#include "libn3t/spec.h"
#include "libn3t/text.h"
#include "libn3t/tree.h"

#define ALL		(100 * N3T_PERCENT)
#define SHARE_DECIMALS	4

/* Does @first lead @second by more than the sum of their errors? */
static bool leads(const struct n3t_estimate *first, const struct n3t_estimate *second)
{
	u64 lead = (u64)first->value - (u64)second->value;

	if (first->value <= second->value || first->error == N3T_ERROR_UNKNOWN ||
	    second->error == N3T_ERROR_UNKNOWN)
		return false;
	return lead > (u64)first->error + (u64)second->error;
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

/* The two largest; both the same if there is only one. */
static void find_rivals(u8 *rival, const unsigned long *metrics,
			const struct n3t_estimate *estimates)
{
	bool any = false, two = false;
	unsigned int i;

	for_each_set_bit(i, metrics, N3T_NR_METRICS) {
		if (!any || estimates[i].value > estimates[rival[0]].value) {
			rival[1] = any ? rival[0] : i;
			rival[0] = i;
			two = any;
		} else if (!two || estimates[i].value > estimates[rival[1]].value) {
			rival[1] = i;
			two = true;
		}
		any = true;
	}
}

/*
 * Part of the total that no candidate covers. The candidates' errors are treated as
 * independent. Candidates may overlap, which leaves no remainder.
 */
static struct n3t_estimate rest_of(const unsigned long *candidates,
				   const struct n3t_estimate *estimates)
{
	struct n3t_estimate rest = { .verdict = N3T_VALUE, .value = ALL };
	u64 squares = 0;
	unsigned int i;
	s64 error;

	for_each_set_bit(i, candidates, N3T_NR_METRICS) {
		if (estimates[i].error == N3T_ERROR_UNKNOWN)
			rest.error = N3T_ERROR_UNKNOWN;
		error = min_t(s64, estimates[i].error, ALL);
		squares += error * error;
		rest.value -= clamp_t(s64, estimates[i].value, 0, ALL);
	}
	rest.value = max_t(s64, rest.value, 0);
	if (rest.error != N3T_ERROR_UNKNOWN)
		rest.error = int_sqrt64(squares);
	return rest;
}

/*
 * The remainder cannot exceed what @first leaves, however uncertain the others are:
 * one of them may have no error at all.
 */
static bool leads_rest(const struct n3t_estimate *first, const struct n3t_estimate *rest)
{
	const struct n3t_estimate most = {
		.value = ALL - clamp_t(s64, first->value, 0, ALL),
		.error = first->error,
	};

	return leads(first, rest) || leads(first, &most);
}

/* Is @child, a candidate, certainly too small to report? */
static bool is_minor(const struct n3t_bottleneck *bottleneck, const struct n3t_estimate *child,
		     const struct n3t_estimate *rest)
{
	return leads(rest, child) ||
	       n3t_bottleneck_share(bottleneck->share, child->value) < N3T_MINOR_SHARE;
}

/* Choose among candidates that all have values; N3T_END_FOUND if the path continues. */
static enum n3t_bottleneck_end choose(const struct n3t_bottleneck *bottleneck,
				      const struct n3t_estimate *estimates)
{
	const struct n3t_estimate rest = rest_of(bottleneck->candidates, estimates);
	const struct n3t_estimate *first = &estimates[bottleneck->rival[0]];
	const struct n3t_estimate *second = &estimates[bottleneck->rival[1]];
	/* the four metrics of Topdown_L1 cover all slots */
	bool top = !bottleneck->nr_path;

	if (!top && is_minor(bottleneck, first, &rest))
		return N3T_END_MINOR;
	if (first != second && !leads(first, second))
		return N3T_END_UNDETERMINED;
	return top || leads_rest(first, &rest) ? N3T_END_FOUND : N3T_END_MINOR;
}

/* Descend into one of the candidates; false if the path ends here. */
static bool descend(struct n3t_bottleneck *bottleneck, const struct n3t_estimate *estimates)
{
	const unsigned long *candidates = bottleneck->candidates;
	u8 *rival = bottleneck->rival;

	if (bitmap_empty(candidates, N3T_NR_METRICS) ||
	    bottleneck->nr_path == N3T_BOTTLENECK_DEPTH) {
		bottleneck->end = N3T_END_FOUND;
		return false;
	}

	bottleneck->verdict = worst_verdict(candidates, estimates);
	if (bottleneck->verdict != N3T_VALUE) {
		bottleneck->end = N3T_END_NO_VALUE;
		return false;
	}

	find_rivals(rival, candidates, estimates);
	bottleneck->end = choose(bottleneck, estimates);
	if (bottleneck->end != N3T_END_FOUND)
		return false;

	bottleneck->path[bottleneck->nr_path++] = rival[0];
	bottleneck->share = n3t_bottleneck_share(bottleneck->share, estimates[rival[0]].value);
	return true;
}

/*
 * Groups that the tree recommends for the rivals; if none, or without rivals, those for
 * the deepest metric of the path with a recommendation.
 */
static void find_next(struct n3t_bottleneck *bottleneck)
{
	unsigned int i = bottleneck->nr_path;

	if (bottleneck->end == N3T_END_UNDETERMINED) {
		n3t_tree_next(bottleneck->rival[0], bottleneck->next);
		n3t_tree_next(bottleneck->rival[1], bottleneck->next);
	}
	while (i-- > 0 && bitmap_empty(bottleneck->next, N3T_NR_GROUPS))
		n3t_tree_next(bottleneck->path[i], bottleneck->next);
}

/**
 * n3t_bottleneck_share() - share of a metric in all slots
 * @share: share of its parent; 100 % for a metric of Topdown_L1
 * @value: the metric, a share of the parent
 *
 * All are percentages in units of the fourth decimal; values outside 0 to 100 % are
 * clamped.
 *
 * Return: the metric's share of all slots, 0 to 100 %
 */
s64 n3t_bottleneck_share(s64 share, s64 value)
{
	return div_s64(share * clamp_t(s64, value, 0, ALL), ALL);
}

/**
 * n3t_bottleneck_begin() - start at the top of the decision tree
 * @bottleneck: the path, emptied; the candidates are the metrics of Topdown_L1
 */
void n3t_bottleneck_begin(struct n3t_bottleneck *bottleneck)
{
	memset(bottleneck, 0, sizeof(*bottleneck));
	bottleneck->share = ALL;
	n3t_tree_roots(N3T_GROUP_Topdown_L1, bottleneck->candidates);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_bottleneck_begin);

/**
 * n3t_bottleneck_step() - descend one level of the decision tree
 * @bottleneck: the path
 * @estimates: N3T_NR_METRICS estimates; only those of the candidates are read
 *
 * Errors are expensive, so the caller computes those of the candidates only.
 *
 * Return: true if the path may continue: @bottleneck has new candidates; false if
 * it ends here.
 */
bool n3t_bottleneck_step(struct n3t_bottleneck *bottleneck, const struct n3t_estimate *estimates)
{
	if (!descend(bottleneck, estimates)) {
		find_next(bottleneck);
		return false;
	}

	bitmap_zero(bottleneck->candidates, N3T_NR_METRICS);
	n3t_tree_children(bottleneck->path[bottleneck->nr_path - 1], bottleneck->candidates);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_bottleneck_step);

static void add_metric(struct n3t_text *text, const char *key, enum n3t_metric metric,
		       const struct n3t_estimate *estimate)
{
	unsigned int decimals = n3t_metrics[metric].decimals;

	n3t_text_add(text, key);
	n3t_text_add(text, n3t_metrics[metric].name);
	n3t_text_add(text, " ");
	n3t_text_add_scaled(text, estimate->value, decimals);
	n3t_text_add(text, " ");
	if (estimate->error == N3T_ERROR_UNKNOWN)
		n3t_text_add(text, "none");
	else
		n3t_text_add_scaled(text, estimate->error, decimals);
	n3t_text_add(text, "\n");
}

static void add_end(struct n3t_text *text, const struct n3t_bottleneck *bottleneck,
		    const struct n3t_estimate *estimates)
{
	const u8 *rival = bottleneck->rival;

	switch (bottleneck->end) {
	case N3T_END_FOUND:
	case N3T_END_MINOR:
		if (bottleneck->end == N3T_END_MINOR)
			add_metric(text, "minor ", rival[0], &estimates[rival[0]]);
		n3t_text_add(text, "found ");
		n3t_text_add(text, n3t_metrics[bottleneck->path[bottleneck->nr_path - 1]].name);
		break;
	case N3T_END_UNDETERMINED:
		add_metric(text, "rival ", rival[0], &estimates[rival[0]]);
		add_metric(text, "rival ", rival[1], &estimates[rival[1]]);
		n3t_text_add(text, "undetermined ");
		n3t_text_add(text, n3t_metrics[rival[0]].name);
		n3t_text_add(text, " ");
		n3t_text_add(text, n3t_metrics[rival[1]].name);
		break;
	default:
		n3t_text_add(text, "verdict ");
		n3t_text_add(text, n3t_verdict_word(bottleneck->verdict));
	}
	n3t_text_add(text, "\n");
}

/**
 * n3t_bottleneck_print() - the path as text
 * @buf: output buffer; always terminated
 * @size: its size in bytes, not 0; 1024 suffice for any path
 * @bottleneck: the path
 * @estimates: estimates that it was found from
 *
 * Each line is a key with its values:
 *
 *	path backend_bound 71.3500 0.4100
 *	path backend_mem_bound 80.1000 1.2000
 *	share 57.1113
 *	rival backend_mem_tlb_bound 40.0000 3.1000
 *	rival backend_mem_store_bound 38.5000 2.9000
 *	undetermined backend_mem_tlb_bound backend_mem_store_bound
 *	next dtlb_effectiveness
 *
 * "path" is repeated for each metric, with value and error ("none" if there are
 * too few slices for it). "share", unless the path is empty, is the share of its
 * last metric in all slots in percent. Then comes the end of the path: "found" with
 * the last metric, preceded by a line "minor" if the largest metric below it is too
 * small, or too uncertain, to be followed; or "undetermined" with two metrics,
 * preceded by a line "rival" for each; or "verdict" with the text reported in place
 * of a value. The last line is "next" with the files of the groups to look at, or
 * "none".
 *
 * Return: length of the text in @buf
 */
size_t n3t_bottleneck_print(char *buf, size_t size, const struct n3t_bottleneck *bottleneck,
			    const struct n3t_estimate *estimates)
{
	struct n3t_text text = { .buf = buf, .size = size };
	unsigned int i;

	for (i = 0; i < bottleneck->nr_path; i++)
		add_metric(&text, "path ", bottleneck->path[i], &estimates[bottleneck->path[i]]);
	if (bottleneck->nr_path) {
		n3t_text_add(&text, "share ");
		n3t_text_add_scaled(&text, bottleneck->share, SHARE_DECIMALS);
		n3t_text_add(&text, "\n");
	}
	add_end(&text, bottleneck, estimates);

	n3t_text_add(&text, "next");
	for_each_set_bit(i, bottleneck->next, N3T_NR_GROUPS) {
		n3t_text_add(&text, " ");
		n3t_text_add(&text, n3t_groups[i].file);
	}
	n3t_text_add(&text, bitmap_empty(bottleneck->next, N3T_NR_GROUPS) ? " none\n" : "\n");
	return text.len;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_bottleneck_print);
