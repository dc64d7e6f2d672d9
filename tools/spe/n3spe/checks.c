// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Checks of n3stat spe info: reasons why SPE is unusable, with remedies. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "lib/finding.h"
#include "lib/machine.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/privilege.h"
#include "lib/text.h"

#define DRIVER		"arm_spe_pmu"

const char *spe_fix(const char *id)
{
	static const struct {
		const char *id, *text;
	} fixes[] = {
#define SPE_FIX(id, text, source) { #id, text },
#include "fixes.def.h"
	};

	for (size_t i = 0; i < NR(fixes); i++)
		if (!strcmp(fixes[i].id, id))
			return fixes[i].text;
	return NULL;
}

/* Return: false if these are not Arm CPUs. */
static bool check_cpus(const struct machine *machine)
{
	struct machine_cpus cpus = machine_cpus(machine);

	if (!cpus.arm && !machine->has_module) {
		finding(FINDING_ERROR, "not_arm", NULL,
			"these are not Arm CPUs: they have no SPE");
		return false;
	}
	if (cpus.n3)
		finding(FINDING_OK, "n3_cpus", NULL, "%u %s Neoverse N3", cpus.n3,
			plural(cpus.n3, "CPU is a", "CPUs are"));
	else if (cpus.arm)
		finding(FINDING_NOTE, "no_n3_cpu", NULL, "no CPU is a Neoverse N3");
	if (cpus.sources < cpus.arm)
		finding(FINDING_NOTE, "data_sources_unknown", NULL,
			"what data sources mean is not known of %u %s: reports have numbers",
			cpus.arm - cpus.sources, plural(cpus.arm - cpus.sources, "CPU", "CPUs"));
	return true;
}

static void report_no_feature(const struct machine *machine, unsigned int cpus, bool is_n3)
{
	const char *who = machine_virtual(machine);

	if (!who && !is_n3)
		finding(FINDING_ERROR, "no_spe", NULL, "%u %s no SPE", cpus,
			plural(cpus, "CPU has", "CPUs have"));
	else if (who)
		finding(FINDING_ERROR, "spe_hidden_from_guest", NULL,
			"%u %s no SPE: this is a virtual machine (%s), and guests get none", cpus,
			plural(cpus, "CPU reports", "CPUs report"), who);
	else
		finding(FINDING_ERROR, "spe_hidden", NULL,
			"%u %s no SPE: a Neoverse N3 has it, so a hypervisor hides it", cpus,
			plural(cpus, "CPU reports", "CPUs report"));
}

static void report_reason(const struct machine *machine, const struct spe_reason *reason)
{
	unsigned int nr = reason->cpus;
	const char *cpus = plural(nr, "CPU", "CPUs");

	if (!strcmp(reason->word, "no_feature") || !strcmp(reason->word, "guest"))
		report_no_feature(machine, nr, *reason->word == 'g');
	else if (!strcmp(reason->word, "owned"))
		finding(FINDING_ERROR, "spe_owned", NULL,
			"on %u %s firmware or a hypervisor keeps the buffer of SPE to itself",
			nr, cpus);
	else if (!strcmp(reason->word, "unknown_format"))
		finding(FINDING_ERROR, "spe_unknown_format",
			NULL, "%u %s records of a format that is not defined yet",
			nr, plural(nr, "CPU writes", "CPUs write"));
	else if (!strcmp(reason->word, "unknown_size"))
		finding(FINDING_ERROR, "spe_unknown_size", NULL,
			"%u %s records of a size or alignment that is not defined", nr,
			plural(nr, "CPU writes", "CPUs write"));
	else if (!strcmp(reason->word, "offline"))
		finding(FINDING_NOTE, "cpus_offline", NULL,
			"%u %s offline", nr, plural(nr, "CPU is", "CPUs are"));
	else
		finding(FINDING_ERROR, "spe_unusable", NULL, "%u %s not usable: %s", nr,
			plural(nr, "CPU is", "CPUs are"), reason->word);
}

