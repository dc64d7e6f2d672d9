// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: events of one CPU's PMU, through perf. */
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/errors.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/privilege.h"
#include "libn3telemetry/catalog.h"
#include "selftest.h"

#define MAX_COUNTERS	31
#define INST_RETIRED	0x08
#define CPU_CYCLES	0x11

/* Return: false without the file; strips the newline from its text. */
static bool read_file(const char *pmu, const char *file, char *text, size_t size)
{
	char *path = format_string("%s/%s/%s", PMU_DEVICES, pmu, file);
	ssize_t len = machine_read(&this_machine, path, text, size);

	free(path);
	text[strcspn(text, "\n")] = '\0';
	return len > 0;
}

/* Only PMUs of CPUs have the file "cpus". */
static bool counts_on(const char *pmu, unsigned int cpu)
{
	char *path = format_string("%s/%s/cpus", PMU_DEVICES, pmu);
	struct cpus cpus;
	bool has = cpus_read(&cpus, path) && cpus_have(&cpus, cpu);

	cpus_free(&cpus);
	free(path);
	return has;
}

static void take_pmu(struct selftest_pmu *pmu, const char *name)
{
	char text[64], *colon;

	snprintf(pmu->name, sizeof(pmu->name), "%s", name);
	pmu->type = read_file(name, "type", text, sizeof(text)) ? strtoul(text, NULL, 10) : 0;
	read_file(name, "format/event", text, sizeof(text));
	colon = strchr(text, ':');
	pmu->shift = colon ? strtoul(colon + 1, NULL, 10) % 64 : 0;
}

void selftest_find_pmu(struct selftest_pmu *pmu, unsigned int cpu)
{
	char **names = machine_list(&this_machine, PMU_DEVICES);
	char spec[4096];

	*pmu = (struct selftest_pmu) { 0 };
	machine_read(&this_machine, SOURCE_DEFAULT "/spec", spec, sizeof(spec));
	for (size_t i = 0; names[i]; i++)
		if (counts_on(names[i], cpu) &&
		    (!*pmu->name || key_has(spec, "pmu", names[i])))
			take_pmu(pmu, names[i]);
	free_names(names);
}

/* Return: whether the PMU has an event of that name; *config: its number. */
static bool find_alias(const struct selftest_pmu *pmu, const char *name, uint64_t *config)
{
	char *file = format_string("events/%s", name);
	char text[64];
	const char *number;

	for (char *c = file; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	read_file(pmu->name, file, text, sizeof(text));
	free(file);
	number = strstr(text, "event=");
	if (!number)
		return false;
	*config = strtoul(number + strlen("event="), NULL, 0) << pmu->shift;
	return true;
}

uint64_t selftest_config(const struct selftest_pmu *pmu, int event, bool *has_alias)
{
	struct catalog_event info = catalog_event(event);
	uint64_t config = (uint64_t)info.code << pmu->shift;

	*has_alias = find_alias(pmu, info.name, &config) ||
		     (info.later && find_alias(pmu, info.later, &config));
	return config;
}

static int open_event(const struct selftest_pmu *pmu, uint64_t config, int pid, unsigned int cpu,
		      int leader)
{
	struct perf_event_attr attr = {
		.type = pmu->type,
		.size = sizeof(attr),
		.config = config,
		.exclude_kernel = pid >= 0,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			       PERF_FORMAT_GROUP,
	};
	int fd = syscall(SYS_perf_event_open, &attr, pid, (int)cpu, leader, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

unsigned int selftest_nr_counters(const struct selftest_pmu *pmu, unsigned int cpu)
{
	int fds[1 + MAX_COUNTERS];
	unsigned int nr = 0;

	/* The cycle counter is separate; perf refuses a group that exceeds the others. */
	for (; nr < NR(fds); nr++) {
		uint64_t event = nr ? INST_RETIRED : CPU_CYCLES;

		fds[nr] = open_event(pmu, event << pmu->shift, -1, cpu, nr ? fds[0] : -1);
		if (fds[nr] < 0)
			break;
	}
	for (unsigned int i = 0; i < nr; i++)
		close(fds[i]);
	return nr ? nr - 1 : 0;
}

int selftest_set_add(struct selftest_set *set, const struct selftest_pmu *pmu, uint64_t config,
		     unsigned int cpu, bool own_user_code)
{
	int fd = open_event(pmu, config, own_user_code ? 0 : -1, cpu,
			    set->nr ? set->fds[0] : -1);

	if (fd == -EACCES || fd == -EPERM) {
		struct privilege missing = privilege_to_count(&this_machine);

		die(missing.kind, "perf does not permit counting on CPU %u; %s", cpu,
		    missing.advice);
	}
	if (fd < 0)
		return -fd;
	set->fds[set->nr++] = fd;
	return 0;
}

bool selftest_set_read(const struct selftest_set *set, struct selftest_counts *counts)
{
	uint64_t words[3 + SELFTEST_MAX_TERMS + 1];
	ssize_t size = (3 + set->nr) * sizeof(words[0]);

	*counts = (struct selftest_counts) { .failed = true };
	if (!set->nr || read(set->fds[0], words, size) != size)
		return false;
	counts->failed = false;
	counts->enabled = words[1];
	counts->running = words[2];
	memcpy(counts->counts, words + 3, set->nr * sizeof(words[0]));
	return true;
}

void selftest_set_close(struct selftest_set *set)
{
	for (size_t i = 0; i < set->nr; i++)
		close(set->fds[i]);
	set->nr = 0;
}
