// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reader of recordings by snapshot, robust against damaged files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/files.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "reader/errors.h"
#include "reader/telemetry.h"
#include "recording.h"

static void __noreturn refuse(const struct recording *recording, const char *why)
{
	die(ERR_DAMAGED_RECORDING, "%s: line %lu: %s", recording->name, recording->line, why);
}

/* Return: false if the line is too long, or the last one and incomplete. */
static bool read_line(struct recording *recording)
{
	char *text = recording->text;
	size_t len = fgets(text, RECORDING_MAX_LINE, recording->file) ? strlen(text) : 0;
	bool whole = len && text[len - 1] == '\n';

	recording->broken = !whole && !feof(recording->file);
	recording->line += whole || recording->broken;
	if (!whole)
		return false;
	recording->end += len;
	recording->crc = crc32_z(recording->crc, (const unsigned char *)text, len);
	text[len - 1] = '\0';
	plain_text(text);
	return true;
}

static void take_about(struct recording *recording, char *text)
{
	size_t len = strcspn(text, " ");

	if (recording->nr_about == RECORDING_MAX_ABOUT || !text[len])
		return;
	text[len] = '\0';
	recording->about[recording->nr_about].key = xstrdup(text);
	recording->about[recording->nr_about++].value = xstrdup(text + len + 1);
}

static void take_places(struct recording *recording, char *text)
{
	struct place place;
	char *rest;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (!place_parse(word, &place))
			refuse(recording, "invalid place name");
		if (recording->places.nr == 3 * MAX_PLACES)
			refuse(recording, "too many places");
		xplaces_add_one(&recording->places, place);
	}
	recording->rows = xcalloc(recording->places.nr, sizeof(*recording->rows));
}

static void set_units(struct recording_column *column)
{
	bool computed = !strcmp(column->group, RATES_FILE);
	int rate = computed ? rates_find(column->name) : -1;

	column->unit = "";
	column->short_unit = "-";
	if (rate >= 0) {
		column->unit = rates_info[rate].unit;
		column->short_unit = rates_info[rate].short_unit;
	} else if (computed && !strcmp(column->name, rates_theirs.name)) {
		column->unit = rates_theirs.unit;
		column->short_unit = rates_theirs.short_unit;
	} else if (column->metric >= 0) {
		column->unit = catalog_metric(column->metric).unit;
		column->short_unit = catalog_metric(column->metric).short_unit;
	}
}

static void take_columns(struct recording *recording, char *text)
{
	struct recording_column *column;
	char *rest, *name;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		name = strchr(word, '.');
		if (!name || name == word || strlen(name) > VALUE_NAME ||
		    name - word >= VALUE_NAME)
			refuse(recording, "invalid column name");
		if (recording->nr_columns == RECORDING_MAX_COLUMNS)
			refuse(recording, "too many columns");
		recording->columns = xreallocarray(recording->columns, recording->nr_columns + 1,
						   sizeof(*recording->columns));
		column = &recording->columns[recording->nr_columns++];
		*name++ = '\0';
		strcpy(column->group, word);
		strcpy(column->name, name);
		column->metric = catalog_find_metric(name);
		set_units(column);
	}
}

static void take_line(struct recording *recording, char *text)
{
	if (!strncmp(text, "about ", 6))
		take_about(recording, text + 6);
	else if (!strncmp(text, "places ", 7) && !recording->places.nr)
		take_places(recording, text + 7);
	else if (!strncmp(text, "columns ", 8))
		take_columns(recording, text + 8);
	else
		refuse(recording, "unexpected line");
}

static void read_magic(struct recording *recording)
{
	char magic[sizeof(RECORDING_MAGIC)];

	if (!fgets(magic, sizeof(magic), recording->file))
		*magic = '\0';
	recording->line = 1;
	recording->end = strlen(magic);
	recording->crc = crc32_z(0, (const unsigned char *)magic, strlen(magic));
	if (!strcmp(magic, RECORDING_MAGIC))
		return;
	/* Other versions. */
	if (!strncmp(magic, RECORDING_NAME, strlen(RECORDING_NAME)))
		die(ERR_UNKNOWN_VERSION, "%s: a recording of another version of n3stat",
		    recording->name);
	die(ERR_NOT_A_RECORDING, "%s: not an n3stat recording", recording->name);
}

static void read_head(struct recording *recording)
{
	recording->text = xreallocarray(NULL, RECORDING_MAX_LINE, 1);
	read_magic(recording);
	while (!recording->nr_columns) {
		if (!read_line(recording))
			refuse(recording, recording->broken ? "line too long, or not text" :
			       "end of file before the first snapshot");
		take_line(recording, recording->text);
	}
	if (!recording->places.nr)
		refuse(recording, "no places");
	if (recording->places.nr * recording->nr_columns > RECORDING_MAX_CELLS)
		refuse(recording, "too many values");
	recording->packed = recording_packed_new(recording->places.nr * recording->nr_columns);
}

void recording_open(struct recording *recording, const char *name)
{
	FILE *file = strcmp(name, "-") ? fopen(name, "re") : stdin;

	if (!file)
		die_of_file(ERR_CANNOT_READ, name);
	*recording = (struct recording) { .file = file, .name = plain_copy(name) };
	read_head(recording);
}

void recording_close(struct recording *recording)
{
	recording_packed_free(recording->packed);
	for (size_t i = 0; i < recording->nr_about; i++) {
		free(recording->about[i].key);
		free(recording->about[i].value);
	}
	for (size_t i = 0; i < recording->places.nr; i++)
		free(recording->rows[i].v);
	free(recording->rows);
	free(recording->columns);
	free(recording->text);
	free(recording->name);
	places_free(&recording->places);
	fclose(recording->file);
}

const char *recording_about(const struct recording *recording, const char *key)
{
	for (size_t i = 0; i < recording->nr_about; i++)
		if (!strcmp(recording->about[i].key, key))
			return recording->about[i].value;
	return NULL;
}

static size_t main_place(const struct recording *recording)
{
	for (size_t i = 0; i < recording->places.nr; i++)
		if (recording->places.v[i].scope == SCOPE_SYSTEM)
			return i;
	return 0;
}

size_t recording_place(const struct recording *recording, const char *name)
{
	if (!name)
		return main_place(recording);
	for (size_t i = 0; i < recording->places.nr; i++)
		if (!strcmp(recording->places.v[i].name, name))
			return i;
	die(ERR_NO_SUCH_PLACE, "%s: %s was not recorded", recording->name, name);
}

int recording_find(const struct recording *recording, const char *group, const char *name)
{
	for (size_t i = 0; i < recording->nr_columns; i++)
		if (!strcmp(recording->columns[i].name, name) &&
		    !strcmp(recording->columns[i].group, group))
			return (int)i;
	return -1;
}

const struct value *recording_value(const struct recording *recording, size_t place,
				    size_t column)
{
	const struct recording_row *row = &recording->rows[place];

	return column < row->nr ? &row->v[column] : NULL;
}

int recording_find_values(const struct recording *recording, const char *name)
{
	for (size_t i = 0; i < recording->nr_columns; i++)
		if (!strcmp(recording->columns[i].name, name))
			return (int)i;
	return -1;
}

bool recording_is_first(const struct recording *recording, size_t column)
{
	return recording_find_values(recording, recording->columns[column].name) == (int)column;
}
