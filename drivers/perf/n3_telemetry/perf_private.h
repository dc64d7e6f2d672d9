/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that n3_telemetry knows of perf and of its arm64 driver beyond what they
 * export. If perf ever offers to change a kernel event in place and to tell
 * whether an event waits for a counter, this is the file to replace.
 *
 * Each accessor says what it relies on, why that holds from 6.1 to 7.x, and what
 * breaks if it does not. n3t_counters_self_test() verifies at load what counting
 * can show.
 *
 * The registers themselves are read and written only where n3t_direct_find_registers()
 * has shown that a counter of perf's is the register that hw.idx leads to. The PMU is
 * stopped and started by pmu_disable() and pmu_enable() alone: what belongs to that,
 * PMUSERENR_EL0 and KVM's resync, is the driver's.
 */
#ifndef _N3T_PERF_PRIVATE_H
#define _N3T_PERF_PRIVATE_H

#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/perf_event.h>

/**
 * n3t_perf_is_active() - does an event have a counter now
 * @event: an event
 *
 * perf sets the state to ACTIVE in event_sched_in(), before pmu->add(), and to
 * something else in event_sched_out(), on the event's CPU with interrupts off.
 * If it did not, slices without a counter would be kept, with counts too small.
 *
 * Context: exact on the event's CPU; a hint elsewhere.
 * Return: true if it has.
 */
static inline bool n3t_perf_is_active(const struct perf_event *event)
{
	return READ_ONCE(event->state) == PERF_EVENT_STATE_ACTIVE;
}

/**
 * n3t_perf_lost_ns() - how long an event has waited for a counter
 * @event: an event
 *
 * Up to its last change of state: perf_event_update_time() brings both times up
 * to date whenever perf takes the event off or puts it back, so two readings
 * differ if it was off in between. Not if both came at one reading of perf's
 * clock: then the PMU was disabled in between, and nothing was missed. If perf did
 * not keep these times, slices that were cut would be kept.
 *
 * Context: on the event's CPU, interrupts off.
 * Return: nanoseconds.
 */
static inline u64 n3t_perf_lost_ns(const struct perf_event *event)
{
	return event->total_time_enabled - event->total_time_running;
}

/**
 * n3t_perf_has_waited() - did an event get its counter later than it was opened
 * @event: an event that has a counter, never disabled
 *
 * perf installs an event and gives it a counter at one reading of the context's
 * clock, which __perf_install_in_context() stops for it. For that it takes events of
 * tasks off: what those used counts as free. One that finds none free gets one from
 * the multiplexing timer, at a later reading, and another event of the CPU loses it.
 * If the clock ran on meanwhile, no counter would ever seem to be free.
 *
 * Context: on the event's CPU, interrupts off.
 * Return: true if it did.
 */
static inline bool n3t_perf_has_waited(const struct perf_event *event)
{
	return n3t_perf_lost_ns(event);
}

/**
 * n3t_perf_count() - what an event has counted
 * @event: an event whose count is up to date: stopped with PERF_EF_UPDATE, or read
 *
 * Context: any.
 * Return: the count.
 */
static inline u64 n3t_perf_count(struct perf_event *event)
{
	return local64_read(&event->count);
}

/**
 * n3t_perf_set_code() - what an event counts when it is started next
 * @event: a stopped event, not on a counter whose event is fixed
 * @code: event number
 *
 * armv8_pmuv3 keeps the event number in the low 16 bits of hw.config_base, the
 * filters above it, and writes all of it to the type register at each start. A
 * PMU that takes the number at another time fails n3t_counters_self_test().
 *
 * Context: on the event's CPU, interrupts off.
 */
static inline void n3t_perf_set_code(struct perf_event *event, u16 code)
{
	event->hw.config_base &= ~(typeof(event->hw.config_base))U16_MAX;
	event->hw.config_base |= code;
}

