// SPDX-License-Identifier: GPL-2.0
/*
 * Counters held by one CPU, and switching the events that they count.
 *
 * While a CPU is sampled, it holds as many perf events as the PMU has
 * programmable counters, and one for the cycle counter. At each slice boundary
 * they get new event numbers: directly, through the counter registers
 * (direct.c), or in place, through the PMU's driver: stop, new event number,
 * start. perf does the latter, except for the new number, when it adjusts a
 * sampling frequency. It costs a tenth of disabling and enabling events; direct
 * access costs a fifth of that. Both rely on driver internals (perf_private.h),
 * so n3t_counters_self_test() tries them before use; fallback.c is the
 * alternative. The test runs once, on one CPU, so where registers are used,
 * types are verified again at the first slice and every VERIFY_NS.
 *
 * An event that is in two consecutive sets stays on its counter.
 *
 * A programmable counter never counts CPU_CYCLES outside the self-test: perf
 * would place it on the cycle counter, whose event is fixed.
 */
#include <linux/bitops.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <kunit/visibility.h>

#include "cost.h"
#include "counters.h"
#include "direct.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "perf_private.h"
#include "pmu.h"

/* No PMUv3 counts it on a fixed counter, so it gets a programmable one. */
#define PROBE_CODE	N3T_CODE_OP_SPEC

#define TEST_NS		(4 * NSEC_PER_MSEC)
#define TEST_PARTS	100	/* counts must agree within 1 / TEST_PARTS */
#define TEST_TRIES	3	/* mismatches of registers before the test fails */

#define VERIFY_NS	(10 * NSEC_PER_SEC)	/* interval between checks of types */

/*
 * Serializes self-tests, which write trials and registers of PMUs. Taken inside
 * the lock of a CPU.
 */
static DEFINE_MUTEX(self_test_lock);

/* Longest section with interrupts off on each CPU, by n3t_cost_clock(). */
static DEFINE_PER_CPU(u64, longest_section);

/* A section with interrupts off ends, which began at @start by n3t_cost_clock(). */
void n3t_counters_note_section(u64 start)
{
	u64 cost = n3t_cost_clock() - start;

	if (unlikely(cost > __this_cpu_read(longest_section)))
		__this_cpu_write(longest_section, cost);
}

/* The longest section with interrupts off since the module was loaded. */
u64 n3t_counters_longest_ns(unsigned int cpu)
{
	return n3t_cost_ns(READ_ONCE(per_cpu(longest_section, cpu)));
}

struct active_check {
	const struct n3t_counters *counters;
	const struct n3t_counter *last;
	bool all_active;
};

/* Runs on the CPU of the events, so perf cannot change them meanwhile. */
static void check_active(void *data)
{
	struct active_check *check = data;
	const struct n3t_counters *counters = check->counters;
	unsigned int i;

	check->all_active = n3t_perf_is_active(counters->cycles.event);
	for (i = 0; i < counters->budget; i++)
		check->all_active &= n3t_perf_is_active(counters->prog[i].event);
}

/*
 * All events may be active although one too many was opened: if perf's timer
 * has expired since, it has given the last one a counter of another user.
 */
static void check_opened(void *data)
{
	struct active_check *check = data;

	check_active(check);
	check->all_active &= !n3t_perf_has_waited(check->last->event);
}

/*
 * Checks that the event opened last got a counter that no other event on the
 * CPU used, and that all events hold one at the same time.
 */
static bool was_free(const struct n3t_counters *counters, const struct n3t_counter *last,
		     unsigned int cpu)
{
	struct active_check check = { .counters = counters, .last = last };

	smp_call_function_single(cpu, check_opened, &check, true);
	return check.all_active;
}

