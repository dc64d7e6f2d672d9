// SPDX-License-Identifier: GPL-2.0
/* KUnit: switching in place, on a PMU that does nothing, around the instruction counter. */
#include <linux/irqflags.h>
#include <linux/perf_event.h>
#include <kunit/test.h>

#include "counters.h"
#include "cpu.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "perf_private.h"

#define NR		2
#define IDX_INSTRUCTIONS	32	/* ARMV8_PMU_INSTR_IDX since 6.12 */

struct machine {
	struct n3t_counters counters;
	struct n3t_pmu pmu;
	struct n3t_slice slice;
	struct n3t_set first, second;
	u64 now;
};

/* Numbers with which events were started on the instruction counter, other than its own. */
static unsigned int misused;

static void on_or_off(struct pmu *pmu)
{
}

static void start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
	misused += event->hw.idx == IDX_INSTRUCTIONS &&
		   n3t_perf_code(event) != N3T_CODE_INST_RETIRED;
}

static void stop(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static void read_count(struct perf_event *event)
{
}

static struct pmu nothing = {
	.pmu_enable = on_or_off,
	.pmu_disable = on_or_off,
	.start = start,
	.stop = stop,
	.read = read_count,
};

static struct perf_event *new_event(struct kunit *test, int idx)
{
	struct perf_event *event = kunit_kzalloc(test, sizeof(*event), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, event);
	event->state = PERF_EVENT_STATE_ACTIVE;
	event->hw.idx = idx;
	return event;
}

static struct machine *new_machine(struct kunit *test)
{
	struct machine *machine = kunit_kzalloc(test, sizeof(*machine), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, machine);
	machine->pmu = (struct n3t_pmu){ .pmu = &nothing, .simulated = true };
	machine->counters.pmu = &machine->pmu;
	machine->counters.budget = NR;
	machine->counters.cycles.event = new_event(test, N3T_CYCLE_REGISTER);
	for (i = 0; i < NR; i++)
		machine->counters.prog[i].event = new_event(test, i);
	machine->first = (struct n3t_set){
		.nr = NR, .id = { 0, 1 }, .code = { N3T_CODE_INST_RETIRED, N3T_CODE_STALL_SLOT },
	};
	machine->second = (struct n3t_set){
		.nr = NR, .id = { 2, 3 }, .code = { N3T_CODE_OP_SPEC, N3T_CODE_STALL_SLOT_BACKEND },
	};
	misused = 0;
	return machine;
}

/* Ends a slice; returns its state. */
static enum n3t_slice_state next(struct machine *machine, const struct n3t_set *set)
{
	unsigned long flags;

	machine->now += 4000000;
	local_irq_save(flags);
	n3t_counters_switch(&machine->counters, set, machine->now, &machine->slice);
	local_irq_restore(flags);
	return machine->slice.state;
}

static void counters_are_switched_in_place(struct kunit *test)
{
	struct machine *machine = new_machine(test);
	const struct n3t_counter *prog = machine->counters.prog;

	next(machine, &machine->first);
	KUNIT_EXPECT_EQ(test, n3t_perf_code(prog[0].event), N3T_CODE_INST_RETIRED);
	KUNIT_EXPECT_EQ(test, (int)next(machine, &machine->second), (int)N3T_SLICE_KEPT);
	KUNIT_EXPECT_EQ(test, n3t_perf_code(prog[0].event), N3T_CODE_OP_SPEC);
	KUNIT_EXPECT_EQ(test, n3t_perf_code(prog[1].event), N3T_CODE_STALL_SLOT_BACKEND);
	KUNIT_EXPECT_EQ(test, (int)next(machine, &machine->first), (int)N3T_SLICE_KEPT);
}

/* perf places an event anew while its number is INST_RETIRED. */
static void instruction_counter_is_never_switched(struct kunit *test)
{
	struct machine *machine = new_machine(test);
	const struct n3t_counter *prog = machine->counters.prog;

	next(machine, &machine->first);
	prog[0].event->hw.idx = IDX_INSTRUCTIONS;
	KUNIT_EXPECT_NE(test, (int)next(machine, &machine->second), (int)N3T_SLICE_KEPT);
	KUNIT_EXPECT_EQ(test, n3t_perf_code(prog[0].event), N3T_CODE_INST_RETIRED);
	KUNIT_EXPECT_EQ(test, n3t_perf_code(prog[1].event), N3T_CODE_STALL_SLOT_BACKEND);
	KUNIT_EXPECT_NE(test, (int)next(machine, &machine->first), (int)N3T_SLICE_KEPT);
	KUNIT_EXPECT_NE(test, (int)next(machine, &machine->second), (int)N3T_SLICE_KEPT);
	KUNIT_EXPECT_EQ(test, misused, 0u);

	/* It is back on a counter that counts any event. */
	prog[0].event->hw.idx = 0;
	next(machine, &machine->first);
	next(machine, &machine->second);
	KUNIT_EXPECT_EQ(test, (int)next(machine, &machine->first), (int)N3T_SLICE_KEPT);
	KUNIT_EXPECT_EQ(test, n3t_perf_code(prog[0].event), N3T_CODE_INST_RETIRED);
}

/* One machine: N2 r0p2, r0p3 and r0p0, Microsoft's r0p3, and an N3. */
static void cpus_are_corrected_by_their_own_revision(struct kunit *test)
{
	static const struct {
		u32 midr;
		bool overcounts;
	} rows[] = {
		{ 0x410fd492, true }, { 0x410fd493, false }, { 0x410fd490, true },
		{ 0x6d0fd493, true }, { 0x410fd8e0, false },
	};
	struct n3t_cpu *cpus = kunit_kcalloc(test, ARRAY_SIZE(rows), sizeof(*cpus), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, cpus);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		n3t_cpu_identify(&cpus[i], rows[i].midr);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, cpus[i].overcounts, rows[i].overcounts, "%08x",
				    rows[i].midr);
}

static struct kunit_case counters_cases[] = {
	KUNIT_CASE(cpus_are_corrected_by_their_own_revision),
	KUNIT_CASE(counters_are_switched_in_place),
	KUNIT_CASE(instruction_counter_is_never_switched),
	{}
};

static struct kunit_suite counters_suite = {
	.name = "n3_telemetry_counters",
	.test_cases = counters_cases,
};

kunit_test_suite(counters_suite);
