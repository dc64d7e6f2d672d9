// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * doctor checks of the machine: its CPUs, their PMU, other users of it, guests (KVM), and tasks
 * that may read its counters.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"
#include "lib/keys.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/privilege.h"
#include "lib/text.h"
#include "libn3telemetry/about.h"
#include "libn3telemetry/places.h"
#include "reader/advice.h"

#define MAX_LINE	256	/* exceeds the kernel's lines */
#define PARTITION	"reserved_host_counters="

/* Whether the module was loaded with core=, which doctor_module() reports. */
static bool is_rehearsal(const struct machine *machine)
{
	char spec[MACHINE_MAX_TEXT];
	size_t len;

	return machine->has_module && module_read(machine, "spec", spec, sizeof(spec)) > 0 &&
	       other_core_of(spec, &len);
}

bool doctor_cpu(const struct machine *machine)
{
	struct machine_cpus cpus = machine_cpus(machine);
	unsigned int nr = cpus.n3;

	if (nr) {
		finding(FINDING_OK, "n3_cpus", NULL, "%u %s Neoverse N3", nr,
			plural(nr, "CPU is a", "CPUs are"));
		return true;
	}
	if (is_rehearsal(machine))
		return false;
	finding(machine->has_module ? FINDING_NOTE : FINDING_ERROR,
		cpus.arm ? "no_n3_cpu" : "not_arm",
		cpus.arm ? "make demo, in the source of n3_telemetry: an emulated N3; on other "
			   "Neoverse cores core=, see Documentation/silicon.rst" :
			   "make demo, in the source of n3_telemetry: an emulated N3",
		cpus.arm ? "no CPU is a Neoverse N3" : "these are not Arm CPUs: no Neoverse N3");
	return false;
}

static bool is_gce(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];

	machine_read(machine, "/sys/class/dmi/id/product_name", text, sizeof(text));
	return !strncmp(text, "Google Compute Engine", 21);
}

static bool has_entry(const struct machine *machine, const char *directory, const char *start)
{
	char **names = machine_list(machine, directory);
	bool found = false;

	for (size_t i = 0; names[i]; i++)
		found |= !strncmp(names[i], start, strlen(start));
	free_names(names);
	return found;
}

/* Configuration symbols up to kernel 6.4, and later. */
static bool kernel_has_driver(const struct machine *machine)
{
	char *config = machine_kernel_config(machine);
	bool has = !*config || strstr(config, "\nCONFIG_HW_PERF_EVENTS=y\n") ||
		   strstr(config, "\nCONFIG_ARM_PMUV3=y\n");

	free(config);
	return has;
}

static void report_no_pmu(const struct machine *machine)
{
	if (!kernel_has_driver(machine))
		finding(FINDING_ERROR, "no_pmu_driver", NULL,
			"the kernel has no PMU for the CPUs: it was built without the driver");
	else if (has_entry(machine, "/sys/firmware/devicetree/base", "pmu"))
		finding(FINDING_ERROR, "pmu_driver_failed", NULL,
			"the kernel has no PMU for the CPUs, but the device tree does: its driver "
			"failed");
	else
		finding(FINDING_ERROR, "no_pmu", is_gce(machine) ? advice_fix("no_pmu_gce") : NULL,
			"the kernel has no PMU for the CPUs: firmware or hypervisor does not offer "
			"it");
}

/* Return: programmable counters according to the driver's boot message; -1 if unknown. */
static long counters_by_log(const struct machine *machine)
{
	static const char mark[] = " PMU driver, ";
	char *log = machine_kernel_log(machine);
	const char *line = strstr(log, "hw perfevents: enabled with armv");
	const char *counters = line ? strstr(line, mark) : NULL;
	long nr = -1;

	/* The message includes the cycle counter. */
	if (counters && strcspn(line, "\n") > (size_t)(counters - line))
		nr = strtol(counters + strlen(mark), NULL, 10) - 1;
	free(log);
	return nr;
}

