// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs: hotplug, changes of settings and work items.
 *
 * The state of a CPU changes for three reasons: a change of settings, CPU
 * hotplug, and the CPU's own work item, which the sampler queues to yield, to
 * return or to request more counters. Each of them holds only the lock of that
 * CPU, and reaches the CPU by interrupts: a real-time task may take all of its
 * time, so the work item runs on any other CPU.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "alias.h"
#include "claim.h"
#include "config.h"
#include "cost.h"
#include "cpu.h"
#include "cpus.h"
#include "libn3t/core.h"
#include "midr.h"
#include "perf_private.h"
#include "pmu.h"
#include "sampler.h"
#include "spe_regs.h"
#include "withdraw.h"

#define HELP_NS		(2 * NSEC_PER_MSEC)	/* before workers of CPUs are asked in turn */
#define LATE_MS		100	/* for a change of settings to wait for a slice to end */

static struct n3t_cpu *cpus;	/* array of nr_cpu_ids */
static struct workqueue_struct *queue;
static u64 start_ns;		/* start of all times */
static u64 start_unix_ns;	/* the same, ktime_get_real_ns() */

/* The state of a CPU, valid until the module is unloaded. */
struct n3t_cpu *n3t_cpus_get(unsigned int cpu)
{
	return &cpus[cpu];
}

/* The longest window of the CPUs sampled with a configuration; 0 if none is. */
unsigned int n3t_cpus_window(const struct n3t_config *config)
{
	unsigned int i, longest = 0;
	struct n3t_run *run;

	for (i = 0; i < nr_cpu_ids; i++) {
		run = n3t_run_get(&cpus[i].run);
		if (run && run->config == config)
			longest = max(longest, READ_ONCE(run->window_ms));
		n3t_run_put(run);
	}
	return longest;
}

/* When the module was loaded, ktime_get_ns(): the start of all totals. */
u64 n3t_cpus_start_ns(void)
{
	return start_ns;
}

/* The same as Unix time, which stays when the clock is set. */
u64 n3t_cpus_start_unix_ns(void)
{
	return start_unix_ns;
}

/* Number of slices dropped since the module was loaded, for any reason. */
u64 n3t_cpus_dropped(const struct n3t_cpu *cpu)
{
	enum n3t_slice_state state;
	u64 dropped = 0;

	for (state = 0; state < N3T_NR_SLICE_STATES; state++)
		if (state != N3T_SLICE_KEPT)
			dropped += READ_ONCE(cpu->slices[state]);
	return dropped;
}

static unsigned int next_online(unsigned int cpu)
{
	cpu = cpumask_next(cpu, cpu_online_mask);
	return cpu < nr_cpu_ids ? cpu : cpumask_first(cpu_online_mask);
}

/*
 * The scheduler may leave an unbound worker on a CPU that a real-time task takes,
 * as long as no other CPU becomes idle. Bound ones are asked in turn until one runs.
 */
static void ask_bound_worker(struct n3t_cpu *cpu)
{
	unsigned int i, next = READ_ONCE(cpu->bound_cpu);

	for (i = 0; i < nr_cpu_ids; i++) {
		next = next_online(next);
		if (next != cpu->cpu && !READ_ONCE(cpus[next].isolated))
			break;
	}
	WRITE_ONCE(cpu->bound_cpu, next);
	cancel_work(&cpu->bound_work);
	queue_work_on(next, system_highpri_wq, &cpu->bound_work);
}

static void raise_todo(struct n3t_cpu *cpu, enum n3t_todo todo)
{
	enum n3t_todo before = READ_ONCE(cpu->todo);

	while (before < todo && !try_cmpxchg(&cpu->todo, &before, todo))
		;
}

/**
 * n3t_cpu_request() - request an action that may sleep from a CPU's work item
 * @cpu: the CPU
 * @todo: the action, not N3T_TODO_NONE; ignored while a pending one has a higher precedence
 *
 * If the work item has not begun 2 ms after a request, the next one asks another CPU's worker.
 *
 * Context: any.
 */
void n3t_cpu_request(struct n3t_cpu *cpu, enum n3t_todo todo)
{
	u64 now_ns = ktime_get_mono_fast_ns();

	/* First: a work item that is queued already may yield, and clear it. */
	if (todo >= N3T_TODO_YIELD && !READ_ONCE(cpu->yield_due_ns))
		WRITE_ONCE(cpu->yield_due_ns, now_ns);
	raise_todo(cpu, todo);
	if (!queue_delayed_work(queue, &cpu->work, 0)) {
		if (n3t_ns_since(READ_ONCE(cpu->asked_ns)) < HELP_NS)
			return;
		ask_bound_worker(cpu);
	}
	WRITE_ONCE(cpu->asked_ns, now_ns);
}

