// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: estimates by anchors. If events depend exactly on anchors, their true amount in
 * the whole window is known: the plain sum over all slices of all sets. Each sampled set
 * observes a part of it.
 *
 * selftests/user/reference_test.py compares estimates of CPUs with one plan and any anchors with
 * those of the same estimator in floating point.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"
#include "libn3t/anchors.h"
#include "libn3t/covariance.h"
#include "libn3telemetry/stats/errors.h"
#include "libn3telemetry/stats/pool.h"
#include "libn3telemetry/stats/quality.h"
#include "libn3telemetry/stats/scaled.h"
#include "real_expect.h"
#include "view_take.h"

#define MS		1000000ull
#define MEGA		1000000ull
#define GUARD_FACTOR	10000	/* as in quality.c */
#define SLICE_NS	(4 * MS)
#define WINDOW_SLICES	500
#define BEFORE_SLICES	1500	/* history for the covariances before the window starts */
#define NR_CPUS_HERE	3
#define NR_OTHERS	6	/* events with individual counts */

/* Activity of a CPU in one slice, and its total in the window. */
struct world {
	u64 cycles;
	u16 code[NR_OTHERS];
	u64 count[NR_OTHERS];
	u64 all_cycles;
	u64 all_count[NR_OTHERS];
	u64 slices;
};

struct one_cpu {
	struct n3t_plan plan;
	struct n3t_ring ring;
	struct n3t_covariance covariance;
	struct n3t_anchor_totals totals;
	struct n3t_rotation rotation;
	struct cpu_view view;
	bool taken;
	struct world world;
	bool busy;
	u64 since_ns;
	u64 now;
	u32 random;
};

struct fixture {
	struct one_cpu cpu[NR_CPUS_HERE];
	struct cpu_view views[NR_CPUS_HERE];
	struct n3t_quality quality;
	struct n3t_quality other;
};

static const struct n3t_anchors automatic = { .automatic = true };
static const struct n3t_anchors backend = {
	.nr = 1, .code = { N3T_CODE_STALL_SLOT_BACKEND },
};

static int errors_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	return f ? 0 : -ENOMEM;
}

/* A CPU that has not been sampled yet. */
static struct one_cpu *make_cpu(struct kunit *test, unsigned int nr, unsigned int budget,
				const struct n3t_anchors *anchors)
{
	struct fixture *f = test->priv;
	struct one_cpu *cpu = &f->cpu[nr];
	size_t ring_bytes, anchors_bytes, bytes;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	u8 *memory;

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&cpu->plan, budget, groups, anchors, NULL), 0);
	ring_bytes = n3t_ring_bytes(&cpu->plan, WINDOW_SLICES);
	anchors_bytes = n3t_anchors_bytes(&cpu->plan, WINDOW_SLICES);
	bytes = ring_bytes + anchors_bytes + n3t_covariance_bytes(&cpu->plan);
	memory = kunit_kzalloc(test, bytes, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	n3t_ring_init(&cpu->ring, memory, &cpu->plan, WINDOW_SLICES);
	n3t_anchors_init(&cpu->totals, memory + ring_bytes, &cpu->plan, WINDOW_SLICES);
	n3t_covariance_init(&cpu->covariance, memory + ring_bytes + anchors_bytes, &cpu->plan,
			    WINDOW_SLICES);
	n3t_rotation_init(&cpu->rotation, &cpu->plan, nr + 1);
	cpu->now = 1000 * MS;
	cpu->random = nr + 1;
	cpu->world.cycles = 12 * MEGA;
	return cpu;
}

static u32 next_random(struct one_cpu *cpu)
{
	cpu->random = cpu->random * 1103515245u + 12345u;
	return cpu->random >> 8;
}

/* Set the count of an event in the following slices; the default is 1000. */
static void occurs(struct world *world, u16 code, u64 count)
{
	unsigned int i;

	for (i = 0; i < NR_OTHERS - 1; i++)
		if (!world->code[i] || world->code[i] == code)
			break;
	world->code[i] = code;
	world->count[i] = count;
}

static u64 all_of(const struct world *world, u16 code)
{
	unsigned int i;

	for (i = 0; i < NR_OTHERS; i++)
		if (world->code[i] == code)
			return world->all_count[i];
	return 0;
}

