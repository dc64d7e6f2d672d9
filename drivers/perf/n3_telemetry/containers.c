// SPDX-License-Identifier: GPL-2.0
/*
 * Sampled runs of tasks by cgroup: the probe of context switches, and the sampler's part.
 *
 * libn3t/pieces.c states what is sampled and why. The interrupts-off section that starts a slice
 * of Topdown_L1 arms its CPU, and the one that ends the slice disarms it. In between the probe may
 * take a piece at each switch; on a CPU that is not armed it reads one word.
 *
 * The probe runs under the lock of the run queue: no perf call, no printk, no lock. perf's own
 * switch of a task's events follows the tracepoint and may move events, so a reading is a total,
 * never the difference of two registers.
 */
#include <linux/cgroup.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/kernel_stat.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "config.h"
#include "containers.h"
#include "cost.h"
#include "cpu.h"
#include "direct.h"
#include "libn3t/owners.h"
#include "libn3t/pieces.h"
#include "perf_private.h"
#include "pmu.h"

#define MEASURED_CALLS	64
#define MEASURE_TRIES	4
#define CALLS_SHARE	2	/* the tracepoint takes as long as the probe without a piece */
#define READ_TRIES	2	/* an NMI may change a count that is being read */

/**
 * struct n3t_taker - what takes pieces on a CPU
 * @pieces: the pieces
 * @nr: counts of a reading, 0 if the run takes no pieces
 * @counters: the counters
 * @removals: as the global one when the slice started
 * @ended: a slice has ended whose pieces have not been added
 * @ended_whole: the probe was there all the time
 * @ended_switches: number of switches in it
 * @ended_taking: time of its readings, by n3t_cost_clock()
 * @start: counters at the start of the slice
 * @end_ns: end of the last slice of Topdown_L1, 0 before the first
 * @taking: time of the readings since the start of the slice, by n3t_cost_clock()
 * @busy_ns: busy time of the CPU when the last slice ended
 * @covers: pieces were wished when it ended
 * @covered_ns: busy time in slices that were kept
 * @allowance: what the cost permits
 *
 * Allocated when the setting is first nonzero and kept until the module is unloaded. The probe and
 * the sampler own it, on the CPU itself with interrupts off; @nr and @counters change only while
 * the sampler is stopped.
 */
struct n3t_taker {
	struct n3t_pieces pieces;
	unsigned int nr;
	const struct n3t_counters *counters;
	unsigned int removals;
	bool ended;
	bool ended_whole;
	u64 ended_switches;
	u64 ended_taking;
	struct n3t_reading start;
	u64 end_ns;
	u64 taking;
	u64 busy_ns;
	bool covers;
	u64 covered_ns;
	struct n3t_allowance allowance;
};

/*
 * Serializes changes of the setting, which add and remove the probe. Taken before all other locks:
 * tracepoints take the CPU hotplug lock.
 */
static DEFINE_MUTEX(containers_lock);

/* The tracepoint with the probe, NULL without; under containers_lock. */
static struct tracepoint *probed;

/* How often the probe was removed: then switches were missed. */
static unsigned int removals;

/* Cost of MEASURED_CALLS calls of the probe without a piece, by n3t_cost_clock(). */
static u64 calls_cost;

/* Sums of all CPUs; allocated once. */
static struct n3t_owners *owners;

/* Set while the CPU is armed; belongs to it. */
static DEFINE_PER_CPU(struct n3t_taker *, armed);

static const char * const words[] = {
	[N3T_CONTAINERS_OFF] = "off",
	[N3T_CONTAINERS_SAMPLED] = "sampled",
	[N3T_CONTAINERS_NO_DIRECT] = "no_direct",
	[N3T_CONTAINERS_SPLIT] = "split",
	[N3T_CONTAINERS_TOO_MANY] = "too_many_switches",
};

/* The word in the file status of a CPU. */
const char *n3t_containers_word(const struct n3t_cpu *cpu)
{
	return words[READ_ONCE(cpu->containers)];
}

