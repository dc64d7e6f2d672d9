/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef LIBSPE_TESTS_FUZZ_H
#define LIBSPE_TESTS_FUZZ_H

#include "libspe/spe.h"

#define FUZZ_RECORDS	12
#define FUZZ_BYTES	2048
#define FUZZ_GAPS	3

enum fuzz_shape {
	FUZZ_BAD_HEADERS,	/* headers become bytes that no packet starts with */
	FUZZ_GAPS_IN,		/* bytes lost, and the loss reported */
	FUZZ_ANY,		/* bytes changed, lost and added */
	FUZZ_GARBAGE,		/* no records */
	FUZZ_NR_SHAPES,
};

/* A written record and its current offset. */
struct fuzz_known {
	struct spe_record record;
	bool damaged;
};

/**
 * struct fuzz_stream - an input
 * @strict: all its damage is detectable from the format
 * @gaps: offsets of lost bytes, in order
 */
struct fuzz_stream {
	enum fuzz_shape shape;
	bool strict;
	uint8_t bytes[FUZZ_BYTES];
	size_t nr;
	uint64_t aux;
	size_t fixed;
	struct fuzz_known known[FUZZ_RECORDS];
	size_t nr_known;
	size_t gaps[FUZZ_GAPS];
	size_t nr_gaps;
};

/** fuzz_below() - a number below @limit; reproducible for the same input */
uint32_t fuzz_below(uint32_t limit);

/** fuzz_make() - makes the next input */
void fuzz_make(struct fuzz_stream *stream);

/** fuzz_is_sound() - independent check whether the bytes are one well-formed record */
bool fuzz_is_sound(const struct fuzz_stream *stream, size_t offset, size_t length);

#endif
