// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: the table, for 80 columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "selftest.h"

#define WIDTH	80
#define INDENT	2
#define UNDER_IDENTITY	13
#define MOVED_BY	30

/* Headings, failures first; events that count are listed by name only. */
static const struct {
	enum selftest_verdict verdict;
	const char *heading;
} sections[] = {
	{ SELFTEST_DOES_NOT_COUNT, "Do not count" },
	{ SELFTEST_NOT_TESTED, "Not tested" },
	{ SELFTEST_NOTHING_MOVES, "Nothing here moves" },
};

static void print_head(const struct selftest_report *report)
{
	if (selftest_is_simulated(report))
		puts("simulated counts (n3_sim)");
	printf("kernel %s, pages of %zu KB, %s%s\n", report->kernel, report->page / 1024,
	       *report->guest ? "a virtual machine: " : "no sign of a hypervisor",
	       report->guest);
}

static void print_summary(const struct selftest_cpu *cpu)
{
	char *core = selftest_core_name(cpu->midr);
	unsigned int failing = selftest_nr_failing(cpu);

	printf("\nCPU %u: %s, %s, %u %s\n", cpu->cpu, core,
	       *cpu->pmu ? cpu->pmu : "the kernel has no PMU for it", cpu->counters,
	       plural(cpu->counters, "counter", "counters"));
	printf("  %u count, %u do not, nothing here moves %u, %u not tested\n",
	       selftest_nr_with(cpu, SELFTEST_COUNTS),
	       selftest_nr_with(cpu, SELFTEST_DOES_NOT_COUNT),
	       selftest_nr_with(cpu, SELFTEST_NOTHING_MOVES),
	       selftest_nr_with(cpu, SELFTEST_NOT_TESTED));
	printf("  %u of %zu identities %s\n", failing, selftest_nr_identities(),
	       plural(failing, "fails", "fail"));
	free(core);
}

/* Fills lines of WIDTH columns with words. */
static void print_word(size_t *column, int indent, const char *word)
{
	if (*column + 1 + strlen(word) > WIDTH) {
		putchar('\n');
		*column = 0;
	}
	*column += printf("%*s%s", *column ? 1 : indent, "", word);
}

void selftest_print_list(void)
{
	printf("MICRO-KERNEL     DESCRIPTION\n");
	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
		printf("%-16s %s\n", selftest_kernels[i].name, selftest_kernels[i].description);
	printf("\n%-*sMOVED BY\n", MOVED_BY, "EVENT");
	for (int i = 0; i < catalog_nr_events(); i++) {
		const struct selftest_row *row = selftest_row(i);
		size_t column = printf("%-*s", MOVED_BY - 1, row->event);

		if (row->reason)
			print_word(&column, MOVED_BY, "maybe");
		for (unsigned int k = 0; k < NR_SELFTEST_KERNELS; k++)
			if (row->kernels >> k & 1)
				print_word(&column, MOVED_BY, selftest_kernels[k].name);
		printf(row->reason ? "\n    %s\n" : "\n", row->reason);
	}
}

/* Events with the same verdict and reason, followed by the reason. */
static void print_reason(const struct selftest_cpu *cpu, enum selftest_verdict verdict, int first)
{
	const char *reason = cpu->events[first].judgement.reason;
	size_t column = 0;

	for (int i = first; i < catalog_nr_events(); i++)
		if (cpu->events[i].judgement.verdict == verdict &&
		    !strcmp(cpu->events[i].judgement.reason, reason))
			print_word(&column, INDENT, catalog_event(i).name);
	printf("\n    %s\n", reason);
}

static bool is_first(const struct selftest_cpu *cpu, int event)
{
	const struct selftest_judgement *judgement = &cpu->events[event].judgement;

	for (int i = 0; i < event; i++)
		if (cpu->events[i].judgement.verdict == judgement->verdict &&
		    !strcmp(cpu->events[i].judgement.reason, judgement->reason))
			return false;
	return true;
}

