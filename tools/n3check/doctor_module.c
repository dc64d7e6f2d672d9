// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* doctor checks of the module: access, its PMU, settings and switching costs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"
#include "lib/keys.h"
#include "lib/machine.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "lib/privilege.h"
#include "lib/text.h"
#include "libn3telemetry/about.h"
#include "libn3telemetry/catalog.h"
#include "reader/notices.h"

#define MAX_NAMED	4	/* events, groups, metrics */
#define MAX_SHOWN	200	/* characters of an event list */

/* The module checks at each read; the mode permits everyone to open its files. */
static bool may_read_module(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	ssize_t len = module_read(machine, "status", text, sizeof(text));
	struct privilege missing;
	char *command;

	if (len != -EACCES && len != -EPERM)
		return true;
	missing = privilege_to_count(machine);
	command = privilege_command(machine, "n3stat doctor");
	finding(FINDING_ERROR, len == -EACCES ? "module_unreadable" : "no_cap_perfmon", command,
		"the module is loaded, but this process may not %s %s",
		len == -EACCES ? "open the files in" : "read, by its check of CAP_PERFMON,",
		machine->module);
	finding(FINDING_NOTE, missing.kind->id, NULL, "%s", missing.advice);
	free(command);
	return false;
}

bool doctor_module(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];

	if (machine->has_module) {
		if (!may_read_module(machine))
			return false;
		finding(FINDING_OK, "module_loaded", NULL, "the module is loaded");
		return true;
	}
	machine_read(machine, "/proc/modules", text, sizeof(text));
	if (!strncmp(text, "n3_telemetry ", 13) || strstr(text, "\nn3_telemetry ")) {
		finding(FINDING_ERROR, "no_sysfs", NULL,
			"the module is loaded, but there is no %s", machine->module);
		return false;
	}
	/* The module is for arm64 alone. */
	if (!machine_is_known(machine) || machine_cpus(machine).arm)
		doctor_install(machine);
	return false;
}

static void check_pmu(const char *spec)
{
	size_t len = 0;
	const char *pmu = find_value(spec, "pmu", &len);

	if (spec_is_simulated(spec))
		finding(FINDING_NOTE, "pmu_simulated", NULL,
			"the counts are simulated: the module was loaded with pmu=n3_sim");
	else if (key_has(spec, "named", "1"))
		finding(FINDING_NOTE, "pmu_named", NULL,
			"the PMU was named at load (pmu=%.*s): its events are taken for those of "
			"a Neoverse N3", (int)(len < 64 ? len : 64), pmu ? pmu : "");
}

static void check_core(const char *spec)
{
	size_t len, name;
	const char *core = other_core_of(spec, &len), *more;

	if (!core)
		return;
	name = (const char *)memmem(core, len, OTHER_CORE, strlen(OTHER_CORE)) - core;
	more = core + name + strlen(OTHER_CORE);
	finding(FINDING_WARNING, "other_core", NULL,
		"the module was loaded with core= for %.*s. Numbers are for rehearsal only%.*s",
		(int)name, core, (int)(core + len - more), more);
}

/* Appends the first MAX_NAMED of the names, counted by *nr. */
static void append_name(char **names, unsigned int *nr, const char *name, size_t len)
{
	if ((*nr)++ < MAX_NAMED)
		append_text(names, ", ", "%.*s", (int)(len < 64 ? len : 64), name);
}

static const char *ellipsis(unsigned int nr)
{
	return nr > MAX_NAMED ? ", ..." : "";
}

/* Events in the file spec that PMCEID reports as absent, without distrusted ones. */
static void check_pmceid(const struct machine *machine, const char *spec)
{
	char *missing = value_of_key(spec, "pmceid_missing"), *names = xstrdup("");
	char distrusted[MACHINE_MAX_TEXT];
	unsigned int nr = 0;
	size_t len;

	module_read(machine, "distrust", distrusted, sizeof(distrusted));
	for (const char *word = missing; word && *word; word += len + (word[len] == ' ')) {
		len = strcspn(word, " ");
		if (len && !words_have(distrusted, word, len))
			append_name(&names, &nr, word, len);
	}
	if (nr && strcmp(missing, "none") && !spec_is_simulated(spec))
		finding(FINDING_NOTE, "events_hidden", NULL,
			"PMCEID does not list %u %s (%s%s): hidden by a hypervisor; their counts "
			"may be 0 or correct", nr, plural(nr, "event", "events"), names,
			ellipsis(nr));
	free(names);
	free(missing);
}

