// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Draining of rings, and restarting SPE after the kernel stopped it. */
#include <string.h>
#include <unistd.h>

#include "record_build_ids.h"
#include "record_out.h"
#include "record_session.h"

#define TRUNCATED	PERF_AUX_FLAG_TRUNCATED

struct aux_record {
	struct perf_event_header header;
	uint64_t offset, size, flags;
	struct spe_trailer trailer;
};

void spe_lose(struct spe_session *session, struct spe_ring *ring, enum spe_lost_reason reason)
{
	session->totals.lost[reason]++;
	spe_put_lost(&session->out, ring, reason, spe_clock_now(&session->clock));
}

static void handle_aux(struct spe_session *session, struct spe_ring *ring,
		       const struct aux_record *record)
{
	struct spe_totals *totals = &session->totals;

	totals->aux_records++;
	totals->collisions += !!(record->flags & PERF_AUX_FLAG_COLLISION);
	if (record->flags & TRUNCATED) {
		ring->is_full = true;
		ring->is_flagged = true;
		totals->lost[SPE_LOST_TRUNCATED]++;
	} else if (!session->nr_tasks && (record->offset + record->size) % sysconf(_SC_PAGESIZE)) {
		/* SPE was stopped before a page was full, by perf or by a fault. */
		ring->is_odd = true;
	}
}

static void handle_records(struct spe_session *session, struct spe_ring *ring, void *records,
			   size_t size)
{
	struct perf_event_header *header;

	for (size_t at = 0; at + sizeof(*header) <= size; at += header->size) {
		header = (void *)((char *)records + at);
		if (header->size < sizeof(*header) + sizeof(struct spe_trailer))
			return;
		switch (header->type) {
		case PERF_RECORD_AUX:
			handle_aux(session, ring, (const void *)header);
			break;
		case PERF_RECORD_LOST:
			session->totals.lost[SPE_LOST_PERF]++;
			/* It may have reported that SPE was stopped. */
			ring->is_odd = true;
			break;
		}
		spe_put_id(ring, header);
		/* perf refuses a file with a record of an unknown id, a repeated one included. */
		if (header->type == PERF_RECORD_MMAP2)
			spe_build_ids_note(&session->build_ids, header);
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
	spe_lose(session, ring, SPE_LOST_UNKNOWN_SIZE);
}

bool spe_drain(struct spe_session *session, struct spe_ring *ring)
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

void spe_restart(struct spe_session *session, struct spe_ring *ring)
{
	/* Kernels before 7 leave a stopped event active: enabling it has no effect then. */
	spe_ring_switch(ring, false);
	spe_drain(session, ring);
	ring->is_full = false;
	ring->is_odd = false;
	ring->is_flagged = false;
	/* It restarts with an empty buffer. */
	ring->tail_before = ring->tail;
	spe_ring_switch(ring, true);
}

void spe_stop(struct spe_session *session, struct spe_ring *ring)
{
	spe_drain(session, ring);
	spe_ring_switch(ring, false);
	spe_drain(session, ring);
	if (ring->is_full && !ring->is_flagged)
		spe_lose(session, ring, SPE_LOST_TRUNCATED);
}
