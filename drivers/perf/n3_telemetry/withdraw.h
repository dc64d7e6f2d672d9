/* SPDX-License-Identifier: GPL-2.0 */
/* Judging sampled CPUs once a window, for totals. */
#ifndef _N3T_WITHDRAW_H
#define _N3T_WITHDRAW_H

#include <linux/types.h>

struct n3t_cpu;
struct n3t_marks;
struct n3t_run;

void n3t_withdraw_judge(struct n3t_cpu *cpu);
void n3t_withdraw_rest(struct n3t_cpu *cpu, struct n3t_run *run);
void n3t_withdraw_all(struct n3t_cpu *cpu, unsigned int enables);
void n3t_withdraw_marks(struct n3t_cpu *cpu, struct n3t_marks *marks);
bool n3t_withdraw_slots_off(const struct n3t_cpu *cpu, unsigned int enables);

#endif /* _N3T_WITHDRAW_H */