static int open_counter(struct n3t_counter *counter, const struct n3t_pmu *pmu, unsigned int cpu,
			u16 code)
{
	struct perf_event *event = n3t_pmu_event(pmu, cpu, code, false);

	/* perf returns -EINVAL if the PMU has no counter for the event at all. */
	if (PTR_ERR(event) == -EINVAL)
		return -ENOSPC;
	if (IS_ERR(event))
		return PTR_ERR(event);

	counter->event = event;
	return 0;
}

static void close_one(struct n3t_counters *counters)
{
	struct n3t_counter *counter = &counters->prog[--counters->budget];

	perf_event_release_kernel(counter->event);
	counter->event = NULL;
}

static int open_one(struct n3t_counters *counters, unsigned int cpu)
{
	struct n3t_counter *counter = &counters->prog[counters->budget];
	int ret = open_counter(counter, counters->pmu, cpu, PROBE_CODE);

	if (ret)
		return ret;

	counters->budget++;
	if (was_free(counters, counter, cpu))
		return 0;

	close_one(counters);
	return -ENOSPC;
}

/**
 * n3t_counters_grow() - take free programmable counters
 * @counters: counters already held
 * @cpu: the CPU, online
 * @target: maximum number to hold
 *
 * Takes counters one by one until none is available or @target is reached; at
 * most one request fails.
 *
 * Context: may sleep; the sampler of @cpu is stopped.
 * Return: 0 if at least one counter is held now; -ENOSPC if none is; another
 * error from perf.
 */
int n3t_counters_grow(struct n3t_counters *counters, unsigned int cpu, unsigned int target)
{
	int ret = 0;

	while (!ret && counters->budget < min_t(unsigned int, target, N3T_MAX_COUNTERS))
		ret = open_one(counters, cpu);

	if (ret && ret != -ENOSPC)
		return ret;
	return counters->budget ? 0 : -ENOSPC;
}

/* Releases programmable counters beyond @target; the sampler of the CPU is stopped. */
void n3t_counters_shrink(struct n3t_counters *counters, unsigned int target)
{
	while (counters->budget > target)
		close_one(counters);
}

/**
 * n3t_counters_open() - take the counters of a CPU
 * @counters: counters to hold, none yet
 * @pmu: PMU of the CPU
 * @cpu: the CPU, online
 * @target: maximum number of programmable counters to hold
 *
 * Context: may sleep; the sampler of @cpu is stopped.
 * Return: 0; -ENOSPC if no programmable counter is available; -EBUSY if other
 * users hold even the cycle counter, so that the number of counters is unknown;
 * another error from perf. On error no counters are held.
 */
int n3t_counters_open(struct n3t_counters *counters, struct n3t_pmu *pmu, unsigned int cpu,
		      unsigned int target)
{
	int ret;

	memset(counters, 0, sizeof(*counters));
	counters->pmu = pmu;

	ret = open_counter(&counters->cycles, pmu, cpu, N3T_CODE_CPU_CYCLES);
	if (!ret && !was_free(counters, &counters->cycles, cpu))
		ret = -EBUSY;
	if (!ret)
		ret = n3t_counters_grow(counters, cpu, target);
	if (ret)
		n3t_counters_close(counters);
	return ret;
}

/* Releases all counters, also after n3t_counters_open() failed; the sampler is stopped. */
void n3t_counters_close(struct n3t_counters *counters)
{
	n3t_counters_shrink(counters, 0);

	if (counters->cycles.event)
		perf_event_release_kernel(counters->cycles.event);
	counters->cycles.event = NULL;
	counters->set = NULL;
}

/* State of the counters at the end of a slice, one bit each: see CYCLES_BIT. */
struct losses {
	u64 cut;	/* event had no counter for part of the slice */
	u64 missing;	/* event has no counter now */
};

#define CYCLES_BIT	BIT_ULL(N3T_MAX_COUNTERS)

/*
 * Moves a counter to the next slice; @at is NULL if perf has updated the count. One
 * with a fixed event cannot count the sets, so it is missing until perf places its
 * event again.
 */
