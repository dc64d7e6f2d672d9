// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat tree: causes of a node as counts, which an extra group has. */
#include <string.h>

#include "lib/keys.h"
#include "libn3telemetry/path.h"
#include "reader/notices.h"
#include "reader/telemetry.h"
#include "tree_causes.h"

bool causes_choose(struct choice *choice)
{
	const char *chosen = telemetry_read("groups");

	for (int metric = 0; chosen && metric < catalog_nr_metrics(); metric++) {
		int group = path_causes(metric);
		const char *file = group < 0 ? "" : catalog_group(group).file;

		if (*file && words_have(chosen, file, strlen(file)) &&
		    !choose_known_group(&telemetry, choice, file))
			return false;
	}
	return true;
}

char *causes_command(int group)
{
	const char *chosen = telemetry_read("groups");

	return chosen && *chosen ? groups_command(chosen, &group, 1) : NULL;
}
