/* SPDX-License-Identifier: GPL-2.0 */
/* A CPU's claim to counters: taking them, sampling, growing, yielding and waiting. */
#ifndef _N3T_CLAIM_H
#define _N3T_CLAIM_H

#include "libn3t/contention.h"
#include "libn3t/verdict.h"

struct n3t_config;
struct n3t_cpu;

extern bool n3t_claim_unloading;	/* no CPU is sampled any more */

int n3t_claim_prepare(struct n3t_cpu *cpu, struct n3t_config *config);
void n3t_claim_forget(struct n3t_cpu *cpu);
bool n3t_claim_change_over(struct n3t_cpu *cpu, const struct n3t_config *config);
bool n3t_claim_act(struct n3t_cpu *cpu, struct n3t_config *config, enum n3t_todo todo);
bool n3t_claim_stop(struct n3t_cpu *cpu, enum n3t_cpu_state state);

#endif /* _N3T_CLAIM_H */
