// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest: the CPUs to test, one per kind, their cores, caches and free memory. */
#include <ctype.h>
#include <errno.h>
#include <linux/kernel.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/keys.h"
#include "lib/memory.h"
#include "libn3t/core.h"
#include "libn3t/spec.h"
#include "libn3telemetry/places.h"
#include "libn3telemetry/source.h"
#include "reader/errors.h"
#include "selftest.h"

#define CPUS		"/sys/devices/system/cpu"
#define CGROUPS		"/sys/fs/cgroup"
#define CACHE_TEXT	32
#define KB		((size_t)1024)
#define MB		(1024 * KB)
#define MIN_MEMORY	(16 * MB)

uint64_t selftest_midr(unsigned int cpu)
{
	char *path = format_string(CPUS "/cpu%u/regs/identification/midr_el1", cpu);
	char text[64];

	machine_read(&this_machine, path, text, sizeof(text));
	free(path);
	return strtoull(text, NULL, 16);
}

char *selftest_core_name(uint64_t midr)
{
	const struct n3t_core *core = n3t_core_of(midr);

	if (!midr)
		return xstrdup("unknown CPU");
	return format_string("%s r%up%u%s", core ? core->name : "Arm CPU",
			     (unsigned int)(midr >> 20 & 0xf), (unsigned int)(midr & 0xf),
			     n3t_core_overcounts(midr) ? " (stall slots less CPU_CYCLES)" : "");
}

bool selftest_overcounts(uint64_t midr, int event)
{
	return n3t_core_overcounts(midr) && n3t_event_overcounts(n3t_events[event].code);
}

bool selftest_lacks(uint64_t midr, int event)
{
	const struct n3t_core *core = n3t_core_of(midr);

	return core && !core->has_flush && event == N3T_EVENT_STALL_FRONTEND_FLUSH;
}

unsigned int selftest_slots(uint64_t midr)
{
	const struct n3t_core *core = n3t_core_of(midr);

	return core ? core->slots : 0;
}

struct kind {
	uint64_t midr;
	struct selftest_pmu pmu;
};

static struct kind kind_of(unsigned int cpu)
{
	struct kind kind = { .midr = selftest_midr(cpu) };

	selftest_find_pmu(&kind.pmu, cpu);
	return kind;
}

static bool are_same(const struct kind *a, const struct kind *b)
{
	return a->midr == b->midr && !strcmp(a->pmu.name, b->pmu.name);
}

static void choose_one_of_each(struct cpus *cpus, const struct cpus *online, const char *root)
{
	struct kind *kinds = NULL;
	struct cpus isolated, nohz_full;

	/* With no such CPUs, the files are empty or contain "(null)". */
	cpus_read(&isolated, CPUS "/isolated");
	cpus_read(&nohz_full, CPUS "/nohz_full");
	for (size_t i = 0; i < online->nr; i++) {
		struct kind kind = kind_of(online->v[i]);
		size_t k = 0;

		if (root && !selftest_is_sampled(root, online->v[i]))
			continue;
		while (k < cpus->nr && !are_same(&kinds[k], &kind))
			k++;
		if (k < cpus->nr || cpus_have(&isolated, online->v[i]) ||
		    cpus_have(&nohz_full, online->v[i]))
			continue;
		kinds = xreallocarray(kinds, cpus->nr + 1, sizeof(*kinds));
		kinds[cpus->nr] = kind;
		cpus_add(cpus, online->v[i]);
	}
	free(kinds);
	cpus_free(&isolated);
	cpus_free(&nohz_full);
	if (!cpus->nr)
		die(ERR_NO_CPU_LEFT, "all CPUs are isolated or nohz_full%s: name one with --cpu",
		    root ? " or not sampled" : "");
}

void selftest_choose_cpus(struct cpus *cpus, const char *list, const char *root)
{
	struct cpus online;

	*cpus = (struct cpus) { 0 };
	cpus_online(&online);
	if (list)
		cpus_take(cpus, list);
	else
		choose_one_of_each(cpus, &online, root);
	for (size_t i = 0; i < cpus->nr; i++)
		if (!cpus_have(&online, cpus->v[i]))
			die(ERR_NO_SUCH_CPU, "CPU %u is not online", cpus->v[i]);
	cpus_free(&online);
}

static bool has_kind(const struct selftest_report *report, const struct kind *kind,
		     const char *root)
{
	for (size_t i = 0; i < report->nr_cpus; i++)
		if (report->cpus[i].midr == kind->midr &&
		    !strcmp(report->cpus[i].pmu, kind->pmu.name) &&
		    selftest_is_sampled(root, report->cpus[i].cpu))
			return true;
	return false;
}

bool selftest_covers(const struct selftest_report *report, const char *root)
{
	struct cpus online;
	bool covers = true;

	if (strcmp(root, SOURCE_DEFAULT))
		return true;
	cpus_online(&online);
	for (size_t i = 0; i < online.nr && covers; i++) {
		struct kind kind = kind_of(online.v[i]);

		covers = has_kind(report, &kind, root) || !selftest_is_sampled(root, online.v[i]);
	}
	cpus_free(&online);
	return covers;
}