/**
 * n3t_perf_rotation() - when perf gives counters of this CPU to others next
 * @pmu: a PMU that counts on this CPU
 *
 * perf runs its multiplexing timer while an event on this CPU waits for a
 * counter, and up to a period longer: perf_mux_hrtimer_restart() sets
 * hrtimer_active, perf_mux_hrtimer_handler() clears it. Where the timer is kept
 * differs: see n3t_compat.h. Without it others who wait would be noticed only
 * when a slice is cut.
 *
 * Context: any, bound to a CPU.
 * Return: when the timer expires, 0 if it does not run: nobody waits.
 */
static inline ktime_t n3t_perf_rotation(struct pmu *pmu)
{
	typeof(n3t_perf_this_cpu_context(pmu)) context = n3t_perf_this_cpu_context(pmu);

	/* The timer may expire meanwhile: either value is right, a mix of both is not. */
	return READ_ONCE(context->hrtimer_active) ?
		READ_ONCE(context->hrtimer.node.expires) : 0;
}

/**
 * n3t_perf_is_unused() - has no event a counter of this CPU
 * @pmu: a PMU that counts on this CPU
 *
 * event_sched_in() and event_sched_out() keep the number of events that are active on the CPU
 * in active_oncpu, beside perf's timer, those of the task that runs included. Up to 6.1 PMUs of
 * one kind share it, so it may count events of another PMU as well. If it did not change with
 * each event, the cost of counters that others have would be taken for that of none.
 *
 * Context: on the CPU, interrupts off.
 * Return: true if none has.
 */
static inline bool n3t_perf_is_unused(struct pmu *pmu)
{
	return !READ_ONCE(n3t_perf_this_cpu_context(pmu)->active_oncpu);
}

/**
 * n3t_perf_is_counting() - does an event have a counter that is not stopped
 * @event: an event
 *
 * Beside its state as in n3t_perf_is_active(): hw.state is 0 from armpmu_start() on and
 * has PERF_HES_STOPPED from armpmu_stop() on, which CPU_PM and throttling call as well.
 * If it had not, what the register holds while it is stopped would be taken for counts.
 *
 * Context: on the event's CPU, interrupts off.
 * Return: true if it has.
 */
static inline bool n3t_perf_is_counting(const struct perf_event *event)
{
	return n3t_perf_is_active(event) && !event->hw.state;
}

/**
 * n3t_perf_code() - what an event counts
 * @event: an event
 *
 * Context: as n3t_perf_set_code().
 * Return: its event number.
 */
static inline u16 n3t_perf_code(const struct perf_event *event)
{
	return event->hw.config_base;
}

/**
 * n3t_perf_base() - what an event had in its counter when its count was brought up to date
 * @event: an event that has a counter
 *
 * armpmu_event_update() adds to the count what the counter is beyond hw.prev_count, in
 * the width of the event, and moves hw.prev_count there; armpmu_event_set_period() puts
 * another number into both. So the count and this one change together, also in the
 * handler of an overflow. If they did not, counts would be off by what was added twice:
 * the self-test compares with what the driver itself makes of it.
 *
 * Context: on the event's CPU, interrupts off; a pseudo-NMI may still change it.
 * Return: what the counter is beyond this is not in n3t_perf_count() yet.
 */
static inline u64 n3t_perf_base(struct perf_event *event)
{
	return local64_read(&event->hw.prev_count);
}

/**
 * n3t_perf_set_base() - let an event's counter begin with another number
 * @event: a stopped event, not a sampling one
 * @less: how much less than the usual
 *
 * armpmu_event_set_period() lets a counter begin at -hw.period_left, so that it overflows
 * that much later; events that do not sample have hw.sample_period there.
 *
 * Context: on the event's CPU, interrupts off.
 */
static inline void n3t_perf_set_base(struct perf_event *event, u32 less)
{
	local64_set(&event->hw.period_left, event->hw.sample_period - less);
}

#define N3T_CYCLE_REGISTER	31	/* PMCCNTR_EL0, as PMCNTENSET_EL0 numbers it */

