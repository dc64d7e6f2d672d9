// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * libn3telemetry without memory: reads the directories of the module and of /proc in the arguments
 * with the first, second, ... allocation failing. Prints the number of allocations.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libn3telemetry/about.h"
#include "libn3telemetry/busy.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/interval.h"
#include "libn3telemetry/path_read.h"
#include "libn3telemetry/who.h"
#include "libn3telemetry/window.h"

static unsigned long left;

/* Return: whether this allocation fails. */
static bool fails(void)
{
	return left && !--left;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size)
{
	return fails() ? NULL : __real_calloc(nr, size);
}

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

void *__real_reallocarray(void *array, size_t nr, size_t size);
void *__wrap_reallocarray(void *array, size_t nr, size_t size);
void *__wrap_reallocarray(void *array, size_t nr, size_t size)
{
	return fails() ? NULL : __real_reallocarray(array, nr, size);
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

char *__real_strndup(const char *text, size_t len);
char *__wrap_strndup(const char *text, size_t len);
char *__wrap_strndup(const char *text, size_t len)
{
	return fails() ? NULL : __real_strndup(text, len);
}

int __real_vasprintf(char **text, const char *format, va_list args);
int __wrap_vasprintf(char **text, const char *format, va_list args);
int __wrap_vasprintf(char **text, const char *format, va_list args)
{
	return fails() ? -1 : __real_vasprintf(text, format, args);
}

int __wrap_asprintf(char **text, const char *format, ...);
int __wrap_asprintf(char **text, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = __wrap_vasprintf(text, format, args);
	va_end(args);
	return len;
}

static bool read_interval(struct source *source, struct choice *choice, struct snapshot *snapshot)
{
	struct interval interval = { 0 };
	bool ok = interval_read(source, &interval, snapshot, choice) &&
		  interval_read(source, &interval, snapshot, choice);

	interval_free(&interval);
	return ok;
}

static bool read_busy(struct source *source, struct choice *choice, const char *proc)
{
	struct busy busy;
	bool ok = busy_start(source, &busy, proc, true) && busy_read(source, &busy, choice);

	busy_end(&busy);
	return ok;
}

static bool measure(struct source *source, const struct who_names *names, const char *proc)
{
	struct who who;
	bool ok = who_start(&source->failure, &who, names, proc) && who_measure(&who, who.last);

	who_free(&who);
	return ok;
}

static bool read_who(struct source *source, const char *proc)
{
	char cgroup[PATH_MAX];
	struct who_names names = {
		.pids = { "100" }, .nr_pids = 1, .comms = { "fast", "no such" }, .nr_comms = 1,
		.cgroups = { cgroup }, .nr_cgroups = 1,
	};

	snprintf(cgroup, sizeof(cgroup), "%s/../cg", proc);
	if (!measure(source, &names, proc))
		return false;
	names.nr_comms = 2;
	return !measure(source, &names, proc) && source->failure.kind == ERR_NO_SUCH_PROCESS;
}

static bool read_all(struct source *source, struct choice *choice, struct snapshot *snapshot,
		     const char *proc)
{
	bool has_system;
	double seconds;

	choice->quality = true;
	return source_about(source) && window_seconds(source, &seconds) &&
	       places_have_system(source, &has_system) &&
	       places_add(source, &choice->places, SCOPE_CPU, NULL) &&
	       choose_metric(source, choice, "ipc") &&
	       path_choose_groups(source, choice) &&
	       path_choose_bottleneck(source, choice) &&
	       choose_group(source, choice, "all") &&
	       snapshot_read(source, snapshot, choice) &&
	       read_interval(source, choice, snapshot) &&
	       read_busy(source, choice, proc) && read_who(source, proc) &&
	       !choose_metric(source, choice, "nonsense") &&
	       source->failure.kind == ERR_UNKNOWN_METRIC &&
	       !choose_group(source, choice, "nonsense") &&
	       source->failure.kind == ERR_UNKNOWN_GROUP;
}

/* Return: whether all succeeded, or failed for want of memory alone. */
static bool test(const char *root, const char *proc, bool *succeeded)
{
	static struct source source;
	struct snapshot snapshot = { 0 };
	struct choice choice = { 0 };
	bool ok = source_open(&source, root);

	*succeeded = ok && read_all(&source, &choice, &snapshot, proc);
	if (!*succeeded && source.failure.kind != ERR_OUT_OF_MEMORY)
		ok = false;
	snapshot_free(&snapshot);
	choice_free(&choice);
	source_close(&source);
	return ok;
}

int main(int argc, char **argv)
{
	bool succeeded = false;
	unsigned long nr;

	if (argc != 3 || !catalog_init())
		return EXIT_FAILURE;
	for (nr = 0; !succeeded; nr++) {
		left = nr + 1;
		if (!test(argv[1], argv[2], &succeeded) || succeeded != !!left) {
			fprintf(stderr, "allocation %lu\n", nr);
			return EXIT_FAILURE;
		}
	}
	printf("%lu\n", nr - 1);
	return EXIT_SUCCESS;
}