/* The driver names PMUs by the architecture of their CPUs. */
static bool has_pmu(const struct machine *machine)
{
	return has_entry(machine, PMU_DEVICES, "armv8_") ||
	       has_entry(machine, PMU_DEVICES, "armv9_");
}

void doctor_pmu(const struct machine *machine)
{
	if (!has_pmu(machine))
		report_no_pmu(machine);
	else if (counters_by_log(machine) == 0)
		finding(FINDING_ERROR, "no_programmable_counter", pmu_counters_command(machine),
			"the PMU has no programmable counter: the hypervisor gives the cycle "
			"counter alone");
}

bool pmu_is_partitioned(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	const char *value;

	machine_read(machine, "/proc/cmdline", text, sizeof(text));
	value = strstr(text, PARTITION);
	return value && value[strlen(PARTITION)] != '-';
}

const char *pmu_counters_cause(const struct machine *machine)
{
	return pmu_is_partitioned(machine) ?
		"the others are set aside for guests (reserved_host_counters)" :
		"the PMU has no more: a hypervisor keeps the others";
}

const char *pmu_counters_command(const struct machine *machine)
{
	if (pmu_is_partitioned(machine))
		return advice_fix("few_counters_partitioned");
	return advice_fix(is_gce(machine) ? "no_pmu_gce" : "few_counters_vmm");
}

/* Return: the first line of a file, truncated; "" if the file is missing. */
static const char *read_line(const struct machine *machine, const char *path, char line[MAX_LINE])
{
	machine_read(machine, path, line, MAX_LINE);
	line[strcspn(line, "\n")] = '\0';
	return line;
}

/* Return: file descriptors of a process that are @what; *denied: they cannot be read. */
static unsigned int count_open(const struct machine *machine, const char *pid, const char *what,
			       bool *denied)
{
	char *directory = format_string("/proc/%s/fd", pid);
	char **names = machine_list(machine, directory);
	unsigned int nr = 0;
	char to[64];

	*denied |= !machine_may_read(machine, directory);
	for (size_t i = 0; names[i]; i++) {
		char *path = format_string("%s/%s", directory, names[i]);

		nr += machine_read_link(machine, path, to, sizeof(to)) && !strcmp(to, what);
		free(path);
	}
	free_names(names);
	free(directory);
	return nr;
}

static bool find_perf_users(const struct machine *machine)
{
	char **names = machine_list(machine, "/proc");
	bool denied = false, found = false;

	for (size_t i = 0; names[i]; i++) {
		unsigned int nr;
		char *path, *kill, line[MAX_LINE];

		if (!isdigit((unsigned char)names[i][0]))
			continue;
		nr = count_open(machine, names[i], "anon_inode:[perf_event]", &denied);
		if (!nr)
			continue;
		found = true;
		path = format_string("/proc/%s/comm", names[i]);
		kill = format_string("kill %s", names[i]);
		finding(FINDING_WARNING, "process_holds_events",
			kill, "process %s (%s) holds %u perf %s", names[i],
			read_line(machine, path, line), nr, plural(nr, "event", "events"));
		free(kill);
		free(path);
	}
	free_names(names);
	if (denied) {
		char *command = privilege_command(machine, "n3stat doctor");

		finding(FINDING_NOTE, "processes_hidden", command,
			"some processes cannot be looked into: they may hold counters");
		free(command);
	}
	return found || denied;
}

/* On arm64, the cycle-counting detector is disabled if the PMU interrupt is not an NMI. */
static bool has_pseudo_nmis(const struct machine *machine)
{
	static const char name[] = "irqchip.gicv3_pseudo_nmi=";
	char text[MACHINE_MAX_TEXT];
	const char *value;

	if (machine_read(machine, "/proc/cmdline", text, sizeof(text)) < 0)
		return true;
	value = strstr(text, name);
	if (!value)
		return false;
	value += strlen(name);
	return strspn(value, "1yYtT") || !strncasecmp(value, "on", 2);
}