/* The count of an event while it is counted. Return: false without a counter. */
static bool read_count(const struct n3t_counters *counters, struct perf_event *event, u64 *count)
{
	const struct n3t_pmu *pmu = counters->pmu;
	unsigned int i, n;
	u64 base, before;

	if (pmu->simulated) {
		if (!n3t_perf_is_counting(event))
			return false;
		pmu->pmu->read(event);
		*count = n3t_perf_count(event);
		return true;
	}
	for (i = 0; i < READ_TRIES; i++) {
		base = n3t_perf_base(event);
		before = n3t_perf_count(event);
		if (!n3t_direct_read(&pmu->registers, event, count, &n))
			return false;
		/* After an overflow the base may have its old value again, the count has not. */
		if (n3t_perf_base(event) == base && n3t_perf_count(event) == before)
			return true;
	}
	return false;
}

static bool read_counters(const struct n3t_taker *taker, struct n3t_reading *reading)
{
	const struct n3t_counters *counters = taker->counters;
	bool ok;
	unsigned int i;

	n3t_perf_sync();
	reading->ns = ktime_get_mono_fast_ns();
	ok = read_count(counters, counters->cycles.event, &reading->cycles);
	for (i = 0; i < taker->nr && ok; i++)
		ok = read_count(counters, counters->prog[counters->place[i]].event,
				&reading->count[i]);
	return ok;
}

/* The cgroup of a task that is switched to, or runs. */
static u64 owner_of(struct task_struct *task)
{
	u64 id;

	rcu_read_lock();
	id = cgroup_id(task_dfl_cgroup(task));
	rcu_read_unlock();
	return id;
}

/* Ends the open piece, starts one of the next task, or both, by one reading. */
static noinline void take_piece(struct n3t_taker *taker, struct task_struct *next)
{
	struct n3t_pieces *pieces = &taker->pieces;
	bool is_taken = !is_idle_task(next);
	struct n3t_reading reading = {};
	u64 start = n3t_cost_clock();

	if (!read_counters(taker, &reading)) {
		n3t_pieces_spoil(pieces);
		is_taken = false;
	}
	if (pieces->open) {
		n3t_pieces_close(pieces, &reading);
		is_taken = is_taken && n3t_pieces_toss(pieces);
	}
	if (is_taken) {
		/* The time of a piece has no reading in it. */
		reading.ns = ktime_get_mono_fast_ns();
		n3t_pieces_open(pieces, owner_of(next), &reading);
	}
	taker->taking += n3t_cost_clock() - start;
}

/* At most 50 instructions with the tracepoint's own, if no piece starts or ends. */
static void notrace on_switch(void *unused, bool preempt, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	struct n3t_taker *taker = this_cpu_read(armed);

	if (!taker)
		return;
	if (is_idle_task(next)) {
		taker->pieces.idles++;
		if (!taker->pieces.open)
			return;
	} else if (likely(!n3t_pieces_take(&taker->pieces))) {
		return;
	}
	take_piece(taker, next);
}

typedef void (switch_probe)(void *unused, bool preempt, struct task_struct *prev,
			    struct task_struct *next, unsigned int prev_state);

static u64 time_calls(switch_probe *probe)
{
	u64 start = n3t_cost_clock();
	unsigned int i;

	/* Otherwise the compiler would inline it. */
	OPTIMIZER_HIDE_VAR(probe);
	for (i = 0; i < MEASURED_CALLS; i++)
		probe(NULL, false, current, current, 0);
	return n3t_cost_clock() - start;
}

/* Measures switches on this CPU, as if it were armed and took none of them. */
static u64 measure_calls(struct n3t_taker *taker)
{
	struct n3t_taker *before;
	u64 least = U64_MAX;
	unsigned long flags;
	unsigned int i;

	n3t_pieces_init(&taker->pieces, 1);
	for (i = 0; i < MEASURE_TRIES; i++) {
		local_irq_save(flags);
		before = this_cpu_read(armed);
		this_cpu_write(armed, taker);
		least = min(least, time_calls(on_switch));
		this_cpu_write(armed, before);
		local_irq_restore(flags);
	}
	return least;
}

static int measure(void)
{
	struct n3t_taker *taker = kvzalloc(sizeof(*taker), GFP_KERNEL);

	if (!taker)
		return -ENOMEM;
	WRITE_ONCE(calls_cost, measure_calls(taker));
	kvfree(taker);
	return 0;
}

static int alloc_taker(struct n3t_cpu *cpu)
{
	struct n3t_taker *taker;

	if (cpu->taker)
		return 0;
	taker = kvzalloc_node(sizeof(*taker), GFP_KERNEL, cpu_to_node(cpu->cpu));
	if (!taker)
		return -ENOMEM;
	taker->counters = &cpu->counters;
	n3t_pieces_init(&taker->pieces, cpu->cpu);
	/* Pairs with smp_load_acquire() in taker_of(). */
	smp_store_release(&cpu->taker, taker);
	return 0;
}

