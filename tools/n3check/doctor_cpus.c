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
	unsigned int slots_missing;	/* and right if the erratum were corrected */
	unsigned int slots_needless;	/* and right if it were not */
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

/* A finding on a number of CPUs, unless that is 0. */
static void __printf(4, 5) cpus_finding(enum severity severity, const char *id, unsigned int nr,
					const char *format, ...)
{
	va_list args;
	char *text;

	if (!nr)
		return;
	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	finding(severity, id, NULL, "on %u %s %s", nr, cpus(nr), text);
	free(text);
}

static void count_state(struct census *census, unsigned int cpu, const char *status)
{
	census->sampling += key_has(status, "state", "sampling");
	census->offline += key_has(status, "state", "offline");
	census->unplaced += key_has(status, "state", "unplaced");
	census->unsupported += key_has(status, "state", "unsupported");
	census->disabled[cpu] = key_has(status, "state", "disabled");
	/* Other CPUs may have the reason of an earlier yield. */
	if (!key_has(status, "state", "contended"))
		return;
	census->contended++;
	census->user_access += key_has(status, "reason", "user_access");
	census->power += key_has(status, "reason", "power");
}

static void count_budget(struct census *census, const char *status)
{
	long budget = number_of_key(status, "budget");
	size_t len;

	if (!key_has(status, "state", "sampling") || !find_value(status, "budget", &len) ||
	    budget >= FULL_BUDGET)
		return;
	if (!census->small_budget++ || budget < census->budget) {
		census->budget = budget;
		census->counters = number_of_key(status, "counters");
	}
}

static void count_slow(struct census *census, const char *status)
{
	long slice_ns = number_of_key(status, "slice_cost_ns");
	long slice_ms = number_of_key(status, "slice_ms");
	size_t len;

	/* 0: the CPU is not sampled now. */
	if (!slice_ms || !find_value(status, "slice_reason", &len) ||
	    key_has(status, "slice_reason", "slice_ms") || slice_ns < SLOW_NS)
		return;
	census->slow++;
	if (slice_ms > census->slice_ms) {
		census->slice_ms = slice_ms;
		census->slice_ns = slice_ns;
	}
}

static void count_slots(struct census *census, const char *status)
{
	size_t len;
	const char *text = find_value(status, "slots_error", &len);
	/* 0 for "none" */
	double error = text ? strtod(text, NULL) : 0;

	if (!key_has(status, "slots_identity", "violated"))
		return;
	if (key_has(status, "corrected", "none other_fits"))
		census->slots_missing++;
	else if (key_has(status, "corrected", "STALL_SLOT STALL_SLOT_FRONTEND other_fits"))
		census->slots_needless++;
	else
		census->slots_violated++;
	/* A copy may have any text. */
	if (error > census->slots_error && error <= MAX_SLOTS_ERROR)
		census->slots_error = error;
}

static void count_withdrawn(struct census *census, const char *status)
{
	if (number_of_key(status, "withdrawn") <= 0)
		return;
	census->withdrawn++;
	if (!census->withdrawn_metric)
		census->withdrawn_metric = value_of_key(status, "withdrawn_metric");
}

static void count_late(struct census *census, const char *status)
{
	long due_ms = number_of_key(status, "yield_due_ms");

	census->late += due_ms > YIELD_MS;
	if (due_ms > census->late_ms)
		census->late_ms = due_ms;
}

/* Stale because slices do not complete, not because the window is new. */
static bool is_starved(const char *status, const char *words)
{
	long slice_ms = number_of_key(status, "slice_ms");

	return number_of_key(status, "age_ms") > N3T_STARVED_SLICES * slice_ms &&
	       strstr(words, " stale");
}

static void look_at_cpu(const struct machine *machine, const struct place *place,
			struct census *census)
{
	char status[MACHINE_MAX_TEXT], topdown[MACHINE_MAX_TEXT];
	char *path = format_string("%s/status", place->name);

	census->cpus++;
	module_read(machine, path, status, sizeof(status));
	count_state(census, place->id, status);
	count_budget(census, status);
	count_slow(census, status);
	count_slots(census, status);
	count_withdrawn(census, status);
	count_late(census, status);
	free(path);
	path = format_string("%s/topdown_l1", place->name);
	module_read(machine, path, topdown, sizeof(topdown));
	census->starved += is_starved(status, topdown);
	census->implausible += !!strstr(topdown, " implausible");
	census->inconsistent += !!strstr(topdown, " inconsistent");
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
	static const struct {
		const char *id;
		const char *reason;
	} causes[] = {
		[NOT_CHOSEN] = { "cpus_not_chosen", "not chosen (cpus)" },
		[ISOLATED] = { "cpus_isolated", "isolated, and not named in cpus" },
		[NOT_COVERED] = { "cpus_not_covered",
				  "not covered: no Neoverse N3, or no PMU for it" },
	};
	char *list, *command = NULL;

	if (!nr)
		return;
	if (cause != NOT_COVERED) {
		list = cpu_list_text(wanted);
		command = format_string("echo %s > " SETTINGS "cpus", list);
		free(list);
	}
	finding(FINDING_NOTE, causes[cause].id, command, "%u %s not sampled: %s", nr,
		cpus_are(nr), causes[cause].reason);
	free(command);
}

