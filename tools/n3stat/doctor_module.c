// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What the loaded module itself tells doctor: settings, states, counters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "doctor.h"
#include "places.h"
#include "values.h"

#define FULL_BUDGET	6	/* the fewest that the core is built with */

static char text[DOCTOR_TEXT];

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
	char *value;

	if (!enabled)
		finding(FINDING_ERROR, "echo 1 > /sys/kernel/n3_telemetry/enable",
			"sampling is switched off");
	if (module_read(machine, "reserved_counters", text, sizeof(text)) > 0 &&
	    strtol(text, NULL, 10) > 0)
		finding(FINDING_NOTE, "echo 0 > /sys/kernel/n3_telemetry/reserved_counters",
			"%ld counters of each CPU are left to others (reserved_counters)",
			strtol(text, NULL, 10));
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
			"on %u CPUs cycles advance but the events do not: a hypervisor accepts "
			"them and counts nothing",
			census->implausible);
	if (census->unplaced)
		finding(FINDING_ERROR, "n3stat doctor, as root, names who holds them",
			"on %u CPUs there is no counter to be had", census->unplaced);
	if (census->contended)
		finding(FINDING_WARNING,
			"stop the other user, or: echo share > /sys/kernel/n3_telemetry/contention",
			"on %u CPUs the counters were given away because somebody else waits for "
			"them",
			census->contended);
	if (census->small_budget)
		finding(FINDING_WARNING, "free counters (see below), then n3stat doctor again",
			"%u CPUs have only %ld programmable counters: fewer metrics fit, and "
			"less often",
			census->small_budget, census->budget);
	if (census->disabled)
		finding(FINDING_NOTE, "echo all > /sys/kernel/n3_telemetry/cpus",
			"%u CPUs are not sampled: not chosen, isolated, or no N3",
			census->disabled);
	if (census->offline)
		finding(FINDING_NOTE, "echo 1 > /sys/devices/system/cpu/cpuN/online",
			"%u CPUs are off line", census->offline);
	if (census->sampling)
		finding(FINDING_OK, NULL, "%u of %u CPUs are sampled", census->sampling,
			census->cpus);
	else
		finding(FINDING_ERROR, "cat /sys/kernel/n3_telemetry/cpu0/status",
			"not one of %u CPUs is sampled", census->cpus);
}

void doctor_places(const struct machine *machine)
{
	char **names = module_list(machine);
	struct census census = { 0 };
	struct place place;

	for (size_t i = 0; names[i]; i++)
		if (place_parse(names[i], &place) && place.scope == SCOPE_CPU)
			look_at_cpu(machine, names[i], &census);
	machine_free_names(names);
	report_census(&census);
}