/* What was allocated before an error remains, for the next attempt. */
static int alloc_all(void)
{
	struct n3t_owners *table;
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu) {
		ret = alloc_taker(n3t_cpus_get(cpu));
		if (ret)
			return ret;
	}
	if (owners)
		return 0;
	table = kvzalloc(n3t_owners_bytes(), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	n3t_owners_init(table);
	/* Pairs with smp_load_acquire() in n3t_containers_records(). */
	smp_store_release(&owners, table);
	return 0;
}

static struct n3t_taker *taker_of(struct n3t_cpu *cpu)
{
	/* Pairs with smp_store_release() in alloc_taker(). */
	return smp_load_acquire(&cpu->taker);
}

static void find_switch(struct tracepoint *tracepoint, void *found)
{
	if (!strcmp(tracepoint->name, "sched_switch"))
		*(struct tracepoint **)found = tracepoint;
}

static int add_probe(void)
{
	struct tracepoint *tracepoint = NULL;
	int ret;

	lockdep_assert_held(&containers_lock);

	check_trace_callback_type_sched_switch(on_switch);
	for_each_kernel_tracepoint(find_switch, &tracepoint);
	if (!tracepoint)
		return -EOPNOTSUPP;
	ret = tracepoint_probe_register(tracepoint, on_switch, NULL);
	if (!ret)
		probed = tracepoint;
	return ret;
}

static void remove_probe(void)
{
	lockdep_assert_held(&containers_lock);

	if (!probed)
		return;
	/* A CPU may still be armed, if its sampler could not be stopped. */
	WRITE_ONCE(removals, removals + 1);
	tracepoint_probe_unregister(probed, on_switch, NULL);
	probed = NULL;
}

/* A simulated PMU has no registers, but its driver may be called at a switch. */
static bool any_pmu_is_direct(void)
{
	struct n3t_pmu *pmu;

	n3t_for_each_pmu(pmu)
		if (pmu->simulated ||
		    READ_ONCE(pmu->trial[N3T_SWITCH_DIRECT]) != N3T_TRIAL_FAILED)
			return true;
	pr_err_ratelimited("container_pieces: counters cannot be read through their registers\n");
	return false;
}

static int prepare(void)
{
	lockdep_assert_held(&containers_lock);

	if (probed)
		return 0;
	if (!any_pmu_is_direct())
		return -EOPNOTSUPP;
	return alloc_all() ?: measure() ?: add_probe();
}

static bool is_wanted(void)
{
	struct n3t_config *config = n3t_config_get();
	bool is = config->settings.container_pieces;

	n3t_config_put(config);
	return is;
}

/**
 * n3t_containers_begin() - prepare a change of the setting
 * @pieces: its new value
 *
 * Context: may sleep; no other lock is held. On success takes containers_lock until
 * n3t_containers_end().
 * Return: 0; -EOPNOTSUPP if no PMU can be read at a switch, with the reason in the kernel log, or
 * the kernel has no such tracepoint; -ENOMEM; -EINTR.
 */
int n3t_containers_begin(unsigned int pieces)
{
	int ret;

	if (mutex_lock_killable(&containers_lock))
		return -EINTR;
	ret = pieces ? prepare() : 0;
	if (ret)
		mutex_unlock(&containers_lock);
	return ret;
}

/* Removes the probe if the setting in force is 0, and drops containers_lock. */
void n3t_containers_end(void)
{
	if (!is_wanted())
		remove_probe();
	mutex_unlock(&containers_lock);
}

/* Prepares for the initial value of the setting, before n3t_control_start(). */
int n3t_containers_init(unsigned int pieces)
{
	int ret = n3t_containers_begin(pieces);

	if (!ret)
		mutex_unlock(&containers_lock);
	return ret;
}

/* Removes the probe, and frees everything; all samplers are stopped, and no file is left. */
void n3t_containers_exit(void)
{
	unsigned int cpu;

	mutex_lock(&containers_lock);
	remove_probe();
	mutex_unlock(&containers_lock);
	tracepoint_synchronize_unregister();
	for_each_possible_cpu(cpu)
		kvfree(n3t_cpus_get(cpu)->taker);
	kvfree(owners);
}

