// SPDX-License-Identifier: GPL-2.0
/*
 * Rates by the cgroup of the running task.
 *
 * Two probes of sched_switch enclose all others. The first stops the clock of the simulated CPU
 * and completes the sums, the last one changes the rates and lets the clock continue. So everything
 * between reads the counters of one instant, its own instructions are not counted, and what it
 * counts for a run can be compared with the true counts exactly. Run time includes them. The first
 * probe takes equally long at each switch, as others read a clock of their own.
 */
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "cgroups.h"
#include "core.h"
#include "pmu.h"
#include "settings.h"

/* All under n3_sim_settings_lock; NULL while the probes are not registered. */
static const struct n3_sim_owners *current_owners;
static struct n3_sim_truth *truths;
static struct tracepoint *switches;

static unsigned int owner_of(const struct n3_sim_owners *owners, struct task_struct *task)
{
	unsigned int owner;

	if (is_idle_task(task))
		return N3_SIM_IDLE;
	rcu_read_lock();
	owner = n3_sim_owners_find(owners, cgroup_id(task_dfl_cgroup(task)));
	rcu_read_unlock();
	return owner;
}

static void first_probe(void *data, bool preempt, struct task_struct *prev,
			struct task_struct *next, unsigned int prev_state)
{
	struct n3_sim_core *core = this_cpu_ptr(n3_sim_cores);

	if (core->run.owners)
		n3_sim_core_freeze(core, local_clock());
}

static void last_probe(void *data, bool preempt, struct task_struct *prev,
		       struct task_struct *next, unsigned int prev_state)
{
	struct n3_sim_core *core = this_cpu_ptr(n3_sim_cores);

	if (core->frozen_ns)
		n3_sim_core_switch(core, owner_of(core->run.owners, next), local_clock());
}

static void find_switches(struct tracepoint *tp, void *data)
{
	if (!strcmp(tp->name, "sched_switch"))
		switches = tp;
}

/* The last probe is there whenever the first one stops the clock. */
static int register_probes(void)
{
	int err;

	check_trace_callback_type_sched_switch(first_probe);
	check_trace_callback_type_sched_switch(last_probe);
	for_each_kernel_tracepoint(find_switches, NULL);
	if (!switches)
		return -EOPNOTSUPP;

	err = tracepoint_probe_register_prio(switches, last_probe, NULL, INT_MIN);
	if (err)
		return err;
	err = tracepoint_probe_register_prio(switches, first_probe, NULL, INT_MAX);
	if (err)
		tracepoint_probe_unregister(switches, last_probe, NULL);
	return err;
}

static void unregister_probes(void)
{
	tracepoint_probe_unregister(switches, first_probe, NULL);
	tracepoint_synchronize_unregister();
	tracepoint_probe_unregister(switches, last_probe, NULL);
	tracepoint_synchronize_unregister();
}

static void follow(struct n3_sim_core *core, u64 now, void *arg)
{
	struct n3_sim_truth *truth = arg;
	unsigned int owner = N3_SIM_IDLE;

	if (core == this_cpu_ptr(n3_sim_cores))
		owner = owner_of(current_owners, current);
	n3_sim_core_follow(core, current_owners, truth, owner, now);
}

static void follow_script(struct n3_sim_core *core, u64 now, void *arg)
{
	n3_sim_core_follow(core, NULL, NULL, 0, now);
}

static struct n3_sim_truth *truth_of(unsigned int cpu)
{
	return truths + cpu * (N3_SIM_MAX_OWNERS + 1);
}

/**
 * n3_sim_cgroups() - get the cgroups with rates
 *
 * Context: the caller holds n3_sim_settings_lock.
 * Return: the cgroups, or NULL.
 */
const struct n3_sim_owners *n3_sim_cgroups(void)
{
	lockdep_assert_held(&n3_sim_settings_lock);
	return current_owners;
}

/**
 * n3_sim_cgroups_start() - make rates of all CPUs depend on the running cgroup
 * @owners: cgroups with rates, which were allocated by kvmalloc(); freed later, unless
 *	there is an error
 *
 * All true sums start at 0.
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: 0, -ENOMEM, or an error of tracepoint_probe_register_prio().
 */
int n3_sim_cgroups_start(struct n3_sim_owners *owners)
{
	unsigned int cpu;
	int err;

	lockdep_assert_held(&n3_sim_settings_lock);
	n3_sim_cgroups_stop();
	truths = kvcalloc(nr_cpu_ids, (N3_SIM_MAX_OWNERS + 1) * sizeof(*truths), GFP_KERNEL);
	if (!truths)
		return -ENOMEM;
	err = register_probes();
	if (err) {
		kvfree(truths);
		return err;
	}
	current_owners = owners;
	for_each_possible_cpu(cpu)
		n3_sim_on_cpu(cpu, follow, truth_of(cpu));
	return 0;
}

/**
 * n3_sim_cgroups_stop() - undo n3_sim_cgroups_start(), if it was called
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock, or no other user exists.
 */
void n3_sim_cgroups_stop(void)
{
	unsigned int cpu;

	if (!current_owners)
		return;
	for_each_possible_cpu(cpu)
		n3_sim_on_cpu(cpu, follow_script, NULL);
	unregister_probes();
	kvfree(current_owners);
	kvfree(truths);
	current_owners = NULL;
}

static void fold(struct n3_sim_core *core, u64 now, void *arg)
{
	n3_sim_run_fold(&core->run, now);
	memcpy(arg, core->run.truth, (N3_SIM_MAX_OWNERS + 1) * sizeof(*truths));
}

static void show_sums(struct seq_file *seq, const struct n3_sim_sums *sums)
{
	unsigned int i;

	seq_printf(seq, " %llu", sums->ns);
	for (i = 0; i < N3_SIM_NR_FOLLOWING; i++)
		seq_printf(seq, " %llu", sums->count[i].whole);
}

/**
 * n3_sim_cgroups_show() - print the true sums of a CPU
 * @seq: to be printed to
 * @cpu: the CPU
 *
 * Context: may sleep; the caller holds n3_sim_settings_lock.
 * Return: 0, -ENOMEM or the error of smp_call_function_single().
 */
int n3_sim_cgroups_show(struct seq_file *seq, unsigned int cpu)
{
	struct n3_sim_truth *copy;
	unsigned int i;
	int err;

	lockdep_assert_held(&n3_sim_settings_lock);
	if (!current_owners)
		return 0;
	copy = kvcalloc(N3_SIM_MAX_OWNERS + 1, sizeof(*copy), GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	err = n3_sim_on_cpu(cpu, fold, copy);
	for (i = 0; !err && i <= N3_SIM_IDLE; i++) {
		if (i == N3_SIM_IDLE)
			seq_puts(seq, "idle");
		else if (i < current_owners->nr)
			seq_printf(seq, "%llu", current_owners->owner[i].id);
		else
			continue;
		seq_printf(seq, " %llu", copy[i].runs);
		show_sums(seq, &copy[i].all);
		show_sums(seq, &copy[i].counted);
		seq_putc(seq, '\n');
	}
	kvfree(copy);
	return err;
}
