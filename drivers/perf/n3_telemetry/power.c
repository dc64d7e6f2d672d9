// SPDX-License-Identifier: GPL-2.0
/*
 * Cost of stopping and restarting counters when a CPU loses power in an idle
 * state.
 *
 * The PMU's driver does that for all counters in use, in a CPU_PM notifier with
 * priority 0. This unit has one notifier before and one after it, on the way
 * into the idle state and out. The time between the two is not only due to the
 * counters of this module: the driver resets the PMU in any case, and notifiers
 * of other drivers have the same priority. The time is therefore also measured
 * while no counter is in use, and only the difference is charged.
 */
#include <linux/cpu_pm.h>
#include <linux/math64.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>

#include "cost.h"
#include "cpu.h"
#include "perf_private.h"
#include "pmu.h"
#include "power.h"

#define DRIVER_PRIORITY	0

/* Ignore the mean without counters before that: the first runs find cold caches. */
#define MIN_UNUSED	100

static struct n3t_cpu *cpus;

/* The kind of the next power-down, or NULL. Counters cannot be taken or released in it. */
static struct n3t_power_downs *kind_of(struct n3t_cpu *cpu)
{
	struct n3t_pmu *pmu = READ_ONCE(cpu->pmu);

	/* The driver has no such notifier for a simulated PMU. */
	if (!pmu || pmu->simulated)
		return NULL;
	if (rcu_access_pointer(cpu->run))
		return &cpu->power.held;
	return n3t_perf_is_unused(pmu->pmu) ? &cpu->power.unused : NULL;
}

static bool is_of_cpu(unsigned long event)
{
	return event == CPU_PM_ENTER || event == CPU_PM_ENTER_FAILED || event == CPU_PM_EXIT;
}

static int n3t_power_before(struct notifier_block *block, unsigned long event, void *data)
{
	struct n3t_cpu *cpu = &cpus[smp_processor_id()];
	struct n3t_power *power = &cpu->power;

	if (!is_of_cpu(event))
		return NOTIFY_DONE;

	if (event == CPU_PM_ENTER) {
		WRITE_ONCE(power->downs, power->downs + 1);
		power->kind = kind_of(cpu);
		if (power->kind)
			WRITE_ONCE(power->kind->nr, power->kind->nr + 1);
	}
	/* If a driver's notifier has failed, an earlier measurement did not end. */
	power->since = power->kind ? n3t_cost_clock() : 0;
	return NOTIFY_OK;
}

static int n3t_power_after(struct notifier_block *block, unsigned long event, void *data)
{
	struct n3t_power *power = &cpus[smp_processor_id()].power;

	if (!is_of_cpu(event) || !power->since)
		return NOTIFY_DONE;

	WRITE_ONCE(power->kind->cost, power->kind->cost + n3t_cost_clock() - power->since);
	power->since = 0;
	return NOTIFY_OK;
}

static struct notifier_block before = {
	.notifier_call = n3t_power_before,
	.priority = DRIVER_PRIORITY + 1,
};

static struct notifier_block after = {
	.notifier_call = n3t_power_after,
	.priority = DRIVER_PRIORITY - 1,
};

/* Starts to measure; the CPUs are initialized. */
int n3t_power_init(struct n3t_cpu *per_cpu)
{
	int ret;

	cpus = per_cpu;
	ret = cpu_pm_register_notifier(&before);
	if (ret)
		return ret;
	ret = cpu_pm_register_notifier(&after);
	if (ret)
		cpu_pm_unregister_notifier(&before);
	return ret;
}

/* Undoes n3t_power_init(): none of the notifiers runs after this. */
void n3t_power_exit(void)
{
	cpu_pm_unregister_notifier(&after);
	cpu_pm_unregister_notifier(&before);
	/* On the way out of an idle state only RCU protects the notifiers. */
	synchronize_rcu();
}

/* Cost of @nr power-downs without counters, by n3t_cost_clock(). */
static u64 cost_unused(const struct n3t_power_downs *unused, u64 nr)
{
	u64 measured = READ_ONCE(unused->nr);

	return measured < MIN_UNUSED ? 0 :
		mul_u64_u64_div_u64(READ_ONCE(unused->cost), nr, measured);
}

/**
 * n3t_power_charged_ns() - get the total cost of counters at power-downs
 * @power: power-downs of a CPU
 *
 * For each power-down with counters held, the time in excess of the mean without
 * any. If the mean is unknown, because counters have always been held, the full
 * time is charged.
 *
 * Context: any. The mean is constant while counters are held, so differences
 * between two results are exact.
 * Return: nanoseconds since loading; negative if it took less.
 */
s64 n3t_power_charged_ns(const struct n3t_power *power)
{
	u64 unused = cost_unused(&power->unused, READ_ONCE(power->held.nr));

	return n3t_cost_ns(READ_ONCE(power->held.cost)) - n3t_cost_ns(unused);
}

/* Mean cost of a power-down while counters were held, 0 without any. */
u64 n3t_power_cost_ns(const struct n3t_power *power)
{
	u64 nr = READ_ONCE(power->held.nr);

	return nr ? div64_u64(max(n3t_power_charged_ns(power), 0ll), nr) : 0;
}