static __always_inline void advance_counter(struct n3t_counter *counter,
					    const struct n3t_registers *at, u64 bit,
					    struct losses *losses)
{
	struct perf_event *event = counter->event;
	u64 lost_ns = n3t_perf_lost_ns(event);
	bool has_counter;
	u64 now;

	if (at) {
		has_counter = n3t_direct_read(at, event, &now, &counter->n);
	} else {
		has_counter = n3t_perf_is_active(event) && !n3t_perf_has_fixed_event(event);
		now = n3t_perf_count(event);
	}
	counter->counted = now - counter->start;
	counter->start = now;
	if (unlikely(!has_counter))
		losses->missing |= bit;
	if (unlikely(!has_counter || lost_ns != counter->lost_ns))
		losses->cut |= bit;
	counter->lost_ns = lost_ns;
}

static __always_inline struct losses advance_all(struct n3t_counters *counters,
						 const struct n3t_registers *at)
{
	struct n3t_counter *counter = counters->prog, *end = counter + counters->budget;
	struct losses losses = {};
	u64 bit;

	for (bit = 1; counter < end; counter++, bit <<= 1)
		advance_counter(counter, at, bit, &losses);
	advance_counter(&counters->cycles, at, CYCLES_BIT, &losses);
	return losses;
}

static noinline struct losses advance_direct(struct n3t_counters *counters)
{
	/*
	 * A local copy, so that the compiler need not reload it for each
	 * counter.
	 */
	const struct n3t_registers at = counters->pmu->registers;

	return advance_all(counters, &at);
}

static noinline struct losses advance_stopped(struct n3t_counters *counters)
{
	return advance_all(counters, NULL);
}

static void end_slice(const struct n3t_counters *counters, struct n3t_slice *slice, u64 now,
		      u64 cut)
{
	/* Pointers avoid a bounds check per array index in kernels with UBSAN. */
	const struct n3t_counter *prog = counters->prog;
	const u8 *place = counters->place, *end = place + counters->set->nr;
	u64 *count = slice->count;

	slice->end_ns = now;
	slice->time_ns = now - counters->start_ns;
	slice->cycles = counters->cycles.counted;
	while (place < end)
		*count++ = prog[*place++].counted;

	if (counters->disturbed)
		slice->state = N3T_SLICE_DISTURBED;
	else if (!counters->whole)
		slice->state = N3T_SLICE_MISSING;
	else
		slice->state = cut & counters->used ? N3T_SLICE_CUT : N3T_SLICE_KEPT;
}

static void stop_all(struct n3t_counters *counters, struct pmu *pmu)
{
	unsigned int i;

	if (n3t_perf_is_active(counters->cycles.event))
		pmu->read(counters->cycles.event);
	for (i = 0; i < counters->budget; i++)
		if (n3t_perf_is_active(counters->prog[i].event))
			pmu->stop(counters->prog[i].event, PERF_EF_UPDATE);
}

/* Counters that the set does not use stay stopped. */
static void start_set(struct n3t_counters *counters, const struct n3t_set *set, struct pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		struct perf_event *event = counters->prog[counters->place[i]].event;

		if (n3t_perf_is_active(event))
			pmu->start(event, PERF_EF_RELOAD);
	}
}

/*
 * Assigns free counters to events of a set. @missing: counters that are lost,
 * stopped or fixed; the driver writes their type when it starts them again.
 */
static u64 place_new(struct n3t_counters *counters, const struct n3t_set *set, u32 events,
		     u64 used, u64 missing)
{
	u64 written = counters->direct ? ~missing : 0;
	const struct n3t_counter *prog = counters->prog;
	u8 *place_of = counters->place_of, *places = counters->place;
	const u16 *code = set->code;
	const u8 *id = set->id;

	for (; events; events &= events - 1) {
		unsigned int i = __ffs(events), place = __ffs64(~used);

		used |= BIT_ULL(place);
		places[i] = place;
		place_of[id[i]] = place;
		if (unlikely(n3t_perf_has_fixed_event(prog[place].event)))
			continue;
		n3t_perf_set_code(prog[place].event, code[i]);
		if (written >> place & 1 && prog[place].n != N3T_CYCLE_REGISTER)
			n3t_perf_write_type(prog[place].n, prog[place].event);
	}
	return used;
}

