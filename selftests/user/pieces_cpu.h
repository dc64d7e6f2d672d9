/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A simulated CPU, for pieces_eval.c.
 *
 * Groups of threads under a fair scheduler with two levels: the least virtual run time, changed
 * after 3 ms at the tick, or at a wakeup after a lag of 1 ms. Interrupts and kernel threads; idle
 * without counts, where a slice that is due ends at the next wakeup. Each group has two phases 15
 * points of backend_bound apart, its requests differ by 20 %, and after another group it has twice
 * the stalls for 50 us.
 */
#ifndef _N3T_PIECES_CPU_H
#define _N3T_PIECES_CPU_H

#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <math.h>

#include "eval.h"
#include "pieces_loads.h"

#define US		1000ull
#define MS		1000000ull
#define TICK_NS		(4 * MS)
#define GRAIN_NS	(3 * MS)
#define LAG_NS		(1.0 * MS)
#define COLD_NS		(50 * US)
#define COLD_AFTER_FIGHT_NS	(400 * US)
#define NEVER		(~0ull)
#define CYCLES_PER_NS	3
#define SLOTS_PER_NS	(5 * CYCLES_PER_NS)
#define FLUSH		0.002	/* cycles for each slot of a frontend stall */
#define MAX_THREADS	128
#define KERNEL_NS	(20 * US)
#define KERNEL_RATE	100
#define ROOT		0	/* group of kernel threads */

struct sums {
	double ns, frontend, backend, retired;	/* slots */
};

struct thread {
	unsigned int group;
	u64 left_ns;		/* of its request; 0 if it sleeps */
	u64 request_ns;
	u64 wake_ns;
	double factor;		/* of stalls of this request */
	struct thread *next;	/* in the queue of its group */
};

struct group {
	struct group_spec spec;
	double frontend, backend, waste;
	double vrun;
	unsigned int pending;	/* calls that wait for a thread */
	bool high;
	u64 phase_end;
	struct thread *first, *last;
	struct sums sums;
};

/* of the program that includes this: after a switch, and when slices end */
static void on_switch(void);
static void on_slice(void);

static const struct load *load;
static struct group groups[MAX_GROUPS];
static struct thread threads[MAX_THREADS];
static unsigned int nr_groups = 1, nr_threads, nr_asleep;
static struct thread *asleep[MAX_THREADS];	/* a heap */
static struct thread *current;			/* NULL: idle */
static unsigned int last_group, at_step, repeated;
static u64 now = MS, cold_ns, picked_ns, irq_at = NEVER, kernel_at = NEVER, step_at = NEVER;
static u64 tick_at, due_ns, noise_end;
static bool is_noisy, slice_due;
static struct sums all;
static u64 state;

static double uniform(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dull >> 11) / (double)(1ull << 53);
}

static u64 exponential(double mean)
{
	return 1 - mean * log(1 - uniform());
}

/* Pareto: exponent 1.5, up to 1,000 times the least. */
static u64 draw(const struct group_spec *spec)
{
	double mean = spec->run_us * US;

	if (spec->law == HOG)
		return NEVER / 2;
	if (spec->law == PARETO)
		return mean / 3 * pow(1 - uniform() * (1 - pow(1000, -1.5)), -1 / 1.5);
	return exponential(mean);
}

static bool is_script(void)
{
	return load->step[0].repeat;
}

/* counters */

static void account(u64 ns, double frontend, double backend, double waste)
{
	struct sums *sums = &groups[current->group].sums;
	double slots = (double)ns * SLOTS_PER_NS, stalled = frontend + backend, retired;

	if (stalled > 0.95) {
		frontend *= 0.95 / stalled;
		backend *= 0.95 / stalled;
	}
	retired = slots * (1 - frontend - backend) * (1 - waste);
	sums->ns += ns;
	sums->frontend += slots * frontend;
	sums->backend += slots * backend;
	sums->retired += retired;
	all.ns += ns;
	all.frontend += slots * frontend;
	all.backend += slots * backend;
	all.retired += retired;
}

static void change_phases(struct group *group)
{
	while (group->phase_end <= now) {
		group->high = !group->high;
		group->phase_end += exponential((load->phase_ms ?: 20) * MS);
	}
	while (load->noisy && noise_end <= now) {
		is_noisy = !is_noisy;
		noise_end += exponential(200 * MS);
	}
}

