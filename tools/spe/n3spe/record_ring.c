// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Rings of "n3stat spe record": opening perf events, reading their data. */
#include <errno.h>
#include <linux/capability.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "errors.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/privilege.h"
#include "record_ring.h"

#define AUX_SIZE	(4u << 20)
/* Fits in the memory that an unprivileged user may lock per CPU. */
#define AUX_SIZE_SMALL	(128u << 10)

/* Return: false, as the functions below do after an error. */
static bool failed(struct spe_ring *ring, enum spe_step step)
{
	ring->failed_step = step;
	ring->error = errno;
	return false;
}

static bool map_aux(struct spe_ring *ring, const struct spe_record_options *options)
{
	bool small = !options->aux_size && !privilege_has(&this_machine, CAP_IPC_LOCK);
	uint8_t *aux;

	ring->aux_size = options->aux_size;
	if (!ring->aux_size)
		ring->aux_size = small ? AUX_SIZE_SMALL : AUX_SIZE;
	ring->page->aux_offset = sysconf(_SC_PAGESIZE) + SPE_RECORDS_SIZE;
	ring->page->aux_size = ring->aux_size;
	aux = mmap(NULL, ring->aux_size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->events->fd,
		   ring->page->aux_offset);
	ring->aux = aux == MAP_FAILED ? NULL : aux;
	return ring->aux || failed(ring, SPE_STEP_BUFFER);
}

static bool map_ring(struct spe_ring *ring, const struct spe_record_options *options)
{
	void *page = mmap(NULL, sysconf(_SC_PAGESIZE) + SPE_RECORDS_SIZE, PROT_READ | PROT_WRITE,
			  MAP_SHARED, ring->events->fd, 0);

	if (page == MAP_FAILED)
		return failed(ring, SPE_STEP_BUFFER);
	ring->page = page;
	return !ring->pmu || map_aux(ring, options);
}

