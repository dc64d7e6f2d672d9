// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* doctor checks: sampling state of the CPUs, with the causes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/cpu_list.h"
#include "lib/finding.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/text.h"
#include "libn3t/pace.h"
#include "libn3telemetry/about.h"
#include "libn3telemetry/places.h"
#include "reader/advice.h"

/* With the PMU to itself, a slice costs a tenth of it. */
#define SLOW_NS		50000
/* The longest that a yield takes unless real-time tasks delay it, see yield_due_ms in the ABI. */
#define YIELD_MS	20
/* In % of all slots: the module counts millionths in 32 bits. */
#define MAX_SLOTS_ERROR	(UINT32_MAX / 1e4)
#define SETTINGS	"/sys/kernel/n3_telemetry/"

struct census {
	unsigned int cpus;
	unsigned int sampling;
	unsigned int offline;
	unsigned int unplaced;
	unsigned int contended;		/* for any reason */
	unsigned int user_access;	/* of those, because user space may read counters */
	unsigned int power;		/* of those, because power-downs are too expensive */
	unsigned int unsupported;
	unsigned int starved;
	unsigned int late;		/* with a yield that has not happened */
	long late_ms;			/* longest of these */
	unsigned int implausible;
	unsigned int inconsistent;
	unsigned int slots_violated;	/* since the first windows */
	double slots_error;		/* largest of these CPUs, in % of all slots; 0 if unknown */
	unsigned int withdrawn;		/* metrics of which have no totals */
	char *withdrawn_metric;		/* one of them */
	unsigned int small_budget;
	unsigned int slow;		/* slices extended because of their cost */
	long slice_ms, slice_ns;	/* longest slice of these CPUs */
	long budget;			/* smallest one */
	long counters;			/* of the PMU; 0 if unknown */
	long reserved;			/* setting reserved_counters */
	bool disabled[MAX_PLACES];
};

static const char *cpus(unsigned int nr)
{
	return plural(nr, "CPU", "CPUs");
}

static const char *cpus_are(unsigned int nr)
{
	return plural(nr, "CPU is", "CPUs are");
}

static void count_state(struct census *census, unsigned int cpu, const char *state)
{
	census->sampling += !strcmp(state, "sampling");
	census->offline += !strcmp(state, "offline");
	census->unplaced += !strcmp(state, "unplaced");
	census->unsupported += !strcmp(state, "unsupported");
	census->contended += !strcmp(state, "contended");
	census->disabled[cpu] = !strcmp(state, "disabled");
}

static void count_reason(struct census *census, const char *status)
{
	char *reason = value_of_key(status, "reason");

	census->user_access += reason && !strcmp(reason, "user_access");
	census->power += reason && !strcmp(reason, "power");
	free(reason);
}

static void count_budget(struct census *census, const char *state, long budget, long counters)
{
	if (strcmp(state, "sampling") || budget >= FULL_BUDGET)
		return;
	if (!census->small_budget++ || budget < census->budget) {
		census->budget = budget;
		census->counters = counters;
	}
}

/* Return: the number after the key in the file status, 0 if absent. */
static long number_of(const char *status, const char *key)
{
	char *value = value_of_key(status, key);
	long number = value ? strtol(value, NULL, 10) : 0;

	free(value);
	return number;
}

static void count_slow(struct census *census, const char *status)
{
	char *reason = value_of_key(status, "slice_reason");
	long slice_ns = number_of(status, "slice_cost_ns");
	long slice_ms = number_of(status, "slice_ms");

	/* 0: the CPU is not sampled now. */
	if (slice_ms && reason && strcmp(reason, "slice_ms") && slice_ns >= SLOW_NS) {
		census->slow++;
		if (slice_ms > census->slice_ms) {
			census->slice_ms = slice_ms;
			census->slice_ns = slice_ns;
		}
	}
	free(reason);
}

static void count_slots(struct census *census, const char *status)
{
	char *identity = value_of_key(status, "slots_identity");
	char *text_of_error = value_of_key(status, "slots_error");
	/* 0 for "none" */
	double error = text_of_error ? strtod(text_of_error, NULL) : 0;

	if (identity && !strcmp(identity, "violated")) {
		census->slots_violated++;
		/* A copy may have any text. */
		if (error > census->slots_error && error <= MAX_SLOTS_ERROR)
			census->slots_error = error;
	}
	free(text_of_error);
	free(identity);
}

