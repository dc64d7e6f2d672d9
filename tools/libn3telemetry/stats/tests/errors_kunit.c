// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: estimates by anchors. If events depend exactly on anchors, their true amount in
 * the whole window is known: the plain sum over all slices of all sets. Each sampled set
 * observes a part of it.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3telemetry/stats/bottleneck.h"
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
#define SLICE_NS	(4 * MS)
#define WINDOW_SLICES	500
#define BEFORE_SLICES	1500	/* history for the covariances before the window starts */
#define NR_CPUS_HERE	3
#define NR_OTHERS	6	/* events with individual counts */
#define MIN_DIFFERENCES	16	/* of a set: with fewer no correction is made */

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

static const struct n3t_anchors backend_and_retired = {
	.nr = 2, .code = { N3T_CODE_STALL_SLOT_BACKEND, N3T_CODE_INST_RETIRED },
};

static int errors_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	return f ? 0 : -ENOMEM;
}

/* A CPU that has not been sampled yet; without Topdown_L1 every set has an anchor. */
static struct one_cpu *make_cpu(struct kunit *test, unsigned int nr, unsigned int budget,
				bool topdown, const struct n3t_anchors *anchors)
{
	struct fixture *f = test->priv;
	struct one_cpu *cpu = &f->cpu[nr];
	size_t ring_bytes, anchors_bytes, bytes;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	u8 *memory;

	view_drop(&cpu->view);
	memset(cpu, 0, sizeof(*cpu));
	bitmap_fill(groups, N3T_NR_GROUPS);
	if (!topdown)
		__clear_bit(N3T_GROUP_Topdown_L1, groups);
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

static s64 estimate_of(const struct fixture *f, enum n3t_metric metric)
{
	struct n3t_estimate estimate;

	n3t_quality_estimate(&estimate, metric, &f->quality);
	return estimate.value;
}

static s64 off(s64 a, s64 b)
{
	return a < b ? b - a : a - b;
}

/* The estimate is the truth in the last decimal shown, to within 1 in 100,000. */
static void expect_estimate(struct kunit *test, enum n3t_metric metric, s64 truth)
{
	const struct fixture *f = test->priv;
	s64 estimate = estimate_of(f, metric);

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

static void expect_as_measured(struct kunit *test)
{
	const struct fixture *f = test->priv;
	const struct n3t_bounds *estimate = &f->quality.estimate, *measured = &f->quality.measured;

	KUNIT_ASSERT_EQ(test, f->quality.verdict, N3T_VALUE);
	KUNIT_EXPECT_EQ(test, estimate->guarded, measured->guarded);
	KUNIT_EXPECT_EQ(test, estimate->bounded, measured->bounded);
	KUNIT_EXPECT_EQ(test, estimate->low, measured->low);
	KUNIT_EXPECT_EQ(test, estimate->high, measured->high);
	KUNIT_EXPECT_EQ(test, estimate->error, measured->error);
}

static void find_quality(struct kunit *test, struct one_cpu *cpu, enum n3t_metric metric)
{
	struct fixture *f = test->priv;

	n3t_quality_of_cpu(&f->quality, metric, &cpu->view);
}

static void expect_anchors(struct kunit *test, const struct one_cpu *cpu,
			   enum n3t_metric metric, unsigned int nr)
{
	unsigned int set = cpu->plan.set_of[metric];

	KUNIT_EXPECT_EQ(test, n3t_view_errors(&cpu->view, set)->nr_anchors, nr);
}

static s64 all_ipc(const struct one_cpu *cpu)
{
	return div64_u64(all_of(&cpu->world, N3T_CODE_INST_RETIRED) * MEGA,
			 cpu->world.all_cycles);
}

/* One million instructions plus three for each stalled slot. */
static void retire_by_stalls(struct one_cpu *cpu)
{
	u64 stalls = telegraph(cpu);

	occurs(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND, stalls);
	occurs(&cpu->world, N3T_CODE_INST_RETIRED, MEGA + 3 * stalls);
}

static void events_explained_by_an_anchor_are_exact(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &automatic);

	KUNIT_ASSERT_EQ(test, cpu->plan.nr_anchors, 1u);
	run(cpu, retire_by_stalls);
	find_quality(test, cpu, N3T_METRIC_ipc);
	expect_correction(test, N3T_METRIC_ipc, all_ipc(cpu));
	expect_narrow(test, N3T_METRIC_ipc, all_ipc(cpu));
}

static void expect_mean(struct kunit *test, const struct one_cpu *cpu, u64 count, u64 time_ns)
{
	struct n3t_real expected = n3t_real_div(n3t_real_count(count), n3t_real_count(time_ns));
	struct n3t_anchor_means means;

	moments_anchors(cpu->view.moments, &means);
	KUNIT_EXPECT_TRUE(test, is_within(means.per_ns[0], expected, 24));
}

/* At most one slice: an idle CPU takes none. */
static void time_after_the_newest_slice_is_like_that_slice(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &automatic);
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

static void run_by_stalls(struct one_cpu *cpu)
{
	u64 stalls = telegraph(cpu);

	occurs(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND, stalls);
	occurs(&cpu->world, N3T_CODE_INST_RETIRED, 10 * MEGA);
	cpu->world.cycles = MEGA + 2 * stalls;
}

static void cycles_are_corrected(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &automatic);

	run(cpu, run_by_stalls);
	find_quality(test, cpu, N3T_METRIC_ipc);
	expect_correction(test, N3T_METRIC_ipc, all_ipc(cpu));
	expect_narrow(test, N3T_METRIC_ipc, all_ipc(cpu));
}

