// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Path through the decision tree at a place of a recording. */
#include "libn3telemetry/path_read.h"
#include "recording.h"

struct in_recording {
	const struct recording *recording;
	size_t place;
};

static const struct value *value_in(const void *of, int metric)
{
	const struct in_recording *in = of;
	int column = recording_column(in->recording, metric);

	return column < 0 ? NULL : recording_value(in->recording, in->place, column);
}

bool path_of_recording(struct path *path, const struct recording *recording, size_t place)
{
	static const struct value nothing = { .text = NO_VALUE };
	struct in_recording in = { recording, place };
	const struct value *parts[BOTTLENECK_NR_PARTS];

	for (enum bottleneck_part part = 0; part < BOTTLENECK_NR_PARTS; part++) {
		int column = recording_find(recording, BOTTLENECK_FILE, bottleneck_names[part]);

		parts[part] = column < 0 ? NULL : recording_value(recording, place, column);
		if (!parts[part])
			parts[part] = &nothing;
	}
	return path_follow_parts(path, parts, value_in, &in);
}