static enum n3t_containers begin_run(struct n3t_cpu *cpu, struct n3t_taker *taker,
				     const struct n3t_run *run)
{
	if (!taker || !run || !run->config->settings.container_pieces)
		return N3T_CONTAINERS_OFF;
	if (run->fallback || !(cpu->counters.direct || cpu->pmu->simulated))
		return N3T_CONTAINERS_NO_DIRECT;
	taker->nr = n3t_pieces_begin(&taker->pieces, run->plan, cpu->overcounts);
	return taker->nr ? N3T_CONTAINERS_SAMPLED : N3T_CONTAINERS_SPLIT;
}

/**
 * n3t_containers_start() - prepare a CPU for a run
 * @cpu: the CPU, its sampler stopped
 * @run: the run, NULL for none
 *
 * Context: may sleep; @cpu->lock held.
 */
void n3t_containers_start(struct n3t_cpu *cpu, const struct n3t_run *run)
{
	struct n3t_taker *taker = taker_of(cpu);

	lockdep_assert_held(&cpu->lock);

	if (taker) {
		taker->nr = 0;
		taker->end_ns = 0;
		taker->ended = false;
		taker->covers = false;
		taker->allowance = (struct n3t_allowance){};
		taker->busy_ns = n3t_cpu_busy_ns(cpu->cpu);
	}
	WRITE_ONCE(cpu->containers_ppm, 0);
	WRITE_ONCE(cpu->containers, begin_run(cpu, taker, run));
}

static void disarm(void *unused)
{
	struct n3t_taker *taker = this_cpu_read(armed);

	if (!taker)
		return;
	this_cpu_write(armed, NULL);
	n3t_pieces_stop(&taker->pieces);
}

/**
 * n3t_containers_stop() - disarm a CPU whose sampler has stopped
 * @cpu: the CPU
 *
 * Before its counters change. Drops a piece that is open.
 *
 * Context: may sleep; @cpu->lock held.
 */
void n3t_containers_stop(struct n3t_cpu *cpu)
{
	lockdep_assert_held(&cpu->lock);

	WRITE_ONCE(cpu->containers, N3T_CONTAINERS_OFF);
	WRITE_ONCE(cpu->containers_ppm, 0);
	/* Nothing else disarms or arms it any more. */
	if (READ_ONCE(per_cpu(armed, cpu->cpu)))
		smp_call_function_single(cpu->cpu, disarm, NULL, true);
}

/* The switch of sets has read the counters. */
static void start_slice(struct n3t_taker *taker, u64 now, unsigned int wished)
{
	const struct n3t_counters *counters = taker->counters;
	struct n3t_reading *start = &taker->start;
	bool is_running = !is_idle_task(current);
	unsigned int i;

	*start = (struct n3t_reading){ .ns = now, .cycles = counters->cycles.start };
	for (i = 0; i < taker->nr; i++)
		start->count[i] = counters->prog[counters->place[i]].start;
	taker->removals = READ_ONCE(removals);
	n3t_pieces_start(&taker->pieces, now, wished, is_running);
	if (is_running && n3t_pieces_take(&taker->pieces))
		n3t_pieces_open(&taker->pieces, owner_of(current), start);
	this_cpu_write(armed, taker);
}

static void end_slice(struct n3t_taker *taker, const struct n3t_slice *slice)
{
	struct n3t_reading end = taker->start;
	unsigned int i;
	u64 switches;

	end.ns = slice->end_ns;
	end.cycles += slice->cycles;
	for (i = 0; i < taker->nr; i++)
		end.count[i] += slice->count[i];
	switches = taker->pieces.switches;
	n3t_pieces_end(&taker->pieces, &end);
	this_cpu_write(armed, NULL);
	taker->ended = true;
	taker->ended_whole = taker->removals == READ_ONCE(removals);
	taker->ended_switches = taker->pieces.switches - switches;
	taker->ended_taking = taker->taking;
	taker->taking = 0;
}

/**
 * n3t_containers_slice() - a slice ends, and another starts
 * @cpu: the CPU
 * @run: its run
 * @next: set of the slice that starts, for which counters have been switched
 * @slice: the slice that ends
 * @now: end of one and start of the other
 *
 * Context: on the CPU, in the section with interrupts off in which the sets were switched.
 */