static bool find_detector(const struct machine *machine, const char *config)
{
	if (!*config) {
		finding(FINDING_NOTE, "nmi_watchdog_possible", NULL,
			"the NMI watchdog may hold a counter on every CPU: it does if the kernel "
			"has CONFIG_HARDLOCKUP_DETECTOR_PERF");
		return true;
	}
	if (!strstr(config, "\nCONFIG_HARDLOCKUP_DETECTOR_PERF=y\n") || !has_pseudo_nmis(machine))
		return false;
	finding(FINDING_WARNING, "nmi_watchdog", NULL,
		"the NMI watchdog holds a counter on every CPU");
	return true;
}

/* The switch alone is inconclusive: CPUs may watch each other instead (buddy detector). */
static bool find_watchdog(const struct machine *machine)
{
	char *config, line[MAX_LINE];
	bool found;

	if (strcmp(read_line(machine, "/proc/sys/kernel/nmi_watchdog", line), "1"))
		return false;
	config = machine_kernel_config(machine);
	found = find_detector(machine, config);
	free(config);
	return found;
}

bool doctor_others(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	bool watchdog = find_watchdog(machine);
	bool users = find_perf_users(machine);

	machine_read(machine, "/sys/kernel/security/lockdown", text, sizeof(text));
	if (strstr(text, "[confidentiality]"))
		finding(FINDING_ERROR, "kernel_lockdown", NULL,
			"kernel lockdown forbids reading performance counters");
	return watchdog || users;
}

static unsigned int count_guests(const struct machine *machine)
{
	char **names = machine_list(machine, "/proc");
	unsigned int nr = 0;
	bool denied = false;

	for (size_t i = 0; names[i]; i++)
		nr += isdigit((unsigned char)names[i][0]) &&
		      count_open(machine, names[i], "anon_inode:kvm-vm", &denied);
	free_names(names);
	return nr;
}

static void find_partition(const struct machine *machine)
{
	char **names = module_list(machine);
	char text[MACHINE_MAX_TEXT], *path;
	unsigned int cpus = 0;
	struct place place;
	long most = 0, nr;

	for (size_t i = 0; names[i]; i++) {
		if (!place_parse(names[i], &place) || place.scope != SCOPE_CPU)
			continue;
		path = format_string("%s/status", names[i]);
		module_read(machine, path, text, sizeof(text));
		free(path);
		nr = number_of_key(text, "guest_counters");
		cpus += nr > 0;
		most = nr > most ? nr : most;
	}
	free_names(names);
	if (cpus)
		finding(FINDING_WARNING, "pmu_partitioned", NULL,
			"on %u %s the PMU is partitioned: %ld %s gone while a guest runs, and "
			"values are contended then", cpus, plural(cpus, "CPU", "CPUs"), most,
			plural(most, "counter is", "counters are"));
}

void doctor_guests(const struct machine *machine)
{
	unsigned int nr = count_guests(machine);

	if (nr)
		finding(FINDING_NOTE, "guests_running", NULL,
			"%u %s here (KVM): their instructions are counted as well, and their "
			"PMUs take counters", nr, plural(nr, "guest runs", "guests run"));
	if (machine->has_module)
		find_partition(machine);
}

/* As the service reads its configuration: the last valid line holds. */
static bool is_permitted(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	char *rest = text, *line, value[8], more[2];
	bool permitted = false;

	machine_read(machine, "/etc/n3-telemetry.conf", text, sizeof(text));
	while ((line = strsep(&rest, "\n"))) {
		line[strcspn(line, "#")] = '\0';
		if (sscanf(line, " user_access = %7s%1s", value, more) != 1)
			continue;
		if (!strcmp(value, "allow"))
			permitted = true;
		else if (!strcmp(value, "refuse"))
			permitted = false;
	}
	return permitted;
}

void doctor_user_access(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];

	machine_read(machine, "/proc/sys/kernel/perf_user_access", text, sizeof(text));
	if (*text == '1' && !is_permitted(machine))
		finding(FINDING_WARNING, "user_access_allowed", NULL,
			"any user may read the module's counters (kernel.perf_user_access); a task "
			"that sleeps whenever a slice ends is not noticed");
}
