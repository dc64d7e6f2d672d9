// SPDX-License-Identifier: GPL-2.0
/* Finds the PMU: the Neoverse N3's own by asking perf, or another by its name. */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/perf_event.h>
#include <linux/smp.h>

#include "midr.h"
#include "n3t.h"
#include "pmu.h"

struct n3t_pmu n3t_pmu;

static void mark_n3(void *mask)
{
	if (n3t_midr_is_n3())
		cpumask_set_cpu(smp_processor_id(), mask);
}

/**
 * n3t_pmu_first_cpu() - a CPU on which the PMU can count
 *
 * Context: may sleep.
 * Return: the first such CPU that is on line; -ENODEV if there is none; -ENOMEM.
 */
int n3t_pmu_first_cpu(void)
{
	cpumask_var_t n3;
	int cpu;

	if (n3t_pmu.simulated)
		return cpumask_first(cpu_online_mask);

	if (!zalloc_cpumask_var(&n3, GFP_KERNEL))
		return -ENOMEM;

	on_each_cpu(mark_n3, n3, 1);
	cpu = cpumask_first(n3);
	if (cpu >= nr_cpu_ids)
		cpu = -ENODEV;

	free_cpumask_var(n3);
	return cpu;
}

static struct perf_event *probe_event(u32 type, u64 config, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = config,
		.disabled = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

/* Takes a reference to the PMU's module: perf holds one only while events exist. */
static int use_pmu(struct pmu *pmu)
{
	if (!try_module_get(pmu->module))
		return -ENODEV;

	n3t_pmu.pmu = pmu;
	return 0;
}

static int use_cpu_pmu(void)
{
	struct perf_event *event;
	int cpu = n3t_pmu_first_cpu();
	int ret;

	if (cpu == -ENODEV)
		pr_err("no CPU here is a Neoverse N3 (MIDR part 0x%03x)\n", N3T_MIDR_PART);
	if (cpu < 0)
		return cpu;

	event = probe_event(PERF_TYPE_RAW, N3T_CODE_CPU_CYCLES, cpu);
	if (PTR_ERR(event) == -ENOMEM)
		return -ENOMEM;
	if (IS_ERR(event)) {
		pr_err("CPU %d has no PMU that perf can use (error %ld)\n", cpu, PTR_ERR(event));
		return -ENODEV;
	}

	/* Narrower ones overflow several times a second, each time with an interrupt. */
	n3t_pmu.long_counters = n3t_midr_has_long_counters();
	ret = use_pmu(event->pmu);
	perf_event_release_kernel(event);
	return ret;
}

/*
 * perf keeps no exported list of PMUs, but each has a device on one bus, and
 * any event leads to that bus: the dummy software event exists everywhere.
 */
static int use_named_pmu(const char *name)
{
	struct perf_event *event;
	struct device *dev = NULL;
	int ret = -ENODEV;

	event = probe_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY,
			    cpumask_first(cpu_online_mask));
	if (IS_ERR(event))
		return PTR_ERR(event);

	if (event->pmu->dev)
		dev = bus_find_device_by_name(event->pmu->dev->bus, NULL, name);
	perf_event_release_kernel(event);

	if (dev) {
		ret = use_pmu(dev_get_drvdata(dev));
		put_device(dev);
	}
	if (ret)
		pr_err("no PMU is called %s: is its module loaded?\n", name);
	else
		n3t_pmu.simulated = true;
	return ret;
}

/**
 * n3t_pmu_init() - find the PMU to use
 * @name: name of a PMU in /sys/bus/event_source/devices, or "" for that of the
 *	  Neoverse N3 cores
 *
 * A PMU that was named is used as it is, whatever the CPUs are. Says in the
 * kernel log what is missing.
 *
 * Context: may sleep; not under the CPU hotplug lock.
 * Return: 0; -ENODEV if there is no such PMU or no Neoverse N3; -ENOMEM.
 */
int n3t_pmu_init(const char *name)
{
	return *name ? use_named_pmu(name) : use_cpu_pmu();
}

/**
 * n3t_pmu_exit() - let the PMU go
 *
 * Context: when none of its events is left.
 */
void n3t_pmu_exit(void)
{
	module_put(n3t_pmu.pmu->module);
	n3t_pmu.pmu = NULL;
}

/**
 * n3t_pmu_covers_this_cpu() - can the PMU count on the CPU that asks
 *
 * Context: any, bound to a CPU.
 * Return: true if this CPU is a Neoverse N3 or the PMU was named by the user.
 */
bool n3t_pmu_covers_this_cpu(void)
{
	return n3t_pmu.simulated || n3t_midr_is_n3();
}

/**
 * n3t_pmu_rotation() - when perf gives counters of this CPU to others next
 *
 * perf runs its multiplexing timer while an event on this CPU waits for a counter,
 * and up to a period longer.
 *
 * Context: any, bound to a CPU.
 * Return: when the timer expires, 0 if it does not run: nobody waits.
 */
ktime_t n3t_pmu_rotation(void)
{
	typeof(n3t_perf_this_cpu_context(n3t_pmu.pmu)) context =
		n3t_perf_this_cpu_context(n3t_pmu.pmu);

	/* The timer's interrupt may come meanwhile: either time will do, but half of each. */
	return READ_ONCE(context->hrtimer_active) ?
		READ_ONCE(context->hrtimer.node.expires) : 0;
}

/**
 * n3t_pmu_event() - have perf count an event on a CPU
 * @cpu: the CPU, on line
 * @code: event number
 * @disabled: do not count yet
 *
 * Counts in user space, the kernel, the hypervisor and guests alike. Neither
 * pinned nor grouped: perf may find no counter for it (design.rst tells why).
 *
 * Context: may sleep.
 * Return: the event, for perf_event_release_kernel(), or an error pointer.
 */
struct perf_event *n3t_pmu_event(unsigned int cpu, u16 code, bool disabled)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = n3t_pmu.pmu->type,
		.config = code,
		.config1 = n3t_pmu.long_counters,	/* format/long of armv8_pmuv3 */
		.disabled = disabled,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}