/* Each proposed list includes the CPUs of the previous ones. */
static void report_disabled(const struct machine *machine, const struct census *census)
{
	static const char * const files[] = {
		"/sys/devices/system/cpu/isolated", "/sys/devices/system/cpu/nohz_full",
		"/sys/fs/cgroup/cpuset.cpus.isolated",
	};
	char text[MACHINE_MAX_TEXT];
	bool wanted[MAX_PLACES] = { false }, isolated[MAX_PLACES] = { false };
	unsigned int nr[NR_CAUSES] = { 0 };
	enum cause causes[MAX_PLACES];

	module_read(machine, "cpus", text, sizeof(text));
	if (cpu_list_parse(text, wanted))
		return;
	for (size_t i = 0; i < NR(files); i++) {
		machine_read(machine, files[i], text, sizeof(text));
		cpu_list_parse(text, isolated);
	}
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

static void report_counts(const struct census *census)
{
	char *error = census->slots_error > 0 ?
		      format_string(" (up to %.1f %% off)", census->slots_error) : xstrdup("");

	cpus_finding(FINDING_ERROR, "events_implausible", census->implausible,
		     "cycles advance and events that must advance with them do not: a hypervisor "
		     "accepts them and does not count them");
	cpus_finding(FINDING_ERROR, "stall_slots_inconsistent", census->inconsistent,
		     "STALL_SLOT contradicts STALL_SLOT_FRONTEND and STALL_SLOT_BACKEND, or OP_SPEC: "
		     "values that use them are inconsistent. A hypervisor may hide one of them");
	cpus_finding(FINDING_ERROR, "slots_identity_violated", census->slots_violated,
		     "OP_SPEC and STALL_SLOT have never added up to all slots%s: do not trust "
		     "topdown_l1 there, its events count wrongly", error);
	cpus_finding(FINDING_ERROR, "slots_uncorrected", census->slots_missing,
		     "STALL_SLOT and STALL_SLOT_FRONTEND overcount by CPU_CYCLES, like those of a "
		     "Neoverse N2, and are not corrected: do not trust topdown_l1 there");
	cpus_finding(FINDING_ERROR, "slots_miscorrected", census->slots_needless,
		     "STALL_SLOT and STALL_SLOT_FRONTEND are right, but CPU_CYCLES are subtracted "
		     "because of the revision of the core: do not trust topdown_l1 there");
	cpus_finding(FINDING_WARNING, "metrics_withdrawn", census->withdrawn,
		     "counts were wrong, so metrics such as %s have no totals until an hour without "
		     "the fault", census->withdrawn_metric ? census->withdrawn_metric : "all");
	free(error);
}

static void report_unplaced(const struct census *census)
{
	long reserved = census->reserved;

	if (reserved > 0)
		cpus_finding(FINDING_ERROR, "all_counters_reserved", census->unplaced,
			     "reserved_counters (%ld) leaves no counter", reserved);
	else
		cpus_finding(FINDING_ERROR, "no_counter_available", census->unplaced,
			     "no counter is available");
	if (!census->unplaced && reserved > 0)
		finding(FINDING_NOTE, "counters_reserved", NULL,
			"%ld %s of each CPU %s left to others (reserved_counters)", reserved,
			plural(reserved, "counter", "counters"), plural(reserved, "is", "are"));
}

static void report_contended(const struct machine *machine, const struct census *census)
{
	char text[MACHINE_MAX_TEXT];
	unsigned int nr = census->contended - census->user_access - census->power;

	if (census->user_access)
		finding(FINDING_WARNING, "user_access_seen", NULL,
			"%u %s not sampled since a task was seen that may read counters from user "
			"space", census->user_access, cpus_are(census->user_access));
	cpus_finding(FINDING_WARNING, "yielded_for_power", census->power,
		     "the counters were yielded because to stop and start them whenever the CPU "
		     "goes idle costs more than max_cost");
	if (!nr)
		return;
	module_read(machine, "contention", text, sizeof(text));
	finding(FINDING_WARNING, "yielded_to_others",
		!strncmp(text, "share", 5) ? advice_fix("shared_with_others") : NULL,
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

	if (!census->small_budget)
		return;
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

static void report_slices(const struct census *census)
{
	cpus_finding(FINDING_NOTE, "long_slices", census->slow,
		     "slices are long, %ld ms, since one takes %ld us, as where accesses to the PMU "
		     "trap to a hypervisor", census->slice_ms, census->slice_ns / 1000);
	cpus_finding(FINDING_WARNING, "starved_slices", census->starved,
		     "no slice ends, though %s busy: a real-time task leaves the kernel's threads "
		     "no time there", plural(census->starved, "it is", "they are"));
}

void doctor_cpus(const struct machine *machine, bool others)
{
	struct census census = { 0 };

	take_census(machine, &census);
	report_counts(&census);
	report_unplaced(&census);
	cpus_finding(FINDING_ERROR, "all_events_distrusted", census.unsupported,
		     "nothing is left to count: all selected metrics need distrusted events");
	report_contended(machine, &census);
	cpus_finding(FINDING_WARNING, "yield_late", census.late,
		     "the counters should have been yielded up to %ld ms ago: real-time tasks "
		     "delay that", census.late_ms);
	report_small_budget(machine, &census, others);
	report_slices(&census);
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
	free(census.withdrawn_metric);
}