/* Assigns a counter to each event of a set, the current one if it has one. */
static void place_set(struct n3t_counters *counters, const struct n3t_set *set, u64 missing)
{
	unsigned int i, nr = set->nr, budget = counters->budget;
	const struct n3t_counter *prog = counters->prog;
	const u8 *place_of = counters->place_of, *id = set->id;
	const u16 *code = set->code;
	u8 *places = counters->place;
	u64 used = CYCLES_BIT;
	u32 events = 0;

	for (i = 0; i < nr; i++) {
		unsigned int place = place_of[id[i]];

		if (place < budget && n3t_perf_code(prog[place].event) == code[i]) {
			used |= BIT_ULL(place);
			places[i] = place;
		} else {
			events |= BIT(i);
		}
	}
	counters->used = place_new(counters, set, events, used, missing);
}

static noinline __cold void note_mistyped(struct n3t_counters *counters)
{
	counters->mistyped = true;
	counters->disturbed = true;
}

/* @error: 0 if all types agree, -EAGAIN if unknown */
static void note_types(struct n3t_counters *counters, int error, u64 kept)
{
	if (error == -EOPNOTSUPP) {
		counters->mismatch = true;
		note_mistyped(counters);
	} else if (!error && !counters->mismatch) {
		counters->agreed_kept = kept;
	}
}

/* On the CPU itself, interrupts off. */
static void compare_types(struct n3t_counters *counters, u64 kept)
{
	u64 start = n3t_cost_clock();

	note_types(counters, n3t_direct_check_types(counters), kept);
	n3t_counters_note_section(start);
}

/**
 * n3t_counters_verify() - verify types instead of ending the slice
 * @counters: the counters of this CPU; n3t_counters_verify_is_due()
 * @now: current time
 * @kept: number of slices that the CPU has kept
 *
 * Registers may trap, so this does not lengthen the section of a slice.
 *
 * Context: on the CPU itself.
 */
void n3t_counters_verify(struct n3t_counters *counters, u64 now, u64 kept)
{
	unsigned long flags;

	local_irq_save(flags);
	compare_types(counters, kept);
	local_irq_restore(flags);
	counters->verify_ns = now + VERIFY_NS;
}

/**
 * n3t_counters_switch() - end a slice and start the next
 * @counters: the counters of this CPU
 * @next: the set to count from now on
 * @now: ktime_get_mono_fast_ns(): end of one slice and start of the other
 * @slice: filled with end, time, state and counts of the slice that ends, in the
 *	order of its set's events; not written before the first slice
 *
 * The whole PMU is disabled meanwhile, so that all counters of a slice start and
 * end at the same instant. If an NMI enables it in between, both slices are
 * dropped. Once a wrong type was found, every slice is dropped: see struct
 * n3t_counters.
 *
 * Context: on the CPU itself, interrupts off.
 */
void n3t_counters_switch(struct n3t_counters *counters, const struct n3t_set *next, u64 now,
			 struct n3t_slice *slice)
{
	struct pmu *pmu = counters->pmu->pmu;
	bool is_end = counters->set;
	struct losses losses;

	lockdep_assert_irqs_disabled();

	pmu->pmu_disable(pmu);
	if (counters->direct) {
		n3t_perf_sync();
		if (unlikely(READ_ONCE(counters->pmu->trial[N3T_SWITCH_DIRECT]) ==
			     N3T_TRIAL_FAILED))
			note_mistyped(counters);
		losses = advance_direct(counters);
	} else {
		stop_all(counters, pmu);
		losses = advance_stopped(counters);
	}
	if (is_end)
		end_slice(counters, slice, now, losses.cut);

