// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Recordings: reading them, snapshot by snapshot, whatever is in the file. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "common.h"
#include "recording.h"

#define MAGIC		"n3stat-recording 1"
#define QUALITY_PARTS	5	/* of a value with its quality */
#define CELL_PARTS	8	/* and with its estimate */

static void __noreturn refuse(const struct recording *recording, const char *why)
{
	die(EXIT_OTHER, "%s: line %lu: %s", recording->name, recording->line, why);
}

/* Return: whether there is another whole line; a last one without '\n' is cut. */
static bool read_line(struct recording *recording)
{
	ssize_t len = getline(&recording->text, &recording->room, recording->file);

	if (len <= 0 || recording->text[len - 1] != '\n')
		return false;
	recording->line++;
	recording->text[len - 1] = '\0';
	for (char *c = recording->text; c < recording->text + len - 1; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
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
		places_add_one(&recording->places, place);
	}
	recording->rows = xreallocarray(NULL, recording->places.nr, sizeof(*recording->rows));
	memset(recording->rows, 0, recording->places.nr * sizeof(*recording->rows));
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
		column->unit = column->metric < 0 ? "" : catalog_metric(column->metric).unit;
	}
}

void recording_open_stream(struct recording *recording, FILE *file, const char *name)
{
	*recording = (struct recording) { .file = file, .name = name };
	if (!read_line(recording) || strcmp(recording->text, MAGIC))
		die(EXIT_OTHER, "%s: not an n3stat recording", name);
	while (!recording->nr_columns) {
		if (!read_line(recording))
			refuse(recording, "end of file before the first snapshot");
		if (!strncmp(recording->text, "about ", 6))
			take_about(recording, recording->text + 6);
		else if (!strncmp(recording->text, "places ", 7) && !recording->places.nr)
			take_places(recording, recording->text + 7);
		else if (!strncmp(recording->text, "columns ", 8))
			take_columns(recording, recording->text + 8);
		else
			refuse(recording, "unexpected line");
	}
	if (!recording->places.nr)
		refuse(recording, "no places");
	if (recording->places.nr * recording->nr_columns > RECORDING_MAX_CELLS)
		refuse(recording, "too many values");
	recording->data = ftell(file);
}

void recording_open(struct recording *recording, const char *name)
{
	FILE *file = fopen(name, "re");

	if (!file)
		die(errno == EACCES ? EXIT_DENIED : EXIT_OTHER, "%s: %s", name, strerror(errno));
	recording_open_stream(recording, file, name);
}

void recording_rewind(struct recording *recording)
{
	if (fseek(recording->file, recording->data, SEEK_SET))
		die(EXIT_OTHER, "%s: cannot read it twice; give a file, not a pipe",
		    recording->name);
	for (size_t i = 0; i < recording->places.nr; i++)
		recording->rows[i].nr = 0;
	recording->nr = 0;
}

void recording_close(struct recording *recording)
{
	for (size_t i = 0; i < recording->nr_about; i++) {
		free(recording->about[i].key);
		free(recording->about[i].value);
	}
	for (size_t i = 0; i < recording->places.nr; i++)
		free(recording->rows[i].v);
	free(recording->rows);
	free(recording->columns);
	free(recording->text);
	places_free(&recording->places);
	fclose(recording->file);
}

/* Return: the number that a text is, or a number that is none. */
static double number_of(const char *text)
{
	struct value value = value_of_text(text);

	return value.is_number ? value.number : NAN;
}

static struct value parse_number(const char *text, const char *low, const char *high,
				 const char *metric)
{
	struct value value = value_of_text(text);

	value.low = number_of(low);
	value.high = number_of(high);
	value_check_range(&value, metric);
	return value;
}

/* Return: the number of parts, and their texts. */
static size_t split_cell(char *parts[CELL_PARTS], char *text)
{
	size_t nr = 1;

	parts[0] = text;
	for (char *colon = text; (colon = strchr(colon, ':')) && nr < CELL_PARTS; nr++) {
		*colon++ = '\0';
		parts[nr] = colon;
	}
	return nr;
}

static bool parse_cell(struct recording *recording, struct value *value, char *text,
		       const char *metric)
{
	char *parts[CELL_PARTS];
	size_t nr = split_cell(parts, text);
	struct value estimate;

	if (strlen(text) >= VALUE_TEXT || (nr != 1 && nr != QUALITY_PARTS && nr != CELL_PARTS))
		return false;
	*value = value_of_text(text);
	if (nr == 1)
		return true;
	*value = parse_number(text, parts[1], parts[2], metric);
	value->coverage = number_of(parts[3]);
	value->has_coverage = !isnan(value->coverage);
	value->slices = strtoul(parts[4], NULL, 10);
	if (nr != CELL_PARTS)
		return true;
	if (strlen(parts[5]) >= VALUE_TEXT)
		return false;
	estimate = parse_number(parts[5], parts[6], parts[7], metric);
	*value = value_estimate(value, &estimate);
	recording->estimated = true;
	return true;
}

/* "3 43.02 idle" or "3 =". Return: whether it is such a line. */
static bool take_row(struct recording *recording)
{
	struct recording_row *row;
	char *rest, *end;
	unsigned long place = strtoul(recording->text, &end, 10);
	size_t nr = 0;

	if (end == recording->text || place >= recording->places.nr || (*end && *end != ' '))
		return false;
	row = &recording->rows[place];
	if (!strcmp(end, " ="))
		return true;
	if (!row->v)
		row->v = xreallocarray(NULL, recording->nr_columns, sizeof(*row->v));
	row->nr = 0;
	for (char *word = strtok_r(end, " ", &rest); word; word = strtok_r(NULL, " ", &rest), nr++)
		if (nr == recording->nr_columns ||
		    !parse_cell(recording, &row->v[nr], word, recording->columns[nr].name))
			return false;
	row->nr = nr;
	return true;
}

static bool take_time(struct recording *recording)
{
	double when;

	if (strncmp(recording->text, "t ", 2))
		return false;
	when = number_of(recording->text + 2);
	/* Clocks are set; a time before the last one would turn charts around. */
	if (isnan(when) || when < 0 || when > 1e12)
		return false;
	recording->time = recording->nr && when < recording->time ? recording->time : when;
	return true;
}

bool recording_next(struct recording *recording)
{
	bool begun = false;

	while (read_line(recording)) {
		bool ok = begun ? take_row(recording) : take_time(recording);

		if (begun && !strcmp(recording->text, "end")) {
			recording->nr++;
			return true;
		}
		if (!ok) {
			recording->broken = true;
			return false;
		}
		begun = true;
	}
	recording->cut = begun || (recording->text && *recording->text &&
				   !feof(recording->file));
	return false;
}

const char *recording_about(const struct recording *recording, const char *key)
{
	for (size_t i = 0; i < recording->nr_about; i++)
		if (!strcmp(recording->about[i].key, key))
			return recording->about[i].value;
	return NULL;
}

size_t recording_main_place(const struct recording *recording)
{
	for (size_t i = 0; i < recording->places.nr; i++)
		if (recording->places.v[i].scope == SCOPE_SYSTEM)
			return i;
	return 0;
}

int recording_column(const struct recording *recording, int metric)
{
	for (size_t i = 0; i < recording->nr_columns; i++)
		if (recording->columns[i].metric == metric)
			return (int)i;
	return -1;
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

bool recording_has_values(const struct recording *recording, size_t column)
{
	return strcmp(recording->columns[column].group, BOTTLENECK_FILE);
}
