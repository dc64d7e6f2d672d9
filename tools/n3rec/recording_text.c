// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Recordings of version 1: snapshots as lines of text. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util.h"
#include "recording_text.h"

#define QUALITY_PARTS	5	/* of a value with its quality */
#define CELL_PARTS	8	/* and with its estimate */
#define ROOM		4096	/* of a line, to begin with */

static void make_room(struct recording *recording, size_t len)
{
	if (len < recording->room)
		return;
	recording->room += ROOM + recording->room / 2;
	recording->text = xreallocarray(recording->text, recording->room, 1);
}

ssize_t recording_read_line(struct recording *recording)
{
	size_t len = 0;
	int c = 0;

	while (c != '\n' && len < RECORDING_MAX_LINE) {
		c = getc_unlocked(recording->file);
		if (c == EOF)
			break;
		make_room(recording, len + 1);
		recording->text[len++] = (char)c;
	}
	make_room(recording, len);
	recording->text[len] = '\0';
	recording->line += c != EOF;
	recording->broken |= c != EOF && c != '\n';
	return c == '\n' ? (ssize_t)len : -1;
}

void recording_plain_line(struct recording *recording, size_t len)
{
	recording->text[len - 1] = '\0';
	for (char *c = recording->text; c < recording->text + len - 1; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
}

/* Return: the number that a text is, or a number that is none. */
static double number_of(const char *text)
{
	struct value value = value_of_text(text);

	return value.is_number ? value.number : NAN;
}

static struct value parse_number(const char *text, const char *low, const char *high)
{
	struct value value = value_of_text(text);

	value.low = number_of(low);
	value.high = number_of(high);
	value_check_range(&value);
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

bool recording_parse_cell(struct value *value, char *text, bool *estimated)
{
	char *parts[CELL_PARTS];
	size_t nr = split_cell(parts, text);
	struct value estimate;

	if (strlen(text) >= VALUE_TEXT || (nr != 1 && nr != QUALITY_PARTS && nr != CELL_PARTS))
		return false;
	*value = value_of_text(text);
	if (nr == 1)
		return true;
	*value = parse_number(text, parts[1], parts[2]);
	value->coverage = number_of(parts[3]);
	value->has_coverage = !isnan(value->coverage);
	value->slices = strtoul(parts[4], NULL, 10);
	if (nr != CELL_PARTS)
		return true;
	if (strlen(parts[5]) >= VALUE_TEXT)
		return false;
	estimate = parse_number(parts[5], parts[6], parts[7]);
	*value = value_estimate(value, &estimate);
	*estimated = true;
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
	for (char *word = strtok_r(end, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (nr == recording->nr_columns)
			return false;
		if (!recording_parse_cell(&row->v[nr], word, &recording->estimated))
			return false;
		nr++;
	}
	row->nr = nr;
	return true;
}

bool recording_take_time(struct recording *recording, double when)
{
	/* Clocks are set; a time before the last one would turn charts around. */
	if (isnan(when) || when < 0 || when > 1e12)
		return false;
	recording->time = recording->nr && when < recording->time ? recording->time : when;
	return true;
}

static bool take_time(struct recording *recording)
{
	return !strncmp(recording->text, "t ", 2) &&
	       recording_take_time(recording, number_of(recording->text + 2));
}

static bool read_line(struct recording *recording)
{
	ssize_t len = recording_read_line(recording);

	if (len <= 0)
		return false;
	recording_plain_line(recording, len);
	if (recording->copy)
		fprintf(recording->copy, "%s\n", recording->text);
	return true;
}

bool recording_next_text(struct recording *recording)
{
	bool begun = false;

	while (read_line(recording)) {
		bool ok = begun ? take_row(recording) : take_time(recording);

		if (begun && !strcmp(recording->text, "end"))
			return true;
		if (!ok) {
			recording->broken = true;
			return false;
		}
		begun = true;
	}
	recording->cut = !recording->broken && (begun || !feof(recording->file));
	return false;
}