	/* No change if two consecutive slices count the same set. */
	if (counters->set != next)
		place_set(counters, next, losses.missing);
	counters->set = next;
	counters->start_ns = now;
	counters->whole = !(losses.missing & counters->used);
	counters->disturbed = counters->mistyped;
	if (counters->direct)
		n3t_perf_sync();
	else
		start_set(counters, next, pmu);
	if (!counters->pmu->simulated && n3t_perf_was_restarted()) {
		counters->disturbed = true;
		if (is_end)
			slice->state = N3T_SLICE_DISTURBED;
	}
	pmu->pmu_enable(pmu);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_counters_switch);

struct self_test {
	struct n3t_counters *counters;
	unsigned int cpu;
	enum n3t_switch setting;
	struct n3t_set cycles;
	struct n3t_set other;
	struct n3t_slice slice;
};

struct switching {
	struct n3t_counters *counters;
	const struct n3t_set *next;
	struct n3t_slice *slice;
};

static void switch_here(void *data)
{
	struct switching *switching = data;
	u64 start = n3t_cost_clock();

	n3t_counters_switch(switching->counters, switching->next, ktime_get_mono_fast_ns(),
			    switching->slice);
	n3t_counters_note_section(start);
}

static void switch_now(struct self_test *test, const struct n3t_set *next)
{
	struct switching switching = {
		.counters = test->counters,
		.next = next,
		.slice = &test->slice,
	};

	smp_call_function_single(test->cpu, switch_here, &switching, true);
}

static void noop(void *unused)
{
}

/*
 * Interrupts keep the CPU from idling, where the cycle counter stops. Its threads
 * may not run: a real-time task may take all of its time.
 */
static void let_cycles_pass(unsigned int cpu)
{
	u64 end = ktime_get_mono_fast_ns() + TEST_NS;

	while (ktime_get_mono_fast_ns() < end) {
		smp_call_function_single(cpu, noop, NULL, true);
		cond_resched();
	}
}

/* The same event on @nr counters at once. */
static void fill_set(struct n3t_set *set, u16 code, unsigned int nr)
{
	set->nr = nr;
	for (; nr--; set->id[nr] = nr)
		set->code[nr] = code;
}

/* Counters that count CPU_CYCLES must agree with the cycle counter. */
static int count_cycles(struct self_test *test)
{
	struct active_check check = { .counters = test->counters };
	unsigned int i, nr = test->counters->budget;
	s64 expected;

	fill_set(&test->cycles, N3T_CODE_CPU_CYCLES, nr);
	fill_set(&test->other, PROBE_CODE, nr);
	test->counters->set = NULL;
	switch_now(test, &test->cycles);
	let_cycles_pass(test->cpu);
	switch_now(test, &test->other);
	smp_call_function_single(test->cpu, check_active, &check, true);
	if (test->slice.state != N3T_SLICE_KEPT || !check.all_active)
		return -EAGAIN;

	expected = test->slice.cycles;
	for (i = 0; i < nr; i++)
		if (!expected || abs((s64)test->slice.count[i] - expected) >
				 div_s64(expected, TEST_PARTS))
			return -EOPNOTSUPP;
	return 0;
}

/* The other counters keep their events; if perf has moved one, the test was disturbed. */
static int count_cycles_once(struct self_test *test)
{
	struct active_check check = { .counters = test->counters };
	unsigned int budget = test->counters->budget;
	int ret;

	test->counters->budget = 1;
	ret = count_cycles(test);
	test->counters->budget = budget;
	smp_call_function_single(test->cpu, check_active, &check, true);
	return check.all_active ? ret : -EAGAIN;
}

typedef int (*counter_fn)(const struct n3t_counters *counters, unsigned int i);

struct section {
	const struct n3t_counters *counters;
	unsigned int i;
	counter_fn fn;
	int ret;
};

