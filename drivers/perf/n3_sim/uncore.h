/* SPDX-License-Identifier: GPL-2.0 */
/* A PMU that represents uncore PMUs. */
#ifndef _N3_SIM_UNCORE_H
#define _N3_SIM_UNCORE_H

int n3_sim_uncore_init(void);
void n3_sim_uncore_exit(void);

#endif /* _N3_SIM_UNCORE_H */