static char *cache_text(char text[CACHE_TEXT], unsigned int cpu, unsigned int index,
			const char *file)
{
	char *path = format_string(CPUS "/cpu%u/cache/index%u/%s", cpu, index, file);

	machine_read(&this_machine, path, text, CACHE_TEXT);
	free(path);
	return text;
}

/* Return: size of the data cache of a level, or the default if unknown. */
static size_t cache_size(unsigned int cpu, unsigned long level, size_t otherwise)
{
	for (unsigned int i = 0; i < 8; i++) {
		char text[CACHE_TEXT];
		size_t size;

		if (strtoul(cache_text(text, cpu, i, "level"), NULL, 10) != level ||
		    !strncmp(cache_text(text, cpu, i, "type"), "Instruction", 11))
			continue;
		size = strtoul(cache_text(text, cpu, i, "size"), NULL, 10) * KB;
		if (size)
			return size;
	}
	return otherwise;
}

/* Return: the number in a file of a cgroup, or the default for "max". */
static size_t number_in(const struct machine *machine, const char *group, const char *file,
			size_t otherwise)
{
	char *path = format_string(CGROUPS "%s/%s", group, file);
	char text[64];

	machine_read(machine, path, text, sizeof(text));
	free(path);
	return isdigit((unsigned char)*text) ? strtoull(text, NULL, 10) : otherwise;
}

/* Return: bytes of reclaimable page cache. */
static size_t cached(const struct machine *machine, const char *group)
{
	char *path = format_string(CGROUPS "%s/memory.stat", group);
	char text[8192];

	machine_read(machine, path, text, sizeof(text));
	free(path);
	return number_of_key(text, "inactive_file");
}

static size_t left_in(const struct machine *machine, const char *group)
{
	size_t max = number_in(machine, group, "memory.max", SIZE_MAX);
	size_t current = number_in(machine, group, "memory.current", 0);
	size_t cache = max == SIZE_MAX ? 0 : cached(machine, group);

	current -= cache < current ? cache : current;
	return current < max ? max - current : 0;
}

/* Return: the path of this process's cgroup, "/" for the root. */
static char *own_group(const struct machine *machine)
{
	char text[4096], *at;

	machine_read(machine, "/proc/self/cgroup", text, sizeof(text));
	at = strstr(text, "0::/");
	/* Lines of version 1 have other numbers, and controller names. */
	if (!at || (at != text && at[-1] != '\n'))
		return xstrdup("/");
	at += strlen("0::");
	return format_string("%.*s", (int)strcspn(at, "\n"), at);
}

size_t selftest_free_memory(const struct machine *machine)
{
	char text[4096], *at, *group = own_group(machine), *slash;
	size_t size;

	machine_read(machine, "/proc/meminfo", text, sizeof(text));
	at = strstr(text, "MemAvailable:");
	size = at ? strtoull(at + strlen("MemAvailable:"), NULL, 10) * 1024 : 0;
	/* Its own cgroup and all ancestors, which may have tighter limits. */
	while ((slash = strrchr(group, '/'))) {
		size_t left = left_in(machine, group);

		size = left < size ? left : size;
		*slash = '\0';
	}
	free(group);
	return size;
}

static size_t power_of_two(size_t size)
{
	size_t power = 1;

	while (power <= size / 2)
		power *= 2;
	return power;
}

static size_t bounded(size_t size, size_t min, size_t max)
{
	return power_of_two(size < min ? min : size > max ? max : size);
}

void selftest_choose_sizes(struct selftest_sizes *sizes, unsigned int cpu)
{
	size_t l2 = cache_size(cpu, 2, MB);
	size_t l1d = cache_size(cpu, 1, 64 * KB);

	*sizes = (struct selftest_sizes) {
		.page = sysconf(_SC_PAGESIZE),
		/* four times the size must fit in the L2 cache */
		.l1d = bounded(l1d, 16 * KB, l2 / 8 < 16 * KB ? 16 * KB : l2 / 8),
		.l2 = l2,
		/* the kernel may not know about the largest cache */
		.memory = bounded(selftest_free_memory(&this_machine) / 4, MIN_MEMORY,
				  SELFTEST_FULL_MEMORY),
		/* eight times the largest L2 cache of this core */
		.code = 16 * MB,
	};
}

void selftest_go_to(unsigned int cpu)
{
	size_t size = CPU_ALLOC_SIZE(MAX_PLACES);
	cpu_set_t *set = CPU_ALLOC(MAX_PLACES);

	if (!set)
		out_of_memory();
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	if (sched_setaffinity(0, size, set))
		die(ERR_SYSTEM_ERROR, "cannot run on CPU %u: %s", cpu, strerror(errno));
	CPU_FREE(set);
}

static bool is_enabled(const char *status)
{
	size_t len;

	return find_value(status, "state", &len) && !key_has(status, "state", "disabled");
}

bool selftest_is_sampled(const char *root, unsigned int cpu)
{
	struct machine machine = { .root = "", .module = root };
	char *file = format_string("cpu%u/status", cpu);
	char status[4096], all[4096];

	module_read(&machine, file, status, sizeof(status));
	module_read(&machine, "status", all, sizeof(all));
	free(file);
	/* With sampling off, all are disabled, and any of them may be meant. */
	return is_enabled(status) || (*status && *all && !is_enabled(all));
}
