/* SPDX-License-Identifier: GPL-2.0 */
/* Sampled runs of tasks by cgroup: the probe of context switches, and the sampler's part. */
#ifndef _N3T_CONTAINERS_H
#define _N3T_CONTAINERS_H

#include <linux/types.h>

struct n3t_cpu;
struct n3t_run;
struct n3t_slice;

int n3t_containers_init(unsigned int pieces);
void n3t_containers_exit(void);
int n3t_containers_begin(unsigned int pieces);
void n3t_containers_end(void);
void n3t_containers_start(struct n3t_cpu *cpu, const struct n3t_run *run);
void n3t_containers_stop(struct n3t_cpu *cpu);
void n3t_containers_slice(struct n3t_cpu *cpu, const struct n3t_run *run, unsigned int next,
			  const struct n3t_slice *slice, u64 now);
void n3t_containers_add(struct n3t_cpu *cpu, const struct n3t_run *run,
			const struct n3t_slice *slice);
const char *n3t_containers_word(const struct n3t_cpu *cpu);
unsigned int n3t_containers_records(void);
void n3t_containers_record(unsigned int record, char *buf);

#endif /* _N3T_CONTAINERS_H */
