// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Rule of the answer, and its texts. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "libn3t/n3t.h"
#include "answer.h"

#define MAX_BELOW	16
#define ROUNDING	0.000001	/* of percentages, in comparisons with limits */

/* Keeps the largest in descending order; equal ones in the order of the table of metrics. */
static void add_end(struct answer_end ends[ANSWER_ENDS], size_t *nr, struct answer_end end)
{
	size_t i = *nr < ANSWER_ENDS ? (*nr)++ : ANSWER_ENDS;

	for (; i > 0; i--) {
		const struct answer_end *before = &ends[i - 1];

		if (before->share.value > end.share.value ||
		    (before->share.value == end.share.value && before->metric < end.metric))
			break;
		if (i < ANSWER_ENDS)
			ends[i] = *before;
	}
	if (i < ANSWER_ENDS)
		ends[i] = end;
}

/* Differences up to this are none. */
static double margin(const struct path_share *a, const struct path_share *b)
{
	double sum = (isnan(a->error) ? 0 : a->error) + (isnan(b->error) ? 0 : b->error);

	return fmax(ANSWER_MARGIN, sum);
}

static bool is_close(const struct path_share *first, const struct path_share *other)
{
	return first->value - other->value <= margin(first, other) + ROUNDING;
}

/* What the rule reads, and the ends found so far: of all areas, and of one. */
struct search {
	path_value value;
	const void *data;
	struct answer *answer;
	int area;
	struct answer_end ends[ANSWER_ENDS];
	size_t nr;
};

static const struct value *number_of(const struct search *search, int metric)
{
	const struct value *value = search->value(search->data, metric);

	return value && value->is_number ? value : NULL;
}

/* Of a metric that has a value. */
static struct path_share share_of(const struct search *search, int metric)
{
	return path_of_value(search->value(search->data, metric));
}

static void take_end(struct search *search, int metric, const struct path_share *share, bool rest)
{
	const struct answer_end end = { metric, rest, *share };

	add_end(search->answer->losses, &search->answer->nr_losses, end);
	if (metric != search->area && share->value >= ANSWER_MINOR - ROUNDING)
		add_end(search->ends, &search->nr, end);
}

/* What no part names of a rest. Errors are treated as independent. */
static void subtract(struct path_share *rest, const struct path_share *part)
{
	double error = isnan(part->error) ? NAN : fmin(part->error, 100);

	rest->value -= fmin(fmax(part->value, 0), 100);
	rest->error = sqrt(rest->error * rest->error + error * error);
}

/* The ends at and below a metric with this share of all slots. */
static void find_ends(struct search *search, int metric, const struct path_share *share)
{
	struct path_share part, rest = { 100, 0 };
	bool divided = false;
	int below[MAX_BELOW];
	size_t nr = path_below(metric, below, MAX_BELOW);

	/* No end of a minor share matters. */
	for (size_t i = 0; i < nr && share->value >= ANSWER_MINOR - ROUNDING; i++) {
		const struct value *value = number_of(search, below[i]);

		if (!value)
			continue;
		divided = true;
		part = path_of_value(value);
		subtract(&rest, &part);
		part = path_part(share, &part);
		find_ends(search, below[i], &part);
	}
	part = path_part(share, &rest);
	take_end(search, metric, &part, divided);
}

/* First word in place of the values below an area; NULL if one has a value. */
static const char *word_below(const struct search *search, const int below[], size_t nr)
{
	const struct value *value;

	for (size_t i = 0; i < nr; i++)
		if (number_of(search, below[i]))
			return NULL;
	value = search->value(search->data, below[0]);
	return value ? value->text : NO_VALUE;
}

static void find_rest(struct answer_area *area)
{
	area->rest = area->share.value;
	for (size_t i = 0; i < area->nr_causes; i++)
		area->rest -= area->causes[i].share.value;
	if (area->rest < ANSWER_REST)
		area->rest = 0;
}

/* An area that is not divided is its own cause. */
static void be_own_cause(struct answer_area *area)
{
	area->causes[0] = (struct answer_end) { area->metric, false, area->share };
	area->nr_causes = 1;
}

static void find_causes(struct answer_area *area, const struct search *search)
{
	const struct answer_end *ends = search->ends;
	int below[MAX_BELOW];
	size_t nr = path_below(area->metric, below, MAX_BELOW);

	if (!nr) {
		be_own_cause(area);
		return;
	}
	if (area->share.value < ANSWER_MINOR - ROUNDING)
		return;
	area->word = word_below(search, below, nr);
	if (area->word || !search->nr)
		return;
	memcpy(area->causes, ends, sizeof(area->causes));
	area->spread = 2 * ends[0].share.value < area->share.value - ROUNDING ||
		       (search->nr > 1 && is_close(&ends[0].share, &ends[1].share));
	area->nr_causes = area->spread ? search->nr : 1;
	find_rest(area);
}

