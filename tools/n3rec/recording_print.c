// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Recordings: any of them as lines of text, which is version 1. */
#include <stdlib.h>
#include <string.h>

#include "lib/util.h"
#include "recording_packed.h"
#include "recording_print.h"

static void print_head(FILE *out, const struct recording *recording)
{
	fputs("n3stat-recording 1\n", out);
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

/* As the module's files have it: what is not there at the end of a row is not printed. */
static size_t row_length(const struct recording *recording, size_t place)
{
	size_t nr = recording->nr_columns;

	while (nr > 0) {
		const struct recording_cell *cell = recording_packed_cell(recording, place, nr - 1);

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
	if (recording->nr > 1 && recording_packed_is_same(recording, place)) {
		fputs(" =\n", out);
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		fputc(' ', out);
		recording_print_cell(out, recording_packed_cell(recording, place, i));
	}
	fputc('\n', out);
}

static void print_packed(FILE *out, const struct recording *recording)
{
	fprintf(out, "t %.3f\n", recording->time);
	for (size_t i = 0; i < recording->places.nr; i++)
		print_row(out, recording, i);
	fputs("end\n", out);
}

/* What is text already is printed as it stands there, when the snapshot proved to be one. */
static bool next(struct recording *recording, char **text, size_t *size)
{
	bool whole;

	recording->copy = recording->packed ? NULL : open_memstream(text, size);
	if (!recording->packed && !recording->copy)
		die(ERR_OUT_OF_MEMORY, "out of memory");
	whole = recording_next(recording);
	if (recording->copy)
		fclose(recording->copy);
	recording->copy = NULL;
	return whole;
}

void recording_print(FILE *out, struct recording *recording)
{
	char *text = NULL;
	size_t size = 0;

	while (next(recording, &text, &size)) {
		if (recording->nr == 1)
			print_head(out, recording);
		if (recording->packed)
			print_packed(out, recording);
		else
			fwrite(text, 1, size, out);
		free(text);
		text = NULL;
	}
	free(text);
}
