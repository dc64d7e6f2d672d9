/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whole files, for the programs that read recordings; unreadable input ends
 * them.
 */
#ifndef SPE_INPUT_H
#define SPE_INPUT_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static inline void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
	exit(1);
}

static inline void *grow(void *memory, size_t size)
{
	void *more = realloc(memory, size);

	if (!more)
		fail("out of memory");
	return more;
}

/* A file or a pipe, to its end */
static inline unsigned char *read_stream(FILE *in, size_t *size)
{
	size_t room = 1 << 20;
	unsigned char *bytes = grow(NULL, room);

	for (*size = 0; !feof(in) && !ferror(in); ) {
		*size += fread(bytes + *size, 1, room - *size, in);
		if (*size == room)
			bytes = grow(bytes, room *= 2);
	}
	if (ferror(in))
		fail("cannot read");
	return bytes;
}

static inline unsigned char *read_file(const char *name, size_t *size)
{
	FILE *in = fopen(name, "r");
	unsigned char *bytes;

	if (!in)
		fail("cannot open the file");
	bytes = read_stream(in, size);
	fclose(in);
	return bytes;
}

#endif
