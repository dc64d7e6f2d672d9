// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parser of a thread's /proc/PID/task/TID/stat and schedstat. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "places.h"
#include "proc_task.h"

/* Fields of stat, numbered as in proc(5). */
#define FIELD_STATE	3
#define FIELD_PARENT	4
#define FIELD_UTIME	14
#define FIELD_STIME	15
#define FIELD_PROCESSOR	39
#define NSEC_PER_SEC	1000000000ULL

/* Return: whether an unsigned number follows; advances *text past it. */
static bool take_number(const char **text, uint64_t *number)
{
	char *end;

	*text += strspn(*text, " ");
	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*number = strtoull(*text, &end, 10);
	*text = end;
	return !errno && (!*end || isspace((unsigned char)*end));
}

/* Other fields may be negative. */
static bool skip_field(const char **text)
{
	*text += strspn(*text, " ");
	if (!**text || **text == '\n')
		return false;
	*text += strcspn(*text, " \n");
	return true;
}

bool task_stat_parse(const char *text, struct task_stat *stat)
{
	/* The name may contain anything, even ") R 1": it ends at the last ')'. */
	const char *at = strrchr(text, ')');
	uint64_t parent = 0, user = 0, system = 0, cpu = 0;
	bool ok = at && at[1] == ' ' && strchr(at, '\n');
	uint64_t tick = NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);

	for (int field = FIELD_STATE; ok && field <= FIELD_PROCESSOR; field++) {
		if (field == FIELD_STATE)
			at++;
		if (field == FIELD_PARENT)
			ok = take_number(&at, &parent);
		else if (field == FIELD_UTIME)
			ok = take_number(&at, &user);
		else if (field == FIELD_STIME)
			ok = take_number(&at, &system);
		else if (field == FIELD_PROCESSOR)
			ok = take_number(&at, &cpu);
		else
			ok = skip_field(&at);
	}
	if (!ok || cpu >= MAX_PLACES || parent > INT_MAX)
		return false;
	*stat = (struct task_stat) { (pid_t)parent, (unsigned int)cpu, (user + system) * tick };
	return true;
}

bool task_schedstat_parse(const char *text, struct task_schedstat *stat)
{
	uint64_t slices;

	return take_number(&text, &stat->ran) && take_number(&text, &stat->waited) &&
	       take_number(&text, &slices) && *text == '\n';
}

pid_t task_number(const char *text)
{
	unsigned long number;

	errno = 0;
	number = strtoul(text, NULL, 10);
	if (!*text || strspn(text, "0123456789") != strlen(text) || errno || number > INT_MAX)
		return 0;
	return (pid_t)number;
}

int task_compare(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}