/* Areas that have lost anything, the largest first. */
static void rank(struct answer *answer, const struct search *search, const int roots[], size_t nr)
{
	struct answer_end areas[ANSWER_ENDS];
	size_t nr_areas = 0;

	for (size_t i = 0; i < nr; i++) {
		struct path_share share = share_of(search, roots[i]);

		if (roots[i] != N3T_METRIC_retiring && share.value >= 0)
			add_end(areas, &nr_areas, (struct answer_end) { roots[i], false, share });
	}
	for (size_t i = 0; i < nr_areas; i++)
		if (is_close(&areas[0].share, &areas[i].share))
			answer->areas[answer->nr++] = (struct answer_area) {
				.metric = areas[i].metric, .share = areas[i].share,
			};
}

static void be_retiring(struct answer *answer, const struct search *search)
{
	answer->nr = 1;
	answer->areas[0] = (struct answer_area) {
		.metric = N3T_METRIC_retiring, .share = share_of(search, N3T_METRIC_retiring),
	};
	be_own_cause(&answer->areas[0]);
}

static void drop_minor(struct answer *answer)
{
	if (answer->areas[0].metric != N3T_METRIC_retiring &&
	    answer->losses[0].share.value < ANSWER_MINOR)
		return;
	while (answer->nr_losses &&
	       answer->losses[answer->nr_losses - 1].share.value < ANSWER_MINOR)
		answer->nr_losses--;
}

/* Return: the first word instead of a value of Topdown_L1, or NULL. */
static const char *missing(const struct search *search, const int roots[], size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct value *value = search->value(search->data, roots[i]);

		if (!value || !value->is_number)
			return value ? value->text : NO_VALUE;
	}
	return NULL;
}

void answer_find(struct answer *answer, path_value value, const void *data)
{
	struct search search = { .value = value, .data = data, .answer = answer };
	int roots[MAX_BELOW];
	size_t nr = path_below(-1, roots, MAX_BELOW);

	*answer = (struct answer) { .word = missing(&search, roots, nr) };
	if (answer->word)
		return;
	rank(answer, &search, roots, nr);
	if (!answer->nr || share_of(&search, N3T_METRIC_retiring).value > ANSWER_RETIRING)
		be_retiring(answer, &search);
	for (size_t i = 0; i < nr; i++) {
		struct path_share share;

		if (roots[i] == N3T_METRIC_retiring)
			continue;
		share = share_of(&search, roots[i]);
		search.area = roots[i];
		search.nr = 0;
		find_ends(&search, roots[i], &share);
		for (size_t k = 0; k < answer->nr; k++)
			if (answer->areas[k].metric == roots[i])
				find_causes(&answer->areas[k], &search);
	}
	drop_minor(answer);
}

double answer_loss(const struct answer *answer)
{
	if (!answer->nr)
		return NAN;
	return answer->areas[0].metric == N3T_METRIC_retiring ? 0 : answer->areas[0].share.value;
}

/* Whether a metric is @end or above it. */
static bool leads_to(int metric, int end)
{
	int metrics[PATH_DEPTH];
	size_t nr = path_to(end, metrics);

	while (nr > 0)
		if (metrics[--nr] == metric)
			return true;
	return false;
}

bool answer_has(const struct answer *answer, int metric)
{
	for (size_t i = 0; i < answer->nr; i++) {
		const struct answer_area *area = &answer->areas[i];

		if (area->metric == metric)
			return true;
		for (size_t k = 0; k < area->nr_causes; k++)
			if (leads_to(metric, area->causes[k].metric))
				return true;
	}
	return false;
}

int answer_metric(const struct answer *answer, size_t i)
{
	const struct answer_area *area = &answer->areas[i];

	if (i >= answer->nr)
		return -1;
	return area->nr_causes && !area->spread ? area->causes[0].metric : area->metric;
}

/* A text of limited size. */
struct text {
	char *at;
	size_t room;
	bool full;
};

__printf(2, 3) static void add(struct text *text, const char *format, ...)
{
	va_list args;
	int len;

	if (text->full)
		return;
	va_start(args, format);
	len = vsnprintf(text->at, text->room, format, args);
	va_end(args);
	text->full = (size_t)len >= text->room;
	text->at += len;
	text->room -= len;
}

