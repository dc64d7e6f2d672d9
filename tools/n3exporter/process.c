// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Series of this process, with the names that all exporters have. */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "lib/files.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "process.h"

static void append(char **text, const char *name, const char *type, const char *help, double value)
{
	append_text(text, "", "# HELP process_%s %s\n# TYPE process_%s %s\nprocess_%s %.15g\n",
		    name, help, name, type, name, value);
}

static double cpu_seconds(void)
{
	struct timespec spent;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
	return (double)spent.tv_sec + (double)spent.tv_nsec / 1e9;
}

static void append_descriptors(char **text)
{
	struct rlimit limit;
	char **names;
	ssize_t nr = xdisk_list("/proc/self/fd", &names);

	free_names(names);
	/* without the one of that directory */
	if (nr > 0)
		append(text, "open_fds", "gauge", "Number of open file descriptors.",
		       (double)(nr - 1));
	if (!getrlimit(RLIMIT_NOFILE, &limit))
		append(text, "max_fds", "gauge", "Maximum number of open file descriptors.",
		       (double)limit.rlim_cur);
}

static void append_memory(char **text)
{
	double page = (double)sysconf(_SC_PAGESIZE);
	unsigned long virtual, resident;
	char pages[128];

	machine_read(&this_machine, "/proc/self/statm", pages, sizeof(pages));
	if (sscanf(pages, "%lu %lu", &virtual, &resident) != 2)
		return;
	append(text, "virtual_memory_bytes", "gauge", "Virtual memory size in bytes.",
	       (double)virtual * page);
	append(text, "resident_memory_bytes", "gauge", "Resident memory size in bytes.",
	       (double)resident * page);
}

void process_append(char **text, double start)
{
	append(text, "cpu_seconds_total", "counter",
	       "Total user and system CPU time spent in seconds.", cpu_seconds());
	append_descriptors(text);
	append_memory(text);
	append(text, "start_time_seconds", "gauge",
	       "Start time of the process since unix epoch in seconds.", start);
}
