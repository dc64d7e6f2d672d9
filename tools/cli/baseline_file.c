// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reader of baseline files; baseline.h describes the format. */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baseline.h"
#include "errors.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "lib/text.h"

#define MAX_SIZE	(16UL << 20)	/* bytes; a baseline of all metrics has about 50,000 */
#define MAX_METRICS	4096		/* per scope */
#define MAX_NAMES	1024		/* e.g. of hosts */

static void __noreturn refuse(const struct baseline *baseline, const char *key)
{
	die(ERR_DAMAGED_BASELINE, "%s: damaged baseline: bad or missing '%s'", baseline->name, key);
}

/* Return: the member; exits if it is missing or of another type. */
static json_object *get(const struct baseline *baseline, json_object *object, const char *key,
			json_type type)
{
	json_object *found;

	if (!json_object_object_get_ex(object, key, &found) || !json_object_is_type(found, type))
		refuse(baseline, key);
	return found;
}

static unsigned long get_count(const struct baseline *baseline, json_object *object,
			       const char *key)
{
	long long count = json_object_get_int64(get(baseline, object, key, json_type_int));

	if (count < 0 || count > 1000000000000LL)
		refuse(baseline, key);
	return (unsigned long)count;
}

/* Return: whether it is a number; json-c has a separate type for integers. */
static bool take_number(json_object *object, double *number)
{
	if (!json_object_is_type(object, json_type_double) &&
	    !json_object_is_type(object, json_type_int))
		return false;
	*number = json_object_get_double(object);
	return isfinite(*number);
}

/* The file is untrusted: keep control characters off the terminal. */
static char *text_of(json_object *object)
{
	char *text = xstrdup(json_object_get_string(object));

	plain_text(text);
	return text;
}

static char **get_names(const struct baseline *baseline, json_object *object, const char *key)
{
	json_object *list = get(baseline, object, key, json_type_array), *item;
	size_t nr = json_object_array_length(list);
	char **names;

	if (nr > MAX_NAMES)
		refuse(baseline, key);
	names = xreallocarray(NULL, nr + 1, sizeof(*names));
	for (size_t i = 0; i < nr; i++) {
		item = json_object_array_get_idx(list, i);
		if (!json_object_is_type(item, json_type_string))
			refuse(baseline, key);
		names[i] = text_of(item);
	}
	names[nr] = NULL;
	return names;
}

/* Percentiles must not decrease. */
static void read_percentiles(const struct baseline *baseline, struct baseline_metric *metric,
			     json_object *object)
{
	double last = -HUGE_VAL;
	json_object *found;
	char name[8];

	for (int i = 0; i < NR_PERCENTS; i++) {
		snprintf(name, sizeof(name), "p%u", percents[i]);
		metric->known[i] = json_object_object_get_ex(object, name, &found);
		if (!metric->known[i])
			continue;
		if (!take_number(found, &metric->v[i]) || metric->v[i] < last)
			refuse(baseline, metric->name);
		last = metric->v[i];
	}
}

static void read_metric(const struct baseline *baseline, struct baseline_metric *metric,
			const char *name, json_object *object)
{
	*metric = (struct baseline_metric) { 0 };
	if (!*name || strlen(name) >= VALUE_NAME || !json_object_is_type(object, json_type_object))
		refuse(baseline, "metrics");
	strcpy(metric->name, name);
	plain_text(metric->name);
	metric->values = get_count(baseline, object, "values");
	metric->independent = get_count(baseline, object, "independent");
	read_percentiles(baseline, metric, get(baseline, object, "percentiles", json_type_object));
}

static void read_scope(const struct baseline *baseline, struct baseline_scope *scope,
		       json_object *object)
{
	json_object *metrics = get(baseline, object, "metrics", json_type_object);
	struct json_object_iterator at = json_object_iter_begin(metrics);
	struct json_object_iterator end = json_object_iter_end(metrics);

	scope->places = get_count(baseline, object, "places");
	scope->snapshots = get_count(baseline, object, "snapshots");
	scope->independent = get_count(baseline, object, "independent");
	if (json_object_object_length(metrics) > MAX_METRICS)
		refuse(baseline, "metrics");
	scope->metrics = xreallocarray(NULL, (size_t)json_object_object_length(metrics),
				       sizeof(*scope->metrics));
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at))
		read_metric(baseline, &scope->metrics[scope->nr++], json_object_iter_peek_name(&at),
			    json_object_iter_peek_value(&at));
}

