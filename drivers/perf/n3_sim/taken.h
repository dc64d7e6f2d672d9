/* SPDX-License-Identifier: GPL-2.0 */
/* Counters taken away from other users. */
#ifndef _N3_SIM_TAKEN_H
#define _N3_SIM_TAKEN_H

int n3_sim_take(unsigned int cpu, unsigned int nr);
unsigned int n3_sim_taken(unsigned int cpu);
void n3_sim_reschedule(void);

#endif /* _N3_SIM_TAKEN_H */
