// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Detection of virtual machines, from their own description. */
#include <stddef.h>
#include <string.h>

#include "lib/util.h"
#include "machine_virtual.h"

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
