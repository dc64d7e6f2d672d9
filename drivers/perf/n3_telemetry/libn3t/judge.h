/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Judging a CPU window by window, and withdrawing metrics whose totals contain wrong counts. */
#ifndef _N3T_JUDGE_H
#define _N3T_JUDGE_H

#include <linux/bitmap.h>
#include <linux/time64.h>

#include "libn3t/n3t.h"

struct n3t_plan;
struct n3t_ring;
struct n3t_window;

/* Time without a fault after which a metric has totals again. */
#define N3T_WITHDRAWN_NS	(3600ull * NSEC_PER_SEC)

/*
 * In a window, OP_SPEC + STALL_SLOT may differ from all slots by this, in millionths: half of
 * CPU_CYCLES, so that an event that overcounts by CPU_CYCLES is found with any number of slots.
 */
#define N3T_SLOTS_OFF(slots)	(1000000u / (2 * (slots)))

/**
 * enum n3t_slots_identity - result of the first windows in which slots were compared
 * @N3T_SLOTS_UNDECIDED: too few windows
 * @N3T_SLOTS_HELD: OP_SPEC + STALL_SLOT were all slots in at least one of them
 * @N3T_SLOTS_VIOLATED: they were not in any of them
 */
enum n3t_slots_identity {
	N3T_SLOTS_UNDECIDED,
	N3T_SLOTS_HELD,
	N3T_SLOTS_VIOLATED,
};

/**
 * struct n3t_slots_check - comparison of OP_SPEC + STALL_SLOT with all slots
 * @windows: number of windows compared, counted up to those that decide
 * @off: number of these that were off by more than N3T_SLOTS_OFF()
 * @other_fits: number of these that would be off by at most 2 % with the other choice of
 *	n3t_window.corrected
 * @in_row: number of windows off by more than that, up to the last one; 0 if that could
 *	not be compared
 * @largest: largest deviation in any window, in millionths of all slots
 * @other: largest deviation in @windows with the other choice
 */
struct n3t_slots_check {
	unsigned int windows;
	unsigned int off;
	unsigned int other_fits;
	unsigned int in_row;
	u32 largest;
	u32 other;
};

/**
 * struct n3t_marks - result of judging a CPU
 * @withdrawn: the metrics without totals
 * @last_ns: when the last of these was withdrawn
 * @withdrawals: number of times that a metric was withdrawn, never reset
 * @slots: see struct n3t_slots_check
 */
struct n3t_marks {
	DECLARE_BITMAP(withdrawn, N3T_NR_METRICS);
	u64 last_ns;
	u64 withdrawals;
	struct n3t_slots_check slots;
};

/**
 * struct n3t_judge - judge of a CPU
 * @marks: the result
 * @bad: the metrics that were bad in the last window in which their set had cycles
 * @bad_ns: when each metric was last found to be bad
 */
struct n3t_judge {
	struct n3t_marks marks;
	DECLARE_BITMAP(bad, N3T_NR_METRICS);
	u64 bad_ns[N3T_NR_METRICS];
};

bool n3t_judge_take(struct n3t_window *window, struct n3t_window *judged,
		    const struct n3t_plan *plan, const struct n3t_ring *ring, bool rest);
bool n3t_slots_compare(struct n3t_slots_check *check, u32 error, u32 other, unsigned int slots);
void n3t_judge_window(struct n3t_judge *judge, const struct n3t_plan *plan,
		      struct n3t_window *window, bool together, u64 now_ns);
void n3t_judge_withdraw_all(struct n3t_judge *judge, u64 now_ns);
void n3t_judge_review(struct n3t_judge *judge, u64 now_ns);
void n3t_judge_reset(struct n3t_judge *judge);
enum n3t_slots_identity n3t_slots_identity(const struct n3t_slots_check *slots);
bool n3t_slots_other_fits(const struct n3t_slots_check *slots);
bool n3t_slots_are_off(const struct n3t_slots_check *slots);

#endif /* _N3T_JUDGE_H */
