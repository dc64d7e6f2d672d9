// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Set of selected processes: by pid, name or cgroup, as they come and go. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/disk.h"
#include "lib/names.h"
#include "lib/text.h"
#include "proc_file.h"
#include "proc_stat.h"
#include "proc_task.h"
#include "who_set.h"

#define COMM_MAX	15	/* the kernel's limit of a program's name */
#define LOOKS		3
#define LINE_MAX_TEXT	4096

bool who_names_any(const struct who_names *names)
{
	return names->nr_pids || names->nr_comms || names->nr_cgroups;
}

bool who_is_meant(const struct who_process *process)
{
	return process->named || process->in_cgroup;
}

size_t who_set_count(const struct who_set *set)
{
	size_t nr = 0;

	for (size_t i = 0; i < set->nr; i++)
		nr += who_is_meant(&set->v[i]);
	return nr;
}

bool who_set_is_over(const struct who_set *set)
{
	return !set->names->nr_comms && !set->names->nr_cgroups && !who_set_count(set);
}

static struct who_process *find(const struct who_set *set, pid_t pid)
{
	return set->nr ? bsearch(&pid, set->v, set->nr, sizeof(*set->v), task_compare) : NULL;
}

static bool has_comm(const struct who_set *set, pid_t pid)
{
	char comm[LINE_MAX_TEXT];
	ssize_t len = proc_file_read(comm, sizeof(comm), "%s/%d/comm", set->proc, pid);

	/* The name itself may contain a newline. */
	if (len > 0 && comm[len - 1] == '\n')
		comm[len - 1] = '\0';
	for (size_t i = 0; len > 0 && i < set->names->nr_comms; i++) {
		const char *name = set->names->comms[i];

		if (!strcmp(comm, name) ||
		    (strlen(comm) == COMM_MAX && !strncmp(comm, name, COMM_MAX)))
			return true;
	}
	return false;
}

static bool has_parent(const struct who_set *set, pid_t pid)
{
	const struct who_process *parent;
	char text[LINE_MAX_TEXT];
	struct task_stat stat;

	if (proc_file_read(text, sizeof(text), "%s/%d/stat", set->proc, pid) <= 0 ||
	    !task_stat_parse(text, &stat))
		return false;
	parent = find(set, stat.parent);
	return parent && parent->named;
}

/* Excludes this program, which may be a child of a selected shell. */
static bool is_self(const struct who_set *set, pid_t pid)
{
	return pid == getpid() && !strcmp(set->proc, PROC_DEFAULT);
}

static void look_at(struct who_set *set, struct who_process *process)
{
	if (process->named || !process->looks || is_self(set, process->pid))
		return;
	process->looks--;
	process->named = (set->names->nr_comms && has_comm(set, process->pid)) ||
			 (set->scanned && has_parent(set, process->pid));
}

/* Lists the current processes, keeping known attributes. Return: false if out of memory. */
static bool list(struct who_set *set)
{
	char **names;
	ssize_t nr_names = disk_list(set->proc, &names);
	struct who_process *now = nr_names == -ENOMEM ? NULL :
				  calloc(nr_names > 0 ? nr_names : 1, sizeof(*now));
	size_t nr = 0;

	for (ssize_t i = 0; now && i < nr_names; i++) {
		pid_t pid = task_number(names[i]);
		const struct who_process *old = pid ? find(set, pid) : NULL;

		if (pid)
			now[nr++] = old ? *old : (struct who_process) { pid, .looks = LOOKS };
	}
	free_names(names);
	if (!now)
		return failure_no_memory(set->failure);
	qsort(now, nr, sizeof(*now), task_compare);
	free(set->v);
	set->v = now;
	set->nr = nr;
	return true;
}

static void mark_cgroup(void *data, pid_t pid)
{
	struct who_process *process = find(data, pid);

	if (process && !is_self(data, pid))
		process->in_cgroup = true;
}

/* Return: false if out of memory. */
static bool mark_cgroups(struct who_set *set)
{
	for (size_t i = 0; i < set->names->nr_cgroups; i++) {
		ssize_t nr = cgroup_for_each(set->cgroups[i], mark_cgroup, set);

		if (nr < 0)
			return failure_no_memory(set->failure);
		if (nr == MAX_CGROUPS && !set->cut_off)
			set->cut_off = set->cgroups[i];
	}
	return true;
}

bool who_set_scan(struct who_set *set)
{
	if (!list(set))
		return false;
	for (size_t i = 0; i < set->nr; i++) {
		set->v[i].in_cgroup = false;
		look_at(set, &set->v[i]);
	}
	set->scanned = true;
	return mark_cgroups(set);
}

/*
 * With hidepid, the first process of the machine or container, which always exists, is missing or
 * unreadable. Return: whether this is the error, and not that a process does not exist.
 */
static bool is_hidden(const struct who_set *set)
{
	char text[LINE_MAX_TEXT];

	if (proc_file_read(text, sizeof(text), "%s/self/comm", set->proc) <= 0 ||
	    proc_file_read(text, sizeof(text), "%s/1/comm", set->proc) > 0)
		return false;
	failure_set(set->failure, ERR_PROCESSES_HIDDEN,
		    "%s hides processes of others (hidepid): run n3stat as root or their user",
		    set->proc);
	return true;
}

