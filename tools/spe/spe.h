/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The decoder of SPE (Statistical Profiling Extension) streams: packets, records and
 * what a Neoverse N3 says in them. Stands alone, allocates nothing per record, knows
 * no file: whoever links it brings the bytes.
 */
#ifndef SPE_H
#define SPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest packet: padding up to a multiple of 16. With a payload it is 10 bytes at most. */
#define SPE_PACKET_MAX	16
/* Longest record: PMSIDR_EL1.MaxSize is at most 2 KB. */
#define SPE_RECORD_MAX	2048
/* Longest text of a packet, with its NUL: all events at once. */
#define SPE_TEXT_MAX	320

enum spe_type {
	SPE_BAD,		/* no packet starts with this byte; one byte long */
	SPE_PAD,		/* up to 16 of them are one packet, as in perf */
	SPE_ALIGNMENT,		/* as long as its header says; what it covers means nothing */
	SPE_END,
	SPE_TIMESTAMP,
	SPE_EVENTS,
	SPE_SOURCE,
	SPE_OPERATION,		/* index: the class */
	SPE_CONTEXT,
	SPE_COUNTER,
	SPE_ADDRESS,
};

/**
 * struct spe_packet - one packet
 * @type: what it is
 * @index: of a context, counter or address; the class of an operation
 * @length: in bytes, header and payload
 * @size: of the payload in bytes, 0 without one
 * @payload: in the host's byte order
 */
struct spe_packet {
	enum spe_type type;
	uint8_t index;
	uint8_t size;
	uint16_t length;
	uint64_t payload;
};

/**
 * spe_packet_get() - the packet that starts at @bytes
 * @packet: filled in
 * @bytes: what there is
 * @nr: how many bytes, at least 1
 * @offset: of @bytes in its AUX buffer, which alignment packets count from
 *
 * Return: its length in bytes (1 for a bad byte), or 0 if @nr bytes do not hold all of it.
 */
size_t spe_packet_get(struct spe_packet *packet, const uint8_t *bytes, size_t nr,
		      uint64_t offset);

/**
 * spe_packet_print() - a packet as "perf report -D" spells it, without its bytes
 * @packet: it
 * @text: where to
 * @size: of @text; SPE_TEXT_MAX is enough, what is longer is cut
 *
 * Return: the length of the text.
 */
int spe_packet_print(const struct spe_packet *packet, char *text, size_t size);

/* Which of a record's fields are there. */
enum spe_field {
	SPE_HAS_PC	= 1u << 0,
	SPE_HAS_TARGET	= 1u << 1,
	SPE_HAS_VA	= 1u << 2,
	SPE_HAS_PA	= 1u << 3,
	SPE_HAS_PREVIOUS = 1u << 4,
	SPE_HAS_TOTAL	= 1u << 5,
	SPE_HAS_ISSUE	= 1u << 6,
	SPE_HAS_TRANSLATION = 1u << 7,
	SPE_HAS_ALTERNATE = 1u << 8,
	SPE_HAS_EVENTS	= 1u << 9,
	SPE_HAS_OPERATION = 1u << 10,
	SPE_HAS_SOURCE	= 1u << 11,
	SPE_HAS_CONTEXT1 = 1u << 12,
	SPE_HAS_CONTEXT2 = 1u << 13,
	SPE_HAS_TIME	= 1u << 14,
	SPE_HAS_UNKNOWN	= 1u << 15,	/* well-formed packets of unknown index */
};

/* Bits of an events packet, as Neoverse N3 has them. */
enum spe_event {
	SPE_EVENT_EXCEPTION	= 0,
	SPE_EVENT_RETIRED	= 1,
	SPE_EVENT_L1D_ACCESS	= 2,
	SPE_EVENT_L1D_REFILL	= 3,
	SPE_EVENT_TLB_ACCESS	= 4,
	SPE_EVENT_TLB_WALK	= 5,
	SPE_EVENT_NOT_TAKEN	= 6,
	SPE_EVENT_MISPREDICTED	= 7,
	SPE_EVENT_LLC_ACCESS	= 8,
	SPE_EVENT_LLC_MISS	= 9,
	SPE_EVENT_REMOTE	= 10,
	SPE_EVENT_ALIGNMENT	= 11,
	SPE_EVENT_LATE_PREFETCH	= 12,
	SPE_EVENT_TRANSACTIONAL	= 16,
	SPE_EVENT_PARTIAL_PREDICATE = 17,
	SPE_EVENT_EMPTY_PREDICATE = 18,
	SPE_EVENT_L2D_ACCESS	= 19,
	SPE_EVENT_L2D_MISS	= 20,
	SPE_EVENT_DATA_MODIFIED	= 21,
	SPE_EVENT_RECENTLY_FETCHED = 22,
	SPE_EVENT_DATA_SNOOPED	= 23,
};

enum spe_class {
	SPE_OTHER	= 0,
	SPE_LOAD_STORE	= 1,	/* bit 0 of the payload: store */
	SPE_BRANCH	= 2,
};

