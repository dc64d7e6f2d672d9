// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* CPU utilisation from /proc/stat. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "places.h"
#include "proc_file.h"
#include "proc_stat.h"

/* Enough for the lines of MAX_PLACES CPUs, which come first. */
#define MAX_TEXT	(1024 * 1024)

enum field { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, NR_FIELDS };

/* Return: the number of numeric fields in the line. */
static size_t parse_numbers(const char *text, unsigned long long *fields)
{
	size_t nr = 0;
	char *end;

	while (nr < NR_FIELDS) {
		text += strspn(text, " ");
		if (!isdigit((unsigned char)*text))
			break;
		fields[nr++] = strtoull(text, &end, 10);
		text = end;
	}
	return nr;
}

/* Return: whether the line is that of a CPU. */
static bool parse_line(struct proc_stat *stat, const char *line)
{
	unsigned long long fields[NR_FIELDS] = { 0 };
	unsigned long cpu;
	char *end;

	if (strncmp(line, "cpu", 3) || !isdigit((unsigned char)line[3]))
		return false;
	cpu = strtoul(line + 3, &end, 10);
	/* A truncated line would look like time running backwards. */
	if (cpu >= MAX_PLACES || *end != ' ' || parse_numbers(end, fields) <= IDLE ||
	    !strchr(line, '\n'))
		return false;
	while (stat->nr <= cpu)
		stat->cpus[stat->nr++] = (struct cpu_times) { 0 };
	stat->cpus[cpu] = (struct cpu_times) {
		.known = true,
		/* User and nice include guest time. */
		.busy = fields[USER] + fields[NICE] + fields[SYSTEM] + fields[IRQ] +
			fields[SOFTIRQ],
		.idle = fields[IDLE] + fields[IOWAIT],
		.steal = fields[STEAL],
	};
	return true;
}

/* Skips malformed lines. Return: the number of CPUs. */
static size_t parse(struct proc_stat *stat, const char *text)
{
	size_t nr = 0;

	stat->nr = 0;
	while (!strncmp(text, "cpu", 3)) {
		nr += parse_line(stat, text);
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return nr;
}

static bool failed(struct failure *failure, const char *proc, int error)
{
	return failure_set(failure, error == -EACCES ? ERR_PERMISSION_DENIED : ERR_CANNOT_READ,
			   "%s/stat: %s", proc,
			   error == -EINVAL ? "has no line of a CPU" : strerror(-error));
}

bool proc_stat_read(struct failure *failure, struct proc_stat *stat, const char *proc)
{
	char *text = malloc(MAX_TEXT + 1);
	ssize_t len;
	size_t nr;

	if (!stat->cpus)
		stat->cpus = calloc(MAX_PLACES, sizeof(*stat->cpus));
	if (!text || !stat->cpus) {
		free(text);
		return failure_no_memory(failure);
	}
	len = proc_file_read(text, MAX_TEXT + 1, "%s/stat", proc);
	stat->time = monotonic_now();
	nr = parse(stat, text);
	free(text);
	return nr || failed(failure, proc, len < 0 ? (int)len : -EINVAL);
}

void proc_stat_free(struct proc_stat *stat)
{
	free(stat->cpus);
	*stat = (struct proc_stat) { 0 };
}

/* Idle time occasionally decreases by a tick. */
static double passed(unsigned long long before, unsigned long long after)
{
	return after > before ? (double)(after - before) : 0;
}

static void add(struct utilisation *sum, const struct proc_stat *before,
		const struct proc_stat *after, unsigned int cpu)
{
	const struct cpu_times *from = &before->cpus[cpu], *to = &after->cpus[cpu];

	if (cpu >= before->nr || cpu >= after->nr || !from->known || !to->known)
		return;
	sum->busy += passed(from->busy, to->busy);
	sum->idle += passed(from->idle, to->idle);
	sum->steal += passed(from->steal, to->steal);
}

static struct utilisation percent(const struct utilisation *sum)
{
	double all = sum->busy + sum->idle + sum->steal;

	if (all <= 0)
		return (struct utilisation) { 0 };
	return (struct utilisation) {
		.known = true,
		.busy = sum->busy / all * 100,
		.idle = sum->idle / all * 100,
		.steal = sum->steal / all * 100,
	};
}

struct utilisation proc_stat_between(const struct proc_stat *before,
				     const struct proc_stat *after, const bool *wanted)
{
	struct utilisation sum = { 0 };

	for (unsigned int cpu = 0; cpu < after->nr; cpu++)
		if (wanted[cpu])
			add(&sum, before, after, cpu);
	return percent(&sum);
}

struct utilisation proc_stat_of_cpu(const struct proc_stat *before,
				    const struct proc_stat *after, unsigned int cpu)
{
	struct utilisation sum = { 0 };

	add(&sum, before, after, cpu);
	return percent(&sum);
}

const char *percent_text(char text[PERCENT_SIZE], double value)
{
	if (value > 0 && value < 0.5)
		return "<1";
	snprintf(text, PERCENT_SIZE, "%.0f", value > 100 ? 100 : value);
	return text;
}

const char *utilisation_text(char text[PERCENT_SIZE], const struct utilisation *utilisation)
{
	return utilisation->known ? percent_text(text, utilisation->busy) : "-";
}
