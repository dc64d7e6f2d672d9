// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Inference over any set of CPUs. */
#include <linux/bitmap.h>
#include <linux/minmax.h>
#include <stdlib.h>
#include <string.h>

#include "infer.h"
#include "lib/names.h"
#include "libn3telemetry/stats/bottleneck.h"
#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "moments_file.h"
#include "source.h"
#include "stats/errors.h"
#include "stats/moments.h"
#include "stats/pool.h"
#include "stats/quality.h"

/*
 * A place; its views share their errors, and those with the same plan a pool.
 * @moments: of its CPUs, owned by struct inferred
 */
struct inference {
	struct place place;
	unsigned int nr;
	struct moments **moments;
	struct n3t_view *views;
	struct n3t_errors *errors;
	struct n3t_estimate estimates[N3T_NR_METRICS];
};

/*
 * What a source has read since infer_forget().
 * @moments: of each CPU of the source, NULL if there are none
 * @inference: the place inferred last
 */
struct inferred {
	unsigned int nr;
	struct moments **moments;
	struct inference *inference;
};

static bool is_same_plan(const struct n3t_plan *a, const struct n3t_plan *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Return: false if out of memory. */
static bool begin_pool(struct inference *inference, struct n3t_view *view)
{
	for (struct n3t_view *other = inference->views; other < view; other++) {
		if (!other->pool || !is_same_plan(other->plan, view->plan))
			continue;
		view->pool = other->pool;
		/* equal plans are one, as weights are shared, too */
		view->plan = other->plan;
		return true;
	}
	view->pool = malloc(n3t_pool_bytes(&view->moments->size));
	if (!view->pool)
		return false;
	view->owns_pool = true;
	n3t_pool_init(view->pool, &view->moments->size);
	return true;
}

static bool begin_errors(struct inference *inference)
{
	struct n3t_matrix_size size = { 0 };

	for (unsigned int i = 0; i < inference->nr; i++) {
		const struct moments *moments = inference->moments[i];

		if (!moments->window)
			continue;
		size.parts = max(size.parts, moments->size.parts);
		size.entries = max(size.entries, moments->size.entries);
	}
	inference->errors = malloc(n3t_errors_bytes(&size));
	if (!inference->errors)
		return false;
	n3t_errors_init(inference->errors, &size);
	return true;
}

static bool begin_views(struct inference *inference)
{
	for (unsigned int i = 0; i < inference->nr; i++) {
		const struct moments *moments = inference->moments[i];
		struct n3t_view *view = &inference->views[i];

		view->state = moments->state;
		view->plan = &moments->plan;
		view->window = moments->window;
		view->moments = moments;
		view->errors = inference->errors;
		if (view->window && inference->place.scope != SCOPE_CPU &&
		    !begin_pool(inference, view))
			return false;
	}
	return true;
}

/* All CPUs of a machine have the same core. */
static void adapt(const struct inference *inference)
{
	unsigned int slots = inference->nr ? inference->moments[0]->slots : 0;

	if (slots && slots != n3t_slots_per_cycle())
		n3t_formula_adapt(false, slots);
}

static void end(struct inference *inference)
{
	if (!inference)
		return;
	for (unsigned int i = 0; inference->views && i < inference->nr; i++)
		if (inference->views[i].owns_pool)
			free(inference->views[i].pool);
	free(inference->errors);
	free(inference->views);
	free(inference->moments);
	free(inference);
}

static bool is_in(const struct place *place, const struct moments *moments)
{
	switch (place->scope) {
	case SCOPE_CPU:
		return moments->cpu == place->id;
	case SCOPE_NODE:
		return moments->node == place->id;
	default:
		return true;
	}
}

/* Return: false if out of memory. */
static bool begin(const struct inferred *inferred, struct inference *inference)
{
	inference->moments = calloc(inferred->nr + 1, sizeof(*inference->moments));
	inference->views = calloc(inferred->nr + 1, sizeof(*inference->views));
	if (!inference->moments || !inference->views)
		return false;
	for (unsigned int i = 0; i < inferred->nr; i++)
		if (inferred->moments[i] && is_in(&inference->place, inferred->moments[i]))
			inference->moments[inference->nr++] = inferred->moments[i];
	adapt(inference);
	return begin_errors(inference) && begin_views(inference);
}

static bool read_cpu(struct source *source, struct inferred *inferred, unsigned int cpu)
{
	if (cpu >= inferred->nr) {
		struct moments **more = reallocarray(inferred->moments, cpu + 1, sizeof(*more));

		if (!more)
			return failure_no_memory(&source->failure);
		memset(&more[inferred->nr], 0, (cpu + 1 - inferred->nr) * sizeof(*more));
		inferred->moments = more;
		inferred->nr = cpu + 1;
	}
	return inferred->moments[cpu] || moments_file_read(source, cpu, &inferred->moments[cpu]);
}

static bool read_all(struct source *source, struct inferred *inferred)
{
	char **names;
	ssize_t nr = source_list(source, "", &names);
	bool good = nr >= 0;
	struct place place;

	for (ssize_t i = 0; i < nr && good; i++)
		if (place_parse(names[i], &place) && place.scope == SCOPE_CPU)
			good = read_cpu(source, inferred, place.id);
	if (nr > 0)
		free_names(names);
	return good;
}

static bool is_same_place(const struct place *a, const struct place *b)
{
	return a->scope == b->scope && a->id == b->id;
}

bool infer_begin(struct source *source, const struct place *place, struct inference **inference)
{
	struct inferred *inferred = source->inferred;

	*inference = NULL;
	if (!inferred)
		inferred = source->inferred = calloc(1, sizeof(*inferred));
	if (!inferred)
		return failure_no_memory(&source->failure);
	source->forget = infer_forget;
	if (!inferred->inference || !is_same_place(&inferred->inference->place, place)) {
		if (!(place->scope == SCOPE_CPU ? read_cpu(source, inferred, place->id) :
						  read_all(source, inferred)))
			return false;
		end(inferred->inference);
		inferred->inference = calloc(1, sizeof(*inferred->inference));
		if (!inferred->inference)
			return failure_no_memory(&source->failure);
		inferred->inference->place = *place;
		if (!begin(inferred, inferred->inference)) {
			end(inferred->inference);
			inferred->inference = NULL;
			return failure_no_memory(&source->failure);
		}
	}
	if (inferred->inference->nr)
		*inference = inferred->inference;
	return true;
}

void infer_forget(struct source *source)
{
	struct inferred *inferred = source->inferred;

	if (!inferred)
		return;
	end(inferred->inference);
	for (unsigned int i = 0; i < inferred->nr; i++)
		moments_free(inferred->moments[i]);
	free(inferred->moments);
	free(inferred);
	source->inferred = NULL;
}

unsigned int infer_nr(const struct inference *inference)
{
	return inference->nr;
}

const struct moments *infer_moments(const struct inference *inference, unsigned int position)
{
	return inference->moments[position];
}

void infer_quality(struct inference *inference, unsigned int metric, struct n3t_quality *quality)
{
	if (inference->place.scope == SCOPE_CPU)
		n3t_quality_of_cpu(quality, metric, &inference->views[0]);
	else
		n3t_quality_of_several(quality, metric, inference->views, inference->nr);
}

/* Values without errors, which would take a thousand times as long for many CPUs. */
static void value_candidates(struct inference *inference, const struct n3t_bottleneck *bottleneck,
			     const struct n3t_view *view)
{
	unsigned int metric;

	for_each_set_bit(metric, bottleneck->candidates, N3T_NR_METRICS) {
		struct n3t_estimate *estimate = &inference->estimates[metric];
		struct n3t_ratio value;

		estimate->verdict = n3t_metric_value(metric, view->state, view->plan, view->window,
						     &value);
		if (estimate->verdict == N3T_VALUE)
			estimate->value = n3t_ratio_scaled(&value, n3t_metrics[metric].decimals);
		estimate->error = 0;
	}
}

static void estimate_candidates(struct inference *inference,
				const struct n3t_bottleneck *bottleneck)
{
	struct n3t_quality quality;
	unsigned int metric;

	for_each_set_bit(metric, bottleneck->candidates, N3T_NR_METRICS) {
		infer_quality(inference, metric, &quality);
		n3t_quality_estimate(&inference->estimates[metric], metric, &quality);
	}
}

static void count_cpus(struct inference *inference, struct n3t_bottleneck_cpus *cpus)
{
	struct n3t_bottleneck bottleneck;

	for (unsigned int i = 0; i < inference->nr; i++) {
		n3t_bottleneck_begin(&bottleneck);
		do {
			value_candidates(inference, &bottleneck, &inference->views[i]);
		} while (n3t_bottleneck_step(&bottleneck, inference->estimates));
		n3t_bottleneck_count(cpus, &bottleneck);
	}
}

size_t infer_bottleneck(struct inference *inference, char *text, size_t size)
{
	bool several = inference->place.scope != SCOPE_CPU;
	struct n3t_bottleneck_cpus cpus = { 0 };
	struct n3t_bottleneck bottleneck;

	if (several)
		count_cpus(inference, &cpus);
	memset(inference->estimates, 0, sizeof(inference->estimates));
	n3t_bottleneck_begin(&bottleneck);
	do {
		estimate_candidates(inference, &bottleneck);
	} while (n3t_bottleneck_step(&bottleneck, inference->estimates));
	return n3t_bottleneck_print(text, size, &bottleneck, inference->estimates,
				    several ? &cpus : NULL);
}

static const struct n3t_group_info *find_group(const char *file)
{
	for (unsigned int i = 0; i < N3T_NR_GROUPS; i++)
		if (!strcmp(n3t_groups[i].file, file))
			return &n3t_groups[i];
	return NULL;
}

static void print_group(struct inference *inference, const struct n3t_group_info *group,
			char *text, size_t size)
{
	struct n3t_quality quality;
	size_t at = 0;

	for (unsigned int i = 0; i < group->nr_members; i++) {
		infer_quality(inference, group->members[i], &quality);
		at += n3t_quality_print(text + at, size - at, group->members[i], &quality);
	}
}

bool infer_file(struct source *source, const struct place *place, const char *name, char **text)
{
	bool bottleneck = !strcmp(name, BOTTLENECK_FILE);
	const struct n3t_group_info *group = bottleneck ? NULL : find_group(name);
	struct inference *inference;

	*text = NULL;
	if (!bottleneck && !group)
		return true;
	if (!infer_begin(source, place, &inference))
		return false;
	if (!inference)
		return true;
	if (bottleneck)
		infer_bottleneck(inference, source->text, sizeof(source->text));
	else
		print_group(inference, group, source->text, sizeof(source->text));
	*text = source->text;
	return true;
}
