// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Pieces: sampled parts of the runs of tasks, summed up by owner.
 *
 * Reading counters at each context switch costs too much, and counts of whole slices cannot be
 * split: how a task stalls depends on its neighbours. A sample of runs needs no model. Candidates
 * are the switches to a task and the starts of slices of Topdown_L1 within a run; a piece lasts
 * until the next switch or the end of the slice. Each candidate is taken with a chance of
 * 1 / 2^shift and counts 2^shift times, so every part of every run counts once on average,
 * however long runs are, and quotients of sums are those of all runs (Horvitz and Thompson,
 * Journal of the American Statistical Association 47, 1952).
 *
 * This holds if the chance depends on the past alone. It follows the candidates of recent slices,
 * and is halved each time that half of the buffer's room is used up. Nothing is rejected for what
 * it is: if a burst fills the buffer, each piece in it stays with a chance of a half and counts
 * twice as often. To drop such a slice would prefer runs that are not in bursts.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <kunit/visibility.h>

#include "libn3t/core.h"
#include "libn3t/formula.h"
#include "libn3t/pieces.h"

#define MAX_SHIFT	20
#define USUAL_PIECES	(N3T_PIECES / 2)	/* of a slice, at most; leaves room for bursts */
#define MAX_CANDIDATES	1000000u		/* of a slice that are remembered */
#define MEASURE_NS	((u64)NSEC_PER_SEC)
#define REFUSE_NS	(60 * (u64)NSEC_PER_SEC)
#define MAX_SPAN_NS	(3600 * (u64)NSEC_PER_SEC)
#define SQRT2_128	181			/* 128 times the root of 2 */

/* With these limits no product below overflows. */
static_assert((u64)N3T_PIECES_SLICES * MAX_CANDIDATES <= U64_MAX / NSEC_PER_SEC / SQRT2_128);
static_assert(MAX_SPAN_NS * 128 <= U64_MAX / N3T_PIECES_MAX);

/**
 * n3t_pieces_init() - initialize a CPU without pieces
 * @pieces: the pieces
 * @seed: any number; a different one for each CPU
 */
void n3t_pieces_init(struct n3t_pieces *pieces, u32 seed)
{
	memset(pieces, 0, sizeof(*pieces));
	pieces->random = n3t_random_state(seed);
	pieces->mask = U32_MAX;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pieces_init);

/**
 * n3t_pieces_allowed() - get the number of pieces that their cost permits
 * @allowance: of the CPU
 * @wished: number of pieces per second
 * @now: current time
 *
 * Context: Only the CPU's sampler.
 * Return: number of pieces per second; 0 for none.
 */
unsigned int n3t_pieces_allowed(struct n3t_allowance *allowance, unsigned int wished, u64 now)
{
	if (now < allowance->refused_until_ns)
		return 0;
	allowance->refused_until_ns = 0;
	return wished >> allowance->halvings;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pieces_allowed);

static u64 ppm_of(u64 cost_ns, u64 passed_ns)
{
	return div64_u64(min(cost_ns, passed_ns) * USEC_PER_SEC, passed_ns);
}

/* Fewer pieces cost less; switches cost the same without any. */
static void review(struct n3t_allowance *allowance, u64 passed_ns, unsigned int wished,
		   unsigned int limit, u64 now)
{
	u64 switches = ppm_of(allowance->switches_ns, passed_ns);
	u64 pieces = ppm_of(allowance->pieces_ns, passed_ns);

	allowance->ppm = switches + pieces;
	if (!limit || switches + 2 * pieces <= limit) {
		allowance->halvings -= !!allowance->halvings;
		return;
	}
	for (; switches + pieces > limit; pieces /= 2) {
		allowance->halvings++;
		if (wished >> allowance->halvings >= N3T_PIECES_MIN)
			continue;
		allowance->halvings = 0;
		allowance->refused_until_ns = now + REFUSE_NS;
		return;
	}
}

/**
 * n3t_pieces_charge() - count the cost of switches and pieces
 * @allowance: of the CPU
 * @switches_ns: cost of switches since the last call
 * @pieces_ns: cost of pieces since the last call
 * @wished: number of pieces per second without a limit
 * @limit: limit of the cost in ppm of the time, 0 for none
 * @now: current time
 *
 * After a second that cost more than the limit the pieces are halved as often as necessary. If
 * switches alone exceed it, or the least number of pieces does, none are taken for a minute.
 *
 * Context: Only the CPU's sampler.
 */
