/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Decoder of SPE (Statistical Profiling Extension) streams: packets, records and their meaning on
 * Neoverse N3. Self-contained: no allocation, no file access; the caller supplies the bytes.
 */
#ifndef LIBSPE_SPE_H
#define LIBSPE_SPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest packet: padding up to a multiple of 16. With a payload it is 10 bytes at most. */
#define SPE_PACKET_MAX	16
/* Longest record: PMSIDR_EL1.MaxSize is at most 2 KB. */
#define SPE_RECORD_MAX	2048

enum spe_type {
	SPE_BAD,		/* no packet starts with this byte; one byte long */
	SPE_PAD,		/* up to 16 of them are one packet, as in perf */
	SPE_ALIGNMENT,		/* length as in its header; the bytes covered are meaningless */
	SPE_END,
	SPE_TIMESTAMP,
	SPE_EVENTS,
	SPE_SOURCE,
	SPE_OPERATION,		/* index: the class */
	SPE_CONTEXT,
	SPE_COUNTER,
	SPE_ADDRESS,
};

/* One packet. */
struct spe_packet {
	enum spe_type type;
	uint8_t index;		/* of a context, counter or address; the class of an operation */
	uint8_t size;		/* of the payload in bytes, 0 without one */
	uint16_t length;	/* in bytes, header and payload */
	uint64_t payload;	/* in the host's byte order */
};

/**
 * spe_packet_get() - decodes the packet at @bytes
 * @packet: filled in
 * @bytes: start of the packet
 * @nr: bytes available, at least 1
 * @offset: of @bytes in the AUX buffer, the base for alignment packets
 *
 * Return: its length in bytes (1 for a bad byte), or 0 if the packet extends beyond @nr bytes.
 */
size_t spe_packet_get(struct spe_packet *packet, const uint8_t *bytes, size_t nr,
		      uint64_t offset);

/* Fields present in a record. */
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

/* Bits of an events packet with a meaning for programs; n3spe/events.def.h has all. */
enum spe_event {
	SPE_EVENT_RETIRED	= 1,
	SPE_EVENT_TLB_WALK	= 5,
	SPE_EVENT_NOT_TAKEN	= 6,
	SPE_EVENT_MISPREDICTED	= 7,
	SPE_EVENT_LATE_PREFETCH	= 12,
};

enum spe_class {
	SPE_OTHER	= 0,
	SPE_LOAD_STORE	= 1,	/* bit 0 of the payload: store */
	SPE_BRANCH	= 2,
};

/* One sampled operation. Addresses of code and data are canonical. */
struct spe_record {
	uint32_t has;		/* enum spe_field bits; fields without their bit are 0 */
	uint32_t context[2];	/* CONTEXTIDR_EL1 and _EL2 */
	uint64_t pc, target;	/* of the operation, of a branch */
	uint64_t va, pa;	/* of the data: virtual without its tag, physical */
	uint64_t previous;	/* target of the branch before this one (PBT) */
	uint64_t time;		/* of the generic timer, in its ticks */
	uint64_t events;	/* bits, enum spe_event */
	uint64_t source;	/* raw data source */
	uint16_t total, issue, translation;	/* latencies in cycles, which saturate */
	uint16_t alternate;	/* total latency in ticks of the alternate clock, likewise */
	uint8_t op_class;	/* enum spe_class, or 3 */
	uint8_t op;		/* payload of the operation packet */
	uint8_t el, tag;	/* exception level of @pc, top byte of the data address */
	uint16_t length;	/* in bytes, without preceding padding */
	uint64_t offset;	/* start of the record, in bytes fed before it */
};

/* Decoding state of one AUX buffer. */
struct spe_stream {
	uint64_t records;	/* good ones */
	uint64_t damaged;	/* records dropped because of bad bytes or a gap */
	uint64_t bad_bytes;	/* skipped */
	uint64_t padding;	/* bytes between records */
	uint64_t unknown;	/* well-formed packets of unknown index or class */
	/* private: */
	uint64_t offset;		/* of the next byte to decode */
	uint64_t aux;			/* the same, in the AUX buffer */
	uint64_t base;			/* AUX position where a record of @fixed bytes ended */
	uint64_t since;			/* end of the previous record */
	struct spe_record record;	/* incomplete record */
	uint16_t record_unknown;	/* unknown packets in it */
	uint16_t fixed;			/* common size of the records, 0 if it varies */
	uint8_t odd_sizes;		/* consecutive good records of another size */
	uint8_t head;			/* first byte of the record, after padding */
	uint8_t usual_head;		/* the same for the last good record */
	bool started;			/* the record has its first packet */
	bool poisoned;			/* the record is damaged */
	uint8_t unsure;			/* start of the record uncertain; at least 1 */
	uint8_t in_step;		/* consecutive good records that filled whole cache lines */
	uint8_t carried;		/* bytes of an incomplete packet */
	uint8_t carry[SPE_PACKET_MAX];
};

/**
 * spe_record_fn - called for each good record
 * Return: 0 to continue; spe_stream_feed() stops at any other value and returns it.
 */
typedef int (*spe_record_fn)(const struct spe_record *record, void *context);

/** spe_stream_init() - starts a stream at @aux bytes into an AUX buffer */
void spe_stream_init(struct spe_stream *stream, uint64_t aux);

/**
 * spe_stream_fixed() - declares that all records, padding included, are @size bytes long and
 * follow one another at multiples of it in the AUX buffer
 *
 * True where PMSIDR_EL1.MaxSize equals PMBIDR_EL1.Align, as on Neoverse cores (64). Detects
 * lost or added bytes that leave no bad byte. The first record after such damage is dropped
 * too: it cannot be told apart from the rest of the damaged one. 0, the default, accepts any
 * size.
 */
void spe_stream_fixed(struct spe_stream *stream, size_t size);

/**
 * spe_stream_feed() - decodes @nr more bytes; an incomplete record at their end is completed
 * by the next call
 *
 * A record is passed on if it is well-formed: no bad byte, no repeated packet, more than an
 * end packet, at most SPE_RECORD_MAX bytes. After damage, the next record must also start like
 * those before it, since a payload can look like the end of a record.
 *
 * Return: 0, or the value of @fn if not 0; the bytes after that record are skipped then.
 */
int spe_stream_feed(struct spe_stream *stream, const uint8_t *bytes, size_t nr,
		    spe_record_fn fn, void *context);

/**
 * spe_stream_gap() - reports lost bytes: drops a pending record as damaged; the bytes up to the
 * next end of record count only if a record starts there
 * @aux: AUX buffer position after the gap
 */
void spe_stream_gap(struct spe_stream *stream, uint64_t aux);

/** spe_stream_end() - ends the stream: a record without its end packet is damaged */
void spe_stream_end(struct spe_stream *stream);

/* Meaning of records of Neoverse cores. */

/** spe_saturated() - whether a counter of @bits (12 or 16) bits reads "at least" */
static inline bool spe_saturated(uint16_t value, unsigned int bits)
{
	return value == (1u << bits) - 1;
}

/** spe_source_name() - name of a data source of Neoverse cores, else NULL */
const char *spe_source_name(uint64_t source);

/** spe_is_load(), spe_is_store() - both are true for an atomic */
bool spe_is_load(const struct spe_record *record);
bool spe_is_store(const struct spe_record *record);
bool spe_is_branch(const struct spe_record *record);

/** spe_has_event() - whether the event's bit is set */
static inline bool spe_has_event(const struct spe_record *record, enum spe_event event)
{
	return record->events >> event & 1;
}

#endif