/**
 * n3t_perf_register() - which counter of the PMU an event has
 * @event: an event that has a counter
 * @first: what hw.idx is for PMEVCNTR0_EL0
 *
 * hw.idx is the number of the register that armv8_pmuv3 has given to the event. Up to
 * 6.11 it begins with 0 for the cycle counter and 1 for PMEVCNTR0_EL0; from 6.12 on with
 * 0 for PMEVCNTR0_EL0, and 31 is the cycle counter, 32 the instruction counter. Kernels
 * with patches may do either: n3t_direct_find_registers() finds out by what registers
 * hold. With the wrong one counts would be those of another event.
 *
 * Context: on the event's CPU, interrupts off: perf moves events.
 * Return: n of PMEVCNTRn_EL0, N3T_CYCLE_REGISTER, or more if it has none of these.
 */
static inline unsigned int n3t_perf_register(const struct perf_event *event, unsigned int first)
{
	unsigned int idx = event->hw.idx;

	return idx > N3T_CYCLE_REGISTER ? idx : (idx - first) & N3T_CYCLE_REGISTER;
}

#ifdef CONFIG_ARM64
#include <asm/barrier.h>
#include <asm/cpufeature.h>
#include <asm/sysreg.h>

#define N3T_PMCR_E		BIT(0)
#define N3T_PMCR_N		GENMASK(15, 11)
#define N3T_PMUSERENR_ALL	GENMASK(1, 0)	/* EN, SW: for a guest, by KVM */
#define N3T_PMUSERENR_READ	GENMASK(3, 2)	/* CR, ER: by the driver */

/**
 * n3t_perf_was_restarted() - did an NMI enable the PMU while it was to be disabled
 *
 * With pseudo-NMIs the overflow handler of armv8_pmuv3 can run between
 * pmu_disable() and pmu_enable(). It ends with setting PMCR_EL0.E, so the
 * counters run while they are being changed.
 *
 * Context: this CPU's PMU is disabled, interrupts off.
 * Return: true if it runs.
 */
static inline bool n3t_perf_was_restarted(void)
{
	return system_uses_irq_prio_masking() && (read_sysreg(pmcr_el0) & N3T_PMCR_E);
}

/**
 * n3t_perf_user_access() - may user space read this CPU's counters
 *
 * With kernel.perf_user_access=1 armv8_pmuv3 sets PMUSERENR_EL0 whenever it
 * schedules in a task that has an event of its own open for it, and clears it
 * with the next task. It clears unused counters first, but none that is in use. When
 * a CPU's last event is removed the register keeps its value, with the PMU disabled.
 *
 * KVM sets all of its bits while a vCPU is loaded, whose accesses it traps.
 *
 * Context: any, bound to a CPU whose PMU is the core's own.
 * Return: true if the task that runs there may.
 */
static inline bool n3t_perf_user_access(void)
{
	u64 access = read_sysreg(pmuserenr_el0);

	if ((access & N3T_PMUSERENR_ALL) || !(access & N3T_PMUSERENR_READ))
		return false;
	return read_sysreg(pmcr_el0) & N3T_PMCR_E;
}

/**
 * n3t_perf_nr_registers() - event counters of this CPU
 *
 * PMEVCNTRn_EL0 and PMEVTYPERn_EL0 are undefined from this n on.
 *
 * Context: any, bound to a CPU whose PMU is the core's own.
 * Return: how many.
 */
static inline unsigned int n3t_perf_nr_registers(void)
{
	return FIELD_GET(N3T_PMCR_N, read_sysreg(pmcr_el0));
}

/**
 * n3t_perf_all_in_use() - do all counters of this CPU count
 *
 * armv8_pmuv3 enables a counter when perf gives it to an event, in PMCNTENSET_EL0, but for
 * a moment, and for events that exclude the host, which KVM enables. With the cycle
 * counter free an event may have moved to an event counter from there, and moves back
 * when perf next places all of them.
 *
 * Context: any, bound to a CPU whose PMU is the core's own.
 * Return: true if they do, whoever has them; so has the cycle counter.
 */
static inline bool n3t_perf_all_in_use(void)
{
	return hweight32(read_sysreg(pmcntenset_el0)) > n3t_perf_nr_registers();
}

/**
 * n3t_perf_sync() - separate accesses to registers from the PMU being stopped or started
 *
 * Counters read after this stand still if the PMU was stopped before it; types written
 * before it are in force when the PMU is started after it.
 */
