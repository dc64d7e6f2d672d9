// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: results of one run. */
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "selftest_report.h"

static void *zeroed(size_t nr, size_t size)
{
	return memset(xreallocarray(NULL, nr, size), 0, nr * size);
}

struct selftest_cpu *selftest_report_add(struct selftest_report *report, unsigned int nr)
{
	struct selftest_cpu *cpu;

	report->cpus = xreallocarray(report->cpus, report->nr_cpus + 1, sizeof(*report->cpus));
	cpu = &report->cpus[report->nr_cpus++];
	*cpu = (struct selftest_cpu) {
		.cpu = nr,
		.events = zeroed(catalog_nr_events(), sizeof(*cpu->events)),
		.identities = zeroed(selftest_nr_identities(), sizeof(*cpu->identities)),
	};
	return cpu;
}

void selftest_report_free(struct selftest_report *report)
{
	for (size_t i = 0; i < report->nr_cpus; i++) {
		free(report->cpus[i].events);
		free(report->cpus[i].identities);
	}
	free(report->cpus);
	*report = (struct selftest_report) { 0 };
}

unsigned int selftest_nr_with(const struct selftest_cpu *cpu, enum selftest_verdict verdict)
{
	unsigned int nr = 0;

	for (int i = 0; i < catalog_nr_events(); i++)
		nr += cpu->events[i].judgement.verdict == verdict;
	return nr;
}

unsigned int selftest_nr_failing(const struct selftest_cpu *cpu)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < selftest_nr_identities(); i++)
		nr += cpu->identities[i].outcome == SELFTEST_FAILS;
	return nr;
}

unsigned int selftest_nr_tested(const struct selftest_cpu *cpu)
{
	int cycles = catalog_find_event("CPU_CYCLES");

	return selftest_nr_with(cpu, SELFTEST_COUNTS) +
	       selftest_nr_with(cpu, SELFTEST_DOES_NOT_COUNT) -
	       (cpu->events[cycles].judgement.verdict == SELFTEST_COUNTS ||
		cpu->events[cycles].judgement.verdict == SELFTEST_DOES_NOT_COUNT);
}

bool selftest_is_well(const struct selftest_report *report)
{
	for (size_t i = 0; i < report->nr_cpus; i++)
		if (selftest_nr_with(&report->cpus[i], SELFTEST_DOES_NOT_COUNT) ||
		    selftest_nr_failing(&report->cpus[i]))
			return false;
	return true;
}
