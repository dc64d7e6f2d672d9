// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Pieces of the runs of a simulated CPU, for pieces_test.py: pieces.c and owners.c are called as
 * the module calls them at context switches and at the ends of slices.
 *
 *	pieces_eval LOAD SEED PIECES INTERVAL_MS INTERVALS WATCHERS
 *
 * Each of WATCHERS samples the same CPU with a seed of its own, wants PIECES per second, and counts
 * Topdown_L1 in one slice of each two at random. One slice in 50 is not kept. Output for each
 * interval, cumulative:
 *
 *	t OWNER NS CYCLES COUNT...	true sums
 *	l WATCHER SLICES		slices that were not kept
 *	k WATCHER OWNER NS		run time in kept slices
 *	r WATCHER RECORD		as in the module's file
 *	end
 */
#include "eval.h"
#include "libn3t/owners.h"
#include "libn3t/pieces.h"
#include "pieces_cpu.h"

#define MAX_WATCHERS	16
#define NOT_KEPT	50
#define OWNER(group)	(1 + 1000003ull * (group))
#define BUDGET		6

struct watcher {
	struct n3t_pieces pieces;
	struct n3t_owners *owners;
	bool armed, was_first, is_second;
	unsigned int not_kept;
	double start_ns[MAX_GROUPS], kept_ns[MAX_GROUPS];
};

static struct watcher watchers[MAX_WATCHERS];
static unsigned int nr_watchers, wished;
static struct n3t_plan plan;

static u64 count_of(const struct sums *sums, u16 code)
{
	switch (code) {
	case N3T_CODE_STALL_SLOT:
		return sums->frontend + sums->backend;
	case N3T_CODE_STALL_SLOT_FRONTEND:
		return sums->frontend;
	case N3T_CODE_STALL_SLOT_BACKEND:
		return sums->backend;
	case N3T_CODE_STALL_FRONTEND_FLUSH:
		return FLUSH * sums->frontend;
	case N3T_CODE_OP_RETIRED:
		return sums->retired;
	default:
		return sums->ns * SLOTS_PER_NS - sums->frontend - sums->backend;
	}
}

static const struct n3t_reading *read_counters(void)
{
	static struct n3t_reading reading;
	unsigned int i;

	if (reading.ns == now)
		return &reading;
	reading.ns = now;
	reading.cycles = all.ns * CYCLES_PER_NS;
	for (i = 0; i < plan.set[0].nr; i++)
		reading.count[i] = count_of(&all, plan.set[0].code[i]);
	return &reading;
}

/* calls of the units */

static void take_candidate(struct watcher *watcher)
{
	if (current && n3t_pieces_take(&watcher->pieces))
		n3t_pieces_open(&watcher->pieces, OWNER(current->group), read_counters());
}

static void on_switch(void)
{
	struct watcher *watcher;

	for (watcher = watchers; watcher < watchers + nr_watchers; watcher++) {
		if (!watcher->armed)
			continue;
		if (watcher->pieces.open)
			n3t_pieces_close(&watcher->pieces, read_counters());
		watcher->pieces.idles += !current;
		take_candidate(watcher);
	}
}

static void end_slice(struct watcher *watcher)
{
	bool kept = uniform() * NOT_KEPT >= 1;
	unsigned int i;

	n3t_pieces_end(&watcher->pieces, read_counters());
	n3t_owners_add(watcher->owners, &watcher->pieces, kept, now);
	watcher->not_kept += !kept;
	for (i = 0; kept && i < nr_groups; i++)
		watcher->kept_ns[i] += groups[i].sums.ns - watcher->start_ns[i];
}

static void start_slice(struct watcher *watcher)
{
	unsigned int i;

	watcher->armed = watcher->is_second ? !watcher->was_first : uniform() < 0.5;
	watcher->was_first = watcher->armed;
	watcher->is_second = !watcher->is_second;
	if (!watcher->armed)
		return;
	for (i = 0; i < nr_groups; i++)
		watcher->start_ns[i] = groups[i].sums.ns;
	n3t_pieces_start(&watcher->pieces, now, wished, current);
	take_candidate(watcher);
}

static void on_slice(void)
{
	struct watcher *watcher;

	for (watcher = watchers; watcher < watchers + nr_watchers; watcher++) {
		if (watcher->armed)
			end_slice(watcher);
		start_slice(watcher);
	}
}

static void print_truth(void)
{
	unsigned int i, k;

	for (i = 0; i < nr_groups; i++) {
		const struct sums *sums = &groups[i].sums;

		printf("t %llu %.0f %.0f", OWNER(i), sums->ns, sums->ns * CYCLES_PER_NS);
		for (k = N3T_SLOTS_STALL; k < N3T_NR_SLOTS; k++)
			printf(" %llu", count_of(sums, n3t_slots_info[k].code));
		printf("\n");
	}
}

static void print(void)
{
	struct n3t_owners_seen seen = {};
	unsigned int i, k;
	char record[N3T_OWNERS_RECORD];

	print_truth();
	for (i = 0; i < nr_watchers; i++) {
		struct watcher *watcher = &watchers[i];

		printf("l %u %u\n", i, watcher->not_kept);
		for (k = 0; k < nr_groups; k++)
			printf("k %u %llu %.0f\n", i, OWNER(k), watcher->kept_ns[k]);
		seen.switches = watcher->pieces.switches;
		seen.dropped = watcher->pieces.dropped;
		for (k = 0; k < n3t_owners_records(watcher->owners); k++) {
			n3t_owners_record(watcher->owners, k, &seen, record);
			printf("r %u %.*s", i, N3T_OWNERS_RECORD, record);
		}
	}
	printf("end\n");
}

static void begin_watchers(u32 seed)
{
	struct n3t_anchors anchors = { .automatic = true };
	DECLARE_BITMAP(chosen, N3T_NR_GROUPS);
	struct watcher *watcher;

	bitmap_fill(chosen, N3T_NR_GROUPS);
	if (n3t_spec_init() || n3t_formula_init() ||
	    n3t_plan_make(&plan, BUDGET, chosen, &anchors, NULL))
		die("no plan");
	for (watcher = watchers; watcher < watchers + nr_watchers; watcher++) {
		watcher->owners = malloc(n3t_owners_bytes());
		if (!watcher->owners)
			die("no memory");
		n3t_owners_init(watcher->owners);
		n3t_pieces_init(&watcher->pieces, MAX_WATCHERS * seed + (watcher - watchers));
		if (n3t_pieces_begin(&watcher->pieces, &plan, false) != BUDGET)
			die("no pieces");
	}
}

int main(int argc, char **argv)
{
	unsigned int i, intervals;
	u64 interval_ns;

	if (argc != 7)
		die("usage: see the head of pieces_eval.c");
	state = strtoul(argv[2], NULL, 10) + 1;
	wished = strtoul(argv[3], NULL, 10);
	interval_ns = strtoul(argv[4], NULL, 10) * MS;
	intervals = strtoul(argv[5], NULL, 10);
	nr_watchers = strtoul(argv[6], NULL, 10);
	if (nr_watchers > MAX_WATCHERS)
		die("too many watchers");
	begin(argv[1]);
	begin_watchers(state);
	for (i = 1; i <= intervals; i++) {
		run_until(MS + i * interval_ns);
		print();
	}
	for (i = 0; i < nr_watchers; i++)
		free(watchers[i].owners);
	return 0;
}
