// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Set of selected processes: by pid, name or cgroup, as they come and go. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "lib/disk.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/plain.h"
#include "lib/text.h"
#include "libn3telemetry/proc_stat.h"
#include "libn3telemetry/proc_task.h"
#include "who_set.h"

#define COMM_MAX	15	/* the kernel's limit of a program's name */
#define LOOKS		3
#define LINE_MAX_TEXT	4096

bool who_names_any(const struct who_names *names)
{
	return names->nr_pids || names->nr_comms || names->nr_cgroups;
}

static void append(char **text, const char *option, const char * const *v, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		char *word = shell_word(v[i]);

		append_text(text, " ", "%s %s", option, word);
		free(word);
	}
}

char *who_names_text(const struct who_names *names)
{
	char *text = xstrdup("");

	append(&text, "--pid", names->pids, names->nr_pids);
	append(&text, "--comm", names->comms, names->nr_comms);
	append(&text, "--cgroup", names->cgroups, names->nr_cgroups);
	plain_text(text);
	return text;
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

static int compare(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static struct who_process *find(const struct who_set *set, pid_t pid)
{
	return set->nr ? bsearch(&pid, set->v, set->nr, sizeof(*set->v), compare) : NULL;
}

/* Return: the length of a process's file, NUL-terminated, or a negative errno. */
static ssize_t read_of(const struct who_set *set, pid_t pid, const char *file, char *text)
{
	char *path = format_string("%s/%d/%s", set->proc, pid, file);
	ssize_t len = disk_read(path, text, LINE_MAX_TEXT - 1);

	free(path);
	text[len > 0 ? len : 0] = '\0';
	return len;
}

static bool has_comm(const struct who_set *set, pid_t pid)
{
	char comm[LINE_MAX_TEXT];
	ssize_t len = read_of(set, pid, "comm", comm);

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

	if (read_of(set, pid, "stat", text) <= 0 || !task_stat_parse(text, &stat))
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

/* Lists the current processes, keeping known attributes. */
static void list(struct who_set *set)
{
	struct who_process *now;
	size_t nr = 0;
	char **names;

	xdisk_list(set->proc, &names);
	for (size_t i = 0; names[i]; i++)
		nr++;
	now = xreallocarray(NULL, nr, sizeof(*now));
	nr = 0;
	for (size_t i = 0; names[i]; i++) {
		pid_t pid = task_number(names[i]);
		const struct who_process *old = pid ? find(set, pid) : NULL;

		if (pid)
			now[nr++] = old ? *old : (struct who_process) { pid, .looks = LOOKS };
	}
	free_names(names);
	qsort(now, nr, sizeof(*now), compare);
	free(set->v);
	set->v = now;
	set->nr = nr;
}

static void mark_cgroup(void *data, pid_t pid)
{
	struct who_process *process = find(data, pid);

	if (process && !is_self(data, pid))
		process->in_cgroup = true;
}

void who_set_scan(struct who_set *set)
{
	list(set);
	for (size_t i = 0; i < set->nr; i++) {
		set->v[i].in_cgroup = false;
		look_at(set, &set->v[i]);
	}
	for (size_t i = 0; i < set->names->nr_cgroups; i++)
		cgroup_for_each(set->cgroups[i], mark_cgroup, set);
	set->scanned = true;
}

/* Return: the process of a thread, 0 if the thread does not exist. */
static pid_t process_of_thread(const struct who_set *set, pid_t thread)
{
	char text[4 * LINE_MAX_TEXT];
	char *path = format_string("%s/%d/status", set->proc, thread), *line;
	ssize_t len = thread ? disk_read(path, text, sizeof(text) - 1) : 0;

	free(path);
	text[len > 0 ? len : 0] = '\0';
	line = strstr(text, "\nTgid:");
	return line ? (pid_t)strtol(line + strlen("\nTgid:"), NULL, 10) : 0;
}

static void __noreturn die_no_process(const struct who_set *set, const char *text)
{
	pid_t process = process_of_thread(set, task_number(text));

	if (process > 0)
		die(ERR_NO_SUCH_PROCESS,
		    "%s is a thread of process %d; write --pid %d", text, process,
		    process);
	die(ERR_NO_SUCH_PROCESS, "no process %s: %s/%s does not exist", text, set->proc, text);
}

/* /proc also has a thread's id, unlisted. */
static void check_pid(struct who_set *set, const char *text)
{
	pid_t pid = task_number(text);
	struct who_process *process = pid ? find(set, pid) : NULL;
	char *path = format_string("%s/%d/task", set->proc, pid), **names;
	ssize_t nr = process ? xdisk_list(path, &names) : 0;

	if (!process)
		die_no_process(set, text);
	free_names(names);
	if (nr == -EACCES || nr == -EPERM)
		die(ERR_PERMISSION_DENIED, "%s: permission denied", path);
	free(path);
	process->named = true;
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

static void check_comm(const struct who_set *set, const char *comm)
{
	char *word;

	if (any_has_comm(set, comm))
		return;
	word = shell_word(comm);
	die(ERR_NO_SUCH_PROCESS, "no process with the name %s: see ps -eo pid,comm", word);
}

static void check_cgroup(struct who_set *set, size_t which)
{
	const char *directory = set->cgroups[which];
	bool any = false;

	for (size_t i = 0; i < set->nr; i++)
		set->v[i].in_cgroup = false;
	cgroup_for_each(directory, mark_cgroup, set);
	for (size_t i = 0; i < set->nr; i++)
		any |= set->v[i].in_cgroup;
	if (!any)
		die(ERR_NO_SUCH_PROCESS, "%s: no process is in this cgroup or below it", directory);
}

void who_set_open(struct who_set *set, const struct who_names *names, const char *proc)
{
	int error = disk_find_directory(proc);

	*set = (struct who_set) { .names = names, .proc = proc };
	if (error)
		die(error == -EACCES ? ERR_PERMISSION_DENIED : ERR_CANNOT_READ, "%s: %s", proc,
		    strerror(-error));
	set->cgroups = xreallocarray(NULL, names->nr_cgroups, sizeof(*set->cgroups));
	for (size_t i = 0; i < names->nr_cgroups; i++)
		set->cgroups[i] = cgroup_find(names->cgroups[i]);
	who_set_scan(set);
	for (size_t i = 0; i < names->nr_comms; i++)
		check_comm(set, names->comms[i]);
	for (size_t i = 0; i < names->nr_pids; i++)
		check_pid(set, names->pids[i]);
	for (size_t i = 0; i < names->nr_cgroups; i++)
		check_cgroup(set, i);
	who_set_scan(set);
}

void who_set_free(struct who_set *set)
{
	for (size_t i = 0; set->names && i < set->names->nr_cgroups; i++)
		free(set->cgroups[i]);
	free(set->cgroups);
	free(set->v);
	*set = (struct who_set) { 0 };
}
