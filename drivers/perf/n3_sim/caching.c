// SPDX-License-Identifier: GPL-2.0
/*
 * Emulation of a PMU driver that caches the event types that it writes.
 *
 * armv8_pmuv3 does not do that, but n3_telemetry, which writes types directly,
 * has to detect such a driver. This file wraps the driver's functions: it
 * undoes writes that a caching driver would have skipped, and adds those that
 * it would have made.
 */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>

#include "caching.h"
#include "libn3t/n3t.h"
#include "perf_private.h"
#include "settings.h"

#define PROBE_CODE	N3T_CODE_OP_SPEC

/**
 * struct cache - types that the driver wrote on a CPU
 * @caching: use of the types by the emulated driver
 * @known: mask of registers with a known type
 * @type: type by register
 *
 * Written on the CPU with interrupts off; @caching anywhere, under
 * n3_sim_settings_lock.
 */
struct cache {
	enum n3_sim_caching caching;
	u32 known;
	u64 type[N3T_MAX_COUNTERS];
};

static DEFINE_PER_CPU(struct cache, caches);

/* The wrapped PMU, or NULL, and its original functions; under n3_sim_settings_lock. */
static struct pmu *wrapped;
static struct pmu driver;
/* perf's index of PMEVCNTR0_EL0. */
static unsigned int first_idx;

static u64 read_type(unsigned int n)
{
	static u64 (* const read[])(void) = { N3T_FOR_EACH_REGISTER(N3T_READ_TYPE) };

	return read[n]();
}

static void write_type(unsigned int n, u64 type)
{
	static void (* const write[])(u64 type) = { N3T_FOR_EACH_REGISTER(N3T_WRITE_TYPE) };

	write[n](type);
}

static void read_types(u64 *types)
{
	unsigned int n;

	for (n = 0; n < n3t_perf_nr_registers(); n++)
		types[n] = read_type(n);
}

/* Called after the driver started an event; @before: previous types of the registers. */
static void started(struct perf_event *event, const u64 *before)
{
	struct cache *cache = this_cpu_ptr(&caches);
	unsigned int n = n3t_perf_register(event, first_idx);
	u64 type = event->hw.config_base;

	if (n >= n3t_perf_nr_registers())
		return;
	if (READ_ONCE(cache->caching) == N3_SIM_CACHING_SKIP && cache->known & BIT(n) &&
	    cache->type[n] == type)
		write_type(n, before[n]);
	cache->type[n] = type;
	cache->known |= BIT(n);
}

static void start(struct perf_event *event, int flags)
{
	u64 types[N3T_MAX_COUNTERS];

	read_types(types);
	driver.start(event, flags);
	started(event, types);
}

static int add(struct perf_event *event, int flags)
{
	u64 types[N3T_MAX_COUNTERS];
	int ret;

	read_types(types);
	ret = driver.add(event, flags);
	if (!ret && flags & PERF_EF_START)
		started(event, types);
	return ret;
}

static void enable(struct pmu *pmu)
{
	struct cache *cache = this_cpu_ptr(&caches);
	unsigned int n;

	if (READ_ONCE(cache->caching) == N3_SIM_CACHING_RESTORE)
		for (n = 0; n < n3t_perf_nr_registers(); n++)
			if (cache->known & BIT(n))
				write_type(n, cache->type[n]);
	driver.pmu_enable(pmu);
}

static void find_first_idx(void *data)
{
	const struct perf_event *event = data;
	unsigned int n = n3t_perf_register(event, 0);

	first_idx = n >= n3t_perf_nr_registers() || !n3t_perf_has_type(n, event);
}

/* Wraps the PMU that raw events on the CPU lead to. It must be unused on the CPU. */
static int wrap(unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = PROBE_CODE,
	};
	struct perf_event *event;
	int ret;

	event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);

	ret = smp_call_function_single(cpu, find_first_idx, event, true);
	if (!ret) {
		wrapped = event->pmu;
		driver = *wrapped;
		WRITE_ONCE(wrapped->start, start);
		WRITE_ONCE(wrapped->add, add);
		WRITE_ONCE(wrapped->pmu_enable, enable);
	}
	perf_event_release_kernel(event);
	return ret;
}

/**
 * n3_sim_caching() - get how the driver of a CPU's own PMU uses cached types
 * @cpu: the CPU
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: the mode.
 */
enum n3_sim_caching n3_sim_caching(unsigned int cpu)
{
	lockdep_assert_held(&n3_sim_settings_lock);

	return per_cpu(caches, cpu).caching;
}

/**
 * n3_sim_set_caching() - make the driver of a CPU's own PMU cache types
 * @cpu: the CPU, online
 * @caching: the driver's use of types
 *
 * On the first call the PMU must be unused on @cpu.
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: 0, or the error of perf or of smp_call_function_single().
 */
int n3_sim_set_caching(unsigned int cpu, enum n3_sim_caching caching)
{
	int ret = 0;

	lockdep_assert_held(&n3_sim_settings_lock);

	if (!wrapped)
		ret = wrap(cpu);
	if (!ret)
		WRITE_ONCE(per_cpu(caches, cpu).caching, caching);
	return ret;
}

/**
 * n3_sim_caching_exit() - undo n3_sim_set_caching()
 *
 * Context: may sleep; no files are left.
 */
void n3_sim_caching_exit(void)
{
	if (!wrapped)
		return;

	WRITE_ONCE(wrapped->start, driver.start);
	WRITE_ONCE(wrapped->add, driver.add);
	WRITE_ONCE(wrapped->pmu_enable, driver.pmu_enable);
	/* perf calls them with interrupts off. */
	synchronize_rcu();
}