static u64 count_of(const struct world *world, u16 code)
{
	unsigned int i;

	for (i = 0; i < NR_OTHERS; i++)
		if (world->code[i] == code)
			return world->count[i];
	return 1000;
}

/* Take a slice as the sampler does. */
static void take_slice(struct one_cpu *cpu, unsigned int set)
{
	struct n3t_slice *slice = n3t_ring_begin(&cpu->ring);
	struct world *world = &cpu->world;
	unsigned int i;

	cpu->now += SLICE_NS;
	slice->end_ns = cpu->now;
	slice->time_ns = SLICE_NS;
	slice->set = set;
	slice->state = N3T_SLICE_KEPT;
	slice->cycles = world->cycles;
	for (i = 0; i < cpu->plan.set[set].nr; i++)
		slice->count[i] = count_of(world, cpu->plan.set[set].code[i]);
	n3t_covariance_add(&cpu->covariance, slice);
	n3t_anchors_add(&cpu->totals, slice);
	n3t_ring_commit(&cpu->ring);

	world->slices++;
	world->all_cycles += world->cycles;
	for (i = 0; i < NR_OTHERS; i++)
		world->all_count[i] += world->count[i];
}

/* Start a window after the slice that has just ended. */
static void start_window(struct one_cpu *cpu)
{
	cpu->since_ns = cpu->now + 1;
	cpu->world.slices = 0;
	cpu->world.all_cycles = 0;
	memset(cpu->world.all_count, 0, sizeof(cpu->world.all_count));
}

static void end_window(struct one_cpu *cpu)
{
	cpu->taken = view_take(&cpu->view, &cpu->plan, &cpu->ring, &cpu->covariance, &cpu->totals,
			       cpu->since_ns, cpu->now);
}

/* Noise with a long memory: phases of about 32 ms each with a busy or idle CPU. */
static u64 telegraph(struct one_cpu *cpu)
{
	if (next_random(cpu) % 8 == 0)
		cpu->busy = !cpu->busy;
	return (cpu->busy ? 9 * MEGA : 1 * MEGA) + next_random(cpu) % 100000;
}

/* Take slices as sampled, each prepared by @change, with the window at their end. */
static void run(struct one_cpu *cpu, void (*change)(struct one_cpu *cpu))
{
	unsigned int i;

	for (i = 0; i < BEFORE_SLICES + WINDOW_SLICES; i++) {
		if (i == BEFORE_SLICES)
			start_window(cpu);
		change(cpu);
		take_slice(cpu, n3t_rotation_next(&cpu->rotation, &cpu->plan));
	}
	end_window(cpu);
}

/* Both in units of the last decimal shown. */
static s64 measured_of(const struct fixture *f, enum n3t_metric metric)
{
	return n3t_ratio_scaled(&f->quality.measured.value, n3t_metrics[metric].decimals);
}

static s64 estimate_of(const struct fixture *f)
{
	return n3t_scaled_round(f->quality.estimate.guarded, GUARD_FACTOR);
}

static s64 off(s64 a, s64 b)
{
	return a < b ? b - a : a - b;
}

/* The estimate is the truth in the last decimal shown, to within 1 in 100,000. */
static void expect_estimate(struct kunit *test, enum n3t_metric metric, s64 truth)
{
	const struct fixture *f = test->priv;
	s64 estimate = estimate_of(f);

	KUNIT_ASSERT_EQ(test, f->quality.verdict, N3T_VALUE);
	KUNIT_EXPECT_LE_MSG(test, off(estimate, truth), 1 + truth / 100000,
			    "%s: estimate %lld of %lld, measured %lld",
			    n3t_metrics[metric].name, (long long)estimate, (long long)truth,
			    (long long)measured_of(f, metric));
}

/* The measured value is off, or the test would prove nothing. */
static void expect_correction(struct kunit *test, enum n3t_metric metric, s64 truth)
{
	const struct fixture *f = test->priv;

	expect_estimate(test, metric, truth);
	KUNIT_EXPECT_GT_MSG(test, off(measured_of(f, metric), truth), truth / 200,
			    "%s: measured %lld", n3t_metrics[metric].name,
			    (long long)measured_of(f, metric));
}

