// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Second, independent definition of a well-formed record. */
#include "fuzz.h"

/* Length of a packet with a payload, 0 for other packets; *@kind: its type and index. */
static size_t payload_packet(const uint8_t *bytes, size_t nr, unsigned int *kind)
{
	unsigned int head = bytes[0];
	size_t length = 1 + (1 << (head >> 4 & 3)), before = 0;

	*kind = head;
	if (head >= 0x20 && head <= 0x23 && nr > 1) {
		before = 1;
		*kind = bytes[1] | (head & 3) << 8;
		length = 2 + (1 << (bytes[1] >> 4 & 3));
		head = bytes[1];
		if (head < 0x98)
			return 0;
	}
	if ((head & 0xcf) == 0x42 || (head & 0xcf) == 0x43)
		*kind = head & 3;	/* of any size, once per record */
	else if ((head & 0xfc) == 0x48)
		*kind = 0x48;
	else if (head != 0x71 && (head & 0xfc) != 0x64 && (head & 0xf8) != 0x98 &&
		 (head & 0xf8) != 0xb0)
		return 0;
	return before + length <= nr + before && length <= nr ? length : 0;
}

/* Packets that a record holds once; meaningless indexes may repeat. */
static bool is_single(unsigned int kind)
{
	static const uint16_t single[] = {
		0x02, 0x03, 0x48, 0x64, 0x65, 0x98, 0x99, 0x9a, 0x9b, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4
	};

	for (size_t i = 0; i < sizeof(single) / sizeof(*single); i++)
		if (single[i] == kind)
			return true;
	return false;
}

bool fuzz_is_sound(const struct fuzz_stream *stream, size_t offset, size_t nr)
{
	const uint8_t *bytes = stream->bytes + offset;
	bool seen[1024] = { false }, any = false;
	size_t at = 0;

	while (at < nr) {
		unsigned int kind;
		size_t length;

		if (!bytes[at]) {
			at++;
			continue;
		}
		if (bytes[at] == 1)
			return any && at + 1 == nr;
		if (bytes[at] >= 0x20 && bytes[at] <= 0x23 && at + 1 < nr && !bytes[at + 1]) {
			unsigned int multiple = 2 << (bytes[at] & 3);

			at += multiple - (stream->aux + offset + at) % multiple;
			continue;
		}
		length = payload_packet(bytes + at, nr - at, &kind);
		if (!length || (is_single(kind) && seen[kind]))
			return false;
		if (kind == 0x71)
			return any && at + length == nr;
		seen[kind] = true;
		any = true;
		at += length;
	}
	return false;
}