static void change_stalls(struct one_cpu *cpu)
{
	u64 stalls = telegraph(cpu);

	occurs(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND, stalls);
	occurs(&cpu->world, N3T_CODE_STALL_SLOT, stalls);
	occurs(&cpu->world, N3T_CODE_INST_RETIRED, 10 * MEGA);
}

/* The anchor itself is counted all the time. */
static void an_anchor_itself_is_exact(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &automatic);
	s64 truth;

	run(cpu, change_stalls);
	find_quality(test, cpu, N3T_METRIC_backend_bound);
	truth = div64_u64(all_of(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND) * MEGA,
			  5 * cpu->world.all_cycles);
	expect_correction(test, N3T_METRIC_backend_bound, truth);
	expect_narrow(test, N3T_METRIC_backend_bound, truth);
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
	struct one_cpu *cpu = make_cpu(test, 0, 5, true, &backend);
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

static void stall_evenly(struct one_cpu *cpu)
{
	occurs(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND, 5 * MEGA);
	occurs(&cpu->world, N3T_CODE_INST_RETIRED, telegraph(cpu));
}

static void a_constant_anchor_has_no_effect(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &automatic);

	run(cpu, stall_evenly);
	find_quality(test, cpu, N3T_METRIC_ipc);
	expect_anchors(test, cpu, N3T_METRIC_ipc, 0);
	expect_as_measured(test);
}

static void without_anchors_the_estimate_is_the_measured_value(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, NULL);
	struct fixture *f = test->priv;
	unsigned int metric;

	run(cpu, retire_by_stalls);
	for (metric = 0; metric < N3T_NR_METRICS; metric++) {
		if (cpu->plan.set_of[metric] == N3T_NO_SET)
			continue;
		find_quality(test, cpu, metric);
		if (f->quality.verdict == N3T_VALUE)
			expect_as_measured(test);
	}
	find_quality(test, cpu, N3T_METRIC_ipc);
	expect_as_measured(test);
}

static void compute_by_two(struct one_cpu *cpu)
{
	u64 stalls = telegraph(cpu), retired = 2 * MEGA + next_random(cpu) % (8 * MEGA);

	occurs(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND, stalls);
	occurs(&cpu->world, N3T_CODE_INST_RETIRED, retired);
	occurs(&cpu->world, N3T_CODE_FP_SCALE_OPS_SPEC, 2 * stalls + retired);
	occurs(&cpu->world, N3T_CODE_FP_FIXED_OPS_SPEC, 100 + 4 * retired);
}