/* Cannot fail, but the work item does it later if the sampler cannot be stopped now. */
static bool change_over(struct n3t_cpu *cpu, const struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	if (n3t_claim_change_over(cpu, config))
		return true;
	queue_delayed_work(queue, &cpu->work, msecs_to_jiffies(N3T_POLL_MS));
	return false;
}

/**
 * n3t_cpus_prepare() - allocate everything for a new configuration
 * @config: the configuration
 *
 * Context: may sleep; CPU hotplug lock and n3t_control_lock held.
 * Return: 0, for n3t_cpus_change_over(); or an error, with all CPUs unchanged.
 */
int n3t_cpus_prepare(struct n3t_config *config)
{
	unsigned int i;
	int ret = 0;

	lockdep_assert_held(&n3t_control_lock);

	for (i = 0; !ret && i < nr_cpu_ids; i++) {
		mutex_lock(&cpus[i].lock);
		ret = n3t_claim_prepare(&cpus[i], config);
		mutex_unlock(&cpus[i].lock);
	}
	while (ret && i--) {
		mutex_lock(&cpus[i].lock);
		n3t_claim_forget(&cpus[i]);
		mutex_unlock(&cpus[i].lock);
	}
	return ret;
}

/**
 * n3t_cpus_change_over() - switch all CPUs to the configuration prepared for them
 * @config: the configuration, already active
 *
 * Context: may sleep; CPU hotplug lock and n3t_control_lock held since
 * n3t_cpus_prepare().
 */
void n3t_cpus_change_over(struct n3t_config *config)
{
	unsigned int i;

	lockdep_assert_held(&n3t_control_lock);

	for (i = 0; i < nr_cpu_ids; i++) {
		mutex_lock(&cpus[i].lock);
		change_over(&cpus[i], config);
		mutex_unlock(&cpus[i].lock);
	}
}

static bool any_is_late(void)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++)
		if (READ_ONCE(cpus[i].late))
			return true;
	return false;
}

/**
 * n3t_cpus_settle() - wait for CPUs to change over that could not do so at once
 *
 * Each is in the middle of a slice that a thread ends, and a real-time task may keep
 * that from running, so this does not wait for long.
 *
 * Context: may sleep; no lock held.
 */
void n3t_cpus_settle(void)
{
	unsigned int ms;

	for (ms = 0; ms < LATE_MS && any_is_late(); ms += N3T_POLL_MS / 2)
		msleep(N3T_POLL_MS / 2);
}

static const char *uncovered_reason(int error)
{
	if (error == -E2BIG)
		return "too many PMUs";
	if (error == -EXDEV)
		return "its PMU counts on a different CPU";
	if (error == -EPERM)
		return "kernel is locked down";
	if (error != -ENOENT)
		return "no usable PMU";
	if (n3t_pmu_by_name())
		return "not supported by the PMUs in pmu=";
	return n3t_pmu_cores()->others ? "not in core=, or different from the others" :
					 "not a Neoverse N3";
}

/* Logged once per reason, not each time that the CPU comes online. */
static void log_uncovered(struct n3t_cpu *cpu, int error)
{
	lockdep_assert_held(&cpu->lock);

	if (error == cpu->uncovered)
		return;
	cpu->uncovered = error;
	if (error == -ENOENT)
		pr_info("CPU %u not sampled: %s\n", cpu->cpu, uncovered_reason(error));
	else
		pr_warn("CPU %u not sampled: %s (error %d)\n", cpu->cpu, uncovered_reason(error),
			error);
}

static void read_own_registers(void *data)
{
	struct n3t_cpu *cpu = data;

	n3t_cpu_identify(cpu, n3t_midr_id());
	WRITE_ONCE(cpu->guest_counters, n3t_midr_guest_counters());
}

/* The PMU of a CPU never changes, so it is looked up only until found. */
static int find_pmu(struct n3t_cpu *cpu)
{
	struct n3t_pmu *pmu;
	int ret;

	lockdep_assert_held(&cpu->lock);

	if (cpu->pmu)
		return 0;

	ret = n3t_pmu_of_cpu(cpu->cpu, &pmu);
	if (!ret && !pmu->simulated)
		ret = smp_call_function_single(cpu->cpu, read_own_registers, cpu, true);
	WRITE_ONCE(cpu->pmu, ret ? NULL : pmu);
	if (ret && ret != -ENOMEM) {
		log_uncovered(cpu, ret);
		return 0;
	}
	if (!ret && !cpu->pmu->aliases)
		n3t_alias_add(cpu->pmu);
	return ret;
}

