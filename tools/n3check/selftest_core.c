// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: identification of a CPU by MIDR_EL1, from the module's table of cores. */
#include <linux/kernel.h>

#include "lib/memory.h"
#include "libn3t/core.h"
#include "selftest_cpus.h"

#define ARM_LTD		0x41

/* Return: its row of the table, or NULL. */
static const struct n3t_core *core_of(uint64_t midr)
{
	return midr >> 24 == ARM_LTD ? n3t_core_by_part(midr >> 4 & N3T_CORE_PART_MAX) : NULL;
}

char *selftest_core_name(uint64_t midr)
{
	const struct n3t_core *core = core_of(midr);

	if (!midr)
		return xstrdup("unknown CPU");
	return format_string("%s r%up%u", core ? core->name : "Arm CPU",
			     (unsigned int)(midr >> 20 & 0xf), (unsigned int)(midr & 0xf));
}

unsigned int selftest_slots(uint64_t midr)
{
	const struct n3t_core *core = core_of(midr);

	return core ? core->slots : 0;
}