static void run_section(void *data)
{
	struct section *section = data;
	u64 start = n3t_cost_clock();

	section->ret = section->fn(section->counters, section->i);
	n3t_counters_note_section(start);
}

/* One section with interrupts off: each access to a register may trap. */
static int with_counter(const struct n3t_counters *counters, unsigned int cpu, unsigned int i,
			counter_fn fn)
{
	struct section section = { .counters = counters, .i = i, .fn = fn, .ret = -EAGAIN };

	smp_call_function_single(cpu, run_section, &section, true);
	return section.ret;
}

/* For the first @nr counters, until one fails. */
static int with_counters(const struct n3t_counters *counters, unsigned int cpu, unsigned int nr,
			 counter_fn fn)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++)
		ret = with_counter(counters, cpu, i, fn);
	return ret;
}

static int test_direct(struct self_test *test)
{
	struct n3t_counters *counters = test->counters;
	unsigned int i, nr = counters->budget, cpu = test->cpu;
	int ret;

	if (counters->pmu->simulated)
		return -EOPNOTSUPP;

	ret = with_counters(counters, cpu, nr + 1, n3t_direct_find_register);
	if (ret)
		return ret;

	/*
	 * The registers were shown to belong to the events, so only a host that
	 * stopped the CPU between reads of two counters can make the counts
	 * differ.
	 */
	counters->direct = true;
	for (i = 0, ret = -EOPNOTSUPP; i < TEST_TRIES && ret == -EOPNOTSUPP; i++)
		ret = count_cycles(test);
	if (!ret)
		ret = with_counters(counters, cpu, nr + 1, n3t_direct_compare);
	if (!ret)
		ret = with_counters(counters, cpu, nr, n3t_direct_rewrite);
	if (!ret)
		ret = with_counters(counters, cpu, nr, n3t_direct_try_driver);
	counters->direct = false;
	return ret;
}

/* If other users took counters meanwhile (-EAGAIN), the result stays unknown. */
static void note_trial(struct n3t_pmu *pmu, enum n3t_switch how, int ret)
{
	if (ret && ret != -EOPNOTSUPP)
		return;
	/* Pairs with smp_load_acquire() in n3t_pmu_switch(). */
	smp_store_release(&pmu->trial[how], ret ? N3T_TRIAL_FAILED : N3T_TRIAL_PASSED);
}

static void self_test(struct self_test *test)
{
	struct n3t_pmu *pmu = test->counters->pmu;

	if (test->setting == N3T_SWITCH_AUTO && pmu->trial[N3T_SWITCH_DIRECT] == N3T_TRIAL_NONE)
		note_trial(pmu, N3T_SWITCH_DIRECT, test_direct(test));
	if (pmu->trial[N3T_SWITCH_IN_PLACE] == N3T_TRIAL_NONE)
		note_trial(pmu, N3T_SWITCH_IN_PLACE, count_cycles_once(test));
}

static void log_switch(const struct n3t_pmu *pmu, enum n3t_switch setting)
{
	enum n3t_switch how = n3t_pmu_switch(pmu, setting);

	if (how == N3T_SWITCH_PERF)
		pr_warn("%s does not support in-place switching, using perf at a higher cost\n",
			pmu->pmu->name);
	else if (how == N3T_SWITCH_IN_PLACE && setting != how && !pmu->simulated)
		pr_info("registers of %s do not match its counters, using its driver at a higher cost\n",
			pmu->pmu->name);
}

static void run_self_test(struct self_test *test)
{
	struct n3t_pmu *pmu = test->counters->pmu;

	lockdep_assert_held(&self_test_lock);

	if (n3t_pmu_switch(pmu, test->setting) != N3T_SWITCH_UNKNOWN)
		return;

	self_test(test);
	test->counters->set = NULL;
	log_switch(pmu, test->setting);
}

