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

/* PMCR_EL0.N */
#define N3T_PMCR_N_SHIFT	11
#define N3T_PMCR_N_MASK		0x1f

/* Events that PMCEID0_EL0 and PMCEID1_EL0 cover: two ranges of 64 */
#define N3T_PMCEID_COMMON	0x0000
#define N3T_PMCEID_EXTENDED	0x4000
#define N3T_PMCEID_EVENTS	64

/**
 * struct n3t_midr - what ID registers say of a CPU
 * @is_n3: it is a Neoverse N3
 * @has_pmu: it has a PMUv3
 * @long_counters: all its event counters are 64 bits wide, so that none overflows
 *	in a lifetime
 * @counters: programmable counters that PMCR_EL0.N tells of
 * @pmceid: the common events that are implemented, as PMCEID says: 0x0000 to
 *	0x003f, 0x4000 to 0x403f
 */
struct n3t_midr {
	bool is_n3;
	bool has_pmu;
	bool long_counters;
	unsigned int counters;
	u64 pmceid[2];
};

#ifdef CONFIG_ARM64
#include <linux/bits.h>
#include <asm/cputype.h>
#include <asm/sysreg.h>

/* For the CPU that runs it, as all that follows. */
static inline bool n3t_midr_is_n3(void)
{
	u32 midr = read_cpuid_id();

	return MIDR_IMPLEMENTOR(midr) == N3T_MIDR_IMPLEMENTER &&
	       MIDR_PARTNUM(midr) == N3T_MIDR_PART;
}

static inline void n3t_midr_read(struct n3t_midr *info)
{
	unsigned int version = read_sysreg(id_aa64dfr0_el1) >> N3T_DFR0_PMUVER_SHIFT;

	version &= N3T_DFR0_PMUVER_MASK;
	info->is_n3 = n3t_midr_is_n3();
	info->has_pmu = version && version != N3T_DFR0_PMUVER_IMP_DEF;
	info->long_counters = info->has_pmu && version >= N3T_DFR0_PMUVER_V3P5;
	info->counters = 0;
	info->pmceid[0] = 0;
	info->pmceid[1] = 0;
	/* These registers are undefined without a PMU. */
	if (info->has_pmu) {
		u64 low = read_sysreg(pmceid0_el0);
		u64 high = read_sysreg(pmceid1_el0);

		info->counters = read_sysreg(pmcr_el0) >> N3T_PMCR_N_SHIFT & N3T_PMCR_N_MASK;
		info->pmceid[0] = (low & GENMASK(31, 0)) | high << 32;
		info->pmceid[1] = low >> 32 | (high & GENMASK_ULL(63, 32));
	}
}
#else
static inline void n3t_midr_read(struct n3t_midr *info)
{
	*info = (struct n3t_midr){};
}
#endif

#endif /* _N3T_MIDR_H */