void n3t_pieces_charge(struct n3t_allowance *allowance, u64 switches_ns, u64 pieces_ns,
		       unsigned int wished, unsigned int limit, u64 now)
{
	u64 passed_ns = now - allowance->since_ns;

	allowance->switches_ns += switches_ns;
	allowance->pieces_ns += pieces_ns;
	if (allowance->since_ns && passed_ns < MEASURE_NS)
		return;
	/* A longer pause, in which nothing was measured, starts over. */
	if (allowance->since_ns && passed_ns < REFUSE_NS)
		review(allowance, passed_ns, wished, limit, now);
	allowance->since_ns = now;
	allowance->switches_ns = 0;
	allowance->pieces_ns = 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pieces_charge);

/**
 * n3t_pieces_begin() - prepare for the slices of a run
 * @pieces: pieces of a CPU that is not armed
 * @plan: plan of the run
 * @overcounts: n3t_core_overcounts() for the CPU
 *
 * The numbers of switches and of dropped slices remain.
 *
 * Return: number of leading counts of Topdown_L1's set that readings have; 0 if Topdown_L1 is
 * split, or not counted.
 */
unsigned int n3t_pieces_begin(struct n3t_pieces *pieces, const struct n3t_plan *plan,
			      bool overcounts)
{
	const struct n3t_set *set;
	unsigned int i, nr;
	u32 counts = 0;

	n3t_pieces_stop(pieces);
	memset(pieces->past, 0, sizeof(pieces->past));
	pieces->overcounted = 0;
	if (plan->l1_set == N3T_NO_SET)
		return 0;
	set = &plan->set[plan->l1_set];
	for (i = 0; i < N3T_PIECE_COUNTS; i++) {
		pieces->summed[i] = n3t_counts_summed(set->code, set->nr,
						      n3t_slots_info[N3T_SLOTS_STALL + i].code);
		counts |= pieces->summed[i];
		if (overcounts && i < set->nr && n3t_event_overcounts(set->code[i]))
			pieces->overcounted |= 1u << i;
	}
	nr = fls(counts);
	return nr <= N3T_PIECE_COUNTS ? nr : 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pieces_begin);

static void set_shift(struct n3t_pieces *pieces, unsigned int shift)
{
	pieces->shift = min_t(unsigned int, shift, MAX_SHIFT);
	pieces->mask = (1u << pieces->shift) - 1;
}

/* The power of two nearest to recent candidates for each piece wished. */
static unsigned int shift_for(const struct n3t_pieces *pieces, u64 now, unsigned int wished)
{
	u64 candidates = 0, span_ns = 0, longest_ns = 0, in_longest = 0, until_ns = now, times;
	unsigned int i, slices = 0;

	for (i = 0; i < N3T_PIECES_SLICES; i++) {
		unsigned int at = (pieces->slice + N3T_PIECES_SLICES - i) % N3T_PIECES_SLICES;
		u64 passed_ns = until_ns - pieces->past[at].start_ns;

		if (!pieces->past[at].start_ns)
			break;
		slices++;
		candidates += pieces->past[at].candidates;
		span_ns += passed_ns;
		until_ns = pieces->past[at].start_ns;
		if (passed_ns <= longest_ns)
			continue;
		longest_ns = passed_ns;
		in_longest = pieces->past[at].candidates;
	}
	if (!slices)
		return 0;
	/* A pause, as of an idle CPU, does not foretell one. */
	if (slices > 1) {
		slices--;
		candidates -= in_longest;
		span_ns -= longest_ns;
	}
	span_ns = clamp_t(u64, span_ns, 1, MAX_SPAN_NS);
	wished = clamp_t(unsigned int, wished, 1, N3T_PIECES_MAX);
	times = div64_u64(candidates * NSEC_PER_SEC * SQRT2_128, span_ns * wished * 128);
	times = max_t(u64, times, candidates * SQRT2_128 / (slices * USUAL_PIECES * 128));
	return times ? fls64(times) - 1 : 0;
}

/**
 * n3t_pieces_start() - start a slice of Topdown_L1
 * @pieces: pieces of the CPU, not armed
 * @now: start of the slice, not 0; the same clock as in readings
 * @wished: number of pieces per second, over time in slices of all sets
 * @is_running: a task runs, which is the first candidate
 *
 * Context: Only on the CPU, interrupts off.
 */
