// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What the loaded module itself tells doctor: settings, states, counters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "doctor_module.h"
#include "finding.h"
#include "places.h"
#include "values.h"

#define FULL_BUDGET	6	/* the fewest that the core is built with */

static char text[MACHINE_MAX_TEXT];

static const char *cpus(unsigned int nr)
{
	return plural(nr, "CPU", "CPUs");
}

static const char *cpus_are(unsigned int nr)
{
	return plural(nr, "CPU is", "CPUs are");
}

static bool setting_is(const struct machine *machine, const char *name, const char *value)
{
	if (module_read(machine, name, text, sizeof(text)) < 0)
		return false;
	text[strcspn(text, "\n")] = '\0';
	return !strcmp(text, value);
}

bool doctor_settings(const struct machine *machine)
{
	bool enabled = !setting_is(machine, "enable", "0");
	long reserved = 0;
	char *value;

	if (!enabled)
		finding(FINDING_ERROR, "echo 1 > /sys/kernel/n3_telemetry/enable",
			"sampling is switched off");
	if (module_read(machine, "reserved_counters", text, sizeof(text)) > 0)
		reserved = strtol(text, NULL, 10);
	if (reserved > 0)
		finding(FINDING_NOTE, "echo 0 > /sys/kernel/n3_telemetry/reserved_counters",
			"%ld %s of each CPU %s left to others (reserved_counters)", reserved,
			plural(reserved, "counter", "counters"),
			plural(reserved, "is", "are"));
	if (module_read(machine, "spec", text, sizeof(text)) > 0) {
		value = value_of_key(text, "simulated");
		if (value && !strcmp(value, "1"))
			finding(FINDING_NOTE, "rmmod n3_telemetry; modprobe n3_telemetry",
				"the counts are simulated: the module was loaded with pmu=n3_sim");
		free(value);
	}
	if (module_read(machine, "status", text, sizeof(text)) > 0) {
		value = value_of_key(text, "switch");
		if (value && !strcmp(value, "perf"))
			finding(FINDING_WARNING, "dmesg | grep n3_telemetry",
				"counters cannot be switched in place: slices cost more");
		free(value);
	}
	return enabled;
}

struct census {
	unsigned int cpus;
	unsigned int sampling;
	unsigned int offline;
	unsigned int disabled;
	unsigned int unplaced;
	unsigned int contended;
	unsigned int implausible;
	unsigned int small_budget;
	long budget;			/* the smallest */
};

static void count_state(struct census *census, const char *state)
{
	census->sampling += !strcmp(state, "sampling");
	census->offline += !strcmp(state, "offline");
	census->disabled += !strcmp(state, "disabled");
	census->unplaced += !strcmp(state, "unplaced");
	census->contended += !strcmp(state, "contended");
}

static void look_at_cpu(const struct machine *machine, const char *name, struct census *census)
{
	char *path = format_string("%s/status", name);
	char *state, *budget;

	census->cpus++;
	if (module_read(machine, path, text, sizeof(text)) > 0) {
		state = value_of_key(text, "state");
		budget = value_of_key(text, "budget");
		if (state)
			count_state(census, state);
		if (state && budget && !strcmp(state, "sampling") &&
		    strtol(budget, NULL, 10) < FULL_BUDGET) {
			census->small_budget++;
			census->budget = strtol(budget, NULL, 10);
		}
		free(state);
		free(budget);
	}
	free(path);
	path = format_string("%s/topdown_l1", name);
	if (module_read(machine, path, text, sizeof(text)) > 0)
		census->implausible += !!strstr(text, " implausible");
	free(path);
}

static void report_census(const struct census *census)
{
	if (census->implausible)
		finding(FINDING_ERROR, "ask for a guest with all PMU events, or measure on the "
			"host",
			"on %u %s cycles advance but the events do not: a hypervisor accepts "
			"them and counts nothing",
			census->implausible, cpus(census->implausible));
	if (census->unplaced)
		finding(FINDING_ERROR, "n3stat doctor, as root, names who holds them",
			"on %u %s no counter is available", census->unplaced,
			cpus(census->unplaced));
	if (census->contended)
		finding(FINDING_WARNING,
			"stop the other user, or: echo share > /sys/kernel/n3_telemetry/contention",
			"on %u %s the counters were yielded because somebody else waits for them",
			census->contended, cpus(census->contended));
	if (census->small_budget)
		finding(FINDING_WARNING, "free counters (see below), then n3stat doctor again",
			"%u %s only %ld programmable %s: fewer metrics fit, and less often",
			census->small_budget,
			plural(census->small_budget, "CPU has", "CPUs have"), census->budget,
			plural(census->budget, "counter", "counters"));
	if (census->disabled)
		finding(FINDING_NOTE, "echo all > /sys/kernel/n3_telemetry/cpus",
			"%u %s not sampled: not chosen, isolated, or no N3",
			census->disabled, cpus_are(census->disabled));
	if (census->offline)
		finding(FINDING_NOTE, "echo 1 > /sys/devices/system/cpu/cpuN/online",
			"%u %s offline", census->offline, cpus_are(census->offline));
	if (census->sampling)
		finding(FINDING_OK, NULL, "%u of %u %s %s sampled", census->sampling,
			census->cpus, cpus(census->cpus),
			plural(census->sampling, "is", "are"));
	else
		finding(FINDING_ERROR, "cat /sys/kernel/n3_telemetry/cpu0/status",
			"not one of %u %s is sampled", census->cpus, cpus(census->cpus));
}

void doctor_places(const struct machine *machine)
{
	char **names = module_list(machine);
	struct census census = { 0 };
	struct place place;

	for (size_t i = 0; names[i]; i++)
		if (place_parse(names[i], &place) && place.scope == SCOPE_CPU)
			look_at_cpu(machine, names[i], &census);
	free_names(names);
	report_census(&census);
}