static void print_section(const struct selftest_cpu *cpu, enum selftest_verdict verdict,
			  const char *heading)
{
	if (!selftest_nr_with(cpu, verdict))
		return;
	printf("\n%s\n", heading);
	for (int i = 0; i < catalog_nr_events(); i++)
		if (cpu->events[i].judgement.verdict == verdict && is_first(cpu, i))
			print_reason(cpu, verdict, i);
}

/* The micro-kernels that violate an identity. */
static void print_violations(const struct selftest_finding *finding)
{
	size_t column = 0;

	if (!selftest_nr_trials(finding, SELFTEST_FAILS))
		return;
	print_word(&column, UNDER_IDENTITY, "violated with");
	for (unsigned int i = 0; i < NR_SELFTEST_KERNELS; i++)
		if (finding->trials[i].outcome == SELFTEST_FAILS)
			print_word(&column, UNDER_IDENTITY, selftest_kernels[i].name);
	putchar('\n');
}

static void print_identities(const struct selftest_cpu *cpu)
{
	printf("\nIdentities\n");
	for (size_t i = 0; i < selftest_nr_identities(); i++) {
		const struct selftest_finding *finding = &cpu->identities[i];

		printf("  %-10s %s\n%*s%s\n", selftest_outcome_words[finding->outcome],
		       selftest_identity(i)->text, UNDER_IDENTITY, "", finding->text);
		if (selftest_has_trials(selftest_identity(i)))
			print_violations(finding);
	}
}

/* By functional group, in the order of the first event of each. */
static void print_counting(const struct selftest_cpu *cpu)
{
	bool done[catalog_nr_events()];

	memset(done, 0, sizeof(done));
	printf("\nCount\n");
	for (int i = 0; i < catalog_nr_events(); i++) {
		const char *group = catalog_event(i).functional;
		size_t column = 0;

		if (done[i] || cpu->events[i].judgement.verdict != SELFTEST_COUNTS)
			continue;
		for (int k = i; k < catalog_nr_events(); k++) {
			if (cpu->events[k].judgement.verdict != SELFTEST_COUNTS ||
			    strcmp(catalog_event(k).functional, group))
				continue;
			done[k] = true;
			print_word(&column, INDENT, catalog_event(k).name);
		}
		putchar('\n');
	}
}

static void print_raw(const struct selftest_cpu *cpu)
{
	unsigned int nr = 0;

	for (int i = 0; i < catalog_nr_events(); i++)
		nr += !cpu->events[i].has_alias;
	if (nr && *cpu->pmu)
		printf("\n%u %s no name in sysfs here: counted by %s number\n", nr,
		       plural(nr, "event has", "events have"), plural(nr, "its", "their"));
}

static bool is_unproven(const struct selftest_cpu *cpu, int number)
{
	struct catalog_metric metric = catalog_metric(number);

	for (size_t i = 0; i < metric.nr_events; i++)
		if (cpu->events[metric.events[i]].judgement.verdict == SELFTEST_NOTHING_MOVES)
			return true;
	return false;
}

/* Metrics that may depend on events that do not count, undetected here. */
static void print_unproven(const struct selftest_cpu *cpu)
{
	size_t column = 0;
	bool any = false;

	for (int i = 0; i < catalog_nr_metrics(); i++) {
		if (!is_unproven(cpu, i))
			continue;
		if (!any)
			puts("\nMetrics that use what nothing here moves: not proven");
		any = true;
		print_word(&column, INDENT, catalog_metric_name(i));
	}
	if (any)
		putchar('\n');
}

void selftest_print(const struct selftest_report *report)
{
	print_head(report);
	for (size_t i = 0; i < report->nr_cpus; i++)
		print_summary(&report->cpus[i]);
	for (size_t i = 0; i < report->nr_cpus; i++) {
		const struct selftest_cpu *cpu = &report->cpus[i];

		if (report->nr_cpus > 1)
			printf("\n== CPU %u ==\n", cpu->cpu);
		for (size_t k = 0; k < NR(sections); k++)
			print_section(cpu, sections[k].verdict, sections[k].heading);
		print_unproven(cpu);
		print_identities(cpu);
		if (selftest_nr_with(cpu, SELFTEST_COUNTS))
			print_counting(cpu);
		print_raw(cpu);
	}
}