/* The current task works until then, if there is one. */
static void work_until(u64 then)
{
	u64 ns = then - now, cold = min(ns, cold_ns);
	struct group *group;
	double backend;

	if (current && ns) {
		group = &groups[current->group];
		change_phases(group);
		backend = group->backend;
		if (!is_script())
			backend = (backend + 0.15 * group->high) * current->factor;
		if (is_noisy && current->group > 1)
			backend *= 1.5;
		if (cold)
			account(cold, 2 * group->frontend, 2 * backend, group->waste);
		if (ns - cold)
			account(ns - cold, group->frontend, backend, group->waste);
		cold_ns -= cold;
		current->left_ns -= ns;
		group->vrun += ns / group->spec.weight;
	}
	now = then;
}

static void interrupt(void)
{
	u64 ns = load->irq_ns ?: uniform() < 0.1 ? 20 * US : 2500;

	if (current)
		account(ns, 0.3, 0.4, 0.05);
	now += ns;
	irq_at = now + exponential(NSEC_PER_SEC / (load->irqs ?: 1000));
}

static void switch_to(struct thread *next)
{
	current = next;
	picked_ns = now;
	if (current && current->group != last_group) {
		cold_ns = load->fight && last_group == 1 ? COLD_AFTER_FIGHT_NS : COLD_NS;
		last_group = current->group;
	}
	on_switch();
}

static void change_slices(void)
{
	on_slice();
	due_ns = now + TICK_NS;
	slice_due = false;
}

/* sleep */

static void sleep_until(struct thread *thread, u64 wake_ns)
{
	unsigned int at = nr_asleep++, parent;

	thread->wake_ns = wake_ns;
	for (; at && asleep[parent = (at - 1) / 2]->wake_ns > wake_ns; at = parent)
		asleep[at] = asleep[parent];
	asleep[at] = thread;
}

static struct thread *first_asleep(void)
{
	struct thread *first = asleep[0], *last = asleep[--nr_asleep];
	unsigned int at = 0, child;

	for (; (child = 2 * at + 1) < nr_asleep; at = child) {
		if (child + 1 < nr_asleep && asleep[child + 1]->wake_ns < asleep[child]->wake_ns)
			child++;
		if (asleep[child]->wake_ns >= last->wake_ns)
			break;
		asleep[at] = asleep[child];
	}
	asleep[at] = last;
	return first;
}

/* scheduler */

static void enqueue(struct thread *thread)
{
	struct group *group = &groups[thread->group];

	thread->next = NULL;
	if (group->first)
		group->last->next = thread;
	else
		group->first = thread;
	group->last = thread;
}

static struct thread *dequeue(void)
{
	struct group *least = groups[ROOT].first ? &groups[ROOT] : NULL;
	struct thread *thread;
	unsigned int i;

	for (i = 1; i < nr_groups && least != &groups[ROOT]; i++)
		if (groups[i].first && (!least || groups[i].vrun < least->vrun))
			least = &groups[i];
	if (!least)
		return NULL;
	thread = least->first;
	least->first = thread->next;
	return thread;
}

static void reschedule(void)
{
	struct thread *next;

	if (current && current->left_ns)
		enqueue(current);
	next = dequeue();
	if (next != current)
		switch_to(next);
	else
		picked_ns = now;
}

static bool is_active(unsigned int group)
{
	return groups[group].first || (current && current->group == group);
}

/* A group that has slept is behind by the scheduler's grain at most. */
static void place(struct group *group)
{
	double least = INFINITY;
	unsigned int i;

	for (i = 1; i < nr_groups; i++)
		if (is_active(i))
			least = fmin(least, groups[i].vrun);
	if (isfinite(least))
		group->vrun = fmax(group->vrun, least - GRAIN_NS);
}

static void wake(struct thread *thread, u64 run_ns)
{
	struct group *group = &groups[thread->group];

	if (!is_active(thread->group))
		place(group);
	thread->left_ns = run_ns;
	thread->request_ns = run_ns;
	thread->factor = 0.65 + 0.7 * uniform();
	enqueue(thread);
	if (!current && slice_due)
		change_slices();
	if (!current || (current->group != ROOT &&
			 (thread->group == ROOT ||
			  groups[current->group].vrun - group->vrun > LAG_NS)))
		reschedule();
}

/* The next stage of a call chain gets its request. */
static void call(const struct thread *caller)
{
	struct group *group = &groups[caller->group + 1];
	struct thread *thread = threads;

	while (thread < threads + nr_threads && (&groups[thread->group] != group ||
						 thread->left_ns || thread->wake_ns))
		thread++;
	if (thread == threads + nr_threads)
		group->pending++;
	else
		wake(thread, load->proportional ? caller->request_ns : draw(&group->spec));
}

