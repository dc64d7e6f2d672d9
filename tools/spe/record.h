/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the decoder's units share. */
#ifndef SPE_RECORD_H
#define SPE_RECORD_H

#include "spe.h"

/* Of an address: the top byte says other things. */
#define SPE_ADDRESS_BITS	(UINT64_MAX >> 8)

/* of a record, with its end, as Neoverse cores write it */
#define SPE_NEOVERSE_SIZE	64

enum spe_added {
	SPE_ADDED,
	SPE_ADDED_UNKNOWN,	/* well-formed, index or class unknown */
	SPE_TWICE,		/* what the record already has */
};

/** spe_record_add() - writes what @packet says to @record; nothing for padding and ends */
enum spe_added spe_record_add(struct spe_record *record, const struct spe_packet *packet);

/** spe_canonical() - bits 55 to 0 of an address, extended by bit 55 */
static inline uint64_t spe_canonical(uint64_t address)
{
	return (uint64_t)((int64_t)(address << 8) >> 8);
}

/** spe_level() - the exception level in an address of an instruction */
static inline uint8_t spe_level(uint64_t address)
{
	return address >> 61 & 3;
}

/**
 * spe_neoverse_get() - the record that the 64 bytes at @bytes are, in the layout that
 * Neoverse cores use
 *
 * Return: false if there is anything in them that this layout has not: then nothing is
 * known about them, and @record has any content.
 */
bool spe_neoverse_get(struct spe_record *record, const uint8_t *bytes);

#endif