void n3t_pieces_start(struct n3t_pieces *pieces, u64 now, unsigned int wished, bool is_running)
{
	set_shift(pieces, shift_for(pieces, now, wished));
	pieces->slice = (pieces->slice + 1) % N3T_PIECES_SLICES;
	pieces->past[pieces->slice].start_ns = now;
	pieces->past[pieces->slice].candidates = 0;
	pieces->candidates = 0;
	pieces->idles = 0 - is_running;
	pieces->nr = 0;
	pieces->room = USUAL_PIECES;
	pieces->open = false;
	pieces->spoilt = false;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pieces_start);

/* Makes room. */
static void thin_out(struct n3t_pieces *pieces)
{
	struct n3t_piece *piece = pieces->piece[pieces->bank];
	unsigned int i, nr = 0;

	for (i = 0; i < pieces->nr; i++) {
		if (n3t_random(&pieces->random) & 1)
			continue;
		piece[nr] = piece[i];
		piece[nr++].shift++;
	}
	pieces->nr = nr;
	pieces->room = nr + (N3T_PIECES - nr) / 2;
}

/**
 * n3t_pieces_open() - start a piece
 * @pieces: pieces of the CPU; n3t_pieces_take() has taken the candidate
 * @owner: cgroup of the task
 * @reading: counters at the start
 *
 * Context: Only on the CPU, interrupts off.
 */
void n3t_pieces_open(struct n3t_pieces *pieces, u64 owner, const struct n3t_reading *reading)
{
	struct n3t_piece *piece;

	while (pieces->nr == N3T_PIECES)
		thin_out(pieces);
	piece = &pieces->piece[pieces->bank][pieces->nr];
	piece->owner = owner;
	piece->shift = pieces->shift;
	piece->of = *reading;
	pieces->open = true;
	pieces->mask = 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pieces_open);

/**
 * n3t_pieces_close() - end the piece at a context switch
 * @pieces: pieces of the CPU, one open
 * @reading: counters at the end
 *
 * Context: Only on the CPU, interrupts off.
 */
void n3t_pieces_close(struct n3t_pieces *pieces, const struct n3t_reading *reading)
{
	struct n3t_reading *of = &pieces->piece[pieces->bank][pieces->nr].of;
	unsigned int i;

	of->ns = reading->ns - of->ns;
	of->cycles = reading->cycles - of->cycles;
	for (i = 0; i < N3T_PIECE_COUNTS; i++)
		of->count[i] = reading->count[i] - of->count[i] -
			       (pieces->overcounted & 1u << i ? of->cycles : 0);
	pieces->open = false;
	pieces->nr++;
	if (pieces->nr != pieces->room) {
		set_shift(pieces, pieces->shift);
		return;
	}
	pieces->room += (N3T_PIECES - pieces->room) / 2;
	set_shift(pieces, pieces->shift + 1);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pieces_close);

/**
 * n3t_pieces_spoil() - drop the pieces of this slice, and take no more
 * @pieces: pieces of the CPU
 *
 * For readings that failed.
 *
 * Context: Only on the CPU, interrupts off.
 */
void n3t_pieces_spoil(struct n3t_pieces *pieces)
{
	pieces->spoilt = true;
	pieces->open = false;
	pieces->mask = U32_MAX;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pieces_spoil);

/**
 * n3t_pieces_end() - end the slice
 * @pieces: pieces of the CPU
 * @reading: counters at the end
 *
 * Must be followed by n3t_owners_add() before the next slice ends, which may start meanwhile.
 *
 * Context: Only on the CPU, interrupts off.
 */
void n3t_pieces_end(struct n3t_pieces *pieces, const struct n3t_reading *reading)
{
	u32 switches;

	if (pieces->open)
		n3t_pieces_close(pieces, reading);
	pieces->past[pieces->slice].candidates = min(pieces->candidates, MAX_CANDIDATES);
	switches = pieces->candidates + pieces->idles;
	WRITE_ONCE(pieces->switches, pieces->switches + switches);
	pieces->ended_nr = pieces->nr;
	pieces->ended_spoilt = pieces->spoilt;
	pieces->bank = !pieces->bank;
	pieces->nr = 0;
	pieces->mask = U32_MAX;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pieces_end);

/**
 * n3t_pieces_stop() - drop what has not been added to a table
 * @pieces: pieces of the CPU
 *
 * Context: Only on the CPU, interrupts off, or anywhere if the CPU is not armed.
 */
void n3t_pieces_stop(struct n3t_pieces *pieces)
{
	pieces->open = false;
	pieces->mask = U32_MAX;
	pieces->nr = 0;
	pieces->ended_nr = 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pieces_stop);
