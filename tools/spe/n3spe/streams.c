// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* AUX buffers of a recording. */
#include <assert.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "spans.h"
#include "streams.h"

#define PIECE		1024
#define ALIGNMENT	8	/* perf fills data up to it */

/* Fields of a PERF_RECORD_AUXTRACE, and of a PERF_RECORD_AUX. */
enum place {
	AUXTRACE_SIZE		= 0,
	AUXTRACE_OFFSET		= 8,
	AUXTRACE_TID		= 28,
	AUXTRACE_CPU		= 32,
	AUX_OFFSET		= 0,
	AUX_SIZE		= 8,
	AUX_FLAGS		= 16,
};

/* Data that the kernel reported at once. */
struct spe_window {
	uint64_t end, time;	/* end: offset in the buffer */
	bool is_lossy;		/* data are missing behind it */
};

static_assert(!offsetof(struct spe_window, end));

/* Data at one place of the file. */
struct spe_part {
	uint64_t at, offset, size;
};

static uint64_t key_of(int cpu, uint32_t tid)
{
	return cpu >= 0 ? (uint64_t)cpu : 1ULL << 32 | tid;
}

static struct spe_aux *get_aux(struct spe_streams *streams, int cpu, uint32_t tid)
{
	uint64_t key = key_of(cpu, tid);
	size_t low = 0, high = streams->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (key_of(streams->v[middle]->cpu, streams->v[middle]->tid) < key)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < streams->nr && key_of(streams->v[low]->cpu, streams->v[low]->tid) == key)
		return streams->v[low];
	streams->v = xreallocarray(streams->v, streams->nr + 1, sizeof(*streams->v));
	for (size_t i = streams->nr++; i > low; i--)
		streams->v[i] = streams->v[i - 1];
	streams->v[low] = xcalloc(1, sizeof(*streams->v[low]));
	streams->v[low]->cpu = cpu;
	streams->v[low]->tid = cpu >= 0 ? 0 : tid;
	return streams->v[low];
}

uint64_t spe_streams_data(struct spe_streams *streams, const struct spe_perf_record *record,
			  uint64_t end)
{
	struct spe_aux *aux = get_aux(streams, (int32_t)spe_perf_u32(record, AUXTRACE_CPU),
				      spe_perf_u32(record, AUXTRACE_TID));
	struct spe_part part = {
		.at = record->at + record->header.size,
		.offset = spe_perf_u64(record, AUXTRACE_OFFSET),
		.size = spe_perf_u64(record, AUXTRACE_SIZE),
	}, *last = aux->nr_parts ? &aux->parts[aux->nr_parts - 1] : NULL;
	uint64_t lacking = 0;

	if (part.size > end - part.at) {
		lacking = part.size - (end - part.at);
		part.size = end - part.at;
	}
	if (last && part.offset < last->offset + last->size &&
	    last->offset + last->size - part.offset < ALIGNMENT && part.offset > last->offset)
		last->size = part.offset - last->offset;
	aux->parts = xgrow(aux->parts, aux->nr_parts, &aux->max_parts, sizeof(*aux->parts));
	aux->parts[aux->nr_parts++] = part;
	return lacking;
}

void spe_streams_window(struct spe_streams *streams, const struct spe_perf_record *record)
{
	struct spe_aux *aux = get_aux(streams, record->id.cpu, record->id.tid);
	uint64_t flags = spe_perf_u64(record, AUX_FLAGS);

	aux->windows = xgrow(aux->windows, aux->nr_windows, &aux->max_windows,
			     sizeof(*aux->windows));
	aux->windows[aux->nr_windows++] = (struct spe_window) {
		.end = spe_perf_u64(record, AUX_OFFSET) + spe_perf_u64(record, AUX_SIZE),
		.time = record->id.time,
		.is_lossy = flags & PERF_AUX_FLAG_TRUNCATED,
	};
}

static int compare_windows(const void *a, const void *b)
{
	const struct spe_window *left = a, *right = b;

	return (left->end > right->end) - (left->end < right->end);
}

