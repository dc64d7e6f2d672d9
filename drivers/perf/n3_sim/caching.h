/* SPDX-License-Identifier: GPL-2.0 */
/* Emulation of a PMU driver that caches the event types that it writes. */
#ifndef _N3_SIM_CACHING_H
#define _N3_SIM_CACHING_H

#include <linux/errno.h>

/**
 * enum n3_sim_caching - a driver's use of the type that it wrote last to a register
 * @N3_SIM_CACHING_NONE: not at all, as armv8_pmuv3
 * @N3_SIM_CACHING_SKIP: it skips writing the same type again
 * @N3_SIM_CACHING_RESTORE: it writes the type again whenever the PMU is enabled
 */
enum n3_sim_caching {
	N3_SIM_CACHING_NONE,
	N3_SIM_CACHING_SKIP,
	N3_SIM_CACHING_RESTORE,
};

#ifdef CONFIG_ARM64
enum n3_sim_caching n3_sim_caching(unsigned int cpu);
int n3_sim_set_caching(unsigned int cpu, enum n3_sim_caching caching);
void n3_sim_caching_exit(void);
#else
static inline enum n3_sim_caching n3_sim_caching(unsigned int cpu)
{
	return N3_SIM_CACHING_NONE;
}

static inline int n3_sim_set_caching(unsigned int cpu, enum n3_sim_caching caching)
{
	return -EOPNOTSUPP;
}

static inline void n3_sim_caching_exit(void)
{
}
#endif

#endif /* _N3_SIM_CACHING_H */
