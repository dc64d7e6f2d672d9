// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Records of a stream: their boundaries, alignment and damage. */
#include <string.h>

#include "record.h"

#define PC_HEADER	0xb0
/* Consecutive records in whole cache lines (or not) that establish the rule for all. */
#define IN_STEP		4
/* Consecutive good records of another size that disprove the fixed size. */
#define ODD_SIZES	16

void spe_stream_init(struct spe_stream *stream, uint64_t aux)
{
	memset(stream, 0, sizeof(*stream));
	stream->aux = aux;
	stream->base = aux;
	stream->usual_head = PC_HEADER;
	stream->in_step = IN_STEP;
}

void spe_stream_fixed(struct spe_stream *stream, size_t size)
{
	stream->fixed = size;
	stream->odd_sizes = 0;
}

static void new_record(struct spe_stream *stream)
{
	stream->record = (struct spe_record) { 0 };
	stream->record_unknown = 0;
	stream->started = false;
	stream->poisoned = false;
	stream->since = stream->offset;
}

/* First byte after padding, good or bad. */
static void start(struct spe_stream *stream, uint8_t head)
{
	if (stream->started)
		return;
	stream->started = true;
	stream->head = head;
	stream->record.offset = stream->offset;
}

/*
 * Whether the record has the fixed size, if any, and is aligned to it. If not, bytes were lost or
 * added in or before it; only the next records show which.
 */
static bool is_sized(struct spe_stream *stream)
{
	if (!stream->fixed)
		return true;
	if (stream->record.length % stream->fixed) {
		if (++stream->odd_sizes >= ODD_SIZES)
			stream->fixed = 0;
		return false;
	}
	stream->odd_sizes = 0;
	if ((stream->aux - stream->base) % stream->fixed == 0)
		return true;
	stream->base = stream->aux;
	return false;
}

/*
 * After damage, a payload byte can look like the end of a record, and well-formed bytes after it
 * may not be a record. Reject a record that starts differently from the others here (it lacks
 * packets that all have) or that is shorter where all fill whole cache lines.
 */
static bool is_alike(const struct spe_stream *stream)
{
	return stream->head == stream->usual_head && stream->record.has & SPE_HAS_OPERATION;
}

static bool is_in_place(const struct spe_stream *stream)
{
	uint64_t span = stream->offset - stream->since;

	return is_alike(stream) && (stream->in_step < IN_STEP || span % SPE_NEOVERSE_SIZE == 0 ||
				    stream->unsure == 1);
}

static bool is_good(struct spe_stream *stream)
{
	return !stream->poisoned && stream->record.has & ~SPE_HAS_TIME &&
	       is_sized(stream) && (!stream->unsure || is_in_place(stream));
}

/* The remainder of a damaged record was counted with it. */
static void count_damaged(struct spe_stream *stream)
{
	if (!stream->unsure || stream->head == stream->usual_head)
		stream->damaged++;
	if (stream->poisoned || !stream->unsure)
		stream->unsure = IN_STEP;
	else if (stream->unsure > 1 && is_alike(stream))
		stream->unsure--;
}

static int hand_out(struct spe_stream *stream, spe_record_fn fn, void *context)
{
	stream->records++;
	stream->unknown += stream->record_unknown;
	stream->usual_head = stream->head;
	stream->unsure = 0;
	if ((stream->offset - stream->since) % SPE_NEOVERSE_SIZE)
		stream->in_step = 0;
	else if (stream->in_step < IN_STEP)
		stream->in_step++;
	return fn(&stream->record, context);
}

static int end_record(struct spe_stream *stream, spe_record_fn fn, void *context)
{
	int rc = 0;

	if (is_good(stream))
		rc = hand_out(stream, fn, context);
	else
		count_damaged(stream);
	new_record(stream);
	return rc;
}

/* @length: of the bytes consumed */
static void advance(struct spe_stream *stream, size_t length)
{
	stream->offset += length;
	stream->aux += length;
	if (!stream->started)
		return;
	if (stream->record.length + length > SPE_RECORD_MAX)
		stream->poisoned = true;
	else
		stream->record.length += length;
}

static void skip_padding(struct spe_stream *stream, size_t length)
{
	if (!stream->started)
		stream->padding += length;
	advance(stream, length);
}

