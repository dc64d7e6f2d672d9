// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The fuzzer's recordings: damaged before, during and after compression. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "lib/memory.h"
#include "n3rec/recording.h"

static void put_bytes(FILE *out, uint64_t number, unsigned int nr)
{
	for (; nr > 0; nr--, number >>= 8)
		fputc((int)(number & 255), out);
}

static size_t put_head(FILE *out)
{
	unsigned int nr_places = 1 + fuzz_below(3), nr_columns = 1 + fuzz_below(8);

	fputs(RECORDING_MAGIC "about window_ms 2000\nplaces system", out);
	for (unsigned int i = 1; i < nr_places; i++)
		fprintf(out, " cpu%u", i);
	fputs("\ncolumns topdown_l1.retiring", out);
	for (unsigned int i = 1; i < nr_columns; i++)
		fprintf(out, fuzz_below(4) ? " topdown_l1.m%u" : " bottleneck.m%u", i);
	fputc('\n', out);
	return nr_places * nr_columns;
}

static unsigned char any_kind(void)
{
	static const unsigned char usual[] = {
		KIND_SAME, KIND_TEXT, KIND_QUALITY, KIND_TEXT | KIND_QUALITY, 0x41, 0x43, 0x47,
		0x4b, 0x4f, 0x5f, 0x5f, 0x01, 0xff,
	};

	return fuzz_below(64) ? usual[fuzz_below(NR(usual))] : (unsigned char)fuzz_below(256);
}

static void put_part(FILE *out, unsigned int nr)
{
	unsigned int nr_planes = fuzz_below(16) ? fuzz_below(2) : fuzz_below(10);

	if (!nr)
		return;
	fputc((int)nr_planes, out);
	/* Even ones are not negative. */
	for (unsigned int i = 0; i < nr * nr_planes; i++)
		fputc((int)fuzz_below(128) * 2 + !fuzz_below(100), out);
}

static void put_snapshot(FILE *out, unsigned int time, size_t nr_cells)
{
	unsigned int nr[NR_PARTS] = { 0 }, nr_texts = 0;

	put_bytes(out, time * 1000ULL, 8);
	for (size_t i = 0; i < nr_cells; i++) {
		unsigned char kind = any_kind();

		fputc(kind, out);
		nr_texts += recording_kind_has_text(kind);
		for (enum recording_part part = 0; part < NR_PARTS; part++)
			nr[part] += recording_cell_has(kind, part);
	}
	for (enum recording_part part = 0; part < NR_PARTS; part++)
		put_part(out, nr[part]);
	for (; nr_texts > 0; nr_texts--)
		fprintf(out, "%s\n", fuzz_below(8) ? "idle" : fuzz_word());
}

static char *compress_text(const char *text, size_t *size)
{
	z_stream z = { .next_in = (z_const unsigned char *)text, .avail_in = (unsigned int)*size };
	char *packed;

	deflateInit2(&z, (int)fuzz_below(10), Z_DEFLATED, -MAX_WBITS, 8, (int)fuzz_below(5));
	*size = deflateBound(&z, *size);
	packed = xreallocarray(NULL, *size + 1, 1);
	z.next_out = (unsigned char *)packed;
	z.avail_out = (unsigned int)*size;
	deflate(&z, Z_FINISH);
	*size = z.total_out;
	packed[*size] = '\0';
	deflateEnd(&z);
	return packed;
}

static char *make_snapshot(size_t *size, unsigned int time, size_t nr_cells)
{
	char *text, *packed;
	FILE *out = fuzz_begin(&text, size);

	put_snapshot(out, time, nr_cells);
	fclose(out);
	if (fuzz_below(6) == 0)
		fuzz_mutate(&text, size);
	packed = compress_text(text, size);
	free(text);
	if (fuzz_below(16) == 0)
		fuzz_mutate(&packed, size);
	return packed;
}

/* With its size and checksum, nearly always correct. */
static void put_packed(FILE *out, char **file, size_t *file_size, unsigned int time,
		       size_t nr_cells)
{
	size_t size;
	char *packed = make_snapshot(&size, time, nr_cells);

	put_bytes(out, fuzz_below(32) ? size : fuzz_below(2 * size + 2), 4);
	fwrite(packed, 1, size, out);
	fflush(out);
	put_bytes(out, fuzz_below(32) ? crc32_z(0, (unsigned char *)*file, *file_size) : 0, 4);
	free(packed);
}

char *fuzz_packed_make(size_t *size)
{
	unsigned int time = fuzz_below(1000000);
	char *file;
	FILE *out = fuzz_begin(&file, size);
	size_t nr_cells = put_head(out);

	for (unsigned int i = fuzz_below(6); i > 0; i--)
		put_packed(out, &file, size, time += fuzz_below(5), nr_cells);
	fclose(out);
	if (fuzz_below(8) == 0)
		fuzz_mutate(&file, size);
	return file;
}