static void add_share(struct text *text, const char *name, size_t len,
		      const struct path_share *share)
{
	/* not "-0" */
	add(text, "%.*s %s%.0f%%", (int)len, name, isnan(share->error) ? "~" : "",
	    share->value + 0.0);
}

static bool is_own_cause(const struct answer_area *area)
{
	return area->nr_causes && area->causes[0].metric == area->metric;
}

static void add_cause(struct text *text, const struct answer_end *cause)
{
	add(text, "%s%s", cause->rest ? "rest of " : "", catalog_short_name(cause->metric));
}

/* The forms of mixed areas, the longest first. */
enum mixed { MIXED_CAUSES, MIXED_LETTERS, MIXED_AREAS, NR_MIXED };

/* With the largest cause of each. */
static void add_mixed(struct text *text, const struct answer *answer, enum mixed form)
{
	for (size_t i = 0; i < answer->nr; i++) {
		const struct answer_area *area = &answer->areas[i];
		const char *name = form == MIXED_LETTERS ? catalog_short_name(area->metric) :
				   catalog_metric_name(area->metric);

		add(text, "%s", i ? ", " : "mixed: ");
		add_share(text, name, strlen(name), &area->share);
		if (form == MIXED_AREAS || !area->nr_causes || is_own_cause(area))
			continue;
		add(text, " (");
		add_cause(text, area->causes);
		add(text, " %.0f)", area->causes[0].share.value);
	}
}

/* Why nothing below the area is known. */
static void add_why(struct text *text, const struct answer_area *area)
{
	const char *group = catalog_group(path_group(area->metric)).file;

	if (!strcmp(area->word, ANSWER_DISABLED))
		add(text, " (group %s is not chosen)", group);
	else
		add(text, " (%s: %s)", group, area->word);
}

static void add_causes(struct text *text, const struct answer_area *area)
{
	for (size_t i = 0; i < area->nr_causes && !is_own_cause(area); i++) {
		add(text, i ? ", " : ": ");
		add_cause(text, &area->causes[i]);
		add(text, " %.0f", area->causes[i].share.value);
	}
	if (area->rest)
		add(text, ", rest %.0f", area->rest);
}

void answer_long(char buffer[ANSWER_LONG], const struct answer *answer)
{
	struct text text = { buffer, ANSWER_LONG, answer->nr > 1 };
	const char *name;

	for (enum mixed form = 0; form < NR_MIXED && text.full; form++) {
		text = (struct text) { buffer, ANSWER_LONG, false };
		add_mixed(&text, answer, form);
	}
	if (answer->nr == 1) {
		name = catalog_metric_name(answer->areas[0].metric);
		add_share(&text, name, strlen(name), &answer->areas[0].share);
		if (answer->areas[0].word)
			add_why(&text, answer->areas);
		add_causes(&text, answer->areas);
	} else if (!answer->nr) {
		add(&text, "%s", answer->word);
	}
}

static void add_letters(struct text *text, const struct answer *answer, const char *lead)
{
	for (size_t i = 0; i < answer->nr; i++) {
		const char *name = catalog_short_name(answer->areas[i].metric);

		add(text, "%s", i ? " " : lead);
		add_share(text, name, strlen(name), &answer->areas[i].share);
	}
}

/* With its whole name, without "_bound", or with its letter. */
static void add_named(struct text *text, const struct answer_area *area, unsigned int shorter)
{
	const char *name = catalog_metric_name(area->metric), *bound = strstr(name, "_bound");
	size_t len = strlen(name);

	if (shorter == 1 && bound)
		len = bound - name;
	if (shorter > 1) {
		name = catalog_short_name(area->metric);
		len = strlen(name);
	}
	add_share(text, name, len, &area->share);
	if (!area->nr_causes || is_own_cause(area))
		return;
	add(text, " ");
	if (area->spread)
		add(text, "spread");
	else
		add_cause(text, area->causes);
}

/* The longest of the texts that fit. */
void answer_short(char buffer[ANSWER_SHORT], const struct answer *answer)
{
	struct text text = { buffer, ANSWER_SHORT, true };

	for (unsigned int shorter = 0; shorter < 3 && text.full; shorter++) {
		text = (struct text) { buffer, ANSWER_SHORT, false };
		if (!answer->nr)
			add(&text, "%s", answer->word);
		else if (answer->nr > 1)
			add_letters(&text, answer, shorter ? "" : "mixed ");
		else
			add_named(&text, answer->areas, shorter);
	}
}
