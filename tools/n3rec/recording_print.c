// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Text form of recordings. */
#include <stdio.h>
#include <string.h>

#include "recording.h"
#include "recording_cell.h"

static void print_head(FILE *out, const struct recording *recording)
{
	fputs(RECORDING_TEXT_MAGIC, out);
	for (size_t i = 0; i < recording->nr_about; i++)
		fprintf(out, "about %s %s\n", recording->about[i].key, recording->about[i].value);
	fputs("places", out);
	for (size_t i = 0; i < recording->places.nr; i++)
		fprintf(out, " %s", recording->places.v[i].name);
	fputs("\ncolumns", out);
	for (size_t i = 0; i < recording->nr_columns; i++)
		fprintf(out, " %s.%s", recording->columns[i].group, recording->columns[i].name);
	fputc('\n', out);
}

/* Missing values at the end of a row are not printed. */
static size_t row_length(const struct recording *recording, size_t place)
{
	size_t nr = recording->nr_columns;

	while (nr > 0) {
		const struct recording_cell *cell =
			recording_packed_cell(recording->packed, place, nr - 1);

		if (cell && (cell->kind || (cell->text && strcmp(cell->text, NO_VALUE))))
			break;
		nr--;
	}
	return nr;
}

static void print_row(FILE *out, const struct recording *recording, size_t place)
{
	size_t nr = row_length(recording, place);

	fprintf(out, "%zu", place);
	if (recording->nr > 1 && recording_packed_is_same(recording->packed, place)) {
		fputs(" =\n", out);
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		fputc(' ', out);
		recording_print_cell(out, recording_packed_cell(recording->packed, place, i));
	}
	fputc('\n', out);
}

static void print_snapshot(FILE *out, const struct recording *recording)
{
	fprintf(out, "t %.3f\n", recording->time);
	for (size_t i = 0; i < recording->places.nr; i++)
		print_row(out, recording, i);
	fputs("end\n", out);
}

void recording_print(FILE *out, struct recording *recording)
{
	while (recording_next(recording)) {
		if (recording->nr == 1)
			print_head(out, recording);
		print_snapshot(out, recording);
	}
}
