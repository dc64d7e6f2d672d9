// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reasons why perf events could not be opened, and the setting to change. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/privilege.h"
#include "record_ring.h"

static void read_sysctl(const char *name, char *text, size_t size)
{
	char *path = format_string("/proc/sys/kernel/%s", name);

	machine_read(&this_machine, path, text, size);
	text[strcspn(text, "\n")] = '\0';
	free(path);
}

static void __noreturn die_denied(const struct spe_failure *failure,
				  const struct spe_record_options *options)
{
	struct privilege missing = privilege_to_count(&this_machine);
	char level[16];

	if (privilege_may_count(&this_machine))
		die(missing.kind, "permission denied; %s", missing.advice);
	read_sysctl("perf_event_paranoid", level, sizeof(level));
	if (spe_has_term(options, "pa_enable") || spe_has_term(options, "pct_enable"))
		die(missing.kind, "permission denied: --pa and physical timestamps need a "
		    "privileged user; %s, or leave them out", missing.advice);
	if (strtol(level, NULL, 10) > 2)
		die(missing.kind,
		    "permission denied: kernel.perf_event_paranoid is %s, and above 2 "
		    "nothing may be sampled; set it with sysctl, or %s", level, missing.advice);
	if (failure->task == -1)
		die(missing.kind, "permission denied: all tasks of a CPU need "
		    "kernel.perf_event_paranoid 0 or lower (it is %s); set it with sysctl, or %s, "
		    "or record a COMMAND or -p PID of your own", level, missing.advice);
	if (!options->only_user)
		die(missing.kind, "permission denied: samples of the kernel need "
		    "kernel.perf_event_paranoid 1 or lower (it is %s); set it with sysctl, or %s, "
		    "or use --user", level, missing.advice);
	die(missing.kind,
	    "permission denied: process %d is not yours; %s", failure->task, missing.advice);
}

static void __noreturn die_no_memory(const struct spe_failure *failure)
{
	char limit[16];

	read_sysctl("perf_event_mlock_kb", limit, sizeof(limit));
	if (failure->error == EPERM || failure->error == EACCES)
		die(ERR_PERMISSION_DENIED,
		    "the buffers of CPU %d exceed the memory that this user may lock: "
		    "raise kernel.perf_event_mlock_kb (it is %s), or use a smaller --aux-size",
		    failure->cpu, limit);
	die(ERR_NO_BUFFERS,
	    "the buffers of CPU %d: %s; a smaller --aux-size may help", failure->cpu,
	    strerror(failure->error));
}

static void __noreturn die_samples(const struct spe_failure *failure)
{
	const char *pmu = failure->pmu;

	switch (failure->error) {
	case EBUSY:
		die(ERR_SPE_IN_USE,
		    "%s is in use on CPU %d: one session at a time can sample a CPU or "
		    "a task; stop the other one (perf record -e %s//, or n3stat spe record) first",
		    pmu, failure->cpu, pmu);
	case EOPNOTSUPP:
		die(ERR_FILTERS_UNSUPPORTED,
		    "the driver refuses these filters: %s of CPU %d lacks some of "
		    "them, or some of the events", pmu, failure->cpu);
	case ENOENT:
	case ENODEV:
	case ENXIO:
		die(ERR_CPU_WITHOUT_SPE, "CPU %d is offline or has no SPE: see n3stat spe info",
		    failure->cpu);
	case ESRCH:
		die(ERR_NO_SUCH_PROCESS, "process %d does not exist", failure->task);
	case EMFILE:
		die(ERR_OPEN_FILES_LIMIT,
		    "too many threads and CPUs for the limit of open files: raise it "
		    "(ulimit -n), or choose CPUs with -C");
	default:
		die(ERR_PERF_FAILED,
		    "%s on CPU %d: %s", pmu, failure->cpu, strerror(failure->error));
	}
}

void __noreturn spe_ring_die(const struct spe_failure *failure,
			     const struct spe_record_options *options)
{
	if (failure->step == SPE_STEP_BUFFER || failure->step == SPE_STEP_AUX)
		die_no_memory(failure);
	if (failure->error == EACCES || failure->error == EPERM)
		die_denied(failure, options);
	if (failure->step == SPE_STEP_SAMPLES || failure->error == ESRCH ||
	    failure->error == EMFILE)
		die_samples(failure);
	die(ERR_PERF_FAILED, "perf's events of CPU %d: %s", failure->cpu, strerror(failure->error));
}