static void skip_bad(struct spe_stream *stream, uint8_t byte)
{
	start(stream, byte);
	stream->bad_bytes++;
	stream->poisoned = true;
	advance(stream, 1);
}

static void add(struct spe_stream *stream, const struct spe_packet *packet, uint8_t head)
{
	start(stream, head);
	advance(stream, packet->length);
	switch (spe_record_add(&stream->record, packet)) {
	case SPE_TWICE:
		stream->poisoned = true;
		break;
	case SPE_ADDED_UNKNOWN:
		stream->record_unknown++;
		break;
	case SPE_ADDED:
		break;
	}
}

static int take_packet(struct spe_stream *stream, const struct spe_packet *packet, uint8_t head,
		       spe_record_fn fn, void *context)
{
	switch (packet->type) {
	case SPE_BAD:
		skip_bad(stream, head);
		return 0;
	case SPE_PAD:
	case SPE_ALIGNMENT:
		skip_padding(stream, packet->length);
		return 0;
	case SPE_TIMESTAMP:
	case SPE_END:
		add(stream, packet, head);
		return end_record(stream, fn, context);
	default:
		add(stream, packet, head);
		return 0;
	}
}

/* Completes the pending packet if @bytes hold enough of it. */
static int feed_carried(struct spe_stream *stream, const uint8_t **bytes, size_t *nr,
			spe_record_fn fn, void *context)
{
	size_t more = SPE_PACKET_MAX - stream->carried;
	struct spe_packet packet;
	size_t length;

	if (more > *nr)
		more = *nr;
	memcpy(stream->carry + stream->carried, *bytes, more);
	length = spe_packet_get(&packet, stream->carry, stream->carried + more, stream->aux);
	if (length)
		more = length - stream->carried;
	*bytes += more;
	*nr -= more;
	if (!length) {
		stream->carried += more;
		return 0;
	}
	stream->carried = 0;
	return take_packet(stream, &packet, stream->carry[0], fn, context);
}

static void carry(struct spe_stream *stream, const uint8_t *bytes, size_t nr)
{
	memcpy(stream->carry, bytes, nr);
	stream->carried = nr;
}

/* Decodes a record in one step, for cores that write all packets at fixed offsets. */
static bool take_whole(struct spe_stream *stream, const uint8_t *bytes, size_t nr)
{
	if (nr < SPE_NEOVERSE_SIZE || bytes[0] != PC_HEADER || stream->started)
		return false;
	if (!spe_neoverse_get(&stream->record, bytes)) {
		stream->record = (struct spe_record) { 0 };
		return false;
	}
	start(stream, bytes[0]);
	advance(stream, SPE_NEOVERSE_SIZE);
	return true;
}

int spe_stream_feed(struct spe_stream *stream, const uint8_t *bytes, size_t nr,
		    spe_record_fn fn, void *context)
{
	struct spe_packet packet;
	int rc = 0;

	if (stream->carried && nr)
		rc = feed_carried(stream, &bytes, &nr, fn, context);
	while (nr && !rc) {
		size_t length = SPE_NEOVERSE_SIZE;

		if (take_whole(stream, bytes, nr)) {
			rc = end_record(stream, fn, context);
		} else {
			length = spe_packet_get(&packet, bytes, nr, stream->aux);
			if (!length) {
				carry(stream, bytes, nr);
				return 0;
			}
			rc = take_packet(stream, &packet, bytes[0], fn, context);
		}
		bytes += length;
		nr -= length;
	}
	return rc;
}

/* A record without its end. */
static void drop(struct spe_stream *stream)
{
	if (stream->carried) {
		start(stream, stream->carry[0]);
		advance(stream, stream->carried);
		stream->carried = 0;
	}
	if (stream->started)
		count_damaged(stream);
	new_record(stream);
}

void spe_stream_gap(struct spe_stream *stream, uint64_t aux)
{
	drop(stream);
	stream->aux = aux;
	/* The kernel may have ended the buffer within a cache line, and filled that up. */
	stream->since = stream->offset - aux % SPE_NEOVERSE_SIZE;
	stream->unsure = IN_STEP;
}

void spe_stream_end(struct spe_stream *stream)
{
	drop(stream);
}