static s64 all_fp_ops(const struct one_cpu *cpu)
{
	u64 ops = all_of(&cpu->world, N3T_CODE_FP_SCALE_OPS_SPEC) +
		  all_of(&cpu->world, N3T_CODE_FP_FIXED_OPS_SPEC);

	return div64_u64(ops * MEGA, cpu->world.all_cycles);
}

static void two_anchors_explain_more_than_one(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, false, &backend_and_retired);

	run(cpu, compute_by_two);
	find_quality(test, cpu, N3T_METRIC_fp_ops_per_cycle);
	expect_anchors(test, cpu, N3T_METRIC_fp_ops_per_cycle, 2);
	expect_correction(test, N3T_METRIC_fp_ops_per_cycle, all_fp_ops(cpu));
	expect_narrow(test, N3T_METRIC_fp_ops_per_cycle, all_fp_ops(cpu));
	find_quality(test, cpu, N3T_METRIC_ipc);
	expect_estimate(test, N3T_METRIC_ipc, all_ipc(cpu));
}

/* INST_RETIRED is 2 * stalls plus noise, @noise times their deviation. */
static void compute_alike(struct one_cpu *cpu, unsigned int noise)
{
	u64 stalls = telegraph(cpu);

	occurs(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND, stalls);
	occurs(&cpu->world, N3T_CODE_INST_RETIRED,
	       2 * stalls + (noise ? next_random(cpu) % noise : 0));
	occurs(&cpu->world, N3T_CODE_FP_SCALE_OPS_SPEC, MEGA + stalls);
	occurs(&cpu->world, N3T_CODE_FP_FIXED_OPS_SPEC, 3 * stalls);
}

static void compute_the_same(struct one_cpu *cpu)
{
	compute_alike(cpu, 0);
}

/* Uniform noise up to 100,000 has 1e9 of a variance of about 6e13: less than 1/1024. */
static void compute_nearly_the_same(struct one_cpu *cpu)
{
	compute_alike(cpu, 100000);
}

static void compute_somewhat_alike(struct one_cpu *cpu)
{
	compute_alike(cpu, 8 * MEGA);
}

static void an_anchor_that_repeats_another_is_left_out(struct kunit *test)
{
	static const struct {
		void (*change)(struct one_cpu *cpu);
		unsigned int anchors;
	} rows[] = {
		{ compute_the_same, 1 },
		{ compute_nearly_the_same, 1 },
		{ compute_somewhat_alike, 2 },
	};
	struct one_cpu *cpu;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		cpu = make_cpu(test, 0, 6, false, &backend_and_retired);
		run(cpu, rows[i].change);
		find_quality(test, cpu, N3T_METRIC_fp_ops_per_cycle);
		expect_anchors(test, cpu, N3T_METRIC_fp_ops_per_cycle, rows[i].anchors);
		expect_correction(test, N3T_METRIC_fp_ops_per_cycle, all_fp_ops(cpu));
		expect_narrow(test, N3T_METRIC_fp_ops_per_cycle, all_fp_ops(cpu));
	}
}

/* The second anchor is not in Topdown_L1: its mean is that of all other slices. */
static void an_anchor_is_known_from_the_sets_that_have_it(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &backend_and_retired);
	u64 retired = 0, nr = 0;
	unsigned int i, set;

	for (i = 0; i < BEFORE_SLICES + WINDOW_SLICES; i++) {
		if (i == BEFORE_SLICES)
			start_window(cpu);
		compute_by_two(cpu);
		set = n3t_rotation_next(&cpu->rotation, &cpu->plan);
		take_slice(cpu, set);
		if (i >= BEFORE_SLICES && (int)set != cpu->plan.l1_set) {
			retired += count_of(&cpu->world, N3T_CODE_INST_RETIRED);
			nr++;
		}
	}
	end_window(cpu);
	expect_anchors(test, cpu, N3T_METRIC_backend_bound, 1);
	expect_anchors(test, cpu, N3T_METRIC_ipc, 2);
	find_quality(test, cpu, N3T_METRIC_ipc);
	/* 12 million cycles per slice */
	expect_correction(test, N3T_METRIC_ipc, div64_u64(retired, 12 * nr));
}

