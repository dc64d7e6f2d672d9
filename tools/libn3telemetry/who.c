// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* CPU time of threads per CPU, sampled from /proc. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/clock.h"
#include "lib/names.h"
#include "places.h"
#include "proc_file.h"
#include "proc_task.h"
#include "who.h"

#define PERIOD		0.05	/* seconds between two samples */
#define MAX_COST	20	/* times the cost of a sample: 5 % of a CPU */
#define TICK		0.02	/* maximum delay of a thread's own time */
#define MAX_TEXT	4096

struct who_thread {
	pid_t tid;
	bool known;		/* has been read at least once */
	bool exact;		/* ran comes from schedstat */
	unsigned int cpu;
	uint64_t ran, waited;
};

/* Return: whether the thread could be read; unchanged if it did not run. */
static bool read_thread(const struct who *who, pid_t pid, struct who_thread *thread)
{
	struct task_schedstat sched = { 0 };
	struct task_stat stat;
	char text[MAX_TEXT];
	bool exact;

	if (proc_file_read(text, sizeof(text), "%s/%d/task/%d/schedstat", who->set.proc, pid,
			   thread->tid) > 0 &&
	    !task_schedstat_parse(text, &sched))
		return false;
	/* A kernel without CONFIG_SCHED_INFO also reports 0. */
	exact = sched.ran;
	if (exact && thread->known && thread->exact && sched.ran == thread->ran) {
		thread->waited = sched.waited;
		return true;
	}
	if (proc_file_read(text, sizeof(text), "%s/%d/task/%d/stat", who->set.proc, pid,
			   thread->tid) <= 0 || !task_stat_parse(text, &stat))
		return false;
	thread->exact = exact;
	thread->known = true;
	thread->cpu = stat.cpu;
	thread->ran = exact ? sched.ran : stat.ran;
	thread->waited = sched.waited;
	return true;
}

static void give(struct who *who, unsigned int cpu, uint64_t ran, uint64_t doubt)
{
	who->cpus[cpu].ran += ran;
	who->cpus[cpu].doubt += doubt;
	who->ran += ran;
	who->doubt += doubt;
}

/* A new thread cannot have run longer than the time since the last sample. */
static void count_new(struct who *who, const struct who_thread *now, double passed)
{
	if (who->started && (double)now->ran / 1e9 <= passed + TICK) {
		give(who, now->cpu, now->ran, 0);
		who->waited += now->waited;
	}
}

static void count(struct who *who, const struct who_thread *old, const struct who_thread *now)
{
	uint64_t ran = now->ran - old->ran;

	/* A smaller time means a new thread with a reused id. */
	if (now->ran < old->ran || (old->ran && old->exact != now->exact))
		return;
	if (now->waited > old->waited)
		who->waited += now->waited - old->waited;
	if (!ran)
		return;
	if (old->cpu == now->cpu) {
		give(who, now->cpu, ran, 0);
		return;
	}
	who->moves++;
	give(who, old->cpu, ran / 2, ran / 2);
	give(who, now->cpu, ran - ran / 2, ran - ran / 2);
}

static const struct who_thread *find(const struct who *who, pid_t tid)
{
	return who->threads.nr ? bsearch(&tid, who->threads.v, who->threads.nr,
					 sizeof(*who->threads.v), task_compare) : NULL;
}

/* Appends a thread of a process, if it still exists. Return: false if out of memory. */
static bool add_thread(struct who *who, pid_t pid, pid_t tid, struct who_threads *now,
		       double passed)
{
	struct who_thread *v = reallocarray(now->v, now->nr + 1, sizeof(*v));
	const struct who_thread *old = find(who, tid);

	if (!v)
		return false;
	now->v = v;
	v += now->nr;
	*v = old ? *old : (struct who_thread) { .tid = tid };
	if (!read_thread(who, pid, v) && !old)
		return true;
	if (!old)
		count_new(who, v, passed);
	else if (old->known)
		count(who, old, v);
	now->nr++;
	return true;
}

static bool list_threads(struct who *who, pid_t pid, struct who_threads *now, double passed)
{
	char **names;
	bool ok = proc_file_list(&names, "%s/%d/task", who->set.proc, pid) != -ENOMEM;

	for (size_t i = 0; names && names[i] && ok; i++) {
		pid_t tid = task_number(names[i]);

		ok = !tid || add_thread(who, pid, tid, now, passed);
	}
	free_names(names);
	return ok;
}

