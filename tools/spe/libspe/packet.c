// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packets of a stream of bytes: their headers, sizes and payloads. */
#include <endian.h>
#include <string.h>

#include "spe.h"

/* Properties encoded in the first byte of a packet, or the second byte of an extended one. */
struct header {
	uint8_t type;
	uint8_t size;
	uint8_t index;		/* mask of the index bits */
	bool extended;		/* the second byte holds the type */
};

/* Bits 5 and 4 are the logarithm of the payload's size. */
#define ANY_SIZE(first, type)			\
	[(first) | 0x00] = { type, 1, 0, 0 },	\
	[(first) | 0x10] = { type, 2, 0, 0 },	\
	[(first) | 0x20] = { type, 4, 0, 0 },	\
	[(first) | 0x30] = { type, 8, 0, 0 }

/* All other bytes are SPE_BAD. */
static const struct header headers[256] = {
	[0x00] = { SPE_PAD, 0, 0, 0 },
	[0x01] = { SPE_END, 0, 0, 0 },
	[0x20 ... 0x23] = { SPE_BAD, 0, 0, 1 },
	ANY_SIZE(0x42, SPE_EVENTS),
	ANY_SIZE(0x43, SPE_SOURCE),
	[0x48 ... 0x4b] = { SPE_OPERATION, 1, 3, 0 },
	[0x64 ... 0x67] = { SPE_CONTEXT, 4, 3, 0 },
	[0x71] = { SPE_TIMESTAMP, 8, 0, 0 },
	[0x98 ... 0x9f] = { SPE_COUNTER, 2, 7, 0 },
	[0xb0 ... 0xb7] = { SPE_ADDRESS, 8, 7, 0 },
};

/*
 * Inlined with constants, once per size, so that the branch predictor finds the start of the next
 * packet without waiting for the header.
 */
static inline size_t sized(struct spe_packet *packet, const struct header *header,
			   const uint8_t *bytes, size_t nr, unsigned int before, size_t size)
{
	uint64_t payload = 0;

	if (nr < 1 + size)
		return 0;
	memcpy(&payload, bytes + 1, size);
	packet->type = header->type;
	packet->index = bytes[0] & header->index;
	packet->size = size;
	packet->length = before + 1 + size;
	packet->payload = le64toh(payload);
	return before + 1 + size;
}

/* @before: bytes of an extended header in front of @bytes */
static inline size_t with_payload(struct spe_packet *packet, const struct header *header,
				  const uint8_t *bytes, size_t nr, unsigned int before)
{
	switch (header->size) {
	case 1:
		return sized(packet, header, bytes, nr, before, 1);
	case 2:
		return sized(packet, header, bytes, nr, before, 2);
	case 4:
		return sized(packet, header, bytes, nr, before, 4);
	default:
		return sized(packet, header, bytes, nr, before, 8);
	}
}

static inline size_t without_payload(struct spe_packet *packet, enum spe_type type, size_t length)
{
	*packet = (struct spe_packet) { .type = type, .length = length };
	return length;
}

/* Number of leading zeros in 8 bytes. */
static inline size_t zeros(const uint8_t *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, 8);
	return value ? __builtin_ctzll(le64toh(value)) / 8 : 8;
}

static inline size_t padding(struct spe_packet *packet, const uint8_t *bytes, size_t nr)
{
	size_t length = 1;

	if (nr >= SPE_PACKET_MAX) {
		length = zeros(bytes);
		if (length == 8)
			length += zeros(bytes + 8);
	} else {
		while (length < nr && !bytes[length])
			length++;
	}
	return without_payload(packet, SPE_PAD, length);
}

/* Up to the next multiple of 2, 4, 8 or 16 in the AUX buffer. */
static size_t alignment(struct spe_packet *packet, const uint8_t *bytes, size_t nr,
			uint64_t offset)
{
	unsigned int to = 2u << (bytes[0] & 15);
	size_t length = to - (offset & (to - 1));

	return nr < length ? 0 : without_payload(packet, SPE_ALIGNMENT, length);
}

static size_t extended(struct spe_packet *packet, const uint8_t *bytes, size_t nr,
		       uint64_t offset)
{
	const struct header *header;
	size_t length;

	if (nr < 2)
		return 0;
	if (!bytes[1])
		return alignment(packet, bytes, nr, offset);
	header = &headers[bytes[1]];
	if (header->type != SPE_ADDRESS && header->type != SPE_COUNTER)
		return without_payload(packet, SPE_BAD, 1);
	length = with_payload(packet, header, bytes + 1, nr - 1, 1);
	packet->index |= (bytes[0] & 3) << 3;
	return length;
}

size_t spe_packet_get(struct spe_packet *packet, const uint8_t *bytes, size_t nr,
		      uint64_t offset)
{
	const struct header *header = &headers[bytes[0]];

	if (header->size)
		return with_payload(packet, header, bytes, nr, 0);
	if (header->type == SPE_PAD)
		return padding(packet, bytes, nr);
	if (header->extended)
		return extended(packet, bytes, nr, offset);
	return without_payload(packet, header->type, 1);
}