/* Slices of @metric's set observe stalls and corresponding events; others observe none. */
static void see_all_stalls(struct one_cpu *cpu, enum n3t_metric metric, u16 code)
{
	unsigned int i, set;
	u64 stalls;

	for (i = 0; i < BEFORE_SLICES + WINDOW_SLICES; i++) {
		if (i == BEFORE_SLICES)
			start_window(cpu);
		set = n3t_rotation_next(&cpu->rotation, &cpu->plan);
		stalls = i < BEFORE_SLICES ? telegraph(cpu) : 0;
		if (i >= BEFORE_SLICES && (int)set == cpu->plan.set_of[metric])
			stalls = 9 * MEGA;
		occurs(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND, stalls);
		occurs(&cpu->world, code, i < BEFORE_SLICES ? stalls / 8 : 10000);
		take_slice(cpu, set);
	}
	end_window(cpu);
}

static void no_corrected_rate_is_below_0(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &automatic);
	struct fixture *f = test->priv;

	see_all_stalls(cpu, N3T_METRIC_sve_fp_ops_per_cycle, N3T_CODE_FP_SCALE_OPS_SPEC);
	find_quality(test, cpu, N3T_METRIC_sve_fp_ops_per_cycle);
	KUNIT_EXPECT_EQ(test, f->quality.verdict, N3T_VALUE);
	KUNIT_EXPECT_EQ(test, measured_of(f, N3T_METRIC_sve_fp_ops_per_cycle),
			10000ll / 12);
	KUNIT_EXPECT_EQ(test, estimate_of(f, N3T_METRIC_sve_fp_ops_per_cycle), 0ll);
}

static void a_denominator_is_not_corrected_to_0(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &automatic);

	see_all_stalls(cpu, N3T_METRIC_l1d_cache_miss_ratio, N3T_CODE_L1D_CACHE);
	find_quality(test, cpu, N3T_METRIC_l1d_cache_miss_ratio);
	expect_as_measured(test);
}

/* 16 slices have 15 differences. */
static void too_few_differences_give_no_correction(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &automatic);
	unsigned int set = cpu->plan.set_of[N3T_METRIC_ipc];
	unsigned int i;

	start_window(cpu);
	for (i = 0; i < MIN_DIFFERENCES + 1; i++) {
		retire_by_stalls(cpu);
		take_slice(cpu, set);
		retire_by_stalls(cpu);
		take_slice(cpu, cpu->plan.l1_set);
		end_window(cpu);
		find_quality(test, cpu, N3T_METRIC_ipc);
		if (i < MIN_DIFFERENCES)
			expect_as_measured(test);
	}
	expect_correction(test, N3T_METRIC_ipc, all_ipc(cpu));
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
		make_cpu(test, i, i == 1 ? 4 : 6, true, &automatic);
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
	expect_narrow(test, N3T_METRIC_ipc, estimate_of(f, N3T_METRIC_ipc));
}

/* Two CPUs with one plan, which are pooled: on one of them the anchor is constant. */
static void cpus_of_one_plan_have_their_own_corrections(struct kunit *test)
{
	static const unsigned int both[] = { 0, 1 }, second[] = { 1 };
	struct fixture *f = test->priv;
	struct one_cpu *tied, *untied;
	u64 rate;
	s64 error;

	tied = make_cpu(test, 0, 6, true, &automatic);
	untied = make_cpu(test, 1, 6, true, &automatic);
	run(tied, retire_by_stalls);
	run(untied, stall_evenly);
	rate = div64_u64(all_of(&tied->world, N3T_CODE_INST_RETIRED), tied->world.slices) +
	       measured_rate(untied);
	find_quality_of(test, second, 1);
	expect_as_measured(test);
	error = f->quality.measured.error;

	view_share(&untied->view, &tied->view);
	find_quality_of(test, both, 2);
	expect_estimate(test, N3T_METRIC_ipc, div64_u64(rate, 24));
	/* nearly all of the error is that of the second CPU, with half the weight */
	KUNIT_ASSERT_TRUE(test, f->quality.estimate.bounded);
	KUNIT_EXPECT_GT(test, 10 * 2 * f->quality.estimate.error, 9 * error);
	KUNIT_EXPECT_LT(test, 10 * 2 * f->quality.estimate.error, 13 * error);
	KUNIT_EXPECT_LT(test, f->quality.estimate.error, f->quality.measured.error);
}

