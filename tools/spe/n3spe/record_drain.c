// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Draining of rings, and restarting SPE after the kernel stopped it. */
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"
#include "record_build_ids.h"
#include "record_session.h"
#include "record_sink.h"

#define TRUNCATED	PERF_AUX_FLAG_TRUNCATED

struct aux_record {
	struct perf_event_header header;
	uint64_t offset, size, flags;
	struct spe_trailer trailer;
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
	struct spe_trailer trailer;
};

static void lose(struct spe_session *session, struct spe_ring *ring, struct spe_lost lost)
{
	lost.stream = ring->number;
	lost.offset = ring->base + ring->tail;
	session->totals.lost[lost.reason]++;
	if (session->sink->lost)
		session->sink->lost(session->sink, &lost);
}

void spe_lose(struct spe_session *session, struct spe_ring *ring, enum spe_lost_reason reason,
	      uint64_t from, uint64_t to)
{
	lose(session, ring, (struct spe_lost) { .reason = reason, .from = from, .to = to });
}

static void handle_aux(struct spe_session *session, struct spe_ring *ring,
		       const struct aux_record *record)
{
	struct spe_totals *totals = &session->totals;
	bool all = !session->nr_tasks;

	ring->segments = xreallocarray(ring->segments, ring->nr_segments + 1,
				       sizeof(*ring->segments));
	ring->segments[ring->nr_segments++] = (struct spe_segment) {
		.start = record->offset,
		.size = record->size,
		.flags = record->flags,
		.time = record->trailer.time,
		.pid = all ? -1 : (int32_t)record->trailer.pid,
		.tid = all ? -1 : (int32_t)record->trailer.tid,
	};
	totals->aux_records++;
	totals->truncated += !!(record->flags & TRUNCATED);
	totals->collisions += !!(record->flags & PERF_AUX_FLAG_COLLISION);
	totals->partial += !!(record->flags & PERF_AUX_FLAG_PARTIAL);
	if (record->flags & TRUNCATED) {
		ring->is_full = true;
		ring->full_since = record->trailer.time;
	} else if (all && (record->offset + record->size) % sysconf(_SC_PAGESIZE)) {
		/* SPE was stopped before a page was full, by perf or by a fault. */
		ring->is_odd = true;
	}
}

static void handle_lost(struct spe_session *session, struct spe_ring *ring,
			const struct lost_record *record)
{
	lose(session, ring, (struct spe_lost) {
		.reason = SPE_LOST_PERF, .count = record->lost, .to = record->trailer.time
	});
	session->totals.lost_records += record->lost;
	/* A lost record may have reported that SPE was stopped. */
	ring->is_odd = true;
}

static void handle_records(struct spe_session *session, struct spe_ring *ring, const void *records,
			   size_t size)
{
	const struct perf_event_header *header;

	for (size_t at = 0; at + sizeof(*header) <= size; at += header->size) {
		header = (const void *)((const char *)records + at);
		if (header->size < sizeof(*header))
			return;
		switch (header->type) {
		case PERF_RECORD_AUX:
			handle_aux(session, ring, (const void *)header);
			break;
		case PERF_RECORD_LOST:
			handle_lost(session, ring, (const void *)header);
			break;
		case PERF_RECORD_MMAP2:
			spe_build_ids_note(&session->build_ids, header);
			break;
		}
	}
}

/* Writes a complete segment from the buffer, in one part, or two where it wraps. */
static void put(struct spe_session *session, struct spe_ring *ring,
		const struct spe_segment *segment)
{
	size_t at = segment->start & (ring->aux_size - 1), first = ring->aux_size - at;
	struct spe_segment in_stream = *segment;
	struct spe_aux aux = { .ring = ring, .segment = &in_stream };

	if (first > segment->size)
		first = segment->size;
	in_stream.start += ring->base;
	aux.parts[0] = (struct iovec) { ring->aux + at, first };
	aux.parts[1] = (struct iovec) { ring->aux, segment->size - first };
	session->sink->aux(session->sink, &aux);
	session->totals.aux_bytes += segment->size;
	if (segment->size)
		spe_ring_aux_done(ring, segment->start + segment->size);
}

/* Bytes without a record: padding, or the record was lost. */
static void put_gap(struct spe_session *session, struct spe_ring *ring, uint64_t end)
{
	struct spe_segment gap = {
		.start = ring->tail,
		.size = end - ring->tail,
		.pid = session->nr_tasks ? 0 : -1,
		.tid = session->nr_tasks ? 0 : -1,
	};

	if (gap.size)
		put(session, ring, &gap);
}

static void forget_segments(struct spe_ring *ring, size_t nr)
{
	ring->nr_segments -= nr;
	memmove(ring->segments, ring->segments + nr, ring->nr_segments * sizeof(*ring->segments));
}

/* More than the buffer can hold: the kernel's counts are unreliable. */
static void discard_all(struct spe_session *session, struct spe_ring *ring, uint64_t head)
{
	uint64_t skipped = head - ring->tail;

	forget_segments(ring, ring->nr_segments);
	spe_ring_aux_done(ring, head);
	/* The stream has no gap. */
	ring->base -= skipped;
	ring->tail_before = head;
	/* The events of a CPU end when it goes offline; those of tasks migrate. */
	ring->is_dead = !session->nr_tasks;
	ring->is_full = session->nr_tasks;
	spe_lose(session, ring, SPE_LOST_UNKNOWN_SIZE, 0, spe_clock_now(&session->clock));
}

static void put_segments(struct spe_session *session, struct spe_ring *ring, uint64_t head)
{
	const struct spe_segment *segment;
	size_t nr = 0;

	for (; nr < ring->nr_segments; nr++) {
		segment = &ring->segments[nr];
		if (segment->start < ring->tail)
			continue;
		/* The kernel publishes the bytes after the record. */
		if (segment->start > head || segment->size > head - segment->start)
			break;
		put_gap(session, ring, segment->start);
		put(session, ring, segment);
	}
	if (nr == ring->nr_segments)
		put_gap(session, ring, head);
	forget_segments(ring, nr);
}

bool spe_drain(struct spe_session *session, struct spe_ring *ring)
{
	uint64_t head = spe_ring_aux_head(ring), tail = ring->tail;
	uint64_t records[SPE_RECORDS_SIZE / sizeof(uint64_t)];
	size_t size = spe_ring_records(ring, records);

	if (size) {
		handle_records(session, ring, records, size);
		session->sink->records(session->sink, ring, records, size);
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
	put_segments(session, ring, head);
	ring->tail_before = tail;
	return head != tail;
}

void spe_restart(struct spe_session *session, struct spe_ring *ring)
{
	/* Kernels before 7 leave a stopped event active: enabling it has no effect then. */
	spe_ring_switch(ring, false);
	spe_drain(session, ring);
	ring->is_full = false;
	ring->is_odd = false;
	ring->full_since = 0;
	/* It restarts with an empty buffer. */
	ring->tail_before = ring->tail;
	spe_ring_switch(ring, true);
}

void spe_stop(struct spe_session *session, struct spe_ring *ring)
{
	spe_drain(session, ring);
	spe_ring_switch(ring, false);
	spe_drain(session, ring);
	if (ring->is_full)
		spe_lose(session, ring, SPE_LOST_TRUNCATED, ring->full_since,
			 spe_clock_now(&session->clock));
}
