// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: the events that count on this machine's CPUs. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "lib/arguments.h"
#include "lib/cpu_list.h"
#include "lib/machine.h"
#include "lib/machine_kernel.h"
#include "lib/program.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/source.h"
#include "reader/errors.h"
#include "selftest.h"

static const char doc[] =
	"Test which PMU events count, on one CPU of each kind, by running code that triggers "
	"them, and check identities between events. Isolated CPUs are skipped unless named. "
	"The load is announced first."
	"\vExit status: 0 all tested events count, 7 an event does not count or an identity "
	"fails, 1 nothing was tested. See also Documentation/silicon.rst.";

enum { OPTION_APPLY = 256, OPTION_JSON, OPTION_LIST, OPTION_ROOT };

static const struct argp_option selftest_options[] = {
	{ "cpu", 'C', "LIST", 0, "CPUs, as in 0-3,8", 1 },
	{ "apply", OPTION_APPLY, NULL, 0,
	  "set distrust to the events that do not count", 2 },
	{ "json", OPTION_JSON, NULL, 0, "print the report as one JSON object", 3 },
	{ "output", 'o', "FILE", 0, "write the report to a file", 3 },
	{ "input", 'i', "FILE", 0, "print the report in FILE without testing", 3 },
	{ "list", OPTION_LIST, NULL, 0, "print the code for each event without testing", 3 },
	{ "root", 'r', "DIR", 0, "directory of the setting (" SOURCE_DEFAULT ")", 4 },
	{ 0 }
};

struct selftest {
	const char *cpus;
	const char *output;
	const char *input;
	const char *root;
	bool apply;
	bool json;
	bool list;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct selftest *selftest = state->input;