static void expect_narrow(struct kunit *test, enum n3t_metric metric, s64 truth)
{
	const struct fixture *f = test->priv;
	const struct n3t_bounds *estimate = &f->quality.estimate;

	KUNIT_ASSERT_TRUE(test, estimate->bounded);
	KUNIT_EXPECT_LE(test, estimate->low, truth);
	KUNIT_EXPECT_GE(test, estimate->high, truth);
	KUNIT_EXPECT_LE(test, off(estimate->high - estimate->low, 2 * estimate->error), 2ll);
	if (!f->quality.measured.bounded)
		return;
	KUNIT_EXPECT_LT_MSG(test, 4 * estimate->error, f->quality.measured.error, "%s",
			    n3t_metrics[metric].name);
	/* a start of the window between two checkpoints adds some uncertainty */
	KUNIT_EXPECT_GT_MSG(test, 500 * estimate->error, f->quality.measured.error, "%s",
			    n3t_metrics[metric].name);
}

static void find_quality(struct kunit *test, struct one_cpu *cpu, enum n3t_metric metric)
{
	struct fixture *f = test->priv;

	n3t_quality_of_cpu(&f->quality, metric, &cpu->view);
}

/* One million instructions plus three for each stalled slot. */
static void retire_by_stalls(struct one_cpu *cpu)
{
	u64 stalls = telegraph(cpu);

	occurs(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND, stalls);
	occurs(&cpu->world, N3T_CODE_INST_RETIRED, MEGA + 3 * stalls);
}

static void expect_mean(struct kunit *test, const struct one_cpu *cpu, u64 count, u64 time_ns)
{
	struct n3t_anchor_means means;

	moments_anchors(cpu->view.moments, &means);
	KUNIT_EXPECT_TRUE(test, is_within(means.per_ns[0], (double)count / time_ns, 24));
}

/* At most one slice: an idle CPU takes none. */
static void time_after_the_newest_slice_is_like_that_slice(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, &automatic);
	const u16 code = N3T_CODE_STALL_SLOT_BACKEND;
	u64 all, last;

	run(cpu, retire_by_stalls);
	all = all_of(&cpu->world, code);
	last = count_of(&cpu->world, code);
	expect_mean(test, cpu, all, WINDOW_SLICES * SLICE_NS);

	cpu->now += SLICE_NS / 2;
	end_window(cpu);
	expect_mean(test, cpu, 2 * all + last, (2 * WINDOW_SLICES + 1) * SLICE_NS);

	cpu->now += 10 * SLICE_NS;
	end_window(cpu);
	expect_mean(test, cpu, all + last, (WINDOW_SLICES + 1) * SLICE_NS);
}

static void stall_frontend_by_stalls(struct one_cpu *cpu)
{
	u64 stalls = telegraph(cpu);

	occurs(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND, stalls);
	occurs(&cpu->world, N3T_CODE_STALL_SLOT_FRONTEND, MEGA + 3 * stalls);
	occurs(&cpu->world, N3T_CODE_OP_RETIRED, 3 * MEGA);
	occurs(&cpu->world, N3T_CODE_OP_SPEC, 4 * MEGA);
}

/* With five counters STALL_SLOT is the sum of two events, one of them the anchor. */
static void a_sum_of_events_is_corrected(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 5, &backend);
	u64 slots, stalled;
	s64 truth;

	KUNIT_ASSERT_TRUE(test, cpu->plan.derives_stall_slot);
	run(cpu, stall_frontend_by_stalls);
	find_quality(test, cpu, N3T_METRIC_retiring);
	slots = 5 * cpu->world.all_cycles;
	stalled = all_of(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND) +
		  all_of(&cpu->world, N3T_CODE_STALL_SLOT_FRONTEND);
	/* in 1/10,000 % of three quarters */
	truth = div64_u64((slots - stalled) * (3 * MEGA / 4), slots);
	expect_correction(test, N3T_METRIC_retiring, truth);
	expect_narrow(test, N3T_METRIC_retiring, truth);
}

static void find_quality_of(struct kunit *test, const unsigned int *nrs, unsigned int nr)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < nr; i++)
		f->views[i] = f->cpu[nrs[i]].view;
	n3t_quality_of_several(&f->quality, N3T_METRIC_ipc, f->views, nr);
}

