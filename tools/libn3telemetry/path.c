// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The decision tree and the path through it to the bottleneck. */
#include <linux/bitmap.h>
#include <math.h>
#include <string.h>

#include "libn3telemetry/stats/bottleneck.h"
#include "libn3t/spec.h"
#include "stats/spec_words.h"
#include "libn3telemetry/stats/tree.h"
#include "path.h"

#define MAX_BELOW	16
#define MAX_SCALED	1e15	/* beyond all percentages, and twice it fits */

const double path_minor_share = (double)N3T_MINOR_SHARE / N3T_PERCENT;
const double path_retiring_share = (double)N3T_RETIRING_SHARE / N3T_PERCENT;

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

size_t path_to(int metric, int metrics[PATH_DEPTH])
{
	DECLARE_BITMAP(roots, N3T_NR_METRICS) = { 0 };
	size_t nr = 1;
	int top;

	if (metric < 0)
		return 0;
	for (top = metric; n3t_tree_parent(top) >= 0; top = n3t_tree_parent(top))
		nr++;
	n3t_tree_roots(N3T_GROUP_Topdown_L1, roots);
	if (!test_bit(top, roots))
		return 0;
	for (size_t i = nr; i-- > 0; metric = n3t_tree_parent(metric))
		metrics[i] = metric;
	return nr;
}

size_t path_groups(int metric, int groups[PATH_MAX_NEXT])
{
	DECLARE_BITMAP(next, N3T_NR_GROUPS) = { 0 };
	size_t nr = 0;

	for (; metric >= 0 && bitmap_empty(next, N3T_NR_GROUPS); metric = n3t_tree_parent(metric))
		n3t_tree_next(metric, next);
	for (int i = 0; i < N3T_NR_GROUPS && nr < PATH_MAX_NEXT; i++)
		if (test_bit(i, next))
			groups[nr++] = i;
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

static struct path_share share_of(const struct n3t_estimate *share)
{
	return (struct path_share) {
		.value = (double)share->value / N3T_PERCENT,
		.error = share->error == N3T_ERROR_UNKNOWN ? NAN :
			 (double)share->error / N3T_PERCENT,
	};
}

bool path_lead(struct path *path, int end)
{
	*path = (struct path) { .share = NAN };
	path->nr = path_to(end, path->metrics);
	path->nr_look_at = path_groups(end, path->look_at);
	return end < 0 || path->nr;
}

static void take(struct path *path, const struct n3t_bottleneck *bottleneck)
{
	size_t nr = bottleneck->nr_path;
	int end = nr ? bottleneck->path[nr - 1] : -1;

	path_lead(path, end);
	if (nr && end == bottleneck->loss[0].metric)
		path->share = share_of(&bottleneck->loss[0].share).value;
	else if (nr)
		path->share = share_of(&bottleneck->share[end]).value;
	path->nr_losses = bottleneck->nr_losses;
	for (size_t i = 0; i < path->nr_losses; i++)
		path->losses[i] = (struct path_loss) {
			bottleneck->loss[i].metric, share_of(&bottleneck->loss[i].share), false,
		};
	path->mixed = bottleneck->end == N3T_END_MIXED;
	path->too_few_slices = path->mixed && (isnan(path->losses[0].share.error) ||
					       isnan(path->losses[1].share.error));
}

/* Return: the word of the metric that ends the path. */
static const char *word_of(const struct n3t_bottleneck *bottleneck,
			   const struct n3t_estimate *estimates, path_value value, const void *data)
{
	DECLARE_BITMAP(below, N3T_NR_METRICS) = { 0 };
	const struct value *found = NULL;

	if (bottleneck->verdict == N3T_VALUE)
		return NULL;
	if (bottleneck->nr_path)
		n3t_tree_children(bottleneck->path[bottleneck->nr_path - 1], below);
	else
		n3t_tree_roots(N3T_GROUP_Topdown_L1, below);
	for (int i = 0; i < N3T_NR_METRICS && !found; i++)
		if (test_bit(i, below) && estimates[i].verdict == bottleneck->verdict)
			found = value(data, i);
	return found ? found->text : NO_VALUE;
}

/* A metric is divided if its own share is not minor and one of those below has a value. */
static bool is_divided(int metric, path_value value, const void *data)
{
	int below[MAX_BELOW];
	size_t nr = path_below(metric, below, MAX_BELOW);

	for (size_t i = 0; i < nr; i++) {
		const struct value *part = value(data, below[i]);

		if (part && part->is_number)
			return path_share(metric, value, data).value >= path_minor_share;
	}
	return false;
}

void path_mark_rests(struct path *path, path_value value, const void *data)
{
	for (size_t i = 0; i < path->nr_losses; i++)
		path->losses[i].rest = is_divided(path->losses[i].metric, value, data);
}

void path_find(struct path *path, path_value value, const void *data)
{
	struct n3t_estimate estimates[N3T_NR_METRICS];
	struct n3t_bottleneck bottleneck;

	n3t_bottleneck_begin(&bottleneck);
	do {
		for (int i = 0; i < N3T_NR_METRICS; i++)
			if (test_bit(i, bottleneck.candidates))
				estimates[i] = estimate(value(data, i), i);
	} while (n3t_bottleneck_step(&bottleneck, estimates));
	take(path, &bottleneck);
	path_mark_rests(path, value, data);
	path->word = word_of(&bottleneck, estimates, value, data);
}

struct path_share path_share(int metric, path_value value, const void *data)
{
	struct n3t_estimate share = { .verdict = N3T_VALUE, .value = 100 * N3T_PERCENT };
	int metrics[PATH_DEPTH];
	size_t nr = path_to(metric, metrics);

	for (size_t i = 0; i < nr; i++) {
		struct n3t_estimate part = estimate(value(data, metrics[i]), metrics[i]);

		if (part.verdict != N3T_VALUE)
			return (struct path_share) { NAN, NAN };
		share = n3t_bottleneck_share(&share, &part);
	}
	return nr ? share_of(&share) : (struct path_share) { NAN, NAN };
}

bool path_is_approximate(int metric)
{
	return strcmp(n3t_metric_units[metric].name, "percent of slots");
}

bool path_holds(const struct path *path, int metric)
{
	for (size_t i = 0; i < path->nr; i++)
		if (path->metrics[i] == metric)
			return true;
	return false;
}