/* CPU time rather than wall time, which grows on a busy CPU. */
static double cpu_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

bool who_sample(struct who *who)
{
	double passed = monotonic_now() - who->last, begun = cpu_time();
	struct who_threads now = { 0 };
	bool ok = true;

	who->last += passed;
	if (!who_set_scan(&who->set))
		return false;
	for (size_t i = 0; i < who->set.nr && ok; i++)
		if (who_is_meant(&who->set.v[i]))
			ok = list_threads(who, who->set.v[i].pid, &now, passed);
	if (now.nr)
		qsort(now.v, now.nr, sizeof(*now.v), task_compare);
	free(who->threads.v);
	who->threads = now;
	who->samples++;
	who->started = true;
	who->cost = cpu_time() - begun;
	return ok || failure_no_memory(who->set.failure);
}

static bool read_times(struct who *who)
{
	return proc_stat_read(who->set.failure, &who->after, who->set.proc);
}

bool who_start(struct failure *failure, struct who *who, const struct who_names *names,
	       const char *proc)
{
	*who = (struct who) { 0 };
	if (!who_set_open(failure, &who->set, names, proc))
		return false;
	who->cpus = calloc(MAX_PLACES, sizeof(*who->cpus));
	if (!who->cpus)
		return failure_no_memory(failure);
	who->last = monotonic_now();
	return read_times(who) && who_sample(who);
}

double who_seconds(const struct who *who)
{
	return who->last - who->since;
}

void who_begin(struct who *who)
{
	struct proc_stat before = who->before;

	who->before = who->after;
	who->after = before;
	memset(who->cpus, 0, MAX_PLACES * sizeof(*who->cpus));
	who->since = who->last;
	who->ran = 0;
	who->waited = 0;
	who->doubt = 0;
	who->moves = 0;
	who->samples = 0;
}

static int compare_shares(const void *a, const void *b)
{
	const struct who_share *x = a, *y = b;

	if (x->theirs != y->theirs)
		return x->theirs < y->theirs ? 1 : -1;
	return x->cpu < y->cpu ? -1 : 1;
}

/* Thread times and CPU times come from different clocks: clamp shares to 0. */
static struct who_share share_of(const struct who *who, unsigned int cpu)
{
	double percent = 100 / (who_seconds(who) * 1e9);
	struct who_share share = {
		.cpu = cpu,
		.theirs = (double)who->cpus[cpu].ran * percent,
		.doubt = (double)who->cpus[cpu].doubt * percent,
		.all = proc_stat_of_cpu(&who->before, &who->after, cpu),
	};

	if (share.theirs > 100)
		share.theirs = 100;
	if (share.all.known && share.all.busy > share.theirs)
		share.others = share.all.busy - share.theirs;
	return share;
}

static bool find_shares(struct who *who)
{
	who->nr_shares = 0;
	for (unsigned int cpu = 0; cpu < MAX_PLACES; cpu++) {
		struct who_share *shares;

		if (!who->cpus[cpu].ran)
			continue;
		shares = reallocarray(who->shares, who->nr_shares + 1, sizeof(*shares));
		if (!shares)
			return failure_no_memory(who->set.failure);
		who->shares = shares;
		shares[who->nr_shares++] = share_of(who, cpu);
	}
	if (who->nr_shares)
		qsort(who->shares, who->nr_shares, sizeof(*who->shares), compare_shares);
	return true;
}

double who_due(const struct who *who, double end)
{
	double wait = who->cost * MAX_COST > PERIOD ? who->cost * MAX_COST : PERIOD;

	/* Merge a short remainder, which is not worth a sample of its own. */
	return who->last + 1.2 * wait < end ? who->last + wait : end;
}

bool who_end(struct who *who)
{
	return read_times(who) && find_shares(who);
}

bool who_measure(struct who *who, double end)
{
	who_begin(who);
	do {
		sleep_until(who_due(who, end));
		if (!who_sample(who))
			return false;
	} while (who->last < end);
	return who_end(who);
}

void who_free(struct who *who)
{
	who_set_free(&who->set);
	proc_stat_free(&who->before);
	proc_stat_free(&who->after);
	free(who->threads.v);
	free(who->cpus);
	free(who->shares);
	*who = (struct who) { 0 };
}
