/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs: hotplug, changes of settings and work items. */
#ifndef _N3T_CPUS_H
#define _N3T_CPUS_H

#include <linux/types.h>

struct n3t_config;
struct n3t_cpu;

int n3t_cpus_init(void);
void n3t_cpus_exit(void);
void n3t_cpus_watch(void);
void n3t_cpus_check_starved(struct n3t_cpu *cpu);
void n3t_cpus_quiesce(void);
unsigned int n3t_cpus_window(const struct n3t_config *config);
u64 n3t_cpus_start_ns(void);
u64 n3t_cpus_start_unix_ns(void);
u64 n3t_cpus_dropped(const struct n3t_cpu *cpu);
int n3t_cpus_prepare(struct n3t_config *config);
void n3t_cpus_change_over(struct n3t_config *config);
void n3t_cpus_settle(void);
int n3t_cpus_start(void);
void n3t_cpus_stop(void);
int n3t_cpus_online(unsigned int nr);
int n3t_cpus_offline(unsigned int nr);

#endif /* _N3T_CPUS_H */