/* The next line "group NAME stage N ..." of the file spec. Return: its name, or NULL. */
static const char *next_group(const char *spec, size_t *len)
{
	for (const char *line = spec; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, "group ", 6))
			continue;
		line += 6;
		*len = strcspn(line, " \n");
		if (!strncmp(line + *len, " stage ", 7))
			return line;
	}
	return NULL;
}

static void check_groups(const struct machine *machine, const char *spec)
{
	char chosen[MACHINE_MAX_TEXT];
	char *command, *names = xstrdup("");
	unsigned int nr = 0;
	size_t len;

	if (module_read(machine, "groups", chosen, sizeof(chosen)) <= 0)
		spec = "";
	for (const char *name = spec; (name = next_group(name, &len)); name += len)
		if (!words_have(chosen, name, len))
			append_name(&names, &nr, name, len);
	if (nr) {
		command = groups_command(chosen, NULL, 0);
		finding(FINDING_NOTE, "groups_not_chosen", command,
			"%u %s not chosen (groups); metrics that only %s are disabled: %s%s", nr,
			plural(nr, "group is", "groups are"), plural(nr, "it has", "they have"),
			names, ellipsis(nr));
		free(command);
	}
	free(names);
}

/*
 * Metrics that depend on any of the events. Return: their number; names in *names, which the caller
 * frees.
 */
static unsigned int metrics_of(const char *events, char **names)
{
	unsigned int nr = 0;

	*names = xstrdup("");
	for (int i = 0; i < catalog_nr_metrics(); i++) {
		struct catalog_metric metric = catalog_metric(i);
		bool needs = false;

		for (size_t k = 0; k < metric.nr_events; k++) {
			const char *name = catalog_event(metric.events[k]).name;

			needs |= words_have(events, name, strlen(name));
		}
		if (needs)
			append_name(names, &nr, metric.name, strlen(metric.name));
	}
	return nr;
}

/* Effect of the setting distrust. */
static void check_distrust(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	size_t events = 1;
	unsigned int nr;
	char *names;
	int shown;

	if (module_read(machine, "distrust", text, sizeof(text)) <= 0)
		return;
	text[strcspn(text, "\n")] = '\0';
	if (!*text || !strcmp(text, "none"))
		return;
	nr = metrics_of(text, &names);
	for (const char *at = text; (at = strchr(at, ' ')); at++)
		events++;
	shown = strnlen(text, MAX_SHOWN);
	while (text[shown] && text[shown] != ' ')
		shown--;
	finding(FINDING_NOTE, "events_distrusted", NULL,
		"%zu %s distrusted (distrust): %.*s%s; %u %s unsupported%s%s%s", events,
		plural(events, "event is", "events are"), shown, text,
		text[shown] ? " ..." : "", nr, plural(nr, "metric is", "metrics are"),
		nr ? ": " : "", names, ellipsis(nr));
	free(names);
}

bool doctor_settings(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT], spec[MACHINE_MAX_TEXT];
	bool enabled;

	module_read(machine, "enable", text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	enabled = strcmp(text, "0");
	if (!enabled)
		finding(FINDING_ERROR, "sampling_disabled", NULL,
			"sampling is switched off");
	module_read(machine, "spec", spec, sizeof(spec));
	check_pmu(spec);
	check_pmceid(machine, spec);
	check_core(spec);
	check_groups(machine, spec);
	check_distrust(machine);
	/* No method has been tried before sampling started. */
	module_read(machine, "status", text, sizeof(text));
	if (enabled && key_has(text, "switch", "perf"))
		finding(FINDING_WARNING, "no_direct_access", NULL,
			"counters cannot be switched in place: slices cost more");
	return enabled;
}