/* Whether firmware describes SPE to the kernel. */
enum description { DESCRIBED, NOT_DESCRIBED, NOT_TO_BE_SEEN };

static enum description description(const struct machine *machine)
{
	char **names = machine_list(machine, "/sys/bus/platform/devices");
	bool found = false, any = names[0];

	for (size_t i = 0; names[i] && !found; i++) {
		char *path = format_string("/sys/bus/platform/devices/%s/modalias", names[i]);

		found = machine_contains(machine, path, "arm,statistical-profiling-extension") ||
				machine_contains(machine, path, "arm,spe-v1");
		free(path);
	}
	free_names(names);
	return found ? DESCRIBED : any ? NOT_DESCRIBED : NOT_TO_BE_SEEN;
}

static bool has_driver(const struct machine *machine)
{
	char **names = machine_list(machine, "/sys/bus/platform/drivers");
	bool found = false;

	for (size_t i = 0; names[i]; i++)
		found |= !strcmp(names[i], DRIVER);
	free_names(names);
	return found;
}

static void report_driver(const struct machine *machine)
{
	char *release = machine_release(machine);
	char *directory = format_string("/lib/modules/%s", release);
	char *file = *release ? machine_find_module(machine, directory, DRIVER ".ko") : NULL;
	char *config = machine_kernel_config(machine);

	if (file)
		finding(FINDING_ERROR, "spe_driver_not_loaded", NULL,
			"the driver is there but not loaded (%s)", file);
	else if (strstr(config, "\n# CONFIG_ARM_SPE_PMU is not set"))
		finding(FINDING_ERROR, "spe_driver_not_built", NULL,
			"the kernel is built without the driver (CONFIG_ARM_SPE_PMU)");
	else
		finding(FINDING_ERROR, "no_spe_driver", NULL,
			"there is no driver " DRIVER " in this kernel");
	free(config);
	free(file);
	free(directory);
	free(release);
}

/* The kernel is unmapped in user space: the driver refuses to load. */
static bool has_kpti(const struct machine *machine)
{
	char text[4096], *rest = text, *word;

	machine_read(machine, "/proc/cmdline", text, sizeof(text));
	while ((word = strsep(&rest, " \n")))
		if (!strncmp(word, "kpti=", 5) && word[5])
			return strchr("1yYtT", word[5]) || !strncasecmp(word + 5, "on", 2);
	return machine_contains(machine, "/sys/devices/system/cpu/vulnerabilities/meltdown", "PTI");
}

static void report_refusal(const struct machine *machine)
{
	if (has_kpti(machine))
		finding(FINDING_ERROR, "kpti", NULL,
			"page table isolation (KPTI) is on: the driver refuses SPE with it");
	else if (has_driver(machine))
		finding(FINDING_ERROR, "spe_driver_refused", NULL,
			"the driver is loaded but has refused the device");
}

/* The driver has no device. */
static void find_reason(const struct machine *machine, const struct spe_machine *spe)
{
	enum description described = description(machine);
	const char *who = machine_virtual(machine);

	if (spe->has_files && !spe->usable) {
		for (unsigned int i = 0; i < spe->nr_reasons; i++)
			report_reason(machine, &spe->reasons[i]);
		return;
	}
	if (who && !spe->usable && described != DESCRIBED) {
		finding(FINDING_ERROR, "spe_hidden_from_guest", NULL,
			"this is a virtual machine (%s): guests get no SPE", who);
		return;
	}
	if (described == NOT_DESCRIBED) {
		finding(FINDING_ERROR, "spe_not_described", NULL,
			"firmware describes no SPE: neither the device tree nor ACPI's MADT");
		return;
	}
	if (!has_driver(machine))
		report_driver(machine);
	report_refusal(machine);
}