/* Rate of one CPU's set as measured, in instructions per slice. */
static u64 measured_rate(struct one_cpu *cpu)
{
	unsigned int set = cpu->plan.set_of[N3T_METRIC_ipc], i;
	const struct n3t_set_sum *sum = n3t_window_set(cpu->view.window, set);

	for (i = 0; i < cpu->plan.set[set].nr; i++)
		if (cpu->plan.set[set].code[i] == N3T_CODE_INST_RETIRED)
			return div64_u64(sum->count[i], sum->slices);
	return 0;
}

/* Two CPUs with anchors and one with too few counters for them: their estimates add up. */
static void cpus_with_and_without_anchors_add_up(struct kunit *test)
{
	static const unsigned int orders[][NR_CPUS_HERE] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 2, 1, 0 },
	};
	struct fixture *f = test->priv;
	u64 rate = 0;
	unsigned int i;
	s64 error = 0;

	for (i = 0; i < NR_CPUS_HERE; i++) {
		make_cpu(test, i, i == 1 ? 4 : 6, &automatic);
		run(&f->cpu[i], retire_by_stalls);
		if (i == 1)
			rate += measured_rate(&f->cpu[i]);
		else
			rate += div64_u64(all_of(&f->cpu[i].world, N3T_CODE_INST_RETIRED),
					  f->cpu[i].world.slices);
	}
	KUNIT_ASSERT_EQ(test, f->cpu[1].plan.nr_anchors, 0u);
	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		find_quality_of(test, orders[i], NR_CPUS_HERE);
		expect_estimate(test, N3T_METRIC_ipc, div64_u64(rate, 36));
		KUNIT_ASSERT_TRUE(test, f->quality.estimate.bounded);
		if (i)
			KUNIT_EXPECT_LE(test, off(f->quality.estimate.error, error), 1ll);
		error = f->quality.estimate.error;
		/* nearly all of it is that of the CPU without: a third of its own, see below */
		KUNIT_EXPECT_LT(test, error, f->quality.measured.error);
	}
	find_quality_of(test, orders[2], 1);
	KUNIT_EXPECT_LE(test, off(f->quality.estimate.error, f->quality.measured.error), 1ll);
	KUNIT_EXPECT_LE(test, off(f->quality.estimate.low, f->quality.measured.low), 1ll);
	KUNIT_EXPECT_LT(test, error, f->quality.estimate.error);
	KUNIT_EXPECT_GT(test, 10 * 3 * error, 9 * f->quality.measured.error);
	find_quality_of(test, orders[1], 2);
	expect_narrow(test, N3T_METRIC_ipc, estimate_of(f));
}

/* With unequal slices, a value over one CPU equals that CPU's, within the precision of rates. */
static void several_cpus_with_one_included_match_that_cpu(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, &automatic);
	static const unsigned int order[] = { 0 };
	struct fixture *f = test->priv;

	run(cpu, retire_by_stalls);
	find_quality(test, cpu, N3T_METRIC_ipc);
	f->other = f->quality;
	find_quality_of(test, order, 1);
	KUNIT_EXPECT_LE(test, off(f->quality.estimate.low, f->other.estimate.low), 1ll);
	KUNIT_EXPECT_LE(test, off(f->quality.estimate.high, f->other.estimate.high), 1ll);
	KUNIT_EXPECT_LE(test, off(f->quality.estimate.error, f->other.estimate.error), 1ll);
}

static void errors_exit(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < NR_CPUS_HERE; i++)
		view_drop(&f->cpu[i].view);
}

static struct kunit_case errors_cases[] = {
	KUNIT_CASE(time_after_the_newest_slice_is_like_that_slice),
	KUNIT_CASE(a_sum_of_events_is_corrected),
	KUNIT_CASE(cpus_with_and_without_anchors_add_up),
	KUNIT_CASE(several_cpus_with_one_included_match_that_cpu),
	{}
};

static struct kunit_suite errors_suite = {
	.name = "n3_telemetry_errors",
	.init = errors_init,
	.exit = errors_exit,
	.test_cases = errors_cases,
};

kunit_test_suite(errors_suite);
