// SPDX-License-Identifier: GPL-2.0
/*
 * What it costs to stop and start counters when a CPU loses its power in an idle state.
 *
 * The driver of the PMU does that for all counters that are held, by a notifier of CPU_PM
 * with priority 0. One of ours comes before it and one after it, on the way into the idle
 * state and on the way out, and what passes between them is the cost. Notifiers of other
 * drivers with the same priority are in it as well.
 */
#include <linux/cpu_pm.h>
#include <linux/math64.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>

#include "cost.h"
#include "cpu.h"
#include "cpus.h"
#include "pmu.h"
#include "power.h"

#define DRIVER_PRIORITY	0

/* A simulated PMU has no such notifier. */
static bool holds_counters(const struct n3t_cpu *cpu)
{
	return rcu_access_pointer(cpu->run) && !cpu->pmu->simulated;
}

static bool is_of_cpu(unsigned long event)
{
	return event == CPU_PM_ENTER || event == CPU_PM_ENTER_FAILED || event == CPU_PM_EXIT;
}

static int n3t_power_before(struct notifier_block *block, unsigned long event, void *data)
{
	struct n3t_cpu *cpu = n3t_cpus_get(smp_processor_id());

	if (!is_of_cpu(event))
		return NOTIFY_DONE;

	if (event == CPU_PM_ENTER) {
		WRITE_ONCE(cpu->power.downs, cpu->power.downs + 1);
		if (holds_counters(cpu))
			WRITE_ONCE(cpu->power.held, cpu->power.held + 1);
	}
	/* An earlier one has no end if the notifier of a driver has failed. */
	cpu->power.since = holds_counters(cpu) ? n3t_cost_clock() : 0;
	return NOTIFY_OK;
}

static int n3t_power_after(struct notifier_block *block, unsigned long event, void *data)
{
	struct n3t_power *power = &n3t_cpus_get(smp_processor_id())->power;

	if (!is_of_cpu(event) || !power->since)
		return NOTIFY_DONE;

	WRITE_ONCE(power->cost, power->cost + n3t_cost_clock() - power->since);
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

/**
 * n3t_power_init() - measure from now on
 *
 * Context: may sleep; the CPUs are initialized.
 * Return: 0, or an error of the kernel's.
 */
int n3t_power_init(void)
{
	int ret = cpu_pm_register_notifier(&before);

	if (ret)
		return ret;
	ret = cpu_pm_register_notifier(&after);
	if (ret)
		cpu_pm_unregister_notifier(&before);
	return ret;
}

/**
 * n3t_power_exit() - undo n3t_power_init()
 *
 * Context: may sleep; none of the notifiers runs any more after this.
 */
void n3t_power_exit(void)
{
	cpu_pm_unregister_notifier(&after);
	cpu_pm_unregister_notifier(&before);
	/* On the way out of an idle state they are called under RCU alone. */
	synchronize_rcu();
}

/**
 * n3t_power_cost_ns() - what one power-down costs while counters are held
 * @power: of a CPU
 *
 * Context: any.
 * Return: nanoseconds, the mean since loading; 0 if there was none.
 */
u64 n3t_power_cost_ns(const struct n3t_power *power)
{
	u64 held = READ_ONCE(power->held);

	return held ? div64_u64(n3t_cost_ns(READ_ONCE(power->cost)), held) : 0;
}
