/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Internal interface of the decoder. */
#ifndef LIBSPE_RECORD_H
#define LIBSPE_RECORD_H

#include "spe.h"

/* Bits of an address; the top byte holds other fields. */
#define SPE_ADDRESS_BITS	(UINT64_MAX >> 8)

/* of a record with its end packet, on Neoverse cores */
#define SPE_NEOVERSE_SIZE	64

enum spe_added {
	SPE_ADDED,
	SPE_ADDED_UNKNOWN,	/* well-formed, index or class unknown */
	SPE_TWICE,		/* already in the record */
};

/** spe_record_add() - adds @packet to @record; ignores padding and ends */
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
 * spe_neoverse_get() - decodes 64 bytes at @bytes in the record layout of Neoverse cores
 *
 * Return: false if the bytes do not match this layout; @record is undefined then.
 */
bool spe_neoverse_get(struct spe_record *record, const uint8_t *bytes);

#endif