static inline void n3t_perf_sync(void)
{
	isb();
}

#define N3T_FOR_EACH_REGISTER(what)						\
	what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8)	\
	what(9) what(10) what(11) what(12) what(13) what(14) what(15) what(16)	\
	what(17) what(18) what(19) what(20) what(21) what(22) what(23) what(24)	\
	what(25) what(26) what(27) what(28) what(29) what(30)

/* The number of a register is part of the instruction. */
#define N3T_ACCESSORS(n)							\
static inline u64 n3t_perf_read_counter_##n(void)				\
{										\
	return read_sysreg(pmevcntr##n##_el0);					\
}										\
										\
static inline u64 n3t_perf_read_type_##n(void)					\
{										\
	return read_sysreg(pmevtyper##n##_el0);					\
}										\
										\
static inline void n3t_perf_write_type_##n(u64 type)				\
{										\
	write_sysreg(type, pmevtyper##n##_el0);					\
}

N3T_FOR_EACH_REGISTER(N3T_ACCESSORS)

static inline u64 n3t_perf_read_cycles(void)
{
	return read_sysreg(pmccntr_el0);
}

#define N3T_READ_COUNTER(n)	n3t_perf_read_counter_##n,
#define N3T_READ_TYPE(n)	n3t_perf_read_type_##n,
#define N3T_WRITE_TYPE(n)	n3t_perf_write_type_##n,

/**
 * n3t_perf_read_register() - read a counter
 * @n: which, below n3t_perf_nr_registers(), or N3T_CYCLE_REGISTER
 *
 * Context: on the CPU, interrupts off.
 * Return: all 64 bits of it.
 */
static inline u64 n3t_perf_read_register(unsigned int n)
{
	/* A switch would compare its way down: this takes a quarter of the time. */
	static u64 (* const read[])(void) = {
		N3T_FOR_EACH_REGISTER(N3T_READ_COUNTER) n3t_perf_read_cycles
	};

	return read[n]();
}

/**
 * n3t_perf_has_type() - does a counter count what its event says
 * @n: the counter, below n3t_perf_nr_registers()
 * @event: the event
 *
 * The filters are not compared: of those that do not exist the register says 0.
 *
 * Context: on the CPU, interrupts off.
 * Return: true if the type register has the event's number.
 */
static inline bool n3t_perf_has_type(unsigned int n, const struct perf_event *event)
{
	static u64 (* const read[])(void) = { N3T_FOR_EACH_REGISTER(N3T_READ_TYPE) };

	return (u16)read[n]() == n3t_perf_code(event);
}

/**
 * n3t_perf_write_type() - have a counter count what its event says
 * @n: the counter, below n3t_perf_nr_registers()
 * @event: the event
 *
 * What armv8_pmuv3 keeps in hw.config_base it writes to the type register as it is.
 * n3t_perf_set_code() keeps the filters there, and so they are kept here: in the register
 * itself KVM changes those of events that exclude the host or guests, none of ours.
 *
 * Context: on the CPU, interrupts off, the PMU stopped.
 */
static inline void n3t_perf_write_type(unsigned int n, const struct perf_event *event)
{
	static void (* const write[])(u64 type) = { N3T_FOR_EACH_REGISTER(N3T_WRITE_TYPE) };

	write[n](event->hw.config_base);
}
#else
static inline bool n3t_perf_was_restarted(void)
{
	return false;
}

static inline unsigned int n3t_perf_nr_registers(void)
{
	return 0;
}

static inline bool n3t_perf_all_in_use(void)
{
	return false;
}

static inline void n3t_perf_sync(void)
{
}

static inline u64 n3t_perf_read_register(unsigned int n)
{
	return 0;
}

static inline bool n3t_perf_has_type(unsigned int n, const struct perf_event *event)
{
	return false;
}

static inline void n3t_perf_write_type(unsigned int n, const struct perf_event *event)
{
}

static inline bool n3t_perf_user_access(void)
{
	return false;
}
#endif

#endif /* _N3T_PERF_PRIVATE_H */
