/* SPDX-License-Identifier: GPL-2.0 */
/* Being a good neighbour to others who count on the same CPU. */
#ifndef _N3T_NEIGHBOUR_H
#define _N3T_NEIGHBOUR_H

#include <linux/ktime.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct n3t_cpu;

#define N3T_AWAY_LOOK_MS	20	/* how often to look while the counters are away */
#define N3T_ROTATION_UNKNOWN	(-1)

enum n3t_neighbour_todo {
	N3T_TODO_NOTHING,
	N3T_TODO_LEAVE,
	N3T_TODO_RETURN,
	N3T_TODO_GROW,
};

/**
 * struct n3t_neighbour - what a CPU knows of others who count on it
 * @work: does what may sleep
 * @todo: what @work is to do: written by the sampler, taken by @work
 * @sharing: N3T_CONTENTION_SHARE is in force
 * @looks: looks since the counters were taken or given back
 * @quiet: looks in a row at which nobody waited
 * @patience: quiet looks that are needed before coming back
 * @own_rotation: when perf's timer expires that asking for counters set off: 0 if
 *	it has, N3T_ROTATION_UNKNOWN if that was asked on another CPU
 * @here_since_ns: when the counters were taken
 * @away_since_ns: when they were given back, 0 if they were not
 * @away_ns: how long they were away in total, before that
 * @times: how often they were given back
 *
 * @looks, @quiet and @own_rotation belong to the sampler while it is on; the rest:
 * n3t_control_lock. The sampler reads @sharing and @patience without it.
 */
struct n3t_neighbour {
	struct work_struct work;
	enum n3t_neighbour_todo todo;
	bool sharing;
	unsigned int looks;
	unsigned int quiet;
	unsigned int patience;
	ktime_t own_rotation;
	u64 here_since_ns;
	u64 away_since_ns;
	u64 away_ns;
	u64 times;
};

void n3t_neighbour_init(struct n3t_cpu *cpu);
void n3t_neighbour_quiesce(struct n3t_neighbour *neighbour);
void n3t_neighbour_settle(struct n3t_neighbour *neighbour, bool sharing);
void n3t_neighbour_forget(struct n3t_neighbour *neighbour);
void n3t_neighbour_begin_away(struct n3t_neighbour *neighbour, bool sharing);
void n3t_neighbour_look(struct n3t_cpu *cpu, bool whole);
void n3t_neighbour_wait(struct n3t_cpu *cpu);
u64 n3t_neighbour_away_ns(const struct n3t_neighbour *neighbour);

#endif /* _N3T_NEIGHBOUR_H */