/**
 * n3t_counters_self_test() - find out how the PMU lets counter sets be switched
 * @counters: counters of a CPU; the results are stored in their PMU
 * @cpu: the CPU, online
 * @setting: N3T_SWITCH_AUTO, or the cheapest method to try
 *
 * Direct: perf's index of each counter must lead to its register: see direct.c.
 * All counters then switch to CPU_CYCLES through their registers and must agree
 * with the cycle counter within one percent, in one of three slices, and the
 * driver must write the type of each counter whenever it starts it. In place: the
 * driver switches one counter to CPU_CYCLES, and the counts are compared once.
 *
 * If other users took counters meanwhile, the result stays unknown and the test
 * must be repeated; likewise if another CPU is testing: waiting for it would
 * keep counters from other users. Does nothing once the results for the PMU are
 * known. The caller must close the counters afterwards: perf may have moved a
 * switched event to the cycle counter, which counts nothing else.
 *
 * Context: may sleep; interrupts @cpu for a few milliseconds, without waiting for
 * a thread there; its sampler is stopped.
 */
void n3t_counters_self_test(struct n3t_counters *counters, unsigned int cpu,
			    enum n3t_switch setting)
{
	struct self_test *test;

	if (n3t_pmu_switch(counters->pmu, setting) != N3T_SWITCH_UNKNOWN)
		return;

	test = kzalloc(sizeof(*test), GFP_KERNEL);
	if (!test)
		return;

	test->counters = counters;
	test->cpu = cpu;
	test->setting = setting;
	if (mutex_trylock(&self_test_lock)) {
		run_self_test(test);
		mutex_unlock(&self_test_lock);
	}
	kfree(test);
}

/* Keeps the counters if the switch method uses them; the sampler is stopped. */
void n3t_counters_settle(struct n3t_counters *counters, enum n3t_switch how)
{
	counters->direct = how == N3T_SWITCH_DIRECT;
	if (!n3t_switch_keeps_events(how))
		n3t_counters_close(counters);
}

struct verification {
	struct n3t_counters *counters;
	u64 kept;
};

static void verify_here(void *data)
{
	struct verification *verification = data;

	compare_types(verification->counters, verification->kept);
}

/**
 * n3t_counters_verify_last() - verify types once more before a run ends
 * @counters: counters held on a CPU
 * @cpu: the CPU, online
 * @kept: number of slices that it has kept
 *
 * Many runs are too short for n3t_counters_verify().
 *
 * Context: may sleep; the sampler of @cpu is stopped.
 */
void n3t_counters_verify_last(struct n3t_counters *counters, unsigned int cpu, u64 kept)
{
	struct verification verification = { .counters = counters, .kept = kept };

	if (counters->direct && counters->set)
		smp_call_function_single(cpu, verify_here, &verification, true);
}

/* Starts over with a first slice; the sampler of @cpu is stopped. */
void n3t_counters_rewind(struct n3t_counters *counters, unsigned int cpu, u64 kept)
{
	int ret;

	counters->set = NULL;
	counters->verify_ns = 0;
	if (!counters->direct)
		return;
	ret = with_counters(counters, cpu, counters->budget + 1, n3t_direct_begin);
	note_types(counters, ret, kept);
}

/**
 * n3t_counters_end_direct() - stop using counter registers
 * @counters: counters held on a CPU
 * @cpu: the CPU, online
 *
 * Makes the type registers match the driver's view again. Otherwise a driver that
 * skips writing the value that it wrote last would let the next event on a counter
 * count the event written here. Called before counters whose registers were used
 * are released or left to the driver.
 *
 * Context: may sleep; the sampler of @cpu is stopped.
 */
void n3t_counters_end_direct(struct n3t_counters *counters, unsigned int cpu)
{
	unsigned int i;

	if (!counters->direct)
		return;
	for (i = 0; i < counters->budget; i++)
		with_counter(counters, cpu, i, n3t_direct_rewrite);
	counters->direct = false;
	counters->mistyped = false;
	counters->mismatch = false;
}
