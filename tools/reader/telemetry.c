// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The source of a program; errors of the library end the program. */

#include "lib/arguments.h"
#include "lib/errors.h"
#include "lib/machine_kernel.h"
#include "lib/privilege.h"
#include "libn3telemetry/about.h"
#include "libn3telemetry/catalog.h"
#include "telemetry.h"

struct source telemetry = { .root = SOURCE_DEFAULT };

static const struct letter_habit habits[] = {
	{ 'a', "per" },
	{ 'e', "metric" },
	{ 'G', "cgroup" },
	{ 'j', "json" },
	{ 'M', "metric" },
	{ 'p', "per" },
	{ 's', "seconds" },
	{ 0, NULL },
};

static void close_source(void)
{
	source_close(&telemetry);
}

void telemetry_start(void)
{
	arguments_set_habits(habits);
	atexit(close_source);
	if (!catalog_init())
		abort();	/* the tables are constant and tested */
}

/* Return: the command that helps, "" if none does. */
static const char *remedy(const struct error_kind *kind)
{
	if (kind == ERR_NO_MODULE && !machine_cpus(&this_machine).arm)
		return "; these are not Arm CPUs: read a copy from a machine with the N3";
	if (kind == ERR_NO_MODULE)
		return "; try: systemctl restart n3-telemetry, or: n3stat doctor";
	if (kind == ERR_PERMISSION_DENIED)
		return "; be root, or its owner";
	if (kind == ERR_UNKNOWN_GROUP)
		return " (-g; all groups: n3stat list groups)";
	if (kind == ERR_UNKNOWN_METRIC)
		return " (-m; all metrics: n3stat list metrics)";
	return "";
}

void must(bool ok)
{
	const struct failure *failure = &telemetry.failure;
	struct privilege missing;

	if (ok)
		return;
	if (!failure->kind)
		die(ERR_CANNOT_READ, "%s: unknown error", telemetry.root);
	if (!failure->text)
		out_of_memory();
	if (!failure->denied || !source_is_live(&telemetry))
		die(failure->kind, "%s%s", failure->text, remedy(failure->kind));
	missing = privilege_to_count(&this_machine);
	die(missing.kind, "%s; %s", failure->text, missing.advice);
}

const char *telemetry_read(const char *path)
{
	char *text;

	must(source_read(&telemetry, path, &text));
	return text;
}

size_t telemetry_list(const char *directory, char ***names)
{
	ssize_t nr = source_list_sorted(&telemetry, directory, names);

	must(nr >= 0);
	return nr;
}

double telemetry_window(void)
{
	double seconds;

	must(window_seconds(&telemetry, &seconds));
	return seconds;
}

bool telemetry_has_intervals(struct interval *interval, double seconds)
{
	double window = telemetry_window();

	interval->shortest = window / 2;
	return seconds > window;
}

static const struct about *about(void)
{
	const struct about *found = source_about(&telemetry);

	must(found);
	return found;
}

bool telemetry_is_simulated(void)
{
	return about()->simulated;
}

const char *telemetry_other_core(void)
{
	const char *core = about()->other_core;

	return *core ? core : NULL;
}

void xplaces_add_one(struct places *places, struct place place)
{
	if (!places_add_one(places, place))
		out_of_memory();
}
