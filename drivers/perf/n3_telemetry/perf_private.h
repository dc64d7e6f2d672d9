/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Dependencies of n3_telemetry on internals of perf and its arm64 driver.
 *
 * If perf ever allows changing a kernel event in place, and reports whether an
 * event waits for a counter, this is the file to replace.
 *
 * Each accessor documents its assumptions, why that holds from 6.1 to 7.x,
 * and what breaks if it does not. n3t_counters_self_test() verifies at load
 * what can be verified by counting.
 *
 * Registers are accessed only after n3t_direct_find_register() has shown that
 * hw.idx leads to the register of a perf counter. Only pmu_disable() and
 * pmu_enable() stop and start the PMU: PMUSERENR_EL0 and KVM's resync, which
 * are part of that, belong to the driver.
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
 * n3t_perf_is_active() - check whether an event has a counter
 * @event: an event
 *
 * perf sets the state to ACTIVE in event_sched_in(), before pmu->add(), and to
 * another one in event_sched_out(), on the event's CPU with interrupts off. If it
 * did not, slices without a counter would be kept, with counts too small.
 *
 * Context: exact on the event's CPU; a hint elsewhere.
 * Return: true if it has a counter.
 */
static inline bool n3t_perf_is_active(const struct perf_event *event)
{
	return READ_ONCE(event->state) == PERF_EVENT_STATE_ACTIVE;
}

/**
 * n3t_perf_lost_ns() - time that an event has waited for a counter
 * @event: an event
 *
 * Valid up to its last change of state: perf_event_update_time() updates both
 * times whenever perf removes or adds the event, so two readings differ if it was
 * removed in between. They do not differ if both happened at one reading of perf's
 * clock: then the PMU was disabled in between, and nothing was missed. If perf did
 * not keep these times, truncated slices would be kept.
 *
 * Context: on the event's CPU, interrupts off.
 * Return: nanoseconds.
 */
static inline u64 n3t_perf_lost_ns(const struct perf_event *event)
{
	return event->total_time_enabled - event->total_time_running;
}

/**
 * n3t_perf_has_waited() - check whether an event got its counter after opening
 * @event: an event that has a counter, never disabled
 *
 * perf installs an event and gives it a counter at one reading of the context's
 * clock, which __perf_install_in_context() stops for that. It removes events of
 * tasks first, so their counters appear free. An event that finds no free counter
 * gets one from the multiplexing timer, at a later reading, and another event of
 * the CPU loses it. If the clock advanced meanwhile, no counter would ever appear
 * to be free.
 *
 * Context: on the event's CPU, interrupts off.
 * Return: true if it waited.
 */
static inline bool n3t_perf_has_waited(const struct perf_event *event)
{
	return n3t_perf_lost_ns(event);
}

/* The count of an event; current if it was stopped with PERF_EF_UPDATE, or read. */
static inline u64 n3t_perf_count(struct perf_event *event)
{
	return local64_read(&event->count);
}

/**
 * n3t_perf_set_code() - set the event number for the next start of an event
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
 * n3t_perf_rotation() - get the time when perf next multiplexes a CPU's counters
 * @pmu: a PMU that counts on the CPU
 * @cpu: the CPU
 *
 * perf runs its multiplexing timer while an event on this CPU waits for a counter,
 * and up to a period longer: perf_mux_hrtimer_restart() sets hrtimer_active,
 * perf_mux_hrtimer_handler() clears it. The location of the timer depends on the
 * version: see n3t_compat.h. Without it, waiting users would be noticed only when
 * a slice is truncated.
 *
 * Context: any.
 * Return: the expiry of the timer, 0 if it is stopped: no event waits.
 */
static inline ktime_t n3t_perf_rotation(struct pmu *pmu, unsigned int cpu)
{
	typeof(n3t_perf_cpu_context(pmu, cpu)) context = n3t_perf_cpu_context(pmu, cpu);

	/* The timer may expire meanwhile: both values are valid, a torn one is not. */
	return READ_ONCE(context->hrtimer_active) ?
		READ_ONCE(context->hrtimer.node.expires) : 0;
}

/**
 * n3t_perf_is_unused() - check whether no event has a counter of this CPU
 * @pmu: a PMU that counts on this CPU
 *
 * event_sched_in() and event_sched_out() count the active events of the CPU in
 * active_oncpu, next to perf's timer, including those of the current task. Up to
 * 6.1, PMUs of one kind share it, so it may include events of another PMU. If it
 * did not follow each event, the cost of other users' counters would be mistaken
 * for the cost without counters.
 *
 * Context: on the CPU, interrupts off.
 * Return: true if no event has a counter.
 */
