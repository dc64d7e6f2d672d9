// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* One recording session: CPUs, tasks and their rings. */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "errors.h"
#include "lib/cpu_list.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "machine.h"
#include "record_build_ids.h"
#include "record_session.h"

/* Determines the period used by the driver, see arm_spe_event_sanitise_period(). */
static void choose_period(struct spe_session *session)
{
	uint64_t period = session->options->period, min = session->pmus.v->min_interval;
	struct utsname name;

	session->period = period & ~(SPE_PERIOD_UNIT - 1ULL);
	if (period >= min)
		return;
	/* Since Linux 7 the minimum is a recommendation. */
	if (!uname(&name) && atoi(name.release) < 7)
		session->period = min & ~(SPE_PERIOD_UNIT - 1ULL);
	if (session->period == min)
		warn(ERR_SHORT_PERIOD, "period %" PRIu64 " is below the core's minimum interval: "
		     "the driver uses %" PRIu64, period, min);
	else
		warn(ERR_SHORT_PERIOD, "period %" PRIu64 " is below the core's minimum interval, "
		     "%" PRIu64 ": expect collisions", period, min);
}

static void check_cpus(const struct spe_session *session, const struct cpus *online)
{
	const struct cpus *cpus = &session->options->cpus;

	for (size_t i = 0; i < cpus->nr; i++) {
		if (!cpus_have(online, cpus->v[i]))
			die(ERR_NO_SUCH_CPU, "CPU %u is offline or does not exist", cpus->v[i]);
		if (!spe_pmu_of(&session->pmus, cpus->v[i]))
			die(ERR_CPU_WITHOUT_SPE,
			    "CPU %u has no SPE: see n3stat spe info", cpus->v[i]);
	}
}

/*
 * A ring for each CPU: rings without sampling record tasks and their mappings. Offline CPUs may
 * come back.
 */
static void add_rings(struct spe_session *session)
{
	const struct cpus *wanted = &session->options->cpus;
	const struct spe_pmu *pmu;
	struct cpus online;

	cpus_online(&online);
	check_cpus(session, &online);
	for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++) {
		pmu = spe_pmu_of(&session->pmus, cpu);
		if (wanted->nr && !cpus_have(wanted, cpu))
			pmu = NULL;
		if (!pmu && !cpus_have(&online, cpu))
			continue;
		session->rings = xreallocarray(session->rings, session->nr_rings + 1,
					       sizeof(*session->rings));
		session->rings[session->nr_rings] = (struct spe_ring) {
			.number = session->nr_rings, .cpu = cpu, .pmu = pmu,
		};
		session->nr_rings++;
	}
	cpus_free(&online);
}

void spe_session_prepare(struct spe_session *session, const struct spe_record_options *options)
{
	struct rlimit files;

	*session = (struct spe_session) { .options = options };
	spe_pmus_find(&session->pmus);
	if (!session->pmus.nr)
		die(ERR_NO_SPE, "no PMU arm_spe_*: see n3stat spe info");
	add_rings(session);
	choose_period(session);
	/* One event per thread and CPU. */
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

void spe_session_add_threads(struct spe_session *session, pid_t pid)
{
	char *path = format_string("/proc/%d/task", pid);
	char **names;

	if (xdisk_list(path, &names) < 0)
		die(ERR_NO_SUCH_PROCESS, "process %d does not exist", pid);
	for (size_t i = 0; names[i]; i++) {
		session->tasks = xreallocarray(session->tasks, session->nr_tasks + 1,
					       sizeof(*session->tasks));
		session->tasks[session->nr_tasks++] = strtol(names[i], NULL, 10);
	}
	free_names(names);
	free(path);
}

void spe_session_open(struct spe_session *session)
{
	struct cpus online;
	struct spe_ring *ring;

	cpus_online(&online);
	for (size_t i = 0; i < session->nr_rings; i++) {
		ring = &session->rings[i];
		if (!cpus_have(&online, ring->cpu))
			continue;
		if (!spe_ring_open(ring, session->options, session->tasks, session->nr_tasks,
				   session->on_exec))
			spe_ring_die(ring, session->options);
		if (!session->clock.is_known)
			spe_clock_read(&session->clock, ring->page);
	}
	cpus_free(&online);
}

void spe_session_free(struct spe_session *session)
{
	for (size_t i = 0; i < session->nr_rings; i++)
		spe_ring_close(&session->rings[i]);
	spe_build_ids_free(session->build_ids);
	spe_out_free(&session->out);
	free(session->rings);
	free(session->tasks);
	spe_pmus_free(&session->pmus);
}