/* With unequal slices, a value over one CPU equals that CPU's, within the precision of rates. */
static void several_cpus_with_one_included_match_that_cpu(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &automatic);
	static const unsigned int order[] = { 0 };
	struct fixture *f = test->priv;

	run(cpu, compute_by_two);
	find_quality(test, cpu, N3T_METRIC_ipc);
	f->other = f->quality;
	find_quality_of(test, order, 1);
	KUNIT_EXPECT_LE(test, off(f->quality.estimate.low, f->other.estimate.low), 1ll);
	KUNIT_EXPECT_LE(test, off(f->quality.estimate.high, f->other.estimate.high), 1ll);
	KUNIT_EXPECT_LE(test, off(f->quality.estimate.error, f->other.estimate.error), 1ll);
}

static void slow_down(struct one_cpu *cpu)
{
	occurs(&cpu->world, N3T_CODE_STALL_SLOT_BACKEND, telegraph(cpu));
	occurs(&cpu->world, N3T_CODE_INST_RETIRED, 5 * MEGA + next_random(cpu) % (10 * MEGA));
}

/* Without correlation: no worse than without the anchor, except for random slopes. */
static void an_unrelated_anchor_has_little_effect(struct kunit *test)
{
	struct one_cpu *cpu = make_cpu(test, 0, 6, true, &automatic);
	struct fixture *f = test->priv;

	run(cpu, slow_down);
	find_quality(test, cpu, N3T_METRIC_ipc);
	KUNIT_ASSERT_TRUE(test, f->quality.estimate.bounded);
	KUNIT_EXPECT_LE(test, 10 * f->quality.estimate.error, 13 * f->quality.measured.error);
	KUNIT_EXPECT_LE(test, f->quality.estimate.low, all_ipc(cpu));
	KUNIT_EXPECT_GE(test, f->quality.estimate.high, all_ipc(cpu));
}

static void errors_exit(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < NR_CPUS_HERE; i++)
		view_drop(&f->cpu[i].view);
}

static struct kunit_case errors_cases[] = {
	KUNIT_CASE(events_explained_by_an_anchor_are_exact),
	KUNIT_CASE(time_after_the_newest_slice_is_like_that_slice),
	KUNIT_CASE(cycles_are_corrected),
	KUNIT_CASE(an_anchor_itself_is_exact),
	KUNIT_CASE(a_sum_of_events_is_corrected),
	KUNIT_CASE(a_constant_anchor_has_no_effect),
	KUNIT_CASE(without_anchors_the_estimate_is_the_measured_value),
	KUNIT_CASE(two_anchors_explain_more_than_one),
	KUNIT_CASE(an_anchor_that_repeats_another_is_left_out),
	KUNIT_CASE(an_anchor_is_known_from_the_sets_that_have_it),
	KUNIT_CASE(no_corrected_rate_is_below_0),
	KUNIT_CASE(a_denominator_is_not_corrected_to_0),
	KUNIT_CASE(too_few_differences_give_no_correction),
	KUNIT_CASE(cpus_with_and_without_anchors_add_up),
	KUNIT_CASE(cpus_of_one_plan_have_their_own_corrections),
	KUNIT_CASE(several_cpus_with_one_included_match_that_cpu),
	KUNIT_CASE(an_unrelated_anchor_has_little_effect),
	{}
};

static struct kunit_suite errors_suite = {
	.name = "n3_telemetry_errors",
	.init = errors_init,
	.exit = errors_exit,
	.test_cases = errors_cases,
};

kunit_test_suite(errors_suite);
