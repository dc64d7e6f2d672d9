// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The recording in the page, as packed 16-bit numbers: selection of the lines, and packing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/memory.h"
#include "page.h"

#define BLOCK		(3 << 16)	/* three bytes become four letters */
#define BINS		500000		/* per line that is not whole */
#define MIN_BINS	60
#define MAX_BINS	600
#define MAX_HALF	10000		/* steps of a half width */

/* Lines get space in this order. */
enum rank { RANK_MAIN, RANK_NODES, RANK_CPUS_FIRST, RANK_CPUS, NR_RANKS };

struct packer {
	FILE *out;
	z_stream stream;
	unsigned char block[BLOCK];
	uint16_t *codes;	/* of one field of a line */
	unsigned char *bytes;
};

static bool is_first(const struct page *page, size_t column)
{
	const char *name = page->recording->columns[column].name;

	for (size_t i = 0; i < NR_LEVEL_1; i++)
		if (!strcmp(name, level_1[i].metric))
			return true;
	return !strcmp(name, "ipc");
}

static enum rank rank_of(const struct page *page, const struct pack_line *line)
{
	if (line->place == page->place)
		return RANK_MAIN;
	if (page->recording->places.v[line->place].scope != SCOPE_CPU)
		return RANK_NODES;
	return is_first(page, line->column) ? RANK_CPUS_FIRST : RANK_CPUS;
}

static void scale(struct pack_line *line, const struct summary_cell *cell)
{
	line->low = cell->numbers ? cell->min : 0;
	line->step = page_round_up((cell->max - line->low) / (PACK_WORDS - 2));
	line->half_step = page_round_up(cell->widest / MAX_HALF);
	line->widest = cell->widest;
}

static void find_lines(struct pack *pack, const struct page *page)
{
	const struct cells *cells = &page->cells;

	for (size_t place = 0; place < cells->nr_places; place++) {
		for (size_t column = 0; column < cells->nr_columns; column++) {
			struct pack_line line = { .place = place, .column = column };

			if (!cells_line(cells, place, column))
				continue;
			scale(&line, summary_at(&page->summary, place, column));
			pack->lines = xreallocarray(pack->lines, pack->nr_lines + 1,
						    sizeof(line));
			pack->lines[pack->nr_lines++] = line;
		}
	}
}

/*
 * A column is whole for all CPUs or for none, as the map shows all of them. Return: for each
 * rank and column, whether it is whole.
 */
static bool *find_whole(const size_t *nr, size_t nr_columns, size_t nr_snapshots, size_t room)
{
	bool *whole = xcalloc(NR_RANKS * nr_columns, sizeof(*whole));

	for (size_t i = 0; i < NR_RANKS * nr_columns; i++) {
		whole[i] = nr[i] * nr_snapshots <= room;
		if (whole[i])
			room -= nr[i] * nr_snapshots;
	}
	return whole;
}

static void choose_whole(struct pack *pack, const struct page *page)
{
	size_t nr_columns = page->cells.nr_columns, binned = 0;
	size_t *at = xreallocarray(NULL, pack->nr_lines, sizeof(*at));
	size_t *nr = xcalloc(NR_RANKS * nr_columns, sizeof(*nr));
	bool *whole;

	for (size_t i = 0; i < pack->nr_lines; i++) {
		at[i] = rank_of(page, &pack->lines[i]) * nr_columns + pack->lines[i].column;
		nr[at[i]]++;
	}
	whole = find_whole(nr, nr_columns, page->cells.nr, page->whole_cells);
	for (size_t i = 0; i < pack->nr_lines; i++) {
		pack->lines[i].whole = whole[at[i]];
		binned += !whole[at[i]];
	}
	pack->nr_bins = !binned ? MAX_BINS :
			(size_t)fmin(fmax(BINS / (double)binned, MIN_BINS), MAX_BINS);
	if (pack->nr_bins > page->cells.nr)
		pack->nr_bins = page->cells.nr;
	free(whole);
	free(nr);
	free(at);
}

void pack_make(struct pack *pack, const struct page *page)
{
	*pack = (struct pack) { 0 };
	find_lines(pack, page);
	choose_whole(pack, page);
}

static void write_base64(FILE *out, const unsigned char *bytes, size_t nr)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < nr; i += 3) {
		unsigned int next = i + 1 < nr ? bytes[i + 1] : 0;
		unsigned int last = i + 2 < nr ? bytes[i + 2] : 0;
		unsigned int all = (unsigned int)bytes[i] << 16 | next << 8 | last;

		putc_unlocked(letters[all >> 18], out);
		putc_unlocked(letters[all >> 12 & 63], out);
		putc_unlocked(i + 1 < nr ? letters[all >> 6 & 63] : '=', out);
		putc_unlocked(i + 2 < nr ? letters[all & 63] : '=', out);
	}
}

static void feed(struct packer *packer, unsigned char *bytes, size_t nr, int flush)
{
	z_stream *stream = &packer->stream;

	stream->next_in = bytes;
	stream->avail_in = (unsigned int)nr;
	do {
		if (!stream->avail_out) {
			write_base64(packer->out, packer->block, BLOCK);
			stream->next_out = packer->block;
			stream->avail_out = BLOCK;
		}
	} while (deflate(stream, flush) == Z_OK && (stream->avail_in || !stream->avail_out ||
						    flush == Z_FINISH));
}