static void finish(void)
{
	struct thread *done = current;
	struct group *group = &groups[done->group];
	double think = group->spec.think_us * US;

	if (group->spec.called && group->pending) {
		group->pending--;
		sleep_until(done, now + 1);
	} else if (done->group != ROOT && !group->spec.called) {
		if (load->own && group->high)
			think *= 0.3;
		if (load->noisy && done->group == 1)
			think *= is_noisy ? 0.5 : 20;
		sleep_until(done, now + exponential(think));
	}
	reschedule();
	if (group->spec.calls)
		call(done);
}

static void wake_first(void)
{
	struct thread *thread = first_asleep();

	thread->wake_ns = 0;
	wake(thread, draw(&groups[thread->group].spec));
}

static void wake_kernel_thread(void)
{
	kernel_at = now + exponential(NSEC_PER_SEC / KERNEL_RATE);
	if (!threads[0].left_ns)
		wake(&threads[0], KERNEL_NS);
}

/* The next run of a script. */
static void run_step(void)
{
	const struct step *step = &load->step[at_step];
	struct thread *thread = &threads[step->group];

	if (!current && slice_due)
		change_slices();
	step_at = NEVER;
	groups[step->group].backend = step->backend;
	thread->left_ns = step->run_us * US;
	switch_to(thread);
}

static void finish_step(void)
{
	u64 idle_ns = load->step[at_step].idle_us * US;

	if (++repeated == load->step[at_step].repeat) {
		at_step = (at_step + 1) % MAX_STEPS;
		repeated = 0;
	}
	if (!idle_ns) {
		run_step();
		return;
	}
	switch_to(NULL);
	step_at = now + (load->exact ? idle_ns : exponential(idle_ns));
}

static void tick(void)
{
	tick_at += TICK_NS;
	slice_due |= now + TICK_NS / 2 >= due_ns;
	if (!current)
		return;
	if (slice_due)
		change_slices();
	if (!is_script() && now - picked_ns >= GRAIN_NS)
		reschedule();
}

/* events, in the order of time */

static u64 next_event(u64 report_at)
{
	u64 next = min(min(irq_at, kernel_at), min(tick_at, report_at));

	next = min(next, step_at);
	if (nr_asleep)
		next = min(next, asleep[0]->wake_ns);
	if (current)
		next = min(next, now + current->left_ns);
	return max(next, now);
}

static void run_until(u64 end)
{
	while (now < end) {
		work_until(next_event(end));
		if (current && !current->left_ns)
			is_script() ? finish_step() : finish();
		else if (step_at <= now)
			run_step();
		else if (nr_asleep && asleep[0]->wake_ns <= now)
			wake_first();
		else if (tick_at <= now)
			tick();
		else if (kernel_at <= now)
			wake_kernel_thread();
		else if (irq_at <= now)
			interrupt();
	}
}

static void add_group(const struct group_spec *spec)
{
	struct group *group = &groups[nr_groups];
	unsigned int i;

	group->spec = *spec;
	group->spec.weight = spec->weight ?: 1;
	group->frontend = 0.06 + 0.03 * (nr_groups % 4);
	group->backend = 0.15 + 0.05 * (nr_groups * 3 % 7);
	group->waste = 0.03 + 0.02 * (nr_groups % 5);
	for (i = 0; i < spec->threads; i++) {
		threads[nr_threads].group = nr_groups;
		if (!spec->called && !is_script())
			sleep_until(&threads[nr_threads], now + exponential(20 * MS));
		nr_threads++;
	}
	nr_groups++;
}

static void begin(const char *name)
{
	static const struct group_spec root = { .weight = 1 };
	const struct group_spec *spec;
	unsigned int i;

	for (load = loads; load < loads + ARRAY_SIZE(loads); load++)
		if (!strcmp(load->name, name))
			break;
	if (load == loads + ARRAY_SIZE(loads))
		die("no such load");
	groups[ROOT] = (struct group){ .spec = root, .frontend = 0.2, .backend = 0.3 };
	nr_threads = 1;
	for (spec = load->spec; spec < load->spec + MAX_SPECS; spec++)
		for (i = 0; i < spec->copies; i++)
			add_group(spec);
	tick_at = now + 225 * US;	/* idle, if the load is exact */
	if (is_script())
		step_at = now;
	if (load->exact)
		return;
	irq_at = now;
	if (!is_script())
		kernel_at = now;
}

#endif /* _N3T_PIECES_CPU_H */
