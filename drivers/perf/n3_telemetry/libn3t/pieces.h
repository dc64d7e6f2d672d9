/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Pieces: sampled parts of the runs of tasks, summed up by owner.
 *
 * A run lasts from a switch to a task until the next switch. Its owner is a cgroup's id. See
 * pieces.c for the reasons.
 */
#ifndef _N3T_PIECES_H
#define _N3T_PIECES_H

#include <linux/types.h>

#include "libn3t/plan.h"
#include "libn3t/random.h"
#include "libn3t/totals.h"

#define N3T_PIECES		64	/* of a slice, at most */
#define N3T_PIECES_SLICES	16	/* number of past slices that determine the chance */
#define N3T_PIECES_MIN		10	/* per second */
#define N3T_PIECES_MAX		1000
#define N3T_PIECE_COUNTS	(N3T_NR_SLOTS - 1)

/**
 * struct n3t_reading - counters of a CPU at a moment, or their advance during a piece
 * @ns: time
 * @cycles: CPU_CYCLES
 * @count: totals of the leading counts of Topdown_L1's set, as many as
 *	n3t_pieces_begin() returned; the others must be equal in all readings of a slice
 */
struct n3t_reading {
	u64 ns;
	u64 cycles;
	u64 count[N3T_PIECE_COUNTS];
};

/**
 * struct n3t_piece - a piece of a run
 * @owner: id of the cgroup
 * @shift: the chance of the candidate was 1 / 2^shift, so the weight of the piece is 2^shift
 * @of: reading at the start, replaced by the advance at the end
 */
struct n3t_piece {
	u64 owner;
	u64 shift;
	struct n3t_reading of;
};

/**
 * struct n3t_pieces - pieces of a CPU
 * @mask: of the coin: U32_MAX if no candidate is taken, as n3t_random() is never 0; 0 while a
 *	piece is open
 * @random: state of the coin
 * @candidates: number of candidates in this slice
 * @idles: number of switches to idle in this slice; 1 less if its start was a candidate
 * @shift: as that of struct n3t_piece, for the next candidate
 * @nr: pieces of this slice that have ended
 * @room: value of @nr at which the chance is halved
 * @bank: index of the bank in use
 * @open: piece @nr has started
 * @spoilt: pieces of this slice are dropped
 * @ended_nr: pieces in the other bank
 * @ended_spoilt: these are dropped
 * @switches: number of context switches seen until the last slice ended
 * @dropped: number of slices whose pieces were dropped
 * @slice: index in @past of this slice
 * @past: starts of recent slices, 0 if there are fewer, and their candidates
 * @overcounted: counts from which cycles are subtracted, as a mask
 * @summed: counts that add up to each of Topdown_L1's, as a mask
 * @piece: the pieces of a slice and, until they are added to a table, of the one before
 */
struct n3t_pieces {
	u32 mask;
	u32 random;
	u32 candidates;
	u32 idles;
	u8 shift;
	u8 nr;
	u8 room;
	u8 bank;
	bool open;
	bool spoilt;
	u8 ended_nr;
	bool ended_spoilt;
	u64 switches;
	u64 dropped;
	unsigned int slice;
	struct {
		u64 start_ns;
		u32 candidates;
	} past[N3T_PIECES_SLICES];
	u32 overcounted;
	u32 summed[N3T_PIECE_COUNTS];
	struct n3t_piece piece[2][N3T_PIECES];
};

/**
 * struct n3t_allowance - limit on pieces by their cost
 * @since_ns: start of the current second, 0 before the first
 * @switches_ns: cost of switches since then
 * @pieces_ns: cost of pieces since then
 * @ppm: cost of the last second in millionths of the time
 * @halvings: number of times that the pieces wished are halved
 * @refused_until_ns: no pieces are taken before, as switches alone cost too much; 0 if they are
 */
struct n3t_allowance {
	u64 since_ns;
	u64 switches_ns;
	u64 pieces_ns;
	u64 ppm;
	unsigned int halvings;
	u64 refused_until_ns;
};

unsigned int n3t_pieces_allowed(struct n3t_allowance *allowance, unsigned int wished, u64 now);
void n3t_pieces_charge(struct n3t_allowance *allowance, u64 switches_ns, u64 pieces_ns,
		       unsigned int wished, unsigned int limit, u64 now);
void n3t_pieces_init(struct n3t_pieces *pieces, u32 seed);
unsigned int n3t_pieces_begin(struct n3t_pieces *pieces, const struct n3t_plan *plan,
			      bool overcounts);
void n3t_pieces_start(struct n3t_pieces *pieces, u64 now, unsigned int wished, bool is_running);
void n3t_pieces_open(struct n3t_pieces *pieces, u64 owner, const struct n3t_reading *reading);
void n3t_pieces_close(struct n3t_pieces *pieces, const struct n3t_reading *reading);
void n3t_pieces_spoil(struct n3t_pieces *pieces);
void n3t_pieces_end(struct n3t_pieces *pieces, const struct n3t_reading *reading);
void n3t_pieces_stop(struct n3t_pieces *pieces);

/**
 * n3t_pieces_toss() - toss the coin of a candidate
 * @pieces: pieces of the CPU
 *
 * Each candidate gets a coin of its own. A countdown would never take one of two tasks that
 * alternate.
 *
 * Context: Only on the CPU, interrupts off.
 * Return: true if a piece starts; also while one is open, after whose end the coin decides.
 */
static inline bool n3t_pieces_toss(struct n3t_pieces *pieces)
{
	return !(n3t_random(&pieces->random) & pieces->mask);
}

/* Counts a candidate and tosses its coin; inline, as it is part of each context switch. */
static inline bool n3t_pieces_take(struct n3t_pieces *pieces)
{
	pieces->candidates++;
	return n3t_pieces_toss(pieces);
}

#endif /* _N3T_PIECES_H */