void spe_streams_ready(struct spe_streams *streams)
{
	for (size_t i = 0; i < streams->nr; i++)
		if (streams->v[i]->nr_windows)
			qsort(streams->v[i]->windows, streams->v[i]->nr_windows,
			      sizeof(struct spe_window), compare_windows);
}

void spe_streams_free(struct spe_streams *streams)
{
	for (size_t i = 0; i < streams->nr; i++) {
		free(streams->v[i]->windows);
		free(streams->v[i]->parts);
		free(streams->v[i]->ready);
		free(streams->v[i]);
	}
	free(streams->v);
}

void spe_aux_rewind(struct spe_aux *aux, size_t size)
{
	uint64_t first = aux->nr_parts ? aux->parts->offset : 0;

	spe_stream_init(&aux->stream, first);
	spe_stream_fixed(&aux->stream, size);
	aux->window = 0;
	aux->part = 0;
	aux->in_part = 0;
	aux->next = first;
	aux->nr_ready = 0;
	aux->taken = 0;
	aux->gaps = 0;
	aux->gap_bytes = 0;
}

static int take_record(const struct spe_record *record, void *context)
{
	struct spe_aux *aux = context;

	aux->ready = xgrow(aux->ready, aux->nr_ready, &aux->max_ready, sizeof(*aux->ready));
	aux->ready[aux->nr_ready++] = *record;
	return 0;
}

/* At the start of a part: data may be missing before it. */
static void enter_part(struct spe_aux *aux, const struct spe_part *part)
{
	if (part->offset == aux->next)
		return;
	aux->gaps++;
	if (part->offset > aux->next)
		aux->gap_bytes += part->offset - aux->next;
	aux->next = part->offset;
	aux->window = sorted_up_to(aux->windows, aux->nr_windows, sizeof(*aux->windows),
				   aux->next);
	spe_stream_gap(&aux->stream, aux->next);
}

/* Windows that end here. */
static void leave_windows(struct spe_aux *aux)
{
	bool is_lossy = false;

	for (; aux->window < aux->nr_windows && aux->windows[aux->window].end <= aux->next;
	     aux->window++)
		is_lossy |= aux->windows[aux->window].is_lossy;
	if (is_lossy)
		spe_stream_gap(&aux->stream, aux->next);
}

/* Decodes a piece of one part and one window. Return: false at the end. */
static bool feed(struct spe_aux *aux, const struct spe_file *file)
{
	const struct spe_part *part = &aux->parts[aux->part];
	uint8_t piece[PIECE];
	uint64_t size;

	if (aux->part == aux->nr_parts)
		return false;
	if (!aux->in_part)
		enter_part(aux, part);
	leave_windows(aux);
	size = part->size - aux->in_part;
	if (size > sizeof(piece))
		size = sizeof(piece);
	if (aux->window < aux->nr_windows && aux->windows[aux->window].end - aux->next < size)
		size = aux->windows[aux->window].end - aux->next;
	size = spe_file_read(file, piece, size, part->at + aux->in_part);
	spe_stream_feed(&aux->stream, piece, size, take_record, aux);
	aux->in_part += size;
	aux->next += size;
	if (aux->in_part == part->size || !size) {
		aux->part++;
		aux->in_part = 0;
	}
	return true;
}

const struct spe_record *spe_aux_next(struct spe_aux *aux, const struct spe_file *file,
				      uint64_t *time)
{
	while (aux->taken == aux->nr_ready) {
		aux->taken = 0;
		aux->nr_ready = 0;
		if (!feed(aux, file)) {
			spe_stream_end(&aux->stream);
			return NULL;
		}
	}
	*time = aux->window < aux->nr_windows ? aux->windows[aux->window].time : 0;
	return &aux->ready[aux->taken++];
}

bool spe_aux_ends_lossy(const struct spe_aux *aux)
{
	return aux->nr_windows && aux->windows[aux->nr_windows - 1].is_lossy;
}
