/* SPDX-License-Identifier: GPL-2.0 */
/* Per-CPU sampling: one slice after another, independently on each CPU. */
#ifndef _N3T_SAMPLER_H
#define _N3T_SAMPLER_H

#include <linux/types.h>

#include "pmu.h"

struct n3t_cpu;
struct n3t_run;
struct n3t_sampler;
struct n3t_settings;

void n3t_sampler_init(struct n3t_cpu *cpu);
unsigned int n3t_sampler_slice_ms(const struct n3t_sampler *sampler, bool through_perf,
				  unsigned int ms);
void n3t_sampler_start(struct n3t_cpu *cpu, struct n3t_run *run);
bool n3t_sampler_stop(struct n3t_cpu *cpu);
void n3t_sampler_exit(struct n3t_cpu *cpu);
bool n3t_sampler_is_isolated(unsigned int cpu);
bool n3t_sampler_is_starved(const struct n3t_cpu *cpu);
unsigned int n3t_sampler_max_cost(const struct n3t_cpu *cpu, const struct n3t_settings *settings);
bool n3t_sampler_sees_user_access(const struct n3t_cpu *cpu, enum n3t_switch setting);

#endif /* _N3T_SAMPLER_H */
