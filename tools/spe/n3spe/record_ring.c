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
#include "lib/memory.h"
#include "lib/privilege.h"
#include "record_ring.h"

#define AUX_SIZE	(4u << 20)
/* Fits in the memory that an unprivileged user may lock per CPU. */
#define AUX_SIZE_SMALL	(128u << 10)

union spe_attr spe_attr_samples(const struct spe_pmu *pmu,
				const struct spe_record_options *options)
{
	const struct spe_term *term = options->terms;
	union spe_attr attr = {
		.attr = {
			.type = pmu->type,
			.size = SPE_ATTR_SIZE,
			.sample_period = options->period,
			.sample_type = SPE_SAMPLE_TYPE,
			.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
			.disabled = 1,
			.sample_id_all = 1,
			.exclude_user = options->only_kernel,
			.exclude_kernel = options->only_user,
		},
	};

	for (; term < options->terms + options->nr_terms; term++) {
		switch (spe_pmu_set(pmu, &attr, term->name, term->value)) {
		case -ENOENT:
			die(ERR_FILTERS_UNSUPPORTED,
			    "%s: %s's driver in this kernel has no %s", term->option,
			    pmu->name, term->name);
		case -ERANGE:
			die(ERR_BAD_VALUE, "%s: %llu is too large for %s", term->option,
			    (unsigned long long)term->value, pmu->name);
		}
	}
	return attr;
}

union spe_attr spe_attr_sideband(void)
{
	return (union spe_attr) {
		.attr = {
			.type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_DUMMY,
			.size = SPE_ATTR_SIZE,
			.sample_period = 1,
			.sample_type = SPE_SAMPLE_TYPE,
			.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
			.exclude_kernel = 1,
			.exclude_hv = 1,
			.mmap = 1,
			.mmap2 = 1,
			.build_id = 1,
			.comm = 1,
			.comm_exec = 1,
			.task = 1,
			.context_switch = 1,
			.sample_id_all = 1,
			.watermark = 1,
			.wakeup_watermark = SPE_RECORDS_SIZE / 4,
		},
	};
}

static int open_event(const union spe_attr *attr, pid_t task, int cpu)
{
	return syscall(SYS_perf_event_open, attr, task, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool failed(struct spe_failure *failure, enum spe_step step)
{
	failure->step = step;
	failure->error = errno;
	return false;
}

static bool map_aux(struct spe_ring *ring, const struct spe_record_options *options)
{
	bool small = !options->aux_size && !privilege_has(&this_machine, CAP_IPC_LOCK);
	uint8_t *aux;

	ring->aux_size = options->aux_size;
	if (!ring->aux_size)
		ring->aux_size = small ? AUX_SIZE_SMALL : AUX_SIZE;
	ring->page->aux_offset = sysconf(_SC_PAGESIZE) + ring->data_size;
	ring->page->aux_size = ring->aux_size;
	aux = mmap(NULL, ring->aux_size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->events->fd,
		   ring->page->aux_offset);
	ring->aux = aux == MAP_FAILED ? NULL : aux;
	return ring->aux;
}

static bool map_ring(struct spe_ring *ring, const struct spe_record_options *options,
		     struct spe_failure *failure)
{
	void *page;

	ring->data_size = SPE_RECORDS_SIZE;
	page = mmap(NULL, sysconf(_SC_PAGESIZE) + ring->data_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, ring->events->fd, 0);
	if (page == MAP_FAILED)
		return failed(failure, SPE_STEP_BUFFER);
	ring->page = page;
	ring->tail = 0;
	if (ring->pmu && !map_aux(ring, options))
		return failed(failure, SPE_STEP_AUX);
	return true;
}

/* Return: whether the event could be opened; it shares the ring of the first one. */
static bool add_event(struct spe_ring *ring, const struct spe_record_options *options,
		      struct spe_event event, struct spe_failure *failure)
{
	ring->events = xreallocarray(ring->events, ring->nr_events + 1, sizeof(event));
	ring->events[ring->nr_events++] = event;
	if (ring->nr_events == 1) {
		if (!map_ring(ring, options, failure))
			return false;
	} else if (ioctl(event.fd, PERF_EVENT_IOC_SET_OUTPUT, ring->events->fd)) {
		return failed(failure, SPE_STEP_BUFFER);
	}
	return true;
}

/* Additional attributes of a task's event. */
static union spe_attr of_task(union spe_attr attr, bool on_exec)
{
	attr.attr.inherit = 1;
	attr.attr.enable_on_exec = on_exec;
	return attr;
}

static bool open_one(struct spe_ring *ring, const struct spe_record_options *options,
		     const union spe_attr *attr, pid_t task, struct spe_failure *failure)
{
	bool samples = attr->attr.type != PERF_TYPE_SOFTWARE;
	struct spe_event event = { .samples = samples };

	event.fd = open_event(attr, task, ring->cpu);
	failure->task = task;
	if (event.fd < 0)
		return failed(failure, samples ? SPE_STEP_SAMPLES : SPE_STEP_SIDEBAND);
	return add_event(ring, options, event, failure);
}

bool spe_ring_open(struct spe_ring *ring, const struct spe_record_options *options,
		   const pid_t *tasks, size_t nr_tasks, bool on_exec,
		   struct spe_failure *failure)
{
	union spe_attr sideband = spe_attr_sideband(), samples = { 0 };
	pid_t task;

	*failure = (struct spe_failure) { .cpu = ring->cpu };
	if (ring->pmu) {
		failure->pmu = ring->pmu->name;
		samples = spe_attr_samples(ring->pmu, options);
	}
	if (nr_tasks) {
		samples = of_task(samples, on_exec);
		sideband = of_task(sideband, false);
	}
	for (size_t i = 0; i < nr_tasks || !i; i++) {
		task = nr_tasks ? tasks[i] : -1;
		/* The thread may have exited meanwhile. */
		if ((ring->pmu && !open_one(ring, options, &samples, task, failure)) ||
		    !open_one(ring, options, &sideband, task, failure))
			if (failure->error != ESRCH)
				return false;
	}
	return ring->page;
}

void spe_ring_close(struct spe_ring *ring)
{
	if (ring->aux)
		munmap(ring->aux, ring->aux_size);
	if (ring->page)
		munmap(ring->page, sysconf(_SC_PAGESIZE) + ring->data_size);
	for (size_t i = 0; i < ring->nr_events; i++)
		close(ring->events[i].fd);
	free(ring->events);
	ring->events = NULL;
	ring->nr_events = 0;
	ring->page = NULL;
	ring->aux = NULL;
	/* The next buffer continues the stream; records are aligned in both. */
	ring->base += (ring->tail + 63) & ~63ULL;
	ring->tail = 0;
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
	size_t at = tail & (ring->data_size - 1), size, first;

	/* pairs with the kernel's smp_wmb() before it publishes data_head */
	head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	size = head - tail;
	first = size < ring->data_size - at ? size : ring->data_size - at;
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