static void read_spe_regs(void *data)
{
	n3t_spe_regs_read(data);
}

/* Sampling it may fail, which is not an error unless the module is loading. */
static int come_online(struct n3t_cpu *cpu, struct n3t_config *config, bool loading)
{
	int ret;

	lockdep_assert_held(&cpu->lock);

	if (!cpu->spe.were_read)
		smp_call_function_single(cpu->cpu, read_spe_regs, &cpu->spe, true);
	/* Pairs with smp_load_acquire() in regs_of() in cpu_files.c. */
	smp_store_release(&cpu->state, N3T_CPU_DISABLED);
	WRITE_ONCE(cpu->isolated, n3t_sampler_is_isolated(cpu->cpu));
	ret = find_pmu(cpu);
	if (!ret)
		ret = n3t_claim_prepare(cpu, config);
	if (ret) {
		pr_err("CPU %u cannot be sampled (error %d)\n", cpu->cpu, ret);
		n3t_claim_forget(cpu);
	}
	if (!ret || !loading)
		change_over(cpu, config);
	return ret;
}

static int bring_online(unsigned int nr, bool loading)
{
	struct n3t_config *config = n3t_config_get();
	struct n3t_cpu *cpu = &cpus[nr];
	int ret;

	mutex_lock(&cpu->lock);
	ret = come_online(cpu, config, loading);
	mutex_unlock(&cpu->lock);
	n3t_config_put(config);
	return ret;
}

/**
 * n3t_cpus_online() - CPU hotplug callback for a CPU that came online
 * @nr: the CPU
 *
 * A CPU that cannot be sampled still comes online, and is retried like one whose
 * counters are in use. If memory was insufficient to find its PMU, it is retried
 * only when it comes online again.
 *
 * Context: may sleep; CPU hotplug.
 * Return: 0
 */
int n3t_cpus_online(unsigned int nr)
{
	bring_online(nr, false);
	return 0;
}

static bool try_offline(struct n3t_cpu *cpu)
{
	bool stopped;

	mutex_lock(&cpu->lock);
	stopped = n3t_claim_stop(cpu, N3T_CPU_OFFLINE);
	mutex_unlock(&cpu->lock);
	return stopped;
}

/**
 * n3t_cpus_offline() - CPU hotplug callback for a CPU that goes offline
 * @nr: the CPU
 *
 * Releases its perf events, which would be lost.
 *
 * Context: may sleep; CPU hotplug.
 * Return: 0
 */
int n3t_cpus_offline(unsigned int nr)
{
	while (!try_offline(&cpus[nr]))
		msleep(N3T_POLL_MS);
	return 0;
}

/**
 * n3t_cpus_start() - start sampling the CPUs that are online, at load
 *
 * The hotplug threads of CPUs do not do it, as one may not get any time.
 *
 * Context: may sleep; CPU hotplug lock held since the callbacks were registered.
 * Return: 0, or the error of the first CPU that could not be sampled; then no
 * CPU is sampled.
 */
int n3t_cpus_start(void)
{
	unsigned int i;
	int ret = 0;

	for_each_online_cpu(i) {
		ret = bring_online(i, true);
		if (ret)
			break;
	}
	if (ret)
		for_each_online_cpu(i)
			n3t_cpus_offline(i);
	return ret;
}

/**
 * n3t_cpus_stop() - stop sampling, until unloading
 *
 * Context: may sleep; no lock held: with a real-time task on a CPU it may wait for
 * the end of a slice.
 */
void n3t_cpus_stop(void)
{
	unsigned int i;

	WRITE_ONCE(n3t_claim_unloading, true);
	for (i = 0; i < nr_cpu_ids; i++)
		n3t_cpus_offline(i);
}

/* A change of settings that failed meanwhile has discarded the prepared run. */
static bool change_over_late(struct n3t_cpu *cpu, struct n3t_config *config)
{
	lockdep_assert_held(&cpu->lock);

	if (!cpu->next_run)
		n3t_claim_prepare(cpu, config);
	return change_over(cpu, config);
}

/* Actions that cannot be done yet are retried. */
static void act_or_retry(struct n3t_cpu *cpu, struct n3t_config *config)
{
	enum n3t_todo todo;

	lockdep_assert_held(&cpu->lock);

	if (cpu->late && !change_over_late(cpu, config))
		return;
	todo = xchg(&cpu->todo, N3T_TODO_NONE);
	if (n3t_claim_act(cpu, config, todo))
		return;
	raise_todo(cpu, todo);
	queue_delayed_work(queue, &cpu->work, msecs_to_jiffies(N3T_POLL_MS));
}

