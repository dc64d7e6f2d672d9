// SPDX-License-Identifier: GPL-2.0
/*
 * Counters taken away from other users.
 *
 * Pinned perf events take them, as another user's would: perf revokes them from
 * the current users at once, whose events notice in the usual way. The module
 * cannot be unloaded while counters are taken.
 */
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

#include "libn3t/n3t.h"
#include "pmu.h"
#include "settings.h"
#include "taken.h"

/**
 * struct taken - counters taken on one CPU; under n3_sim_settings_lock
 * @events: the events that hold the counters
 * @nr: number of @events
 */
struct taken {
	struct perf_event *events[N3T_MAX_COUNTERS];
	unsigned int nr;
};

static DEFINE_PER_CPU(struct taken, taken_cpus);

static struct perf_event *pinned_event(unsigned int cpu, u64 config)
{
	struct perf_event_attr attr = {
		.type = n3_sim_pmu_type(cpu),
		.size = sizeof(attr),
		.config = config,
		.pinned = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

/*
 * perf puts a pinned event that loses its counter into the error state, which
 * happens if the number of counters is reduced or the CPU goes offline.
 */
static bool holds_counter(const struct perf_event *event)
{
	return READ_ONCE(event->state) > PERF_EVENT_STATE_OFF;
}

static void give_back(struct taken *taken, unsigned int keep)
{
	while (taken->nr > keep)
		perf_event_release_kernel(taken->events[--taken->nr]);
}

static void give_back_lost(struct taken *taken)
{
	unsigned int i;

	for (i = 0; i < taken->nr; i++)
		if (!holds_counter(taken->events[i]))
			break;
	give_back(taken, i);
}

static int take_one_more(struct taken *taken, unsigned int cpu)
{
	struct perf_event *event = pinned_event(cpu, N3T_CODE_SW_INCR);

	if (IS_ERR(event))
		return PTR_ERR(event);

	if (!holds_counter(event)) {
		perf_event_release_kernel(event);
		return -EBUSY;
	}

	taken->events[taken->nr++] = event;
	return 0;
}

/**
 * n3_sim_take() - take programmable counters of a CPU away from other users
 * @cpu: the CPU
 * @nr: total number to take, including those already taken
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: 0; -EBUSY if other pinned events hold too many; -ENODEV if the CPU is
 * offline; or another error of perf. On error no counter is taken.
 */
int n3_sim_take(unsigned int cpu, unsigned int nr)
{
	struct taken *taken = per_cpu_ptr(&taken_cpus, cpu);
	int err = 0;

	lockdep_assert_held(&n3_sim_settings_lock);

	give_back_lost(taken);
	give_back(taken, nr);
	while (!err && taken->nr < nr)
		err = take_one_more(taken, cpu);

	if (err)
		give_back(taken, 0);
	return err;
}

/**
 * n3_sim_taken() - get the number of counters taken on a CPU
 * @cpu: the CPU
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: number of counters.
 */
unsigned int n3_sim_taken(unsigned int cpu)
{
	struct taken *taken = per_cpu_ptr(&taken_cpus, cpu);

	lockdep_assert_held(&n3_sim_settings_lock);

	give_back_lost(taken);
	return taken->nr;
}

/**
 * n3_sim_reschedule() - make perf schedule the events of all CPUs again
 *
 * Needed when the number of counters was reduced.
 *
 * Context: may sleep.
 */
void n3_sim_reschedule(void)
{
	struct perf_event *event;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		event = pinned_event(cpu, N3_SIM_CONFIG_NOWHERE);
		if (!IS_ERR(event))
			perf_event_release_kernel(event);
	}
}
