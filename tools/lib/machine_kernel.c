// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* CPU models of a machine, its hypervisor, files of its kernel: configuration, log, modules. */
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>

#include "cpu_list.h"
#include "machine_kernel.h"
#include "memory.h"
#include "names.h"

#define MIDR_N3		0x410fd8e0UL	/* Arm, part 0xd8e */
#define MIDR_ARCHITECTURE 0xf0000	/* defined by CPUID registers */
#define MIDR_MASK	0xff0ffff0UL	/* any variant and revision */

#define MAX_LINE	256	/* exceeds the kernel's lines */
#define MAX_CONFIG	(1024 * 1024)	/* typically 300 KB */
#define MAX_LOG		(1024 * 1024)	/* the end of the log */
#define MAX_DEPTH	8

#define READ_ALL	3	/* SYSLOG_ACTION_READ_ALL */

/* Their manuals list the same data sources; other vendors assign other meanings to the values. */
static const struct {
	const char *name;
	uint32_t model;
} cores[] = {
	{ "n1", 0x4100d0c0 }, { "n2", 0x4100d490 }, { "n3", 0x4100d8e0 },
	{ "v1", 0x4100d400 }, { "v2", 0x4100d4f0 }, { "v3", 0x4100d840 },
	{ "v3ae", 0x4100d830 }, { "x1c", 0x4100d4c0 }, { "x3", 0x4100d4e0 },
	{ "x925", 0x4100d850 }, { "a720", 0x4100d810 }, { "a720ae", 0x4100d890 },
	{ "a725", 0x4100d870 },
};

bool core_is_known(uint64_t midr)
{
	for (size_t i = 0; i < NR(cores); i++)
		if (MIDR_MODEL(midr) == cores[i].model)
			return true;
	return false;
}

uint64_t core_midr(const char *name)
{
	unsigned long long midr;
	char *end;

	for (size_t i = 0; i < NR(cores); i++)
		if (!strcasecmp(cores[i].name, name))
			return cores[i].model | MIDR_ARCHITECTURE;
	midr = strtoull(name, &end, 16);
	return strncmp(name, "0x", 2) || *end ? 0 : midr;
}

/* Counts the CPU of a directory named cpu12. */
static void count_cpu(const struct machine *machine, const char *name, struct machine_cpus *cpus)
{
	char text[MAX_LINE], *path, *end;
	unsigned long midr;

	if (cpu_number_behind(name, "cpu") < 0)
		return;
	path = format_string("/sys/devices/system/cpu/%s/regs/identification/midr_el1", name);
	machine_read(machine, path, text, sizeof(text));
	free(path);
	midr = strtoul(text, &end, 16);
	if (end == text)
		return;
	cpus->arm++;
	cpus->n3 += (midr & MIDR_MASK) == MIDR_N3;
	cpus->sources += core_is_known(midr);
}

struct machine_cpus machine_cpus(const struct machine *machine)
{
	char **names = machine_list(machine, "/sys/devices/system/cpu");
	struct machine_cpus cpus = { 0 };

	for (size_t i = 0; names[i]; i++)
		count_cpu(machine, names[i], &cpus);
	free_names(names);
	return cpus;
}

char *machine_release(const struct machine *machine)
{
	char text[MAX_LINE];

	machine_read(machine, "/proc/sys/kernel/osrelease", text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	return xstrdup(text);
}

char *machine_kernel_config(const struct machine *machine)
{
	static const struct {
		const char *before;
		const char *after;
	} places[] = {
		{ "/boot/config-", "" },
		{ "/lib/modules/", "/config" },
		{ "/lib/modules/", "/build/.config" },
	};
	char *config = xcalloc(MAX_CONFIG, 1);
	char *release = machine_release(machine);

	for (size_t i = 0; i < NR(places) && *release && !strstr(config, "CONFIG_"); i++) {
		char *path = format_string("%s%s%s", places[i].before, release, places[i].after);

		machine_read(machine, path, config, MAX_CONFIG);
		free(path);
	}
	free(release);
	if (!strstr(config, "CONFIG_"))
		*config = '\0';
	return config;
}

char *machine_kernel_log(const struct machine *machine)
{
	char *log = xcalloc(MAX_LOG, 1);

	if (*machine->root)
		machine_read(machine, "/var/log/dmesg", log, MAX_LOG);
	else
		klogctl(READ_ALL, log, MAX_LOG - 1);
	return log;
}

static char *find_module(const struct machine *machine, const char *directory, const char *file,
			 unsigned int depth)
{
	char **names = machine_list(machine, directory);
	char *found = NULL;

	for (size_t i = 0; names[i] && !found; i++) {
		char *path = format_string("%s/%s", directory, names[i]);
		char to[2];

		if (!strncmp(names[i], file, strlen(file)))
			found = xstrdup(path);
		/* Links lead to other trees, such as the sources, or in circles. */
		else if (depth < MAX_DEPTH && !machine_read_link(machine, path, to, sizeof(to)))
			found = find_module(machine, path, file, depth + 1);
		free(path);
	}
	free_names(names);
	return found;
}

char *machine_find_module(const struct machine *machine, const char *directory, const char *file)
{
	return find_module(machine, directory, file, 0);
}

/* Strings in /sys/class/dmi/id/sys_vendor and product_name that only virtual machines have. */
static const char *virtual_by_dmi(const struct machine *machine)
{
	static const char * const words[] = {
		"QEMU", "KVM", "VMware", "Xen", "Google Compute Engine", "Virtual Machine",
		"OpenStack", "Alibaba Cloud", "Tencent Cloud", "Parallels", "Apple Virtualization",
	};

	for (size_t i = 0; i < NR(words); i++)
		if (machine_contains(machine, "/sys/class/dmi/id/sys_vendor", words[i]) ||
		    machine_contains(machine, "/sys/class/dmi/id/product_name", words[i]))
			return words[i];
	if (machine_contains(machine, "/sys/class/dmi/id/sys_vendor", "Amazon EC2") &&
	    !machine_contains(machine, "/sys/class/dmi/id/product_name", ".metal"))
		return "Amazon EC2";
	return NULL;
}

const char *machine_virtual(const struct machine *machine)
{
	char text[64];

	if (machine_contains(machine, "/proc/device-tree/hypervisor/compatible", "xen"))
		return "Xen";
	if (machine_read(machine, "/proc/device-tree/hypervisor/compatible", text,
			 sizeof(text)) > 0)
		return "KVM";
	if (machine_contains(machine, "/proc/device-tree/compatible", "linux,dummy-virt"))
		return "QEMU";
	return virtual_by_dmi(machine);
}