void n3t_containers_slice(struct n3t_cpu *cpu, const struct n3t_run *run, unsigned int next,
			  const struct n3t_slice *slice, u64 now)
{
	struct n3t_taker *taker = taker_of(cpu);
	unsigned int wished;

	lockdep_assert_irqs_disabled();

	taker->covers = cpu->containers == N3T_CONTAINERS_SAMPLED;
	if (this_cpu_read(armed))
		end_slice(taker, slice);
	if (!taker->nr || next != run->plan->l1_set)
		return;
	wished = n3t_pieces_allowed(&taker->allowance, run->config->settings.container_pieces,
				    now);
	WRITE_ONCE(cpu->containers, wished ? N3T_CONTAINERS_SAMPLED : N3T_CONTAINERS_TOO_MANY);
	if (wished)
		start_slice(taker, now, wished);
	else
		WRITE_ONCE(cpu->containers_ppm, 0);
}

/*
 * Switches in other slices are not seen: they are assumed to be as frequent since the last slice of
 * Topdown_L1, and to cost as much.
 */
static u64 switches_cost(struct n3t_taker *taker, const struct n3t_slice *slice)
{
	u64 since_ns = taker->end_ns ?: slice->end_ns - slice->time_ns;
	u64 us = min((slice->end_ns - since_ns) / NSEC_PER_USEC, (u64)USEC_PER_SEC);
	u64 cost = taker->ended_switches * CALLS_SHARE * READ_ONCE(calls_cost) / MEASURED_CALLS;

	taker->end_ns = slice->end_ns;
	return div64_u64(cost * us, max(slice->time_ns / NSEC_PER_USEC, 1ull));
}

static void add_pieces(struct n3t_cpu *cpu, struct n3t_taker *taker, const struct n3t_run *run,
		       const struct n3t_slice *slice, bool kept)
{
	const struct n3t_settings *settings = &run->config->settings;
	u64 switches = switches_cost(taker, slice);
	/* The other half is left to slices. */
	unsigned int limit = (settings->max_cost + 1) / 2;

	n3t_owners_add(owners, &taker->pieces, kept, slice->end_ns);
	WRITE_ONCE(cpu->cost, cpu->cost + switches + taker->ended_taking);
	n3t_pieces_charge(&taker->allowance, n3t_cost_ns(switches),
			  n3t_cost_ns(taker->ended_taking), settings->container_pieces, limit,
			  slice->end_ns);
	WRITE_ONCE(cpu->containers_ppm, taker->allowance.ppm);
}

/**
 * n3t_containers_add() - add the pieces of a slice that has ended
 * @cpu: the CPU
 * @run: its run
 * @slice: a slice of any set
 *
 * Context: Only the CPU's sampler.
 */
void n3t_containers_add(struct n3t_cpu *cpu, const struct n3t_run *run,
			const struct n3t_slice *slice)
{
	struct n3t_taker *taker = taker_of(cpu);
	u64 busy_ns = n3t_cpu_busy_ns(cpu->cpu);
	bool kept = slice->state == N3T_SLICE_KEPT;

	if (taker->ended) {
		kept &= taker->ended_whole && !taker->pieces.ended_spoilt;
		add_pieces(cpu, taker, run, slice, kept);
		taker->ended = false;
	}
	if (kept && taker->covers)
		WRITE_ONCE(taker->covered_ns, taker->covered_ns + busy_ns - taker->busy_ns);
	taker->busy_ns = busy_ns;
}

/* Number of records of the file; 0 before the first use. */
unsigned int n3t_containers_records(void)
{
	/* Pairs with smp_store_release() in alloc_all(). */
	const struct n3t_owners *table = smp_load_acquire(&owners);

	return table ? n3t_owners_records(table) : 0;
}

/* Writes a record of the file: see n3t_owners_record(). May sleep. */
void n3t_containers_record(unsigned int record, char *buf)
{
	struct n3t_owners_seen seen = {};
	unsigned int cpu;

	if (!record) {
		for_each_possible_cpu(cpu) {
			const struct n3t_taker *taker = n3t_cpus_get(cpu)->taker;

			seen.switches += READ_ONCE(taker->pieces.switches);
			seen.dropped += READ_ONCE(taker->pieces.dropped);
			seen.covered_ns += READ_ONCE(taker->covered_ns);
			seen.busy_ns += n3t_cpu_busy_ns(cpu);
		}
	}
	n3t_owners_record(owners, record, &seen, buf);
}