static inline bool n3t_perf_is_unused(struct pmu *pmu)
{
	return !READ_ONCE(n3t_perf_cpu_context(pmu, smp_processor_id())->active_oncpu);
}

/**
 * n3t_perf_is_counting() - check whether an event has a counter that is running
 * @event: an event
 *
 * In addition to the state as in n3t_perf_is_active(): armpmu_start() sets hw.state
 * to 0, armpmu_stop() sets PERF_HES_STOPPED; CPU_PM and throttling call these as
 * well. Otherwise the contents of a register while stopped would be taken for
 * counts.
 *
 * Context: on the event's CPU, interrupts off.
 * Return: true if it has one.
 */
static inline bool n3t_perf_is_counting(const struct perf_event *event)
{
	return n3t_perf_is_active(event) && !event->hw.state;
}

/* The event number of an event; as n3t_perf_set_code(). */
static inline u16 n3t_perf_code(const struct perf_event *event)
{
	return event->hw.config_base;
}

/**
 * n3t_perf_base() - get the counter value at the last update of an event's count
 * @event: an event that has a counter
 *
 * armpmu_event_update() adds the difference between the counter and hw.prev_count,
 * in the width of the event, to the count, and sets hw.prev_count to the counter;
 * armpmu_event_set_period() sets both to a new value. So the count and this value
 * change together, also in the overflow handler. If they did not, parts would be
 * counted twice: the self-test compares counts with those of the driver.
 *
 * Context: on the event's CPU, interrupts off; a pseudo-NMI may still change it.
 * Return: the value; n3t_perf_count() lacks the events counted beyond it.
 */
static inline u64 n3t_perf_base(struct perf_event *event)
{
	return local64_read(&event->hw.prev_count);
}

/**
 * n3t_perf_set_base() - choose the value at which an event's counter starts
 * @event: a stopped event, not a sampling one
 * @less: distance below the usual start value
 *
 * armpmu_event_set_period() starts a counter at -hw.period_left, so it overflows
 * that much later; for events that do not sample, hw.period_left is
 * hw.sample_period.
 *
 * Context: on the event's CPU, interrupts off.
 */
static inline void n3t_perf_set_base(struct perf_event *event, u32 less)
{
	local64_set(&event->hw.period_left, event->hw.sample_period - less);
}

#define N3T_CYCLE_REGISTER	31	/* PMCCNTR_EL0, as PMCNTENSET_EL0 numbers it */

/**
 * n3t_perf_register() - get the counter register of an event
 * @event: an event that has a counter
 * @first: hw.idx of PMEVCNTR0_EL0
 *
 * hw.idx is the number of the register that armv8_pmuv3 gave to the event. Up to
 * 6.11, 0 is the cycle counter and 1 is PMEVCNTR0_EL0; since 6.12, 0 is
 * PMEVCNTR0_EL0, 31 the cycle counter and 32 the instruction counter. Patched
 * kernels may use either scheme: n3t_direct_find_register() determines it from
 * the contents of registers. With the wrong one, counts would belong to another
 * event.
 *
 * Context: on the event's CPU, interrupts off: perf moves events.
 * Return: n of PMEVCNTRn_EL0, N3T_CYCLE_REGISTER, or more for other registers.
 */
static inline unsigned int n3t_perf_register(const struct perf_event *event, unsigned int first)
{
	unsigned int idx = event->hw.idx;

	return idx > N3T_CYCLE_REGISTER ? idx : (idx - first) & N3T_CYCLE_REGISTER;
}

/**
 * n3t_perf_has_fixed_event() - check whether an event is on the instruction counter
 * @event: an event that has a counter
 *
 * Of the counters with a fixed event, only PMICNTR_EL0 (FEAT_PMUv3_ICNTR, hw.idx 32
 * since 6.12) may get one of ours: an event whose number was INST_RETIRED when perf
 * last placed it. With another number it would count instructions nevertheless.
 *
 * Context: on the event's CPU, interrupts off.
 * Return: true if its number must not be changed.
 */
static inline bool n3t_perf_has_fixed_event(const struct perf_event *event)
{
	return event->hw.idx > N3T_CYCLE_REGISTER;
}

#ifdef CONFIG_ARM64
#include <asm/barrier.h>
#include <asm/cpufeature.h>
#include <asm/sysreg.h>