	switch (key) {
	case 'C':
		selftest->cpus = arg;
		return 0;
	case 'o':
		selftest->output = arg;
		return 0;
	case 'i':
		selftest->input = arg;
		return 0;
	case 'r':
		selftest->root = arg;
		return 0;
	case OPTION_APPLY:
		selftest->apply = true;
		return 0;
	case OPTION_JSON:
		selftest->json = true;
		return 0;
	case OPTION_LIST:
		selftest->list = true;
		return 0;
	case ARGP_KEY_ARG:
		die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void check_options(const struct selftest *selftest)
{
	bool runs_nothing = selftest->input || selftest->list;

	if (runs_nothing && (selftest->cpus || selftest->output))
		die(ERR_CONFLICTING_OPTIONS, "%s does not run tests: omit --cpu and --output",
		    selftest->list ? "--list" : "--input");
	if (selftest->list && (selftest->input || selftest->json || selftest->apply))
		die(ERR_CONFLICTING_OPTIONS, "--list excludes --input, --json and --apply");
}

static void describe_machine(struct selftest_report *report)
{
	char *release = machine_release(&this_machine);
	const char *guest = machine_virtual(&this_machine);
	struct selftest_sizes sizes;

	selftest_choose_sizes(&sizes, 0);
	report->page = sizes.page;
	snprintf(report->version, sizeof(report->version), "%s", program_version);
	snprintf(report->kernel, sizeof(report->kernel), "%s", release);
	snprintf(report->guest, sizeof(report->guest), "%s", guest ? guest : "");
	free(release);
}

static void test_cpu(struct selftest_report *report, unsigned int number)
{
	struct selftest_cpu *cpu = selftest_report_add(report, number);
	struct selftest_arena *arena;
	struct selftest_sizes sizes;
	struct selftest_pmu pmu;

	selftest_find_pmu(&pmu, number);
	snprintf(cpu->pmu, sizeof(cpu->pmu), "%s", pmu.name);
	cpu->midr = selftest_midr(number);
	cpu->counters = *pmu.name ? selftest_nr_counters(&pmu, number) : 0;
	selftest_choose_sizes(&sizes, number);
	selftest_go_to(number);
	arena = selftest_arena_open(&sizes);
	selftest_measure(cpu, &pmu, arena);
	selftest_arena_close(arena);
}

static void run_here(const struct selftest *selftest, struct selftest_report *report)
{
	struct selftest_sizes sizes;
	struct cpus cpus;

	if (!selftest_kernels_exist())
		die(ERR_NOT_ARM, "these are not Arm CPUs: run it on the machine with the N3");
	selftest_choose_cpus(&cpus, selftest->cpus, selftest->apply ? selftest->root : NULL);
	selftest_choose_sizes(&sizes, cpus.v[0]);
	warn(ERR_SELFTEST_STARTED,
	     "about 10 s, at most %d s, on each of %zu %s; %zu MB of memory", SELFTEST_SECONDS,
	     cpus.nr, plural(cpus.nr, "CPU", "CPUs"),
	     (sizes.memory + sizes.code + SELFTEST_HUGE_PAGES * SELFTEST_HUGE_PAGE) >> 20);
	describe_machine(report);
	for (size_t i = 0; i < cpus.nr; i++)
		test_cpu(report, cpus.v[i]);
	cpus_free(&cpus);
}

/* A report from another machine or hypervisor does not apply here. */
static void check_same_machine(const struct selftest *selftest,
			       const struct selftest_report *report)
{
	struct selftest_report now = { 0 };

	if (strcmp(selftest->root, SOURCE_DEFAULT))
		return;
	describe_machine(&now);
	if (strcmp(now.kernel, report->kernel) || strcmp(now.guest, report->guest))
		die(ERR_OTHER_MACHINE, "%s: of another machine or kernel: nothing is applied",
		    selftest->input);
	for (size_t i = 0; i < report->nr_cpus; i++)
		if (selftest_midr(report->cpus[i].cpu) != report->cpus[i].midr)
			die(ERR_OTHER_MACHINE, "%s: CPU %u is of another type: nothing is applied",
			    selftest->input, report->cpus[i].cpu);
}

static void show(const struct selftest *selftest, const struct selftest_report *report)
{
	char *text = selftest_to_json(report);

	if (selftest->output)
		selftest_write(selftest->output, text);
	if (selftest->json)
		fputs(text, stdout);
	else
		selftest_print(report);
	free(text);
}

/* Return: whether all events that can count do, and all tested identities hold. */
static bool is_well(const struct selftest_report *report)
{
	for (size_t i = 0; i < report->nr_cpus; i++)
		if (selftest_nr_with(&report->cpus[i], SELFTEST_DOES_NOT_COUNT) ||
		    selftest_nr_failing(&report->cpus[i]))
			return false;
	return true;
}

/* A run without any test is not a success. */
static enum exit_code status_of(const struct selftest_report *report)
{
	enum exit_code status = is_well(report) ? EXIT_SUCCESS : EXIT_FINDINGS;

	for (size_t i = 0; i < report->nr_cpus; i++) {
		if (selftest_nr_tested(&report->cpus[i]))
			continue;
		warn(ERR_NOTHING_TESTED, "nothing was tested on CPU %u", report->cpus[i].cpu);
		if (status == EXIT_SUCCESS)
			status = EXIT_OTHER;
	}
	return status;
}

static enum exit_code test(const struct selftest *selftest)
{
	struct selftest_report report = { 0 };
	enum exit_code status;

	if (!selftest->input) {
		run_here(selftest, &report);
	} else {
		selftest_read(selftest->input, &report);
		if (selftest->apply)
			check_same_machine(selftest, &report);
	}
	show(selftest, &report);
	if (selftest->apply)
		selftest_apply(&report, selftest->root, selftest->json ? stderr : stdout);
	status = status_of(&report);
	selftest_report_free(&report);
	return status;
}

int command_selftest(int argc, char **argv)
{
	static const struct argp argp = {
		selftest_options, parse_option, NULL, doc, NULL, NULL, NULL
	};
	struct selftest selftest = { .root = SOURCE_DEFAULT };
	enum exit_code status = EXIT_SUCCESS;

	arguments_parse(&argp, argc, argv, 0, &selftest);
	check_options(&selftest);
	/* Fail before the measurement, not after it. */
	if (selftest.output)
		selftest_check_output(selftest.output);
	if (selftest.apply)
		selftest_check_setting(selftest.root);
	if (selftest.list)
		selftest_print_list();
	else
		status = test(&selftest);
	return status;
}
