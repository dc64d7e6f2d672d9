// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Records of Arm Neoverse cores: data sources, loads, stores and branches, a fast decoder. */
#include <endian.h>
#include <string.h>

#include "record.h"

/* Operations of class load/store with bits 4 to 2 of their own, and the atomics. */
#define EXTENDED_MASK	0xe2
#define EXTENDED	0x02
#define ATOMIC		0x04
#define STORE		0x01

const char *spe_source_name(uint64_t source)
{
	static const char * const names[] = {
		[0x0] = "L1D",
		[0x8] = "L2",
		[0x9] = "peer core",
		[0xa] = "local cluster",
		[0xb] = "system cache",
		[0xc] = "peer cluster",
		[0xd] = "remote",
		[0xe] = "DRAM",
	};

	return source < sizeof(names) / sizeof(*names) ? names[source] : NULL;
}

static bool is_memory(const struct spe_record *record)
{
	return record->has & SPE_HAS_OPERATION && record->op_class == SPE_LOAD_STORE;
}

static bool is_atomic(const struct spe_record *record)
{
	return (record->op & EXTENDED_MASK) == EXTENDED && record->op & ATOMIC;
}

bool spe_is_load(const struct spe_record *record)
{
	return is_memory(record) && (!(record->op & STORE) || is_atomic(record));
}

bool spe_is_store(const struct spe_record *record)
{
	return is_memory(record) && (record->op & STORE || is_atomic(record));
}

bool spe_is_branch(const struct spe_record *record)
{
	return record->has & SPE_HAS_OPERATION && record->op_class == SPE_BRANCH;
}

/* Offsets of the packets in a Neoverse record. */
enum place {
	AT_PC		= 0,
	AT_CONTEXT1	= 9,
	AT_CONTEXT2	= 14,
	AT_OPERATION	= 19,
	AT_EVENTS	= 21,
	AT_ISSUE	= 24,
	AT_TOTAL	= 27,
	AT_DATA		= 30,	/* of a load or store; the target of a branch */
	AT_TRANSLATION	= 39,
	AT_PA		= 42,	/* previous target: not seen in public captures */
	AT_SOURCE	= 51,
	AT_NOTHING	= 53,
	AT_TIME		= 55,
	AT_END		= 63,
};

/* Cannot fail: header and size are constants in all callers. */
static inline uint64_t payload_at(const uint8_t *bytes, enum place at, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, bytes + at + 1, size);
	return le64toh(value);
}

/* Field of an optional packet, or 0; sets *@odd if neither the packet nor padding is at @at. */
static inline uint32_t find(const uint8_t *bytes, enum place at, uint8_t header, uint64_t value,
			    uint32_t field, bool *odd)
{
	bool there = bytes[at] == header;

	*odd |= !there && (bytes[at] | value);
	return there ? field : 0;
}

/* Data address and branch target share an offset; no operation has both. */
static inline uint32_t find_data(struct spe_record *record, const uint8_t *bytes, bool *odd)
{
	uint64_t value = payload_at(bytes, AT_DATA, 8);

	if (bytes[AT_DATA] == 0xb2) {
		record->va = spe_canonical(value);
		record->tag = value >> 56;
		return SPE_HAS_VA;
	}
	record->target = spe_canonical(value);
	return find(bytes, AT_DATA, 0xb1, value, SPE_HAS_TARGET, odd);
}

static inline uint32_t find_pa(struct spe_record *record, const uint8_t *bytes, bool *odd)
{
	uint64_t value = payload_at(bytes, AT_PA, 8);

	record->pa = value & SPE_ADDRESS_BITS;
	return find(bytes, AT_PA, 0xb3, value, SPE_HAS_PA, odd);
}

static inline uint32_t find_end(struct spe_record *record, const uint8_t *bytes, bool *odd)
{
	uint64_t value = payload_at(bytes, AT_TIME, 8);

	if (bytes[AT_TIME] == 0x71) {
		record->time = value;
		return SPE_HAS_TIME;
	}
	*odd |= bytes[AT_TIME] || value != 1ull << 56;
	return 0;
}

static inline bool is_neoverse(const uint8_t *bytes)
{
	return bytes[AT_PC] == 0xb0 && bytes[AT_EVENTS] == 0x52 &&
	       (bytes[AT_OPERATION] & 0xfc) == 0x48 && bytes[AT_OPERATION] != 0x4b &&
	       !bytes[AT_NOTHING] && !bytes[AT_NOTHING + 1];
}

static bool find_all(struct spe_record *record, const uint8_t *bytes)
{
	bool odd = false;

	record->has |= find(bytes, AT_CONTEXT1, 0x64, record->context[0], SPE_HAS_CONTEXT1, &odd);
	record->has |= find(bytes, AT_CONTEXT2, 0x65, record->context[1], SPE_HAS_CONTEXT2, &odd);
	record->has |= find(bytes, AT_ISSUE, 0x99, record->issue, SPE_HAS_ISSUE, &odd);
	record->has |= find(bytes, AT_TOTAL, 0x98, record->total, SPE_HAS_TOTAL, &odd);
	record->has |= find(bytes, AT_TRANSLATION, 0x9a, record->translation,
			    SPE_HAS_TRANSLATION, &odd);
	record->has |= find(bytes, AT_SOURCE, 0x43, record->source, SPE_HAS_SOURCE, &odd);
	record->has |= find_data(record, bytes, &odd);
	record->has |= find_pa(record, bytes, &odd);
	record->has |= find_end(record, bytes, &odd);
	return !odd;
}

bool spe_neoverse_get(struct spe_record *record, const uint8_t *bytes)
{
	uint64_t pc = payload_at(bytes, AT_PC, 8);

	if (!is_neoverse(bytes))
		return false;
	*record = (struct spe_record) {
		.has = SPE_HAS_PC | SPE_HAS_OPERATION | SPE_HAS_EVENTS,
		.pc = spe_canonical(pc),
		.el = spe_level(pc),
		.context[0] = payload_at(bytes, AT_CONTEXT1, 4),
		.context[1] = payload_at(bytes, AT_CONTEXT2, 4),
		.op_class = bytes[AT_OPERATION] & 3,
		.op = bytes[AT_OPERATION + 1],
		.events = payload_at(bytes, AT_EVENTS, 2),
		.issue = payload_at(bytes, AT_ISSUE, 2),
		.total = payload_at(bytes, AT_TOTAL, 2),
		.translation = payload_at(bytes, AT_TRANSLATION, 2),
		.source = payload_at(bytes, AT_SOURCE, 1),
	};
	return find_all(record, bytes);
}
