// SPDX-License-Identifier: GPL-2.0
/*
 * Changes to the workload of a CPU. Each is made on that CPU with interrupts
 * off, so no counter sees an intermediate state, and preserves all counts.
 */
#include <linux/cpu.h>
#include <linux/lockdep.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "core.h"
#include "pmu.h"
#include "settings.h"

/*
 * Serializes changes; holding it is enough to read the settings of any CPU.
 * Taken outside the locks of hotplug and perf.
 */
DEFINE_MUTEX(n3_sim_settings_lock);

struct call {
	void (*fn)(struct n3_sim_core *core, u64 now, void *arg);
	void *arg;
	struct n3_sim_core *core;
};

static void do_call(void *arg)
{
	struct call *call = arg;

	call->fn(call->core, n3_sim_core_clock(call->core, local_clock()), call->arg);
}

/**
 * n3_sim_on_cpu() - call a function where the core of a CPU may be written
 * @cpu: the CPU; if it is offline, the function is called anywhere
 * @fn: the function, called with interrupts off
 * @arg: its last argument
 *
 * Context: may sleep.
 * Return: 0 or the error of smp_call_function_single().
 */
int n3_sim_on_cpu(unsigned int cpu,
		  void (*fn)(struct n3_sim_core *core, u64 now, void *arg), void *arg)
{
	struct call call = { fn, arg, per_cpu_ptr(n3_sim_cores, cpu) };
	int err = 0;

	cpus_read_lock();
	if (cpu_online(cpu)) {
		err = smp_call_function_single(cpu, do_call, &call, true);
	} else {
		local_irq_disable();
		do_call(&call);
		local_irq_enable();
	}
	cpus_read_unlock();
	return err;
}

static void set_script(struct n3_sim_core *core, u64 now, void *arg)
{
	n3_sim_core_fold(core, now);
	core->script = *(const struct n3_sim_script *)arg;
}

/**
 * n3_sim_set_script() - change the workload of a CPU
 * @cpu: the CPU
 * @script: the new workload
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: 0 or the error of smp_call_function_single().
 */
int n3_sim_set_script(unsigned int cpu, const struct n3_sim_script *script)
{
	lockdep_assert_held(&n3_sim_settings_lock);
	return n3_sim_on_cpu(cpu, set_script, (void *)script);
}

static void set_rates(struct n3_sim_core *core, u64 now, void *arg)
{
	n3_sim_core_fold(core, now);
	memcpy(core->rates, arg, sizeof(core->rates));
	n3_sim_script_constant(&core->script, core->rates);
}

/**
 * n3_sim_set_rates() - set custom rates for the events on a CPU
 * @cpu: the CPU
 * @rates: counts per second of each event; copied
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: 0 or the error of smp_call_function_single().
 */
int n3_sim_set_rates(unsigned int cpu, const u64 *rates)
{
	lockdep_assert_held(&n3_sim_settings_lock);
	return n3_sim_on_cpu(cpu, set_rates, (void *)rates);
}

static void set_idle(struct n3_sim_core *core, u64 now, void *arg)
{
	n3_sim_core_fold(core, now);
	core->idle = *(const bool *)arg;
}

/**
 * n3_sim_set_idle() - stop or resume all events on a CPU, including cycles
 * @cpu: the CPU
 * @idle: true to stop; false to resume, a program restarts with its first phase
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: 0 or the error of smp_call_function_single().
 */
int n3_sim_set_idle(unsigned int cpu, bool idle)
{
	lockdep_assert_held(&n3_sim_settings_lock);
	return n3_sim_on_cpu(cpu, set_idle, &idle);
}

static void set_only_cycles(struct n3_sim_core *core, u64 now, void *arg)
{
	n3_sim_core_fold(core, now);
	core->only_cycles = *(const bool *)arg;
}

/**
 * n3_sim_set_only_cycles() - count only CPU_CYCLES, as a hypervisor may
 * @cpu: the CPU
 * @only_cycles: false to count all events; a program restarts with its first phase
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: 0 or the error of smp_call_function_single().
 */
int n3_sim_set_only_cycles(unsigned int cpu, bool only_cycles)
{
	lockdep_assert_held(&n3_sim_settings_lock);
	return n3_sim_on_cpu(cpu, set_only_cycles, &only_cycles);
}

static void get_counts(struct n3_sim_core *core, u64 now, void *arg)
{
	struct n3_sim_counts *counts = arg;
	unsigned int event;

	counts->now_ns = now;
	for (event = 0; event < N3T_NR_EVENTS; event++)
		counts->count[event] = n3_sim_core_count(core, event, now);
}

/**
 * n3_sim_get_counts() - read the counts of all events on a CPU
 * @cpu: the CPU
 * @counts: to be written
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: 0 or the error of smp_call_function_single().
 */
int n3_sim_get_counts(unsigned int cpu, struct n3_sim_counts *counts)
{
	lockdep_assert_held(&n3_sim_settings_lock);
	return n3_sim_on_cpu(cpu, get_counts, counts);
}

static void get_phase(struct n3_sim_core *core, u64 now, void *arg)
{
	const struct n3_sim_phase **phase = arg;

	*phase = n3_sim_core_phase(core, now);
}

/**
 * n3_sim_get_phase() - get the current phase of a CPU's script
 * @cpu: the CPU
 * @phase: to be written; valid while n3_sim_settings_lock is held
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: 0 or the error of smp_call_function_single().
 */
int n3_sim_get_phase(unsigned int cpu, const struct n3_sim_phase **phase)
{
	lockdep_assert_held(&n3_sim_settings_lock);
	return n3_sim_on_cpu(cpu, get_phase, phase);
}
