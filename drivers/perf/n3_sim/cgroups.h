/* SPDX-License-Identifier: GPL-2.0 */
/* Rates by the cgroup of the running task, changed at each context switch. */
#ifndef _N3_SIM_CGROUPS_H
#define _N3_SIM_CGROUPS_H

#include <linux/errno.h>

struct n3_sim_owners;
struct seq_file;

#if defined(CONFIG_CGROUPS) && defined(CONFIG_TRACEPOINTS)
const struct n3_sim_owners *n3_sim_cgroups(void);
int n3_sim_cgroups_start(struct n3_sim_owners *owners);
void n3_sim_cgroups_stop(void);
int n3_sim_cgroups_show(struct seq_file *seq, unsigned int cpu);
#else
static inline const struct n3_sim_owners *n3_sim_cgroups(void)
{
	return NULL;
}

static inline int n3_sim_cgroups_start(struct n3_sim_owners *owners)
{
	return -EOPNOTSUPP;
}

static inline void n3_sim_cgroups_stop(void)
{
}

static inline int n3_sim_cgroups_show(struct seq_file *seq, unsigned int cpu)
{
	return 0;
}
#endif

#endif /* _N3_SIM_CGROUPS_H */
