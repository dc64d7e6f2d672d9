// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A CPU's file "moments". */
#include <stdio.h>

#include "libn3t/moments.h"
#include "libn3telemetry/stats/moments.h"
#include "moments_file.h"
#include "source.h"

#define TRIES	5

static bool failed(struct source *source, enum moments_outcome outcome)
{
	switch (outcome) {
	case MOMENTS_NO_MEMORY:
		return failure_no_memory(&source->failure);
	case MOMENTS_OTHER_VERSION:
		return failure_set(&source->failure, ERR_UNKNOWN_VERSION,
				   "%s: the format of another version of the module", source->path);
	case MOMENTS_TRY_AGAIN:
		return failure_set(&source->failure, ERR_MALFORMED_FILE,
				   "%s: its records are of different runs", source->path);
	default:
		return failure_set(&source->failure, ERR_MALFORMED_FILE, "%s: malformed",
				   source->path);
	}
}

struct reading {
	struct source *source;
	char path[64];
	unsigned int cpu;
	const unsigned long *metrics;
	struct moments_layout **layouts;
	struct moments *moments;
};

/* Return: the bytes of a record, 0 without it, or a negative errno. */
static ssize_t read_record(const struct reading *reading, unsigned int nr, unsigned char *record)
{
	return source_read_at(reading->source, reading->path, record, N3T_MOMENTS_RECORD,
			      (off_t)nr * N3T_MOMENTS_RECORD);
}

/* Return: false after an error of the source. */
static bool read_once(struct reading *reading, enum moments_outcome *outcome)
{
	unsigned char record[N3T_MOMENTS_RECORD];
	ssize_t len = read_record(reading, 0, record);
	unsigned int nr;

	if (len < 0)
		return false;
	*outcome = moments_begin(record, len, reading->cpu, reading->metrics, reading->layouts,
				 &reading->moments);
	while (*outcome == MOMENTS_READ && (nr = moments_next(reading->moments))) {
		len = read_record(reading, nr, record);
		if (len < 0)
			break;
		*outcome = moments_add(reading->moments, record, len);
	}
	if (len >= 0 && *outcome == MOMENTS_READ)
		return true;
	moments_free(reading->moments);
	reading->moments = NULL;
	return len >= 0;
}

/*
 * A CPU that exists always has moments, unless a copy is of an older version. The trees of
 * tests have results as text instead, and the file "results".
 */
static bool may_be_absent(struct source *source, unsigned int cpu)
{
	char path[64], *text;

	snprintf(path, sizeof(path), "cpu%u/status", cpu);
	if (!source_read(source, path, &text))
		return false;
	/* The module that is loaded may be adding its files now. */
	if (!text || source_is_live(source))
		return true;
	if (!source_read(source, "results", &text))
		return false;
	return text || failure_set(&source->failure, ERR_UNKNOWN_VERSION,
				   "%s: cpu%u has no moments: the tree of an older version, or copied without permission",
				   source->root, cpu);
}

bool moments_file_read(struct source *source, unsigned int cpu, const unsigned long *metrics,
		       struct moments_layout **layouts, struct moments **moments)
{
	struct reading reading = {
		.source = source, .cpu = cpu, .metrics = metrics, .layouts = layouts,
	};
	enum moments_outcome outcome = MOMENTS_TRY_AGAIN;

	*moments = NULL;
	snprintf(reading.path, sizeof(reading.path), "cpu%u/" MOMENTS_FILE, cpu);
	for (int tries = TRIES; tries && outcome == MOMENTS_TRY_AGAIN; tries--)
		if (!read_once(&reading, &outcome))
			return false;
	*moments = reading.moments;
	if (outcome == MOMENTS_ABSENT)
		return may_be_absent(source, cpu);
	return outcome == MOMENTS_READ || failed(source, outcome);
}
