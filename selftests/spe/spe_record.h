/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parser for a record of the Statistical Profiling Extension, packet by packet
 * in any order, for the fields that the tests use.
 */
#ifndef SPE_RECORD_H
#define SPE_RECORD_H

#include <stdbool.h>
#include <string.h>

#define SPE_RECORD 64

struct spe_record {
	bool good;
	unsigned long pc, events, timestamp, target, previous_target;
	/* -1 where there is none */
	int class, op, el;
	unsigned int total;
};

static inline unsigned long spe_payload(const unsigned char *at, unsigned int size)
{
	unsigned long value = 0;

	while (size--)
		value = value << 8 | at[size];
	return value;
}

static inline unsigned long spe_address(unsigned long value)
{
	return (unsigned long)((long)(value << 8) >> 8);
}

/* One packet's payload; returns whether the machine writes such packets */
static inline bool spe_packet(struct spe_record *r, unsigned char header, unsigned long value)
{
	switch (header) {
	case 0xb0:
		r->pc = spe_address(value);
		r->el = value >> 61 & 3;
		return true;
	case 0xb1:
		r->target = spe_address(value);
		return true;
	case 0xb4:
		r->previous_target = spe_address(value);
		return true;
	case 0x98:
		r->total = value;
		return true;
	case 0x71:
		r->timestamp = value;
		return true;
	case 0x48 ... 0x4a:
		r->class = header & 3;
		r->op = value;
		return true;
	case 0x52:
	case 0x62:
		r->events = value;
		return true;
	}
	/*
	 * addresses, counters, contexts and data sources that the tests do not
	 * use
	 */
	return header == 0xb2 || header == 0xb3 || header == 0x99 || header == 0x9a ||
	       header == 0x64 || header == 0x43;
}

static inline struct spe_record spe_read_record(const unsigned char *at)
{
	const unsigned char *end = at + SPE_RECORD;
	struct spe_record r = { .class = -1, .op = -1, .el = -1 };

	while (at < end) {
		unsigned char header = *at++;
		unsigned int size = 1u << (header >> 4 & 3);

		if (header == 0)
			continue;
		if (header == 0x01) {
			r.good = true;
			break;
		}
		if (at + size > end || !spe_packet(&r, header, spe_payload(at, size)))
			break;
		at += size;
		if (header == 0x71) {
			r.good = true;
			break;
		}
	}
	/* only padding may follow its end */
	while (r.good && at < end)
		r.good = !*at++;
	return r;
}

static inline bool spe_is_branch(const struct spe_record *r)
{
	return r->class == 2;
}

/* Atomic operations load and store */
static inline bool spe_is_atomic(const struct spe_record *r)
{
	return r->class == 1 && (r->op & 0xe2) == 0x02 && r->op & 0x04;
}

static inline bool spe_is_load(const struct spe_record *r)
{
	return r->class == 1 && (!(r->op & 1) || spe_is_atomic(r));
}

static inline bool spe_is_store(const struct spe_record *r)
{
	return r->class == 1 && (r->op & 1 || spe_is_atomic(r));
}

#endif
