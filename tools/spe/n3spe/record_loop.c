// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Main loop of a recording: wait, drain, restart events that the kernel stopped. */
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/cpu_list.h"
#include "lib/memory.h"
#include "record_build_ids.h"
#include "record_session.h"

/* Maximum silence of SPE before it is checked, in seconds. */
#define SILENCE		1.0
#define SILENCE_ODD	0.05
#define HOTPLUG_LOOK	0.1

struct aux_record {
	struct perf_event_header header;
	uint64_t offset, size, flags;
	struct spe_trailer trailer;
};

/* Returns when data is available, on timeout, or after a signal. */
static void wait_for_rings(struct spe_session *session, int timeout_ms)
{
	struct pollfd *polled = xreallocarray(NULL, session->nr_rings, sizeof(*polled));
	struct spe_ring *ring;

	for (size_t i = 0; i < session->nr_rings; i++) {
		ring = &session->rings[i];
		polled[i].fd = ring->polled < ring->nr_events ? ring->events[ring->polled].fd : -1;
		polled[i].events = POLLIN;
		polled[i].revents = 0;
		if (ring->is_odd && timeout_ms > SILENCE_ODD * 1000)
			timeout_ms = (int)(SILENCE_ODD * 1000);
	}
	poll(polled, session->nr_rings, timeout_ms);
	/* Its task has ended, or its CPU is offline: poll another event. */
	for (size_t i = 0; i < session->nr_rings; i++)
		if (polled[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			session->rings[i].polled++;
	free(polled);
}

/* Records a window until now in which samples may be missing, and that no record of perf shows. */
static void lose(struct spe_session *session, struct spe_ring *ring, enum spe_lost_reason reason)
{
	session->totals.lost[reason]++;
	spe_put_lost(&session->out, ring, reason, spe_clock_now(&session->clock));
}

static void handle_aux(struct spe_session *session, struct spe_ring *ring,
		       struct aux_record *record)
{
	struct spe_totals *totals = &session->totals;

	totals->aux_records++;
	totals->collisions += !!(record->flags & PERF_AUX_FLAG_COLLISION);
	if (record->flags & PERF_AUX_FLAG_TRUNCATED) {
		ring->is_full = true;
		ring->is_flagged = true;
		totals->lost[SPE_LOST_TRUNCATED]++;
	} else if (!session->nr_tasks && (record->offset + record->size) % sysconf(_SC_PAGESIZE)) {
		/* SPE was stopped before a page was full, by perf or by a fault. */
		ring->is_odd = true;
	}
	record->offset += ring->base;
}

static void handle_records(struct spe_session *session, struct spe_ring *ring, void *records,
			   size_t size)
{
	struct perf_event_header *header;
	struct spe_mmap2 *mmap2;

	for (size_t at = 0; at + sizeof(*header) <= size; at += header->size) {
		header = (void *)((char *)records + at);
		if (header->size < sizeof(*header) + sizeof(struct spe_trailer))
			return;
		switch (header->type) {
		case PERF_RECORD_AUX:
			handle_aux(session, ring, (void *)header);
			break;
		case PERF_RECORD_LOST:
			session->totals.lost[SPE_LOST_PERF]++;
			/* It may have reported that SPE was stopped. */
			ring->is_odd = true;
			break;
		case PERF_RECORD_MMAP2:
			/* The kernel has none if the page with it is not in memory. */
			mmap2 = (void *)header;
			if (!(header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
				spe_build_id_of_file(&session->build_ids, mmap2, mmap2->name);
			break;
		}
		spe_put_id(ring, header);
	}
}

/* More than the buffer can hold: the kernel's counts are unreliable. */
static void discard_all(struct spe_session *session, struct spe_ring *ring, uint64_t head)
{
	/* The stream has no gap, and records stay aligned in it. */
	ring->base -= (head - ring->tail) & ~63ULL;
	spe_ring_aux_done(ring, head);
	ring->tail_before = head;
	/* The events of a CPU end when it goes offline; those of tasks migrate. */
	ring->is_dead = !session->nr_tasks;
	ring->is_full = session->nr_tasks;
	lose(session, ring, SPE_LOST_UNKNOWN_SIZE);
}

/* Return: whether SPE had written anything. */
static bool drain(struct spe_session *session, struct spe_ring *ring)
{
	uint64_t head = spe_ring_aux_head(ring), tail = ring->tail;
	uint64_t records[SPE_RECORDS_SIZE / sizeof(uint64_t)];
	size_t size = spe_ring_records(ring, records);

	if (size) {
		handle_records(session, ring, records, size);
		spe_out_write(&session->out, records, size);
	}
	if (!ring->aux)
		return false;
	if (head - tail > ring->aux_size) {
		discard_all(session, ring, head);
		return true;
	}
	/* A full buffer stops SPE, and not every kernel reports it. */
	ring->is_full |= head - tail >= ring->aux_size - 1;
	ring->is_odd |= head - ring->tail_before >= ring->aux_size - 1;
	ring->tail_before = tail;
	if (head == tail)
		return false;
	/* The kernel publishes the bytes after their records, which precede them here, too. */
	spe_put_aux(&session->out, ring, head - tail);
	session->totals.aux_bytes += head - tail;
	spe_ring_aux_done(ring, head);
	return true;
}

/* Drains SPE, then disables and enables it. */
static void restart(struct spe_session *session, struct spe_ring *ring)
{
	/* Kernels before 7 leave a stopped event active: enabling it has no effect then. */
	spe_ring_switch(ring, false);
	drain(session, ring);
	ring->is_full = false;
	ring->is_odd = false;
	ring->is_flagged = false;
	/* It restarts with an empty buffer. */
	ring->tail_before = ring->tail;
	spe_ring_switch(ring, true);
}

static void restart_after(struct spe_session *session, struct spe_ring *ring,
			  enum spe_lost_reason reason)
{
	bool is_flagged = ring->is_flagged;

	restart(session, ring);
	if (!is_flagged)
		lose(session, ring, reason);
}

/*
 * Return: whether the event's running time advances. It does not after the CPU went offline:
 * the kernel does not schedule the event again.
 */
static bool is_running(const struct spe_ring *ring)
{
	uint64_t before = spe_ring_time_running(ring);

	/* The kernel computes the time at each read: it advances between any two. */
	return spe_ring_time_running(ring) != before;
}

/* SPE was silent for a while: it may be idle, or stopped. */
static void check_silent_ring(struct spe_session *session, struct spe_ring *ring)
{
	if (ring->is_odd) {
		restart_after(session, ring, SPE_LOST_STALLED);
	} else if (session->nr_tasks) {
		/* A sleeping task: SPE starts when it runs. */
		return;
	} else if (spe_ring_time_running(ring) == ring->running_ns) {
		restart_after(session, ring, SPE_LOST_STALLED);
	} else {
		/* Makes buffered data readable. */
		restart(session, ring);
	}
	ring->is_dead = !session->nr_tasks && !is_running(ring);
	ring->running_ns = spe_ring_time_running(ring);
}

static void serve(struct spe_session *session, struct spe_ring *ring, double now)
{
	double silence;

	if (drain(session, ring))
		ring->progress = now;
	if (!ring->aux || ring->is_dead)
		return;
	if (ring->is_full) {
		restart_after(session, ring, SPE_LOST_TRUNCATED);
		ring->progress = now;
		return;
	}
	silence = now - ring->progress;
	if (silence < (ring->is_odd ? SILENCE_ODD : SILENCE))
		return;
	check_silent_ring(session, ring);
	ring->progress = now;
}

static void enable(const struct spe_session *session, struct spe_ring *ring)
{
	ring->progress = monotonic_now();
	ring->running_ns = UINT64_MAX;
	if (!session->on_exec)
		spe_ring_switch(ring, true);
}

static void open_again(struct spe_session *session, struct spe_ring *ring)
{
	if (spe_ring_open(ring, session->options, NULL, 0, false))
		enable(session, ring);
	else
		spe_ring_close(ring);
}

/* Follows CPU hotplug; events of tasks migrate on their own. */
static void follow_hotplug(struct spe_session *session, double now)
{
	struct cpus online;
	struct spe_ring *ring;
	bool is_online;

	if (session->nr_tasks || now - session->hotplug_looked < HOTPLUG_LOOK)
		return;
	session->hotplug_looked = now;
	cpus_online(&online);
	for (size_t i = 0; i < session->nr_rings; i++) {
		ring = &session->rings[i];
		is_online = cpus_have(&online, ring->cpu);
		if (ring->page && (!is_online || ring->is_dead)) {
			drain(session, ring);
			lose(session, ring, SPE_LOST_OFFLINE);
			spe_ring_close(ring);
		}
		if (!ring->page && is_online)
			open_again(session, ring);
	}
	cpus_free(&online);
}

bool spe_session_round(struct spe_session *session, int timeout_ms)
{
	bool any = false;
	double now;

	wait_for_rings(session, timeout_ms);
	now = monotonic_now();
	for (size_t i = 0; i < session->nr_rings; i++)
		if (session->rings[i].page)
			serve(session, &session->rings[i], now);
	follow_hotplug(session, now);
	spe_put_mark(&session->out, SPE_PERF_FINISHED_ROUND);
	for (size_t i = 0; i < session->nr_rings; i++)
		any |= session->rings[i].polled < session->rings[i].nr_events;
	return any || !session->nr_tasks;
}

void spe_session_enable(struct spe_session *session)
{
	for (size_t i = 0; i < session->nr_rings; i++)
		enable(session, &session->rings[i]);
}

void spe_session_finish(struct spe_session *session)
{
	struct spe_ring *ring = session->rings;

	for (; ring < session->rings + session->nr_rings; ring++) {
		if (!ring->page)
			continue;
		drain(session, ring);
		spe_ring_switch(ring, false);
		drain(session, ring);
		if (ring->is_full && !ring->is_flagged)
			lose(session, ring, SPE_LOST_TRUNCATED);
	}
	spe_put_mark(&session->out, SPE_PERF_FINISHED_ROUND);
}
