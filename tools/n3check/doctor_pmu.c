// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* doctor checks: other CPUs, a missing PMU, or one with few or no counters. */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"
#include "lib/machine_kernel.h"
#include "lib/names.h"
#include "lib/text.h"
#include "reader/advice.h"

#define PARTITION	"reserved_host_counters="

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
	return has_entry(machine, "/sys/bus/event_source/devices", "armv8_") ||
	       has_entry(machine, "/sys/bus/event_source/devices", "armv9_");
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
