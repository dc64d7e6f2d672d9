// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Inference over any set of CPUs. */
#include <linux/bitmap.h>
#include <linux/minmax.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "catalog.h"
#include "infer.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "moments_file.h"
#include "source.h"
#include "stats/errors.h"
#include "stats/moments.h"
#include "stats/pool.h"
#include "stats/quality.h"
#include "stats/scaled.h"

/*
 * A place; its views share their errors, and those with the same plan a pool.
 * @is_set: it is a set of CPUs, not all that @place has
 * @expected: metrics that will be asked for, owned by struct inferred
 * @moments: of its CPUs, likewise
 * @known: metrics whose quality is known
 */
struct inference {
	struct place place;
	bool is_set;
	const unsigned long *expected;
	unsigned int nr;
	struct moments **moments;
	struct cpu_view *views;
	struct n3t_errors *errors;
	DECLARE_BITMAP(known, N3T_NR_METRICS);
	struct n3t_quality quality[N3T_NR_METRICS];
};

/*
 * What a source has read since infer_forget().
 * @metrics: those expected
 * @layouts: of all moments, also of those before infer_forget()
 * @moments: of each CPU of the source, NULL if there are none
 * @inference: the place inferred last
 */
struct inferred {
	DECLARE_BITMAP(metrics, N3T_NR_METRICS);
	struct moments_layout *layouts;
	unsigned int nr;
	struct moments **moments;
	struct inference *inference;
};

/* Return: false if out of memory. */
static bool begin_pool(struct inference *inference, struct cpu_view *view)
{
	for (struct cpu_view *other = inference->views; other < view; other++) {
		if (!other->pool || other->plan != view->plan)
			continue;
		view->pool = other->pool;
		return true;
	}
	view->pool = malloc(n3t_pool_bytes(&view->moments->layout->size));
	if (!view->pool)
		return false;
	view->owns_pool = true;
	n3t_pool_init(view->pool, &view->moments->layout->size);
	return true;
}