/**
 * struct spe_record - one sampled operation
 * @has: enum spe_field bits; what has no bit here is 0
 * @pc: virtual address of the operation, canonical
 * @target: of a branch, canonical
 * @va: data address, canonical, without its tag
 * @pa: physical data address
 * @previous: target of the branch before this one (PBT), canonical
 * @time: of the generic timer, in its ticks
 * @events: bits, enum spe_event
 * @source: raw data source
 * @context: CONTEXTIDR_EL1 and _EL2
 * @total: latency in cycles; saturating counters, as are the three that follow
 * @issue: latency in cycles
 * @translation: latency in cycles
 * @alternate: total latency in ticks of the alternate clock
 * @op_class: enum spe_class, or 3
 * @op: payload of the operation packet
 * @el: exception level of @pc
 * @tag: top byte of the data address
 * @offset: where the record starts, in bytes from the first that was fed
 * @length: in bytes, padding before it left out
 */
struct spe_record {
	uint32_t has;
	uint32_t context[2];
	uint64_t pc, target, va, pa, previous;
	uint64_t time;
	uint64_t events;
	uint64_t source;
	uint16_t total, issue, translation, alternate;
	uint8_t op_class, op;
	uint8_t el, tag;
	uint16_t length;
	uint64_t offset;
};

/**
 * struct spe_stream - where the decoding of one AUX buffer stands
 * @records: good ones
 * @damaged: records that bad bytes or a gap damaged, not handed out
 * @bad_bytes: skipped
 * @padding: bytes of padding between records
 * @unknown: well-formed packets of unknown index or class
 *
 * The rest is the decoder's own.
 */
struct spe_stream {
	uint64_t records, damaged, bad_bytes, padding, unknown;
	/* private: */
	uint64_t offset;		/* of the next byte to decode */
	uint64_t aux;			/* the same, in the AUX buffer */
	uint64_t base;			/* where in the AUX buffer a record of @fixed bytes ended */
	uint64_t since;			/* offset of the last end of a record */
	struct spe_record record;	/* the one that is not complete */
	uint16_t record_unknown;	/* packets of it */
	uint16_t fixed;			/* size of all records, 0 if they differ */
	uint8_t odd_sizes;		/* sound records of another size, one after the other */
	uint8_t head;			/* first byte of the record, after padding */
	uint8_t usual_head;		/* the same, of the last good record */
	bool started;			/* the record has its first packet */
	bool poisoned;			/* the record is damaged */
	uint8_t unsure;			/* where the record starts; 1 is the least */
	uint8_t in_step;		/* good records in a row that filled whole cache lines */
	uint8_t carried;		/* bytes of a packet that is not complete */
	uint8_t carry[SPE_PACKET_MAX];
};

/**
 * spe_record_fn - is handed each good record
 * Return: 0 to go on, else spe_stream_feed() ends and returns it.
 */
typedef int (*spe_record_fn)(const struct spe_record *record, void *context);

/** spe_stream_init() - before the first byte of an AUX buffer, at @aux bytes into it */
void spe_stream_init(struct spe_stream *stream, uint64_t aux);

/**
 * spe_stream_fixed() - all records are @size bytes long, with their padding, and lie a
 * whole number of them after each other in the AUX buffer
 *
 * Where PMSIDR_EL1.MaxSize is PMBIDR_EL1.Align, as on Neoverse cores (64), this finds
 * damage that leaves no bad byte: a lost or added byte. The first record after such damage
 * is lost too: nothing tells it from what is left of a damaged one. 0, the default, takes
 * any size.
 */
void spe_stream_fixed(struct spe_stream *stream, size_t size);

/**
 * spe_stream_feed() - decodes @nr more bytes; a record that is not complete at their end
 * waits for the next ones
 *
 * A record is handed out if all of it is well-formed: no bad byte, no packet twice, not
 * only its end, no more than SPE_RECORD_MAX bytes. After damage the next record must in
 * addition start like those before it, since a payload can look like an end of record.
 *
 * Return: 0, or what @fn returned if not 0: then the bytes after that record are passed over.
 */
int spe_stream_feed(struct spe_stream *stream, const uint8_t *bytes, size_t nr,
		    spe_record_fn fn, void *context);

/**
 * spe_stream_gap() - bytes were lost here: what waits is dropped as damaged (if there is
 * any), and what follows up to the next end of record only counts if it starts one
 * @aux: where in the AUX buffer it goes on
 */
void spe_stream_gap(struct spe_stream *stream, uint64_t aux);

/** spe_stream_end() - nothing follows: a record without its end is damaged */
void spe_stream_end(struct spe_stream *stream);

/* What Neoverse cores say. */

/** spe_saturated() - whether a counter of @bits (12 or 16) bits reads "at least" */
static inline bool spe_saturated(uint16_t value, unsigned int bits)
{
	return value == (1u << bits) - 1;
}

/* Of MIDR_EL1: implementer and part, whatever variant and revision. */
#define SPE_MIDR_MODEL(midr)	((midr) & 0xff00fff0)

/**
 * spe_knows_core() - whether a core gives implementation defined values, the data sources and
 * event 12, the meaning that Neoverse N3 gives them
 * @midr: its MIDR_EL1; 0 if unknown, which no core has
 */
bool spe_knows_core(uint64_t midr);

/** spe_source_name() - of a load, on cores that spe_knows_core(); NULL for other sources */
const char *spe_source_name(uint64_t source);

/** spe_is_load(), spe_is_store() - an atomic is both */
bool spe_is_load(const struct spe_record *record);
bool spe_is_store(const struct spe_record *record);
bool spe_is_branch(const struct spe_record *record);

#endif