/* Opens an event, which shares the ring of the first one. */
static bool open_event(struct spe_ring *ring, const struct spe_record_options *options,
		       const union spe_attr *attr, pid_t task)
{
	struct spe_event event = { .samples = attr->attr.type != PERF_TYPE_SOFTWARE };

	ring->failed_task = task;
	event.fd = syscall(SYS_perf_event_open, attr, task, ring->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (event.fd < 0)
		return failed(ring, event.samples ? SPE_STEP_SAMPLES : SPE_STEP_SIDEBAND);
	ring->events = xreallocarray(ring->events, ring->nr_events + 1, sizeof(event));
	ring->events[ring->nr_events++] = event;
	if (ring->nr_events == 1)
		return map_ring(ring, options);
	return !ioctl(event.fd, PERF_EVENT_IOC_SET_OUTPUT, ring->events->fd) ||
	       failed(ring, SPE_STEP_BUFFER);
}

bool spe_ring_open(struct spe_ring *ring, const struct spe_record_options *options,
		   const pid_t *tasks, size_t nr_tasks, bool on_exec)
{
	union spe_attr sideband = spe_attr_sideband(), samples = { 0 };
	pid_t task;

	if (ring->pmu)
		samples = spe_attr_samples(ring->pmu, options);
	if (nr_tasks) {
		samples.attr.inherit = 1;
		samples.attr.enable_on_exec = on_exec;
		sideband.attr.inherit = 1;
	}
	for (size_t i = 0; i < nr_tasks || !i; i++) {
		task = nr_tasks ? tasks[i] : -1;
		/* The thread may have exited meanwhile. */
		if ((ring->pmu && !open_event(ring, options, &samples, task)) ||
		    !open_event(ring, options, &sideband, task))
			if (ring->error != ESRCH)
				return false;
	}
	return ring->page;
}

static void read_sysctl(const char *name, char *text, size_t size)
{
	char *path = format_string("/proc/sys/kernel/%s", name);

	machine_read(&this_machine, path, text, size);
	text[strcspn(text, "\n")] = '\0';
	free(path);
}

static void __noreturn die_denied(const struct spe_ring *ring,
				  const struct spe_record_options *options)
{
	struct privilege missing = privilege_to_count(&this_machine);
	char level[16];

	if (privilege_may_count(&this_machine))
		die(missing.kind, "permission denied; %s", missing.advice);
	read_sysctl("perf_event_paranoid", level, sizeof(level));
	if (spe_has_term(options, "pa_enable"))
		die(missing.kind, "permission denied: --pa needs a privileged user; %s, or leave "
		    "it out", missing.advice);
	if (strtol(level, NULL, 10) > 2)
		die(missing.kind,
		    "permission denied: kernel.perf_event_paranoid is %s, and above 2 "
		    "nothing may be sampled; set it with sysctl, or %s", level, missing.advice);
	if (ring->failed_task == -1)
		die(missing.kind, "permission denied: all tasks of a CPU need "
		    "kernel.perf_event_paranoid 0 or lower (it is %s); set it with sysctl, or %s, "
		    "or record a COMMAND or -p PID of your own", level, missing.advice);
	if (!options->only_user)
		die(missing.kind, "permission denied: samples of the kernel need "
		    "kernel.perf_event_paranoid 1 or lower (it is %s); set it with sysctl, or %s, "
		    "or use --user", level, missing.advice);
	die(missing.kind,
	    "permission denied: process %d is not yours; %s", ring->failed_task, missing.advice);
}

static void __noreturn die_no_memory(const struct spe_ring *ring)
{
	char limit[16];

	read_sysctl("perf_event_mlock_kb", limit, sizeof(limit));
	if (ring->error == EPERM || ring->error == EACCES)
		die(ERR_PERMISSION_DENIED,
		    "the buffers of CPU %d exceed the memory that this user may lock: "
		    "raise kernel.perf_event_mlock_kb (it is %s), or use a smaller --aux-size",
		    ring->cpu, limit);
	die(ERR_NO_BUFFERS,
	    "the buffers of CPU %d: %s; a smaller --aux-size may help", ring->cpu,
	    strerror(ring->error));
}

static void __noreturn die_samples(const struct spe_ring *ring)
{
	const char *pmu = ring->pmu->name;

	switch (ring->error) {
	case EBUSY:
		die(ERR_SPE_IN_USE,
		    "%s is in use on CPU %d: one session at a time can sample a CPU or "
		    "a task; stop the other one (perf record -e %s//, or n3stat spe record) first",
		    pmu, ring->cpu, pmu);
	case EOPNOTSUPP:
		die(ERR_FILTERS_UNSUPPORTED,
		    "the driver refuses these filters: %s of CPU %d lacks some of "
		    "them, or some of the events", pmu, ring->cpu);
	case ENOENT:
	case ENODEV:
	case ENXIO:
		die(ERR_CPU_WITHOUT_SPE, "CPU %d is offline or has no SPE: see n3stat spe info",
		    ring->cpu);
	case ESRCH:
		die(ERR_NO_SUCH_PROCESS, "process %d does not exist", ring->failed_task);
	case EMFILE:
		die(ERR_OPEN_FILES_LIMIT,
		    "too many threads and CPUs for the limit of open files: raise it "
		    "(ulimit -n), or choose CPUs with -C");
	default:
		die(ERR_PERF_FAILED,
		    "%s on CPU %d: %s", pmu, ring->cpu, strerror(ring->error));
	}
}

void __noreturn spe_ring_die(const struct spe_ring *ring,
			     const struct spe_record_options *options)
{
	if (ring->failed_step == SPE_STEP_BUFFER)
		die_no_memory(ring);
	if (ring->error == EACCES || ring->error == EPERM)
		die_denied(ring, options);
	if (ring->failed_step == SPE_STEP_SAMPLES || ring->error == ESRCH ||
	    ring->error == EMFILE)
		die_samples(ring);
	die(ERR_PERF_FAILED, "perf's events of CPU %d: %s", ring->cpu, strerror(ring->error));
}

void spe_ring_close(struct spe_ring *ring)
{
	if (ring->aux)
		munmap(ring->aux, ring->aux_size);
	if (ring->page)
		munmap(ring->page, sysconf(_SC_PAGESIZE) + SPE_RECORDS_SIZE);
	for (size_t i = 0; i < ring->nr_events; i++)
		close(ring->events[i].fd);
	free(ring->events);
	/* The next buffer continues the stream; records are aligned in both. */
	*ring = (struct spe_ring) {
		.number = ring->number,
		.cpu = ring->cpu,
		.pmu = ring->pmu,
		.base = ring->base + ((ring->tail + 63) & ~63ULL),
	};
}

void spe_ring_switch(const struct spe_ring *ring, bool on)
{
	for (size_t i = 0; i < ring->nr_events; i++)
		if (ring->events[i].samples)
			ioctl(ring->events[i].fd,
			      on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

uint64_t spe_ring_time_running(const struct spe_ring *ring)
{
	uint64_t values[2];

	if (!ring->nr_events ||
	    read(ring->events->fd, values, sizeof(values)) != (ssize_t)sizeof(values))
		return 0;
	return values[1];
}

uint64_t spe_ring_aux_head(const struct spe_ring *ring)
{
	/* pairs with the kernel's stores before it publishes aux_head */
	return ring->aux ? __atomic_load_n(&ring->page->aux_head, __ATOMIC_ACQUIRE) : 0;
}

void spe_ring_aux_done(struct spe_ring *ring, uint64_t tail)
{
	ring->tail = tail;
	/* A, matches D of the kernel's ring_buffer.c: loads of the data come before */
	__atomic_store_n(&ring->page->aux_tail, tail, __ATOMIC_SEQ_CST);
}

size_t spe_ring_records(struct spe_ring *ring, void *to)
{
	const uint8_t *data = (uint8_t *)ring->page + sysconf(_SC_PAGESIZE);
	uint64_t head, tail = ring->page->data_tail;
	size_t at = tail & (SPE_RECORDS_SIZE - 1), size, first;

	/* pairs with the kernel's smp_wmb() before it publishes data_head */
	head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	size = head - tail;
	first = size < SPE_RECORDS_SIZE - at ? size : SPE_RECORDS_SIZE - at;
	memcpy(to, data + at, first);
	memcpy((uint8_t *)to + first, data, size - first);
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
	return size;
}

void spe_clock_read(struct spe_clock *clock, const struct perf_event_mmap_page *page)
{
	uint32_t lock;

	do {
		/* pairs with the barriers of perf_event_update_userpage() */
		lock = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		*clock = (struct spe_clock) {
			.zero = page->time_zero,
			.cycles = page->time_cycles,
			.mask = page->time_mask,
			.mult = page->time_mult,
			.shift = page->time_shift,
			.is_known = page->cap_user_time_zero,
			.is_short = page->cap_user_time_short,
		};
		atomic_thread_fence(memory_order_acquire);
	} while (lock & 1 || lock != __atomic_load_n(&page->lock, __ATOMIC_RELAXED));
}

uint64_t spe_clock_now(const struct spe_clock *clock)
{
	return clock->is_known ? spe_clock_time(clock, spe_timer()) : 0;
}
