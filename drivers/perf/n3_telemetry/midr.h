/* SPDX-License-Identifier: GPL-2.0 */
/* What ID registers say of the CPU that asks. */
#ifndef _N3T_MIDR_H
#define _N3T_MIDR_H

#include <linux/types.h>

#define N3T_MIDR_PART		0xd8e	/* Neoverse N3 TRM, MIDR_EL1.PartNum */
#define N3T_MIDR_IMPLEMENTER	0x41	/* Arm */

/* ID_AA64DFR0_EL1.PMUVer: Arm ARM (DDI 0487), section D19.2 */
#define N3T_DFR0_PMUVER_SHIFT	8
#define N3T_DFR0_PMUVER_MASK	0xf
#define N3T_DFR0_PMUVER_V3P5	6
#define N3T_DFR0_PMUVER_IMP_DEF	0xf

#ifdef CONFIG_ARM64
#include <asm/cputype.h>
#include <asm/sysreg.h>

/* For the CPU that runs it. */
static inline bool n3t_midr_is_n3(void)
{
	u32 midr = read_cpuid_id();

	return MIDR_IMPLEMENTOR(midr) == N3T_MIDR_IMPLEMENTER &&
	       MIDR_PARTNUM(midr) == N3T_MIDR_PART;
}

/* Are all its event counters 64 bits wide, so that none overflows in a lifetime. */
static inline bool n3t_midr_has_long_counters(void)
{
	unsigned int version = read_sysreg(id_aa64dfr0_el1) >> N3T_DFR0_PMUVER_SHIFT;

	version &= N3T_DFR0_PMUVER_MASK;
	return version >= N3T_DFR0_PMUVER_V3P5 && version != N3T_DFR0_PMUVER_IMP_DEF;
}
#else
static inline bool n3t_midr_is_n3(void)
{
	return false;
}

static inline bool n3t_midr_has_long_counters(void)
{
	return false;
}
#endif

#endif /* _N3T_MIDR_H */