static void count_withdrawn(struct census *census, const char *status)
{
	if (number_of(status, "withdrawn") <= 0)
		return;
	census->withdrawn++;
	if (!census->withdrawn_metric)
		census->withdrawn_metric = value_of_key(status, "withdrawn_metric");
}

static void count_late(struct census *census, const char *status)
{
	long due_ms = number_of(status, "yield_due_ms");

	if (due_ms <= YIELD_MS)
		return;
	census->late++;
	if (due_ms > census->late_ms)
		census->late_ms = due_ms;
}

/* Stale because slices do not complete, not because the window is new. */
static bool is_starved(const char *status, const char *words)
{
	return number_of(status, "age_ms") > N3T_STARVED_SLICES * number_of(status, "slice_ms") &&
	       strstr(words, " stale");
}

static void look_at_cpu(const struct machine *machine, const struct place *place,
			struct census *census)
{
	char text[MACHINE_MAX_TEXT], topdown[MACHINE_MAX_TEXT];
	char *path = format_string("%s/status", place->name);
	char *state;

	census->cpus++;
	text[0] = '\0';
	if (module_read(machine, path, text, sizeof(text)) > 0) {
		state = value_of_key(text, "state");
		if (state)
			count_state(census, place->id, state);
		if (state && strstr(text, "\nbudget "))
			count_budget(census, state, number_of(text, "budget"),
				     number_of(text, "counters"));
		count_slow(census, text);
		count_slots(census, text);
		count_withdrawn(census, text);
		count_late(census, text);
		/* The CPU may have yielded since its state was read. */
		if (state && !strcmp(state, "contended"))
			count_reason(census, text);
		free(state);
	}
	free(path);
	path = format_string("%s/topdown_l1", place->name);
	if (module_read(machine, path, topdown, sizeof(topdown)) > 0) {
		census->starved += is_starved(text, topdown);
		census->implausible += !!strstr(topdown, " implausible");
		census->inconsistent += !!strstr(topdown, " inconsistent");
	}
	free(path);
}

static void take_census(const struct machine *machine, struct census *census)
{
	char text[MACHINE_MAX_TEXT];
	char **names = module_list(machine);
	struct place place;

	if (module_read(machine, "reserved_counters", text, sizeof(text)) > 0)
		census->reserved = strtol(text, NULL, 10);
	for (size_t i = 0; names[i]; i++)
		if (place_parse(names[i], &place) && place.scope == SCOPE_CPU)
			look_at_cpu(machine, &place, census);
	free_names(names);
}

enum cause { NOT_CHOSEN, ISOLATED, NOT_COVERED, NR_CAUSES };

static void report_cause(enum cause cause, unsigned int nr, const bool *wanted)
{
	static const char * const reasons[] = {
		[NOT_CHOSEN] = "not chosen (cpus)",
		[ISOLATED] = "isolated, and not named in cpus",
		[NOT_COVERED] = "not covered: no Neoverse N3, or no PMU for it",
	};
	static const char * const ids[] = {
		[NOT_CHOSEN] = "cpus_not_chosen",
		[ISOLATED] = "cpus_isolated",
		[NOT_COVERED] = "cpus_not_covered",
	};
	char *list, *command = NULL;

	if (!nr)
		return;
	if (cause != NOT_COVERED) {
		list = cpu_list_text(wanted);
		command = format_string("echo %s > " SETTINGS "cpus", list);
		free(list);
	}
	finding(FINDING_NOTE, ids[cause],
		command, "%u %s not sampled: %s", nr, cpus_are(nr), reasons[cause]);
	free(command);
}

