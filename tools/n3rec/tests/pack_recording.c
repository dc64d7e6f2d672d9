// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * pack_recording - converts lines of text, as recording_read.py prints them, on stdin to a
 * recording on stdout, with the writer of record.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/errors.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "n3rec/recording.h"
#include "reader/telemetry.h"

#define MAX_CELLS	8

const char *argp_program_version = "pack_recording";

static struct choice choice;
static struct snapshot snapshot;

static void add_file(const char *name)
{
	choice.files = xreallocarray(choice.files, choice.nr_files + 1, sizeof(*choice.files));
	choice.files[choice.nr_files++] = (struct file) { .name = xstrdup(name) };
}

static void add_column(char *word)
{
	char *name = strchr(word, '.');
	struct column column = { 0 };

	*name++ = '\0';
	if (!choice.nr_files || strcmp(choice.files[choice.nr_files - 1].name, word))
		add_file(word);
	column.file = choice.nr_files - 1;
	snprintf(column.name, sizeof(column.name), "%s", name);
	choice.columns = xreallocarray(choice.columns, choice.nr_columns + 1,
				       sizeof(*choice.columns));
	choice.columns[choice.nr_columns++] = column;
}

static void add_place(char *word)
{
	struct place place;

	if (!place_parse(word, &place))
		die(ERR_BAD_VALUE, "bad place '%s'", word);
	xplaces_add_one(&choice.places, place);
}

static double number_of(const char *text)
{
	return strcmp(text, "-") ? strtod(text, NULL) : NAN;
}

static struct value value_of(const char *text, const char *low, const char *high)
{
	struct value value = value_of_text(text);

	value.has_range = value.is_number && number_of(low) <= number_of(high);
	if (value.has_range) {
		value.low = number_of(low);
		value.high = number_of(high);
	}
	return value;
}

static void take_cell(size_t at, char *text)
{
	struct value *value = &snapshot.v[at], *estimate = &snapshot.estimates[at], estimated;
	char *part[MAX_CELLS];
	size_t nr = 0;

	for (char *word; nr < MAX_CELLS && (word = strsep(&text, ":")); nr++)
		part[nr] = word;
	*value = nr < 5 ? value_of_text(part[0]) : value_of(part[0], part[1], part[2]);
	if (nr >= 5) {
		value->has_coverage = true;
		value->coverage = strtod(part[3], NULL);
		value->slices = strtoul(part[4], NULL, 10);
	}
	*estimate = *value;
	if (nr < MAX_CELLS)
		return;
	estimated = value_of(part[5], part[6], part[7]);
	if (!value->is_number || !estimated.is_number)
		return;
	estimated.has_coverage = value->has_coverage;
	estimated.coverage = value->coverage;
	estimated.slices = value->slices;
	*estimate = estimated;
}

static void take_row(char *line)
{
	char *rest, *word = strtok_r(line, " ", &rest);
	size_t place = strtoul(word, NULL, 10), nr = 0;

	word = strtok_r(NULL, " ", &rest);
	if (word && !strcmp(word, "="))
		return;
	for (; word; word = strtok_r(NULL, " ", &rest))
		take_cell(place * choice.nr_columns + nr++, word);
	for (; nr < choice.nr_columns; nr++)
		take_cell(place * choice.nr_columns + nr, (char [2]) { NO_VALUE });
}

/* Return: whether the line begins with the word; *rest is the remainder. */
static bool begins(char *line, const char *word, char **rest)
{
	*rest = line + strlen(word);
	return !strncmp(line, word, strlen(word));
}

static void each_word(char *words, void (*take)(char *))
{
	for (char *rest, *word = strtok_r(words, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		take(word);
}

static void take_columns(struct recording_writer *writer, char *words)
{
	size_t nr;

	each_word(words, add_column);
	recording_write_columns(writer, &choice);
	nr = choice.places.nr * choice.nr_columns;
	snapshot.v = xreallocarray(NULL, nr, sizeof(*snapshot.v));
	snapshot.estimates = xreallocarray(NULL, nr, sizeof(*snapshot.estimates));
	for (size_t i = 0; i < nr; i++)
		take_cell(i, (char [2]) { NO_VALUE });
}

static void take_line(struct recording_writer *writer, char *line)
{
	char *rest;

	if (begins(line, "about ", &rest)) {
		char *value = strchr(rest, ' ');

		*value++ = '\0';
		recording_write_about(writer, rest, value);
	} else if (begins(line, "places ", &rest)) {
		each_word(rest, add_place);
	} else if (begins(line, "columns ", &rest)) {
		take_columns(writer, rest);
	} else if (begins(line, "t ", &rest)) {
		snapshot.time = strtod(rest, NULL);
	} else if (!strcmp(line, "end")) {
		recording_add(writer, &snapshot);
	} else {
		take_row(line);
	}
}

int main(void)
{
	struct recording_writer writer;
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	telemetry_start();
	recording_begin(&writer, stdout, "-");
	/* the first line is the magic */
	for (bool first = true; (len = getline(&line, &room, stdin)) > 0; first = false) {
		line[len - 1] = '\0';
		if (!first)
			take_line(&writer, line);
	}
	recording_end(&writer);
	free(line);
	return 0;
}