/* Return: the process of a thread, 0 if the thread does not exist. */
static pid_t process_of_thread(const struct who_set *set, pid_t thread)
{
	char text[4 * LINE_MAX_TEXT], *line;

	proc_file_read(text, sizeof(text), "%s/%d/status", set->proc, thread);
	line = strstr(text, "\nTgid:");
	return line ? (pid_t)strtol(line + strlen("\nTgid:"), NULL, 10) : 0;
}

static bool no_process(const struct who_set *set, const char *text)
{
	pid_t thread = task_number(text), process = thread ? process_of_thread(set, thread) : 0;

	if (process > 0)
		return failure_set(set->failure, ERR_NO_SUCH_PROCESS,
				   "%s is a thread of process %d; write --pid %d", text, process,
				   process);
	return !is_hidden(set) &&
	       failure_set(set->failure, ERR_NO_SUCH_PROCESS, "no process %s: %s/%s does not exist",
			   text, set->proc, text);
}

/* /proc also has a thread's id, unlisted. */
static bool check_pid(struct who_set *set, const char *text)
{
	pid_t pid = task_number(text);
	struct who_process *process = pid ? find(set, pid) : NULL;
	char **names;
	ssize_t nr;

	if (!process)
		return no_process(set, text);
	process->named = true;
	nr = proc_file_list(&names, "%s/%d/task", set->proc, pid);
	free_names(names);
	if (nr == -ENOMEM)
		return failure_no_memory(set->failure);
	if (nr == -EACCES || nr == -EPERM)
		return !is_hidden(set) &&
		       failure_set(set->failure, ERR_PERMISSION_DENIED,
				   "%s/%d/task: permission denied", set->proc, pid);
	return true;
}

static bool any_has_comm(const struct who_set *set, const char *comm)
{
	const struct who_names one = { .comms = { comm }, .nr_comms = 1 };
	const struct who_set only = { .names = &one, .proc = set->proc };

	for (size_t i = 0; i < set->nr; i++)
		if (set->v[i].named && has_comm(&only, set->v[i].pid))
			return true;
	return false;
}

static bool check_comm(const struct who_set *set, const char *comm)
{
	char *word;

	if (any_has_comm(set, comm))
		return true;
	if (is_hidden(set))
		return false;
	word = shell_quote(comm);
	if (!word)
		return failure_no_memory(set->failure);
	failure_set(set->failure, ERR_NO_SUCH_PROCESS,
		    "no process with the name %s: see ps -eo pid,comm", word);
	free(word);
	return false;
}

static bool check_cgroup(struct who_set *set, const char *directory)
{
	for (size_t i = 0; i < set->nr; i++)
		set->v[i].in_cgroup = false;
	if (cgroup_for_each(directory, mark_cgroup, set) < 0)
		return failure_no_memory(set->failure);
	for (size_t i = 0; i < set->nr; i++)
		if (set->v[i].in_cgroup)
			return true;
	return !is_hidden(set) &&
	       failure_set(set->failure, ERR_NO_SUCH_PROCESS,
			   "%s: no process is in this cgroup or below it", directory);
}

static bool find_cgroups(struct who_set *set)
{
	size_t nr = set->names->nr_cgroups;

	set->cgroups = calloc(nr ? nr : 1, sizeof(*set->cgroups));
	if (!set->cgroups)
		return failure_no_memory(set->failure);
	for (size_t i = 0; i < nr; i++)
		if (!cgroup_find(set->failure, set->names->cgroups[i], &set->cgroups[i]))
			return false;
	return true;
}

static bool check_names(struct who_set *set)
{
	const struct who_names *names = set->names;
	bool ok = true;

	for (size_t i = 0; i < names->nr_comms && ok; i++)
		ok = check_comm(set, names->comms[i]);
	for (size_t i = 0; i < names->nr_pids && ok; i++)
		ok = check_pid(set, names->pids[i]);
	for (size_t i = 0; i < names->nr_cgroups && ok; i++)
		ok = check_cgroup(set, set->cgroups[i]);
	return ok;
}

bool who_set_open(struct failure *failure, struct who_set *set, const struct who_names *names,
		  const char *proc)
{
	int error = disk_find_directory(proc);

	*set = (struct who_set) { .names = names, .proc = proc, .failure = failure };
	if (error)
		return failure_set(failure, error == -EACCES ? ERR_PERMISSION_DENIED :
				   ERR_CANNOT_READ, "%s: %s", proc, strerror(-error));
	return find_cgroups(set) && who_set_scan(set) && check_names(set) && who_set_scan(set);
}

void who_set_free(struct who_set *set)
{
	for (size_t i = 0; set->cgroups && i < set->names->nr_cgroups; i++)
		free(set->cgroups[i]);
	free(set->cgroups);
	free(set->v);
	*set = (struct who_set) { 0 };
}
