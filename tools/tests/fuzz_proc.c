// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The fuzzer's processes: /proc and cgroup files, with errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib/memory.h"

static const char * const comms[] = { "sh", "(a) R 1 b", "new\nline", "\xff\xfe\033[2J", ")", "" };

static char *make_stat_line(unsigned int tid)
{
	char *text;
	size_t size;
	FILE *out = fuzz_begin(&text, &size);

	fprintf(out, "%u (%s) R %u", tid, comms[fuzz_below(6)], 1 + fuzz_below(6));
	for (int field = 5; field <= 52; field++) {
		if (field == 39)
			fprintf(out, " %u", fuzz_below(fuzz_below(20) ? 3 : 10000));
		else if (fuzz_below(60))
			fprintf(out, " %u", fuzz_below(1000));
		else
			fprintf(out, " -%u", fuzz_below(10));
	}
	fputc('\n', out);
	fclose(out);
	return text;
}

static char *make_schedstat(void)
{
	unsigned int shift = fuzz_below(36);

	if (fuzz_below(20) == 0)
		return xstrdup("0 0 0\n");
	return format_string("%llu %u 7\n", (unsigned long long)fuzz_below(1000) << shift,
			     fuzz_below(1 << 30));
}

/* Duplicates occur: each read returns any of them. */
static void add_thread(unsigned int pid, unsigned int tid)
{
	for (unsigned int i = 1 + fuzz_below(3); i > 0; i--) {
		fuzz_add_damaged(format_string("proc/%u/task/%u/stat", pid, tid),
				 make_stat_line(tid));
		if (fuzz_below(8))
			fuzz_add_damaged(format_string("proc/%u/task/%u/schedstat", pid, tid),
					 make_schedstat());
	}
}

static void add_process(unsigned int pid)
{
	fuzz_add_damaged(format_string("proc/%u/comm", pid),
			 format_string("%s\n", fuzz_below(2) ? "sh" : comms[fuzz_below(6)]));
	fuzz_add_damaged(format_string("proc/%u/stat", pid), make_stat_line(pid));
	for (unsigned int i = fuzz_below(4) + 1; i > 0; i--)
		add_thread(pid, i == 1 ? pid : 10 * pid + i);
}

static char *make_cpu_times(void)
{
	char *text;
	size_t size;
	FILE *out = fuzz_begin(&text, &size);

	fputs("cpu  1 1 1 1 1 1 1 1 1 1\n", out);
	for (unsigned int cpu = 0; cpu < 1 + fuzz_below(4); cpu++) {
		fprintf(out, "cpu%u", fuzz_below(30) ? cpu : fuzz_below(10000));
		for (unsigned int i = fuzz_below(20) ? 10 : fuzz_below(12); i > 0; i--)
			fprintf(out, " %u", fuzz_below(i % 3 ? 100 : 1U << 31));
		fputc('\n', out);
	}
	fputs("intr 1 2 3\n", out);
	fclose(out);
	return text;
}

void fuzz_proc_make(void)
{
	for (unsigned int i = 1 + fuzz_below(3); i > 0; i--)
		fuzz_add_damaged(xstrdup("proc/stat"), make_cpu_times());
	for (unsigned int pid = 1; pid < 3 + fuzz_below(3); pid++)
		add_process(pid);
	fuzz_add_damaged(xstrdup("sys/fs/cgroup/a/cgroup.procs"), xstrdup("1\n2\n"));
	fuzz_add_damaged(xstrdup("sys/fs/cgroup/a/b/cgroup.procs"),
			 format_string("%u\n", fuzz_below(10)));
	fuzz_add_damaged(xstrdup("sys/devices/system/node/node0/cpulist"), xstrdup("0-1\n"));
}