/* High and low bytes compress better separately. */
static void feed_codes(struct packer *packer, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		packer->bytes[i] = (unsigned char)(packer->codes[i] >> 8);
		packer->bytes[nr + i] = (unsigned char)packer->codes[i];
	}
	feed(packer, packer->bytes, 2 * nr, Z_NO_FLUSH);
}

static uint16_t code_of(double number, double low, double step)
{
	return (uint16_t)fmin(fmax(round((number - low) / step), 0), PACK_WORDS - 1);
}

static uint16_t code_at(const struct pack_line *line, struct cells_value cell)
{
	if (isnan(cell.value))
		return (uint16_t)(PACK_WORDS + cell.half);
	return code_of((double)cell.value, line->low, line->step);
}

static uint16_t half_code_at(const struct pack_line *line, struct cells_value cell)
{
	return isnan(cell.value) || isnan(cell.half) ? PACK_NO_HALF :
	       code_of((double)cell.half, 0, line->half_step);
}

static void feed_whole(struct packer *packer, const struct page *page,
		       const struct pack_line *line)
{
	const struct cells_value *cells = cells_line(&page->cells, line->place, line->column);

	for (size_t i = 0; i < page->cells.nr; i++)
		packer->codes[i] = code_at(line, cells[i]);
	feed_codes(packer, page->cells.nr);
	for (size_t i = 0; i < page->cells.nr; i++)
		packer->codes[i] = half_code_at(line, cells[i]);
	feed_codes(packer, page->cells.nr);
}

static void codes_of_bin(uint16_t codes[PACK_BIN_FIELDS], const struct pack_line *line,
			 const struct summary_cell *sum, size_t word)
{
	double numbers = (double)sum->numbers, ranges = (double)sum->ranges;

	codes[0] = (uint16_t)fmin(numbers, UINT16_MAX);
	codes[1] = (uint16_t)fmin(ranges, UINT16_MAX);
	codes[2] = (uint16_t)(PACK_WORDS + word);
	codes[3] = 0;
	codes[4] = 0;
	codes[5] = 0;
	codes[6] = ranges > 0 ? code_of(sqrt(sum->halves / ranges), 0, line->half_step) :
		   PACK_NO_HALF;
	if (!sum->numbers)
		return;
	codes[2] = code_of(sum->mean, line->low, line->step);
	codes[3] = code_of(sum->min, line->low, line->step);
	codes[4] = code_of(sum->max, line->low, line->step);
	codes[5] = code_of(sqrt(sum->squares / numbers), 0, line->step);
}

static void feed_bins(struct packer *packer, const struct page *page,
		      const struct pack_line *line, size_t nr_bins)
{
	const struct cells *cells = &page->cells;
	uint16_t *codes = xreallocarray(NULL, nr_bins * PACK_BIN_FIELDS, sizeof(*codes));

	for (size_t bin = 0; bin < nr_bins; bin++) {
		struct summary_cell sum = { 0 };
		size_t word = 0;

		cells_add(&sum, &word, cells_line(cells, line->place, line->column),
			  bin * cells->nr / nr_bins, (bin + 1) * cells->nr / nr_bins);
		codes_of_bin(&codes[bin * PACK_BIN_FIELDS], line, &sum, word);
	}
	for (size_t field = 0; field < PACK_BIN_FIELDS; field++) {
		for (size_t bin = 0; bin < nr_bins; bin++)
			packer->codes[bin] = codes[bin * PACK_BIN_FIELDS + field];
		feed_codes(packer, nr_bins);
	}
	free(codes);
}

static void feed_all(struct packer *packer, const struct pack *pack, const struct page *page)
{
	for (size_t i = 0; i < pack->nr_lines; i++) {
		if (pack->lines[i].whole)
			feed_whole(packer, page, &pack->lines[i]);
		else
			feed_bins(packer, page, &pack->lines[i], pack->nr_bins);
	}
}

void pack_write(const struct pack *pack, const struct page *page)
{
	struct packer *packer = xcalloc(1, sizeof(*packer));

	if (deflateInit(&packer->stream, Z_DEFAULT_COMPRESSION) != Z_OK)
		out_of_memory();
	packer->out = page->out;
	packer->stream.next_out = packer->block;
	packer->stream.avail_out = BLOCK;
	packer->codes = xreallocarray(NULL, page->cells.nr, sizeof(*packer->codes));
	packer->bytes = xreallocarray(NULL, page->cells.nr, 2);
	fputs("<script type=\"text/plain\" id=\"cells\">", page->out);
	feed_all(packer, pack, page);
	feed(packer, NULL, 0, Z_FINISH);
	write_base64(page->out, packer->block, BLOCK - packer->stream.avail_out);
	fputs("</script>\n", page->out);
	deflateEnd(&packer->stream);
	free(packer->codes);
	free(packer->bytes);
	free(packer);
}

void pack_free(struct pack *pack)
{
	free(pack->lines);
}
