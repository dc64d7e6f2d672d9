// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Recordings: writing them, in the format that recording.h describes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "recording_writer.h"

static void __noreturn cannot_write(void)
{
	/* The reader of the pipe has seen enough: no error. */
	if (errno == EPIPE)
		exit(EXIT_SUCCESS);
	die(EXIT_OTHER, "cannot write the recording: %s", strerror(errno));
}

static void put(struct recording_writer *writer, const char *text)
{
	if (fputs(text, writer->file) < 0)
		cannot_write();
	writer->bytes += strlen(text);
}

void recording_write_about(struct recording_writer *writer, const char *key, const char *value)
{
	char *line = format_string("about %s %s\n", key, value);

	put(writer, line);
	free(line);
}

void recording_begin(struct recording_writer *writer, const struct choice *choice)
{
	writer->nr_places = choice->places.nr;
	writer->last = xreallocarray(NULL, choice->places.nr, sizeof(*writer->last));
	put(writer, "places");
	for (size_t i = 0; i < choice->places.nr; i++) {
		writer->last[i] = NULL;
		put(writer, " ");
		put(writer, choice->places.v[i].name);
	}
	put(writer, "\ncolumns");
	for (size_t i = 0; i < choice->nr_columns; i++) {
		put(writer, " ");
		put(writer, choice->files[choice->columns[i].file].name);
		put(writer, ".");
		put(writer, choice->columns[i].name);
	}
	put(writer, "\n");
}

static void print_range(FILE *out, const struct value *value)
{
	if (value->has_range)
		fprintf(out, ":%.6g:%.6g", value->low, value->high);
	else
		fputs(":-:-", out);
}

static bool is_same(const struct value *a, const struct value *b)
{
	return !strcmp(a->text, b->text) && a->has_range == b->has_range && a->low == b->low &&
	       a->high == b->high;
}

static void print_cell(FILE *out, const struct value *value, const struct value *estimate)
{
	fputs(value->text, out);
	if (!value->has_coverage)
		return;
	print_range(out, value);
	fprintf(out, ":%.4g:%lu", value->coverage, value->slices);
	if (is_same(value, estimate))
		return;
	fprintf(out, ":%s", estimate->text);
	print_range(out, estimate);
}

/* The row of a place, up to its last value. */
static char *make_line(const struct snapshot *snapshot, const struct choice *choice, size_t place)
{
	size_t nr = choice->nr_columns, size;
	char *line;
	FILE *out = open_memstream(&line, &size);

	if (!out)
		die(EXIT_OTHER, "out of memory");
	while (nr > 0 && !strcmp(snapshot_at(snapshot, choice, place, nr - 1)->text, NO_VALUE))
		nr--;
	for (size_t i = 0; i < nr; i++) {
		fputc(' ', out);
		print_cell(out, snapshot_at(snapshot, choice, place, i),
			   snapshot_estimate_at(snapshot, choice, place, i));
	}
	if (fclose(out))
		die(EXIT_OTHER, "out of memory");
	return line;
}

void recording_add(struct recording_writer *writer, const struct snapshot *snapshot,
		   const struct choice *choice)
{
	char head[64];

	snprintf(head, sizeof(head), "t %.3f\n", snapshot->time);
	put(writer, head);
	for (size_t i = 0; i < choice->places.nr; i++) {
		char *line = make_line(snapshot, choice, i);

		snprintf(head, sizeof(head), "%zu", i);
		put(writer, head);
		if (writer->last[i] && !strcmp(writer->last[i], line))
			put(writer, " =");
		else
			put(writer, line);
		put(writer, "\n");
		free(writer->last[i]);
		writer->last[i] = line;
	}
	put(writer, "end\n");
	/* Whoever kills us finds it complete. */
	if (fflush(writer->file))
		cannot_write();
}

void recording_end(struct recording_writer *writer)
{
	for (size_t i = 0; i < writer->nr_places; i++)
		free(writer->last[i]);
	free(writer->last);
	if (fclose(writer->file))
		cannot_write();
}
