/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that n3_telemetry knows of perf and of its arm64 driver beyond what they
 * export. If perf ever offers to change a kernel event in place and to tell
 * whether an event waits for a counter, this is the file to replace.
 *
 * Each accessor says what it relies on, why that holds from 6.1 to 7.x, and what
 * breaks if it does not. n3t_counters_self_test() verifies at load what counting
 * can show.
 */
#ifndef _N3T_PERF_PRIVATE_H
#define _N3T_PERF_PRIVATE_H

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

#ifdef CONFIG_ARM64
#include <asm/cpufeature.h>
#include <asm/sysreg.h>

#define N3T_PMCR_E		BIT(0)
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
#else
static inline bool n3t_perf_was_restarted(void)
{
	return false;
}

static inline bool n3t_perf_user_access(void)
{
	return false;
}
#endif

#endif /* _N3T_PERF_PRIVATE_H */