static void do_work(struct n3t_cpu *cpu)
{
	struct n3t_config *config;
	u64 start;

	mutex_lock(&cpu->lock);
	start = n3t_cost_clock();
	config = n3t_config_get();
	/* Whatever was asked: a stronger request replaces that of judging. */
	n3t_withdraw_judge(cpu);
	act_or_retry(cpu, config);
	n3t_config_put(config);
	WRITE_ONCE(cpu->work_cost.cost, cpu->work_cost.cost + n3t_cost_clock() - start);
	mutex_unlock(&cpu->lock);
}

static void n3t_cpus_work(struct work_struct *work)
{
	do_work(container_of(work, struct n3t_cpu, work.work));
}

static void n3t_cpus_bound_work(struct work_struct *work)
{
	do_work(container_of(work, struct n3t_cpu, bound_work));
}

/**
 * n3t_cpus_check_starved() - request a yield if the sampler cannot
 * @cpu: the CPU
 *
 * If slices do not end, because threads do that, the sampler does not see others wait.
 *
 * Context: any; until n3t_cpus_quiesce().
 */
void n3t_cpus_check_starved(struct n3t_cpu *cpu)
{
	struct n3t_pmu *pmu = READ_ONCE(cpu->pmu);

	if (rcu_access_pointer(cpu->run) && n3t_sampler_is_starved(cpu) &&
	    n3t_perf_rotation(pmu->pmu, cpu->cpu))
		n3t_cpu_ask(cpu, N3T_TODO_YIELD);
}

/* Finds CPUs whose isolation changed at run time, for which no notification exists. */
static void n3t_cpus_watch_isolation(struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++)
		if (READ_ONCE(cpus[i].state) != N3T_CPU_OFFLINE &&
		    READ_ONCE(cpus[i].isolated) != n3t_sampler_is_isolated(i))
			n3t_cpu_ask(&cpus[i], N3T_TODO_REVIEW);
	for (i = 0; i < nr_cpu_ids; i++)
		n3t_cpus_check_starved(&cpus[i]);
	n3t_cpus_watch();
}

/* Does not wake an idle CPU, and does not run on an isolated one. */
static DECLARE_DEFERRABLE_WORK(watch, n3t_cpus_watch_isolation);

/* Detects changes of isolation at run time, within about a second; until n3t_cpus_quiesce(). */
void n3t_cpus_watch(void)
{
	queue_delayed_work(system_dfl_wq, &watch, HZ);
}

/* Initializes the CPUs, none online yet. */
int n3t_cpus_init(void)
{
	unsigned int i;
	int ret = -ENOMEM;

	cpus = kvcalloc(nr_cpu_ids, sizeof(*cpus), GFP_KERNEL);
	if (!cpus)
		return -ENOMEM;

	queue = alloc_workqueue("n3_telemetry", WQ_UNBOUND | WQ_HIGHPRI, 0);
	if (!queue)
		goto out_free_cpus;

	start_ns = ktime_get_ns();
	start_unix_ns = ktime_get_real_ns();
	for (i = 0; i < nr_cpu_ids; i++) {
		struct n3t_cpu *cpu = &cpus[i];

		cpu->cpu = i;
		cpu->state = N3T_CPU_OFFLINE;
		mutex_init(&cpu->lock);
		cpu->guest_counters = N3T_GUESTS_UNKNOWN;
		seqcount_init(&cpu->seq);
		cpu->times.use = N3T_TIME_OFF;
		cpu->times.since_ns = start_ns;
		INIT_DELAYED_WORK(&cpu->work, n3t_cpus_work);
		INIT_WORK(&cpu->bound_work, n3t_cpus_bound_work);
		cpu->bound_cpu = i;
		cpu->work_cost.since_ns = start_ns;
		n3t_contention_init(&cpu->contention);
		raw_spin_lock_init(&cpu->withdrawn.lock);
		n3t_sampler_init(cpu);
	}
	ret = n3t_power_init(cpus);
	if (!ret)
		return 0;

	destroy_workqueue(queue);
out_free_cpus:
	kvfree(cpus);
	return ret;
}

/* Waits for work of the CPUs, all of them stopped; no lock is held. */
void n3t_cpus_quiesce(void)
{
	unsigned int i;

	cancel_delayed_work_sync(&watch);
	for (i = 0; i < nr_cpu_ids; i++) {
		cancel_delayed_work_sync(&cpus[i].work);
		cancel_work_sync(&cpus[i].bound_work);
		n3t_sampler_exit(&cpus[i]);
	}
}

/* Undoes n3t_cpus_init(). */
void n3t_cpus_exit(void)
{
	n3t_power_exit();
	destroy_workqueue(queue);
	kvfree(cpus);
}
