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

bool moments_file_read(struct source *source, unsigned int cpu, struct moments **moments)
{
	enum moments_outcome outcome = MOMENTS_TRY_AGAIN;
	char path[64];

	*moments = NULL;
	snprintf(path, sizeof(path), "cpu%u/" MOMENTS_FILE, cpu);
	for (int tries = TRIES; tries && outcome == MOMENTS_TRY_AGAIN; tries--) {
		unsigned char *data;
		ssize_t len = source_read_records(source, path, N3T_MOMENTS_RECORD, &data);

		if (len < 0)
			return false;
		outcome = moments_parse(data, len, cpu, moments);
	}
	return outcome == MOMENTS_READ || outcome == MOMENTS_ABSENT || failed(source, outcome);
}