#define N3T_PMCR_E		BIT(0)
#define N3T_PMCR_N		GENMASK(15, 11)
#define N3T_PMUSERENR_ALL	GENMASK(1, 0)	/* EN, SW: set by KVM for a guest */
#define N3T_PMUSERENR_READ	GENMASK(3, 2)	/* CR, ER: set by the driver */

/**
 * n3t_perf_was_restarted() - check whether an NMI enabled the disabled PMU
 *
 * With pseudo-NMIs the overflow handler of armv8_pmuv3 can run between
 * pmu_disable() and pmu_enable(). It sets PMCR_EL0.E at its end, so the counters
 * run while they are being changed.
 *
 * Context: this CPU's PMU is disabled, interrupts off.
 * Return: true if it is enabled.
 */
static inline bool n3t_perf_was_restarted(void)
{
	return system_uses_irq_prio_masking() && (read_sysreg(pmcr_el0) & N3T_PMCR_E);
}

/**
 * n3t_perf_user_access() - check whether user space can read this CPU's counters
 *
 * With kernel.perf_user_access=1 armv8_pmuv3 sets PMUSERENR_EL0 whenever it
 * schedules in a task that has opened such an event, and clears it with the next
 * task. It zeroes unused counters first, but not those in use. When a CPU's last
 * event is removed, the register keeps its value, with the PMU disabled.
 *
 * KVM sets all of its bits while a vCPU is loaded, whose accesses it traps.
 *
 * Context: any, bound to a CPU whose PMU is the core's own.
 * Return: true if the current task can read them.
 */
static inline bool n3t_perf_user_access(void)
{
	u64 access = read_sysreg(pmuserenr_el0);

	if ((access & N3T_PMUSERENR_ALL) || !(access & N3T_PMUSERENR_READ))
		return false;
	return read_sysreg(pmcr_el0) & N3T_PMCR_E;
}

/**
 * n3t_perf_nr_registers() - number of event counters of this CPU
 *
 * PMEVCNTRn_EL0 and PMEVTYPERn_EL0 are undefined for this n and above.
 *
 * Context: any, bound to a CPU whose PMU is the core's own.
 * Return: the number.
 */
static inline unsigned int n3t_perf_nr_registers(void)
{
	return FIELD_GET(N3T_PMCR_N, read_sysreg(pmcr_el0));
}

/**
 * n3t_perf_all_in_use() - check whether all counters of this CPU are in use
 *
 * armv8_pmuv3 enables a counter in PMCNTENSET_EL0 when perf assigns it, except for
 * a moment, and for events that exclude the host, which KVM enables. If the cycle
 * counter is free, an event may have moved from there to an event counter; it
 * moves back when perf next places all events.
 *
 * Context: any, bound to a CPU whose PMU is the core's own.
 * Return: true if all counters, including the cycle counter, are in use by anyone.
 */
static inline bool n3t_perf_all_in_use(void)
{
	return hweight32(read_sysreg(pmcntenset_el0)) > n3t_perf_nr_registers();
}

/**
 * n3t_perf_sync() - order register accesses against stopping or starting the PMU
 *
 * Counters read after this no longer change if the PMU was stopped before it;
 * types written before it are effective when the PMU is started after it.
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

/* The number of a register is encoded in the instruction. */
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

/* All 64 bits of a counter, or of N3T_CYCLE_REGISTER; on the CPU, interrupts off. */
static inline u64 n3t_perf_read_register(unsigned int n)
{
	/* A chain of comparisons (switch) takes four times as long. */
	static u64 (* const read[])(void) = {
		N3T_FOR_EACH_REGISTER(N3T_READ_COUNTER) n3t_perf_read_cycles
	};

	return read[n]();
}

/**
 * n3t_perf_has_type() - check the type register of a counter against its event
 * @n: the counter, below n3t_perf_nr_registers()
 * @event: the event
 *
 * Ignores the filters: the register reads 0 for filters that do not exist.
 *
 * Context: on the CPU, interrupts off.
 * Return: true if the type register holds the event's number.
 */
static inline bool n3t_perf_has_type(unsigned int n, const struct perf_event *event)
{
	static u64 (* const read[])(void) = { N3T_FOR_EACH_REGISTER(N3T_READ_TYPE) };

	return (u16)read[n]() == n3t_perf_code(event);
}

/**
 * n3t_perf_write_type() - write the type register of a counter
 * @n: the counter, below n3t_perf_nr_registers()
 * @event: the event to count
 *
 * armv8_pmuv3 writes hw.config_base to the type register unchanged.
 * n3t_perf_set_code() keeps its filters, so they are preserved. KVM changes filters
 * in the register itself only for events that exclude the host or guests, which
 * events of this module do not.
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