static bool begin_errors(struct inference *inference)
{
	struct n3t_matrix_size size = { 0 };

	for (unsigned int i = 0; i < inference->nr; i++) {
		const struct moments *moments = inference->moments[i];

		if (!moments->window)
			continue;
		size.parts = max(size.parts, moments->layout->size.parts);
		size.entries = max(size.entries, moments->layout->size.entries);
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
		struct cpu_view *view = &inference->views[i];

		view->state = moments->state;
		view->plan = &moments->layout->plan;
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
		n3t_formula_adapt(false, slots, true);
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

static bool is_in(const struct place *place, const bool *set, const struct moments *moments)
{
	if (set)
		return set[moments->cpu];
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
static bool begin(const struct inferred *inferred, struct inference *inference, const bool *set)
{
	inference->moments = calloc(inferred->nr + 1, sizeof(*inference->moments));
	inference->views = calloc(inferred->nr + 1, sizeof(*inference->views));
	if (!inference->moments || !inference->views)
		return false;
	for (unsigned int i = 0; i < inferred->nr; i++)
		if (inferred->moments[i] &&
		    is_in(&inference->place, set, inferred->moments[i]))
			inference->moments[inference->nr++] = inferred->moments[i];
	adapt(inference);
	return begin_errors(inference) && begin_views(inference);
}

static bool read_cpu(struct source *source, struct inferred *inferred, unsigned int cpu)
{
	bool all;

	if (cpu >= inferred->nr) {
		struct moments **more = reallocarray(inferred->moments, cpu + 1, sizeof(*more));

		if (!more)
			return failure_no_memory(&source->failure);
		memset(&more[inferred->nr], 0, (cpu + 1 - inferred->nr) * sizeof(*more));
		inferred->moments = more;
		inferred->nr = cpu + 1;
	}
	/* The set of custom has no metric: with all of them, all sets. */
	all = bitmap_weight(inferred->metrics, N3T_NR_METRICS) == N3T_NR_METRICS;
	return inferred->moments[cpu] ||
	       moments_file_read(source, cpu, all ? NULL : inferred->metrics, &inferred->layouts,
				 &inferred->moments[cpu]);
}

/* All CPUs, or those of the set. */
static bool read_cpus(struct source *source, struct inferred *inferred, const bool *set)
{
	char **names;
	ssize_t nr = source_list(source, "", &names);
	bool good = nr >= 0;
	struct place place;

	for (ssize_t i = 0; i < nr && good; i++)
		if (place_parse(names[i], &place) && place.scope == SCOPE_CPU &&
		    (!set || set[place.id]))
			good = read_cpu(source, inferred, place.id);
	if (nr > 0)
		free_names(names);
	return good;
}

/* A set may have changed since. */
static bool is_of(const struct inference *inference, const struct place *place, const bool *set)
{
	return inference && !set && !inference->is_set && inference->place.scope == place->scope &&
	       inference->place.id == place->id;
}

/* Moments of before, but not their layouts, which hardly ever change. */
static void forget(struct inferred *inferred)
{
	end(inferred->inference);
	inferred->inference = NULL;
	moments_layouts_free(&inferred->layouts);
	for (unsigned int i = 0; i < inferred->nr; i++)
		moments_free(inferred->moments[i]);
	free(inferred->moments);
	inferred->moments = NULL;
	inferred->nr = 0;
}

static void free_inferred(struct source *source)
{
	struct inferred *inferred = source->inferred;

	if (!inferred)
		return;
	forget(inferred);
	moments_layouts_free(&inferred->layouts);
	free(inferred);
	source->inferred = NULL;
}

/* Return: NULL if out of memory. */
static struct inferred *inferred_of(struct source *source)
{
	if (!source->inferred)
		source->inferred = calloc(1, sizeof(*source->inferred));
	if (!source->inferred)
		failure_no_memory(&source->failure);
	source->forget = free_inferred;
	return source->inferred;
}

static bool expect_metrics(struct source *source, const unsigned long *metrics)
{
	struct inferred *inferred = inferred_of(source);

	if (!inferred)
		return false;
	if (bitmap_subset(metrics, inferred->metrics, N3T_NR_METRICS))
		return true;
	forget(inferred);
	bitmap_or(inferred->metrics, inferred->metrics, metrics, N3T_NR_METRICS);
	return true;
}

static bool begin_set(struct source *source, const struct place *place, const bool *set,
		      struct inference **inference)
{
	struct inferred *inferred = inferred_of(source);

	*inference = NULL;
	if (!inferred)
		return false;
	if (!is_of(inferred->inference, place, set)) {
		if (!(place->scope == SCOPE_CPU ? read_cpu(source, inferred, place->id) :
						  read_cpus(source, inferred, set)))
			return false;
		end(inferred->inference);
		inferred->inference = malloc(sizeof(*inferred->inference));
		if (!inferred->inference)
			return failure_no_memory(&source->failure);
		/* The rest is large, and valid where these indicate it. */
		memset(inferred->inference, 0, offsetof(struct inference, quality));
		inferred->inference->place = *place;
		inferred->inference->is_set = set;
		inferred->inference->expected = inferred->metrics;
		if (!begin(inferred, inferred->inference, set)) {
			end(inferred->inference);
			inferred->inference = NULL;
			return failure_no_memory(&source->failure);
		}
	}
	if (inferred->inference->nr)
		*inference = inferred->inference;
	return true;
}

bool infer_begin_cpus(struct source *source, const bool *cpus, struct inference **inference)
{
	const struct place several = place_make(SCOPE_SYSTEM, 0);

	return begin_set(source, &several, cpus, inference);
}

bool infer_has(const struct inference *inference, unsigned int cpu)
{
	for (unsigned int i = 0; i < inference->nr; i++)
		if (inference->moments[i]->cpu == cpu)
			return true;
	return false;
}

void infer_forget(struct source *source)
{
	if (source->inferred)
		forget(source->inferred);
}

static void add_quality(struct inference *inference, unsigned int metric)
{
	struct n3t_quality *quality = &inference->quality[metric];

	if (test_bit(metric, inference->known))
		return;
	if (inference->place.scope == SCOPE_CPU)
		n3t_quality_of_cpu(quality, metric, &inference->views[0]);
	else
		n3t_quality_of_several(quality, metric, inference->views, inference->nr);
	__set_bit(metric, inference->known);
}

/*
 * The errors of a set are found once for all of its metrics that follow each other, so those that
 * are expected do.
 */
static void infer_quality(struct inference *inference, unsigned int metric,
			  struct n3t_quality *quality)
{
	const s16 *set_of = inference->views[0].plan->set_of;
	unsigned int i;

	if (!test_bit(metric, inference->known) && set_of[metric] != N3T_NO_SET)
		for_each_set_bit(i, inference->expected, N3T_NR_METRICS)
			if (set_of[i] == set_of[metric])
				add_quality(inference, i);
	add_quality(inference, metric);
	*quality = inference->quality[metric];
}

/* The metrics of Topdown_L1 of a CPU. */
struct level_1 {
	int metrics[ANSWER_AREAS + 1];
	struct value values[ANSWER_AREAS + 1];
	size_t nr;
};

static const struct value *value_at(const void *data, int metric)
{
	const struct level_1 *level = data;

	for (size_t i = 0; i < level->nr; i++)
		if (level->metrics[i] == metric)
			return &level->values[i];
	return NULL;
}

/* Without errors, which would take a thousand times as long for many CPUs. */
static struct value value_of(const struct cpu_view *view, enum n3t_metric metric)
{
	struct n3t_ratio ratio;
	enum n3t_verdict verdict = n3t_metric_value(metric, view->state, view->plan, view->window,
						    &ratio);
	unsigned int decimals = n3t_metrics[metric].decimals;

	if (verdict != N3T_VALUE)
		return value_of_text(n3t_verdict_word(verdict));
	return (struct value) {
		.is_number = true, .number = n3t_ratio_scaled(&ratio, decimals) / pow(10, decimals),
	};
}

/* Return: the area, "mixed", or the word instead. */
static const char *area_of(const struct cpu_view *view)
{
	struct level_1 level = { 0 };
	struct answer answer;

	level.nr = path_below(-1, level.metrics, NR(level.metrics));
	for (size_t i = 0; i < level.nr; i++)
		level.values[i] = value_of(view, level.metrics[i]);
	answer_find(&answer, value_at, &level);
	if (answer.nr)
		return answer.nr > 1 ? ANSWER_MIXED : catalog_metric_name(answer.areas[0].metric);
	for (size_t i = 0; catalog_word(i); i++)
		if (!strcmp(catalog_word(i), answer.word))
			return catalog_word(i);
	return NO_VALUE;
}

static void count(struct infer_counts *counts, const char *name)
{
	size_t i = 0;

	while (i < counts->nr && strcmp(counts->v[i].name, name))
		i++;
	if (i == INFER_COUNTS)
		return;
	if (i == counts->nr)
		counts->v[counts->nr++] = (struct infer_count) { .name = name };
	counts->v[i].cpus++;
}

/* The largest first. */
static int compare_counts(const void *a, const void *b)
{
	const struct infer_count *first = a, *second = b;

	if (first->cpus != second->cpus)
		return first->cpus < second->cpus ? 1 : -1;
	return strcmp(first->name, second->name);
}

void infer_count(const struct inference *inference, struct infer_counts *counts)
{
	counts->nr = 0;
	for (unsigned int i = 0; i < inference->nr; i++)
		count(counts, area_of(&inference->views[i]));
	qsort(counts->v, counts->nr, sizeof(*counts->v), compare_counts);
}

static void add_metrics(int group, unsigned long *metrics)
{
	for (unsigned int i = 0; i < n3t_groups[group].nr_members; i++)
		__set_bit(n3t_groups[group].members[i], metrics);
}

bool infer_begin(struct source *source, const struct place *place, struct inference **inference)
{
	return begin_set(source, place, NULL, inference);
}

bool infer_expect(struct source *source, const char *name)
{
	DECLARE_BITMAP(metrics, N3T_NR_METRICS) = { 0 };
	int group = catalog_find_group(name);

	if (group < 0)
		return true;
	add_metrics(group, metrics);
	return expect_metrics(source, metrics);
}

char *infer_group(struct source *source, struct inference *inference, int group)
{
	struct n3t_quality quality;
	size_t at = 0;

	for (unsigned int i = 0; i < n3t_groups[group].nr_members; i++) {
		int metric = n3t_groups[group].members[i];

		infer_quality(inference, metric, &quality);
		at += n3t_quality_print(source->text + at, sizeof(source->text) - at, metric,
					&quality);
	}
	return source->text;
}

bool infer_file(struct source *source, const struct place *place, const char *name, char **text)
{
	int group = catalog_find_group(name);
	struct inference *inference;

	*text = NULL;
	if (group < 0)
		return true;
	if (!infer_expect(source, name) || !infer_begin(source, place, &inference))
		return false;
	if (inference)
		*text = infer_group(source, inference, group);
	return true;
}
