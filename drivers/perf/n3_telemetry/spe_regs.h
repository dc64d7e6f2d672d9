/* SPDX-License-Identifier: GPL-2.0 */
/* SPE registers of the current CPU. */
#ifndef _N3T_SPE_REGS_H
#define _N3T_SPE_REGS_H

#include "libn3t/spe.h"
#include "midr.h"

#ifdef CONFIG_ARM64
#include <asm/sysreg.h>

/* Not all kernels define these names. */
#define N3T_SYS_PMSIDR_EL1	sys_reg(3, 0, 9, 9, 7)
#define N3T_SYS_PMBIDR_EL1	sys_reg(3, 0, 9, 10, 7)
#define N3T_DFR0_PMSVER_SHIFT	32
#define N3T_DFR0_PMSVER_MASK	0xf

/* The order avoids traps: each register shows whether the next one exists. */
static inline void n3t_spe_regs_read(struct n3t_spe_regs *regs)
{
	*regs = (struct n3t_spe_regs){
		.were_read = true,
		.is_n3 = N3T_MIDR_MODEL(n3t_midr_id()) == N3T_CORE_n3,
	};
	regs->pmsver = read_sysreg(id_aa64dfr0_el1) >> N3T_DFR0_PMSVER_SHIFT &
		       N3T_DFR0_PMSVER_MASK;
	if (!regs->pmsver)
		return;
	regs->pmbidr = read_sysreg_s(N3T_SYS_PMBIDR_EL1);
	regs->has_pmbidr = true;
	if (n3t_spe_is_owned(regs->pmbidr))
		return;
	regs->pmsidr = read_sysreg_s(N3T_SYS_PMSIDR_EL1);
	regs->has_pmsidr = true;
}
#else
static inline void n3t_spe_regs_read(struct n3t_spe_regs *regs)
{
	*regs = (struct n3t_spe_regs){ .were_read = true };
}
#endif

#endif /* _N3T_SPE_REGS_H */
