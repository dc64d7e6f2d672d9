// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The decision tree and the path through it to the bottleneck. */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <math.h>
#include <string.h>

#include "libn3t/bottleneck.h"
#include "libn3t/spec.h"
#include "libn3t/tree.h"
#include "path.h"

#define MAX_BELOW	16
#define MAX_SCALED	1e15	/* beyond all percentages, and twice it fits */

/* Lists metrics in the order of their groups. */
static size_t in_order(const unsigned long *metrics, int list[], size_t room)
{
	size_t nr = 0;

	for (int group = 0; group < N3T_NR_GROUPS; group++) {
		if (n3t_groups[group].stage != 1)
			continue;
		for (unsigned int i = 0; i < n3t_groups[group].nr_members && nr < room; i++)
			if (test_bit(n3t_groups[group].members[i], metrics))
				list[nr++] = n3t_groups[group].members[i];
	}
	return nr;
}

size_t path_below(int metric, int below[], size_t room)
{
	DECLARE_BITMAP(metrics, N3T_NR_METRICS) = { 0 };

	if (metric < 0)
		n3t_tree_roots(N3T_GROUP_Topdown_L1, metrics);
	else
		n3t_tree_children(metric, metrics);
	return in_order(metrics, below, room);
}

static bool find_metric(int at, int metric, int metrics[], size_t *nr)
{
	int below[MAX_BELOW];
	size_t nr_below = *nr < PATH_DEPTH ? path_below(at, below, MAX_BELOW) : 0;

	for (size_t i = 0; i < nr_below; i++) {
		metrics[(*nr)++] = below[i];
		if (below[i] == metric || find_metric(below[i], metric, metrics, nr))
			return true;
		(*nr)--;
	}
	return false;
}

size_t path_to(int metric, int metrics[PATH_DEPTH])
{
	size_t nr = 0;

	find_metric(-1, metric, metrics, &nr);
	return nr;
}

size_t path_next(int metric, struct path_next next[PATH_MAX_NEXT])
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS) = { 0 };
	DECLARE_BITMAP(of_groups, N3T_NR_METRICS) = { 0 };
	int below[MAX_BELOW];
	size_t nr_below = path_below(metric, below, MAX_BELOW), nr = 0;

	n3t_tree_next(metric, groups);
	for (int i = 0; i < N3T_NR_GROUPS; i++)
		if (test_bit(i, groups))
			n3t_tree_roots(i, of_groups);
	for (size_t i = 0; i < nr_below && nr < PATH_MAX_NEXT; i++)
		if (!test_bit(below[i], of_groups))
			next[nr++] = (struct path_next) { below[i], -1 };
	for (int i = 0; i < N3T_NR_GROUPS && nr < PATH_MAX_NEXT; i++)
		if (test_bit(i, groups))
			next[nr++] = (struct path_next) { -1, i };
	return nr;
}

/* Number in units of the module's last decimal. */
static s64 scaled(double number, int metric)
{
	double units = number * pow(10, n3t_metrics[metric].decimals);

	return llround(fmin(fmax(units, -MAX_SCALED), MAX_SCALED));
}

static enum n3t_verdict verdict_of(const char *word)
{
	for (enum n3t_verdict verdict = 0; verdict < N3T_VALUE; verdict++)
		if (!strcmp(n3t_verdict_word(verdict), word))
			return verdict;
	/* Not one of the module's states; those take precedence. */
	return N3T_UNDEF;
}

static struct n3t_estimate estimate(const struct value *value, int metric)
{
	struct n3t_estimate estimate = { .verdict = N3T_VALUE };

	if (!value || !value->is_number) {
		estimate.verdict = verdict_of(value ? value->text : NO_VALUE);
		return estimate;
	}
	estimate.value = scaled(value->number, metric);
	/* Half of the interval, rounded up as in the module. */
	if (value->has_range)
		estimate.error = (scaled(2 * value_error(value), metric) + 1) / 2;
	else if (value->has_coverage)
		estimate.error = N3T_ERROR_UNKNOWN;
	return estimate;
}

