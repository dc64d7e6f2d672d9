// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* doctor checks: CPU, kernel, access to the module, other users of the PMU. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"
#include "lib/machine_choice.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/privilege.h"
#include "lib/text.h"

#define MAX_LINE	256	/* exceeds the kernel's lines */

/* Return: the first line of a file, truncated; "" if the file is missing. */
static const char *read_line(const struct machine *machine, const char *path, char line[MAX_LINE])
{
	machine_read(machine, path, line, MAX_LINE);
	line[strcspn(line, "\n")] = '\0';
	return line;
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
	finding(machine->has_module ? FINDING_NOTE : FINDING_ERROR,
		cpus.arm ? "no_n3_cpu" : "not_arm",
		cpus.arm ? "make demo, in the source of n3_telemetry: an emulated N3; on other "
			   "Neoverse cores core=, see Documentation/silicon.rst" :
			   "make demo, in the source of n3_telemetry: an emulated N3",
		cpus.arm ? "no CPU is a Neoverse N3" : "these are not Arm CPUs: no Neoverse N3");
	return false;
}

/* The module checks at each read; the mode permits everyone to open its files. */
static bool may_read_module(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];
	ssize_t len = module_read(machine, "status", text, sizeof(text));
	struct privilege missing;
	char *command;

	if (len != -EACCES && len != -EPERM)
		return true;
	missing = privilege_to_count(machine);
	command = privilege_command(machine, "n3stat doctor");
	finding(FINDING_ERROR, len == -EACCES ? "module_unreadable" : "no_cap_perfmon", command,
		"the module is loaded, but this process may not %s %s",
		len == -EACCES ? "open the files in" : "read, by its check of CAP_PERFMON,",
		machine->module);
	finding(FINDING_NOTE, missing.kind->id, NULL, "%s", missing.advice);
	free(command);
	return false;
}

bool doctor_module(const struct machine *machine)
{
	char text[MACHINE_MAX_TEXT];

	if (machine->has_module) {
		if (!may_read_module(machine))
			return false;
		finding(FINDING_OK, "module_loaded", NULL, "the module is loaded");
		return true;
	}
	machine_read(machine, "/proc/modules", text, sizeof(text));
	if (!strncmp(text, "n3_telemetry ", 13) || strstr(text, "\nn3_telemetry ")) {
		finding(FINDING_ERROR, "no_sysfs", NULL,
			"the module is loaded, but there is no %s", machine->module);
		return false;
	}
	/* The module is for arm64 alone. */
	if (!machine_is_known(machine) || machine_cpus(machine).arm)
		doctor_install(machine);
	return false;
}

/* Return: visible perf events of all processes. */
static unsigned int count_events(const struct machine *machine, const char *pid, bool *denied)
{
	char *directory = format_string("/proc/%s/fd", pid);
	char **names = machine_list(machine, directory);
	unsigned int nr = 0;
	char to[64];

	*denied |= !machine_may_read(machine, directory);
	for (size_t i = 0; names[i]; i++) {
		char *path = format_string("%s/%s", directory, names[i]);

		nr += machine_read_link(machine, path, to, sizeof(to)) &&
		      !strcmp(to, "anon_inode:[perf_event]");
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
		nr = count_events(machine, names[i], &denied);
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