static void read_about(struct baseline *baseline, json_object *object)
{
	json_object *core, *window;

	baseline->hosts = get_names(baseline, object, "hosts");
	baseline->kernels = get_names(baseline, object, "kernels");
	baseline->pmus = get_names(baseline, object, "pmus");
	if (json_object_object_get_ex(object, "core", &core))
		baseline->core = text_of(get(baseline, object, "core", json_type_string));
	baseline->simulated = json_object_get_boolean(get(baseline, object, "simulated",
							  json_type_boolean));
	baseline->recordings = get_count(baseline, object, "recordings");
	if (!json_object_object_get_ex(object, "window_ms", &window) ||
	    !take_number(window, &baseline->window) || baseline->window <= 0)
		refuse(baseline, "window_ms");
	baseline->window /= 1000;
}

static void read_object(struct baseline *baseline, json_object *object)
{
	json_object *format, *scopes, *scope;

	if (!json_object_object_get_ex(object, "format", &format) ||
	    !json_object_is_type(format, json_type_string) ||
	    strcmp(json_object_get_string(format), BASELINE_FORMAT))
		die(ERR_NOT_A_BASELINE, "%s: not an n3stat baseline", baseline->name);
	if (get_count(baseline, object, "version") != BASELINE_VERSION)
		die(ERR_UNKNOWN_VERSION, "%s: a baseline of version %lu, this n3stat knows %d",
		    baseline->name, get_count(baseline, object, "version"), BASELINE_VERSION);
	read_about(baseline, object);
	scopes = get(baseline, object, "scopes", json_type_object);
	for (int i = 0; i < BASELINE_SCOPES; i++) {
		if (!json_object_object_get_ex(scopes, baseline_scope_names[i], &scope))
			continue;
		if (!json_object_is_type(scope, json_type_object))
			refuse(baseline, baseline_scope_names[i]);
		read_scope(baseline, &baseline->scopes[i], scope);
	}
}

/* Return: the text of the file, which the caller frees, and its length. */
static char *read_text(FILE *file, const char *name, size_t *size)
{
	char *text = NULL;
	size_t room = 0;

	*size = 0;
	do {
		room = room ? 2 * room : 65536;
		text = xreallocarray(text, room, 1);
		*size += fread(text + *size, 1, room - *size, file);
	} while (*size == room && room < MAX_SIZE);
	if (ferror(file))
		die(ERR_CANNOT_READ, "%s: %s", name, strerror(errno));
	if (*size == room)
		die(ERR_NOT_A_BASELINE, "%s: not an n3stat baseline: too large", name);
	return text;
}

static json_object *parse(const char *text, size_t size)
{
	json_tokener *tokener = json_tokener_new();
	json_object *object;

	if (!tokener)
		out_of_memory();
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	object = json_tokener_parse_ex(tokener, text, (int)size);
	if (json_tokener_get_error(tokener) != json_tokener_success) {
		json_object_put(object);
		object = NULL;
	}
	json_tokener_free(tokener);
	return object;
}

void baseline_read_stream(struct baseline *baseline, FILE *file, const char *name)
{
	json_object *object;
	size_t size;
	char *text = read_text(file, name, &size);

	*baseline = (struct baseline) { .name = plain_copy(name) };
	object = parse(text, size);
	free(text);
	if (!object || !json_object_is_type(object, json_type_object))
		die(ERR_NOT_A_BASELINE,
		    "%s: not an n3stat baseline; make one: n3stat baseline -o FILE REC",
		    name);
	read_object(baseline, object);
	json_object_put(object);
}

void baseline_read(struct baseline *baseline, const char *name)
{
	FILE *file = fopen(name, "re");

	if (!file)
		die(errno == EACCES ? ERR_PERMISSION_DENIED : ERR_CANNOT_READ,
		    "%s: %s", name, strerror(errno));
	baseline_read_stream(baseline, file, name);
	fclose(file);
}