/* Return: the part of perf_event_paranoid that applies to the user. */
static long paranoid_level(const struct machine *machine)
{
	char text[64];

	if (privilege_may_count(machine))
		return 0;
	machine_read(machine, "/proc/sys/kernel/perf_event_paranoid", text, sizeof(text));
	return strtol(text, NULL, 10);
}

const char *spe_permitted_target(const struct machine *machine)
{
	long level = machine_is_known(machine) ? paranoid_level(machine) : 0;

	if (level <= 0)
		return "";
	return level == 1 ? " -- COMMAND" : " --user -- COMMAND";
}

static void check_privileges(const struct machine *machine)
{
	static const char fix[] = "sysctl kernel.perf_event_paranoid=0";
	struct privilege missing = privilege_to_count(machine);
	long level = paranoid_level(machine);

	if (level <= 0)
		finding(FINDING_OK, "may_sample_all",
			NULL, "you may sample all CPUs, the kernel included");
	else if (level == 1)
		finding(FINDING_NOTE, "own_processes_only",
			fix, "you may sample your own processes only "
			"(perf_event_paranoid is %ld)", level);
	else if (level == 2)
		finding(FINDING_NOTE, "own_user_code_only",
			fix, "you may sample your own processes only, and only with "
			"--user (perf_event_paranoid is %ld)", level);
	else
		finding(FINDING_ERROR, "may_not_sample", fix,
			"you may not sample anything (perf_event_paranoid is %ld)", level);
	if (level > 0)
		finding(FINDING_NOTE, missing.kind->id, NULL, "%s", missing.advice);
}

static void report_refused_files(const struct machine *machine, const struct spe_machine *spe)
{
	struct privilege missing = privilege_to_count(machine);
	char *command = privilege_command(machine, "n3stat spe info");

	finding(FINDING_NOTE, "module_unreadable",
		command, "the module's files cpuN/spe may not be read: %s",
		strerror(spe->refused));
	finding(FINDING_NOTE, missing.kind->id, NULL, "%s", missing.advice);
	free(command);
}

static void check_module(const struct machine *machine, const struct spe_machine *spe)
{
	if (!machine->has_module)
		finding(FINDING_NOTE, "module_not_loaded", NULL,
			"the module is not loaded: capabilities are those that the driver reports");
	else if (!spe->has_files && spe->refused)
		report_refused_files(machine, spe);
	else if (!spe->has_files)
		finding(FINDING_NOTE, "no_spe_files",
			NULL, "the module has no files cpuN/spe");
}

/* A copy of the module's files contains no information about driver and privileges. */
static void check_copy(const struct machine *machine, const struct spe_machine *spe)
{
	if (spe->usable)
		finding(FINDING_OK, "spe_usable",
			NULL, "%u %s SPE, by the module's files", spe->usable,
			plural(spe->usable, "CPU has", "CPUs have"));
	for (unsigned int i = 0; i < spe->nr_reasons; i++)
		report_reason(machine, &spe->reasons[i]);
	if (spe->has_files)
		return;
	if (spe->refused)
		finding(FINDING_ERROR, "module_unreadable",
			NULL, "the copy's files cpuN/spe may not be read: %s",
			strerror(spe->refused));
	else
		finding(FINDING_ERROR, "no_spe_files",
			NULL, "the copy has no files cpuN/spe");
}

void spe_check(const struct machine *machine, const struct spe_machine *spe)
{
	if (!machine_is_known(machine)) {
		check_copy(machine, spe);
		return;
	}
	if (!check_cpus(machine))
		return;
	check_module(machine, spe);
	for (unsigned int i = 0; i < spe->nr_devices; i++)
		finding(FINDING_OK, "spe_device",
			NULL, "%s can sample CPUs %s", spe->devices[i].name,
			spe->devices[i].cpus);
	if (!spe->nr_devices) {
		find_reason(machine, spe);
		return;
	}
	/* The driver accepts any record format. */
	for (unsigned int i = 0; i < spe->nr_reasons; i++)
		report_reason(machine, &spe->reasons[i]);
	check_privileges(machine);
}
