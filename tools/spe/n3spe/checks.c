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

/* The module's reasons for which CPUs are unusable. */
static void report_reasons(const struct machine *machine, const struct spe_machine *spe)
{
	/* Texts around the number of CPUs. */
	static const struct {
		const char *word, *id, *before, *one, *many, *after;
	} rows[] = {
		{ "no_feature", "no_spe", "", "CPU has", "CPUs have", "no SPE" },
		{ "guest", "spe_hidden", "", "CPU reports", "CPUs report",
		  "no SPE: a Neoverse N3 has it, so a hypervisor hides it" },
		{ "owned", "spe_owned", "on ", "CPU", "CPUs",
		  "firmware or a hypervisor keeps the buffer of SPE to itself" },
		{ "unknown_format", "spe_unknown_format", "", "CPU writes", "CPUs write",
		  "records of a format that is not defined yet" },
		{ "unknown_size", "spe_unknown_size", "", "CPU writes", "CPUs write",
		  "records of a size or alignment that is not defined" },
		{ "offline", "cpus_offline", "", "CPU is", "CPUs are", "offline" },
	};
	const char *who = machine_virtual(machine);

	for (unsigned int nr, at, i = 0; i < spe->nr_reasons; i++) {
		nr = spe->reasons[i].cpus;
		for (at = 0; at < NR(rows) && strcmp(rows[at].word, spe->reasons[i].word); at++)
			;
		if (at == NR(rows))
			finding(FINDING_ERROR, "spe_unusable", NULL, "%u %s not usable: %s", nr,
				plural(nr, "CPU is", "CPUs are"), spe->reasons[i].word);
		else if (at < 2 && who)
			finding(FINDING_ERROR, "spe_hidden_from_guest", NULL,
				"%u %s no SPE: this is a virtual machine (%s), and guests get none",
				nr, plural(nr, "CPU reports", "CPUs report"), who);
		else
			finding(at == NR(rows) - 1 ? FINDING_NOTE : FINDING_ERROR, rows[at].id,
				NULL, "%s%u %s %s", rows[at].before, nr,
				plural(nr, rows[at].one, rows[at].many), rows[at].after);
	}
}

/* Whether firmware describes SPE to the kernel. */
enum description { DESCRIBED, NOT_DESCRIBED, NOT_TO_BE_SEEN };

static enum description description(const struct machine *machine)
{
	char **names = machine_list(machine, "/sys/bus/platform/devices");
	enum description found = names[0] ? NOT_DESCRIBED : NOT_TO_BE_SEEN;

	for (size_t i = 0; names[i] && found != DESCRIBED; i++) {
		char *path = format_string("/sys/bus/platform/devices/%s/modalias", names[i]);

		if (machine_contains(machine, path, "arm,statistical-profiling-extension") ||
		    machine_contains(machine, path, "arm,spe-v1"))
			found = DESCRIBED;
		free(path);
	}
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

/* The driver has no device. */
static void find_reason(const struct machine *machine, const struct spe_machine *spe)
{
	enum description described = description(machine);
	const char *who = machine_virtual(machine);
	bool has_driver = machine_may_read(machine, "/sys/bus/platform/drivers/" DRIVER);

	if (spe->has_files && !spe->usable) {
		report_reasons(machine, spe);
	} else if (who && !spe->usable && described != DESCRIBED) {
		finding(FINDING_ERROR, "spe_hidden_from_guest", NULL,
			"this is a virtual machine (%s): guests get no SPE", who);
	} else if (described == NOT_DESCRIBED) {
		finding(FINDING_ERROR, "spe_not_described", NULL,
			"firmware describes no SPE: neither the device tree nor ACPI's MADT");
	} else {
		if (!has_driver)
			report_driver(machine);
		if (has_kpti(machine))
			finding(FINDING_ERROR, "kpti", NULL,
				"page table isolation (KPTI) is on: the driver refuses SPE with "
				"it");
		else if (has_driver)
			finding(FINDING_ERROR, "spe_driver_refused", NULL,
				"the driver is loaded but has refused the device");
	}
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
	static const struct {
		const char *id, *text;
	} limits[] = {
		{ "own_processes_only", "you may sample your own processes only" },
		{ "own_user_code_only",
		  "you may sample your own processes only, and only with --user" },
		{ "may_not_sample", "you may not sample anything" },
	};
	struct privilege missing = privilege_to_count(machine);
	long level = paranoid_level(machine), limit = level > 2 ? 2 : level - 1;

	if (level <= 0) {
		finding(FINDING_OK, "may_sample_all",
			NULL, "you may sample all CPUs, the kernel included");
		return;
	}
	finding(level > 2 ? FINDING_ERROR : FINDING_NOTE, limits[limit].id, fix,
		"%s (perf_event_paranoid is %ld)", limits[limit].text, level);
	finding(FINDING_NOTE, missing.kind->id, NULL, "%s", missing.advice);
}

/* The files cpuN/spe cannot be read. @whose: "module", or "copy", which has nothing else. */
static void check_files(const struct machine *machine, const struct spe_machine *spe,
			const char *whose)
{
	bool is_copy = *whose == 'c';
	enum severity severity = is_copy ? FINDING_ERROR : FINDING_NOTE;
	char *command = is_copy ? NULL : privilege_command(machine, "n3stat spe info");
	struct privilege missing = privilege_to_count(machine);

	if (spe->refused)
		finding(severity, "module_unreadable", command,
			"the %s's files cpuN/spe may not be read: %s", whose,
			strerror(spe->refused));
	else
		finding(severity, "no_spe_files", NULL, "the %s has no files cpuN/spe", whose);
	if (spe->refused && !is_copy)
		finding(FINDING_NOTE, missing.kind->id, NULL, "%s", missing.advice);
	free(command);
}

/* A copy of the module's files contains no information about driver and privileges. */
static void check_copy(const struct machine *machine, const struct spe_machine *spe)
{
	if (spe->usable)
		finding(FINDING_OK, "spe_usable",
			NULL, "%u %s SPE, by the module's files", spe->usable,
			plural(spe->usable, "CPU has", "CPUs have"));
	report_reasons(machine, spe);
	if (!spe->has_files)
		check_files(machine, spe, "copy");
}

void spe_check(const struct machine *machine, const struct spe_machine *spe)
{
	if (!machine_is_known(machine)) {
		check_copy(machine, spe);
		return;
	}
	if (!check_cpus(machine))
		return;
	if (!machine->has_module)
		finding(FINDING_NOTE, "module_not_loaded", NULL,
			"the module is not loaded: capabilities are those that the driver reports");
	else if (!spe->has_files)
		check_files(machine, spe, "module");
	for (unsigned int i = 0; i < spe->nr_devices; i++)
		finding(FINDING_OK, "spe_device", NULL, "%s can sample CPUs %s",
			spe->devices[i].name, spe->devices[i].cpus);
	if (!spe->nr_devices) {
		find_reason(machine, spe);
		return;
	}
	/* The driver accepts any record format. */
	report_reasons(machine, spe);
	check_privileges(machine);
}