/* Each proposed list includes the CPUs of the previous ones. */
static void report_disabled(const struct machine *machine, const struct census *census)
{
	char text[MACHINE_MAX_TEXT];
	bool wanted[MAX_PLACES] = { false }, isolated[MAX_PLACES] = { false };
	unsigned int nr[NR_CAUSES] = { 0 };
	enum cause causes[MAX_PLACES];

	module_read(machine, "cpus", text, sizeof(text));
	if (cpu_list_parse(text, wanted))
		return;
	machine_read(machine, "/sys/devices/system/cpu/isolated", text, sizeof(text));
	cpu_list_parse(text, isolated);
	machine_read(machine, "/sys/devices/system/cpu/nohz_full", text, sizeof(text));
	cpu_list_parse(text, isolated);
	machine_read(machine, "/sys/fs/cgroup/cpuset.cpus.isolated", text, sizeof(text));
	cpu_list_parse(text, isolated);
	for (unsigned int cpu = 0; cpu < MAX_PLACES; cpu++) {
		causes[cpu] = wanted[cpu] ? NOT_COVERED : isolated[cpu] ? ISOLATED : NOT_CHOSEN;
		nr[causes[cpu]] += census->disabled[cpu];
	}
	for (enum cause cause = 0; cause < NR_CAUSES; cause++) {
		for (unsigned int cpu = 0; cpu < MAX_PLACES; cpu++)
			wanted[cpu] |= census->disabled[cpu] && causes[cpu] == cause;
		report_cause(cause, nr[cause], wanted);
	}
}

static void report_unplaced(const struct census *census)
{
	if (census->unplaced && census->reserved > 0)
		finding(FINDING_ERROR, "all_counters_reserved", NULL,
			"on %u %s reserved_counters (%ld) leaves no counter", census->unplaced,
			cpus(census->unplaced), census->reserved);
	else if (census->unplaced)
		finding(FINDING_ERROR, "no_counter_available", NULL,
			"on %u %s no counter is available", census->unplaced,
			cpus(census->unplaced));
	else if (census->reserved > 0)
		finding(FINDING_NOTE, "counters_reserved", NULL,
			"%ld %s of each CPU %s left to others (reserved_counters)",
			census->reserved, plural(census->reserved, "counter", "counters"),
			plural(census->reserved, "is", "are"));
}

static void report_inconsistent(const struct census *census)
{
	if (census->inconsistent)
		finding(FINDING_ERROR, "stall_slots_inconsistent", NULL,
			"on %u %s STALL_SLOT contradicts STALL_SLOT_FRONTEND and STALL_SLOT_BACKEND, or "
			"OP_SPEC: values that use them are inconsistent. A hypervisor may hide one of "
			"them", census->inconsistent, cpus(census->inconsistent));
}

static void report_slots(const struct census *census)
{
	char *error;

	if (!census->slots_violated)
		return;
	error = census->slots_error > 0 ?
		format_string(" (up to %.1f %% off)", census->slots_error) : NULL;
	finding(FINDING_ERROR, "slots_identity_violated", NULL,
		"on %u %s OP_SPEC and STALL_SLOT have never added up to all slots%s: do not trust "
		"topdown_l1 there, its events count wrongly", census->slots_violated,
		cpus(census->slots_violated), error ? error : "");
	free(error);
}

static void report_withdrawn(struct census *census)
{
	if (census->withdrawn)
		finding(FINDING_WARNING, "metrics_withdrawn", NULL,
			"on %u %s counts were wrong, so metrics such as %s have no totals until an hour "
			"without the fault", census->withdrawn, cpus(census->withdrawn),
			census->withdrawn_metric ? census->withdrawn_metric : "all");
	free(census->withdrawn_metric);
}

static void report_unsupported(const struct census *census)
{
	if (census->unsupported)
		finding(FINDING_ERROR, "all_events_distrusted", NULL,
			"on %u %s nothing is left to count: all selected metrics need distrusted events",
			census->unsupported, cpus(census->unsupported));
}

static void report_user_access(const struct census *census)
{
	if (census->user_access)
		finding(FINDING_WARNING, "user_access_seen", NULL,
			"%u %s not sampled since a task was seen that may read counters from user "
			"space", census->user_access, cpus_are(census->user_access));
}

static void report_power(const struct census *census)
{
	if (census->power)
		finding(FINDING_WARNING, "yielded_for_power", NULL,
			"on %u %s the counters were yielded because to stop and start them "
			"whenever the CPU goes idle costs more than max_cost", census->power,
			cpus(census->power));
}

