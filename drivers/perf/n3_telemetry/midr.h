/* SPDX-License-Identifier: GPL-2.0 */
/* Is this CPU a Neoverse N3. */
#ifndef _N3T_MIDR_H
#define _N3T_MIDR_H

#include <linux/types.h>

#define N3T_MIDR_PART		0xd8e	/* Neoverse N3 TRM, MIDR_EL1.PartNum */
#define N3T_MIDR_IMPLEMENTER	0x41	/* Arm */

#ifdef CONFIG_ARM64
#include <asm/cputype.h>

/* For the CPU that runs it. */
static inline bool n3t_midr_is_n3(void)
{
	u32 midr = read_cpuid_id();

	return MIDR_IMPLEMENTOR(midr) == N3T_MIDR_IMPLEMENTER &&
	       MIDR_PARTNUM(midr) == N3T_MIDR_PART;
}
#else
static inline bool n3t_midr_is_n3(void)
{
	return false;
}
#endif

#endif /* _N3T_MIDR_H */