static void take(struct path *path, const struct n3t_bottleneck *bottleneck,
		 const struct n3t_estimate *estimates)
{
	const u8 *rival = bottleneck->rival;

	*path = (struct path) {
		.undecided = { -1, -1 }, .minor = -1, .nr = bottleneck->nr_path,
	};
	for (size_t i = 0; i < path->nr; i++)
		path->metrics[i] = bottleneck->path[i];
	if (bottleneck->end == N3T_END_MINOR)
		path->minor = rival[0];
	if (bottleneck->end == N3T_END_UNDETERMINED) {
		path->undecided[0] = rival[0];
		path->undecided[1] = rival[1];
		path->too_few_slices = estimates[rival[0]].error == N3T_ERROR_UNKNOWN ||
				       estimates[rival[1]].error == N3T_ERROR_UNKNOWN;
	}
	for (int i = 0; i < N3T_NR_GROUPS && path->nr_look_at < PATH_MAX_NEXT; i++)
		if (test_bit(i, bottleneck->next))
			path->look_at[path->nr_look_at++] = i;
}

/* Return: the word of the metric that ends the path. */
static const char *word_of(const struct n3t_bottleneck *bottleneck,
			   const struct n3t_estimate *estimates, path_value value, const void *of)
{
	const struct value *found = NULL;

	if (bottleneck->end != N3T_END_NO_VALUE)
		return NULL;
	for (int i = 0; i < N3T_NR_METRICS && !found; i++)
		if (test_bit(i, bottleneck->candidates) &&
		    estimates[i].verdict == bottleneck->verdict)
			found = value(of, i);
	return found ? found->text : NO_VALUE;
}

/* Product of the shares of the metrics in the ones above them. */
static void set_share(struct path *path, path_value value, const void *of)
{
	s64 share = 100 * N3T_PERCENT;

	path->share = NAN;
	for (size_t i = 0; i < path->nr; i++) {
		const struct value *found = value(of, path->metrics[i]);

		if (!found || !found->is_number)
			return;
		share = n3t_bottleneck_share(share, scaled(found->number, path->metrics[i]));
	}
	if (path->nr)
		path->share = (double)share / N3T_PERCENT;
}

void path_find(struct path *path, path_value value, const void *of)
{
	struct n3t_estimate estimates[N3T_NR_METRICS];
	struct n3t_bottleneck bottleneck;

	n3t_bottleneck_begin(&bottleneck);
	do {
		for (int i = 0; i < N3T_NR_METRICS; i++)
			if (test_bit(i, bottleneck.candidates))
				estimates[i] = estimate(value(of, i), i);
	} while (n3t_bottleneck_step(&bottleneck, estimates));
	take(path, &bottleneck, estimates);
	path->word = word_of(&bottleneck, estimates, value, of);
	set_share(path, value, of);
}

/*
 * Makes estimates that lead down this path and end there: 100 % for its metrics, 0 for all
 * others; below the end either no values or two that differ by less than their errors.
 */
static bool lead_down(struct n3t_estimate *estimates, int end, const int undecided[2])
{
	int metrics[PATH_DEPTH], below[MAX_BELOW];
	size_t nr = path_to(end, metrics), nr_below = path_below(end, below, MAX_BELOW);

	if (end >= 0 && !nr)
		return false;
	for (int i = 0; i < N3T_NR_METRICS; i++)
		estimates[i] = (struct n3t_estimate) { .verdict = N3T_VALUE };
	for (size_t i = 0; i < nr; i++)
		estimates[metrics[i]].value = 100 * N3T_PERCENT;
	for (size_t i = 0; i < nr_below && undecided[0] < 0; i++)
		estimates[below[i]].verdict = N3T_UNDEF;
	for (size_t i = 0; i < 2 && undecided[0] >= 0; i++)
		estimates[undecided[i]] = (struct n3t_estimate) {
			.verdict = N3T_VALUE, .value = (50 - (s64)i) * N3T_PERCENT,
			.error = N3T_PERCENT,
		};
	return true;
}

bool path_follow(struct path *path, const struct path_end *known, path_value value,
		 const void *of)
{
	struct n3t_estimate estimates[N3T_NR_METRICS];
	const int *undecided = known->undecided;
	struct n3t_bottleneck bottleneck;
	int end = known->end;

	if (!lead_down(estimates, end, undecided))
		return false;
	n3t_bottleneck_begin(&bottleneck);
	while (n3t_bottleneck_step(&bottleneck, estimates))
		;
	take(path, &bottleneck, estimates);
	path->word = known->word;
	path->minor = known->minor;
	set_share(path, value, of);
	return path->undecided[0] == undecided[0] && path->undecided[1] == undecided[1] &&
	       (end < 0 ? !path->nr : path->nr && path->metrics[path->nr - 1] == end);
}

bool path_holds(const struct path *path, int metric)
{
	for (size_t i = 0; i < path->nr; i++)
		if (path->metrics[i] == metric)
			return true;
	return false;
}