static void report_contended(const struct machine *machine, const struct census *census)
{
	char text[MACHINE_MAX_TEXT];
	unsigned int nr = census->contended - census->user_access - census->power;
	bool shared;

	if (!nr)
		return;
	module_read(machine, "contention", text, sizeof(text));
	shared = !strncmp(text, "share", 5);
	finding(FINDING_WARNING, "yielded_to_others",
		shared ? advice_fix("shared_with_others") : NULL,
		"on %u %s the counters were yielded because another user waits for them",
		nr, cpus(nr));
}

/* The PMU itself is too small: the budget and reserved_counters cover all its counters. */
static bool is_pmu_small(const struct census *census)
{
	return census->counters && census->counters < FULL_BUDGET &&
	       census->counters <= census->budget + census->reserved;
}

static void report_small_budget(const struct machine *machine, const struct census *census,
				bool others)
{
	char text[MACHINE_MAX_TEXT];
	const char *command = advice_fix("few_counters_unknown");
	const char *cause = NULL;

	/* The number of simulated counters was chosen when the module was loaded. */
	if (module_read(machine, "spec", text, sizeof(text)) > 0 && spec_is_simulated(text)) {
		command = NULL;
	} else if (is_pmu_small(census) || pmu_is_partitioned(machine)) {
		cause = pmu_counters_cause(machine);
		command = pmu_counters_command(machine);
	}
	if (census->budget + census->reserved >= FULL_BUDGET)
		command = advice_fix("counters_reserved");
	else if (others && !cause)
		command = advice_fix("few_counters_taken");
	finding(FINDING_WARNING, "few_counters", command,
		"%u %s only %ld programmable %s: fewer metrics fit, and less often%s%s",
		census->small_budget, plural(census->small_budget, "CPU has", "CPUs have"),
		census->budget, plural(census->budget, "counter", "counters"),
		cause ? "; " : "", cause ? cause : "");
}

static void report_slow(const struct census *census)
{
	finding(FINDING_NOTE, "long_slices", NULL,
		"on %u %s slices are long, %ld ms, since one takes %ld us, as where accesses to "
		"the PMU trap to a hypervisor",
		census->slow, cpus(census->slow), census->slice_ms, census->slice_ns / 1000);
}

static void report_starved(const struct census *census)
{
	finding(FINDING_WARNING, "starved_slices", NULL,
		"on %u %s no slice ends, though %s busy: a real-time task leaves the kernel's "
		"threads no time there", census->starved, cpus(census->starved),
		plural(census->starved, "it is", "they are"));
}

static void report_late(const struct census *census)
{
	if (census->late)
		finding(FINDING_WARNING, "yield_late", NULL,
			"on %u %s the counters should have been yielded up to %ld ms ago: real-time "
			"tasks delay that", census->late, cpus(census->late), census->late_ms);
}

void doctor_cpus(const struct machine *machine, bool others)
{
	struct census census = { 0 };

	take_census(machine, &census);
	if (census.implausible)
		finding(FINDING_ERROR, "events_implausible", NULL,
			"on %u %s cycles advance and events that must advance with them do not: a "
			"hypervisor accepts them and does not count them",
			census.implausible, cpus(census.implausible));
	report_inconsistent(&census);
	report_slots(&census);
	report_withdrawn(&census);
	report_unplaced(&census);
	report_unsupported(&census);
	report_user_access(&census);
	report_power(&census);
	report_contended(machine, &census);
	report_late(&census);
	if (census.small_budget)
		report_small_budget(machine, &census, others);
	if (census.slow)
		report_slow(&census);
	if (census.starved)
		report_starved(&census);
	report_disabled(machine, &census);
	if (census.offline)
		finding(FINDING_NOTE, "cpus_offline", NULL,
			"%u %s offline", census.offline, cpus_are(census.offline));
	if (census.sampling > census.starved)
		finding(FINDING_OK, "cpus_sampled", NULL, "%u of %u %s %s sampled",
			census.sampling - census.starved, census.cpus, cpus(census.cpus),
			plural(census.sampling - census.starved, "is", "are"));
	else
		finding(FINDING_ERROR, "no_cpu_sampled", NULL,
			"not one of %u %s is sampled", census.cpus, cpus(census.cpus));
}
