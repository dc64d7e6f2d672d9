/* SPDX-License-Identifier: GPL-2.0 */
/* ID registers of the current CPU. */
#ifndef _N3T_MIDR_H
#define _N3T_MIDR_H

#include <linux/types.h>

#include "libn3t/core.h"

/* ID_AA64DFR0_EL1.PMUVer: Arm ARM (DDI 0487), section D19.2 */
#define N3T_DFR0_PMUVER_SHIFT	8
#define N3T_DFR0_PMUVER_MASK	0xf
#define N3T_DFR0_PMUVER_V3P4	5
#define N3T_DFR0_PMUVER_V3P5	6
#define N3T_DFR0_PMUVER_IMP_DEF	0xf

/* PMCR_EL0.N */
#define N3T_PMCR_N_SHIFT	11
#define N3T_PMCR_N_MASK		0x1f

/* MDCR_EL2.HPMN: counters below it belong to guests, if it is below PMCR_EL0.N */
#define N3T_MDCR_HPMN_MASK	0x1f
#define N3T_GUESTS_UNKNOWN	(-1)

/* PMMIR_EL1.SLOTS, since PMUv3p4 */
#define N3T_PMMIR_EL1		sys_reg(3, 0, 9, 14, 6)
#define N3T_PMMIR_SLOTS_MASK	0xff

/* Events covered by PMCEID0_EL0 and PMCEID1_EL0: two ranges of 64 */
#define N3T_PMCEID_EXTENDED	0x4000
#define N3T_PMCEID_EVENTS	64

/**
 * struct n3t_midr - contents of the ID registers of a CPU
 * @midr: MIDR_EL1
 * @has_pmu: it has a PMUv3
 * @long_counters: all its event counters have 64 bits, which never overflow in
 *	practice
 * @slots: slots per cycle in PMMIR_EL1, 0 if unknown
 * @counters: programmable counters in PMCR_EL0.N
 * @pmceid: implemented common events according to PMCEID: 0x0000 to 0x003f,
 *	0x4000 to 0x403f
 */
struct n3t_midr {
	u32 midr;
	bool has_pmu;
	bool long_counters;
	unsigned int slots;
	unsigned int counters;
	u64 pmceid[2];
};

/* Counters of guests, 0 without a partition; PMCR_EL0.N covers all counters if read at EL2. */
static inline int n3t_guest_counters(u64 mdcr, u64 pmcr)
{
	unsigned int all = pmcr >> N3T_PMCR_N_SHIFT & N3T_PMCR_N_MASK;
	unsigned int below = mdcr & N3T_MDCR_HPMN_MASK;

	return below < all ? below : 0;
}

#ifdef CONFIG_ARM64
#include <linux/bits.h>
#include <asm/cputype.h>
#include <asm/sysreg.h>
#include <asm/virt.h>

/* These functions read the registers of the CPU that calls them. */
static inline u32 n3t_midr_id(void)
{
	return read_cpuid_id();
}

static inline void n3t_midr_read(struct n3t_midr *info)
{
	unsigned int version = read_sysreg(id_aa64dfr0_el1) >> N3T_DFR0_PMUVER_SHIFT;

	version &= N3T_DFR0_PMUVER_MASK;
	info->midr = n3t_midr_id();
	info->has_pmu = version && version != N3T_DFR0_PMUVER_IMP_DEF;
	info->long_counters = info->has_pmu && version >= N3T_DFR0_PMUVER_V3P5;
	info->slots = 0;
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
	if (info->has_pmu && version >= N3T_DFR0_PMUVER_V3P4)
		info->slots = read_sysreg_s(N3T_PMMIR_EL1) & N3T_PMMIR_SLOTS_MASK;
}

/* Requires a PMU. Only a kernel at EL2 (VHE) can read the registers. */
static inline int n3t_midr_guest_counters(void)
{
	if (!is_kernel_in_hyp_mode())
		return N3T_GUESTS_UNKNOWN;
	return n3t_guest_counters(read_sysreg(mdcr_el2), read_sysreg(pmcr_el0));
}
#else
static inline u32 n3t_midr_id(void)
{
	return 0;
}

static inline int n3t_midr_guest_counters(void)
{
	return N3T_GUESTS_UNKNOWN;
}

static inline void n3t_midr_read(struct n3t_midr *info)
{
	*info = (struct n3t_midr){};
}
#endif

#endif /* _N3T_MIDR_H */
