// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Files of the module's totals. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/keys.h"
#include "libn3t/formula.h"
#include "libn3t/replicates.h"
#include "libn3t/spec.h"
#include "libn3t/totals.h"
#include "stats/parts.h"
#include "totals_file.h"

bool total_is_of_slots(int metric)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric);

	for (unsigned int i = 0; i < formula->nr_tokens; i++)
		if (formula->token[i].op == N3T_OP_SLOTS)
			return true;
	return false;
}

unsigned int total_slots_code(unsigned int index)
{
	return n3t_slots_info[index].code;
}

const char *total_slots_key(size_t index)
{
	return index < N3T_NR_SLOTS ? n3t_slots_info[index].key : NULL;
}

bool total_is_in_cycles(size_t index)
{
	return n3t_slots_info[index].in_cycles;
}

unsigned int total_slots_per_cycle(const char *spec)
{
	size_t len;
	const char *slots = find_value(spec, "slots", &len);

	return slots ? strtoul(slots, NULL, 10) : n3t_slots_per_cycle();
}

bool total_key(int metric, unsigned int index, char key[TOTAL_KEY])
{
	if (total_is_of_slots(metric)) {
		if (index >= N3T_NR_SLOTS)
			return false;
		snprintf(key, TOTAL_KEY, "%s", n3t_slots_info[index].key);
		return true;
	}
	if (index >= N3T_NR_PARTS || !(n3t_metric_parts(metric) & 1u << index))
		return false;
	snprintf(key, TOTAL_KEY, "%s%s", n3t_metrics[metric].name, n3t_part_suffixes[index]);
	return true;
}

bool total_replicate_key(unsigned int replicate, unsigned int index, char key[TOTAL_KEY])
{
	if (replicate >= N3T_NR_REPLICATES || index > N3T_NR_SLOTS)
		return false;
	snprintf(key, TOTAL_KEY, "r%u_%s", replicate,
		 index < N3T_NR_SLOTS ? n3t_slots_info[index].key : "slices_total");
	return true;
}

bool totals_file_read(struct source *source, const char *place, const char *file,
		      const char **text)
{
	char path[PATH_MAX];
	char *found;
	bool ok;

	snprintf(path, sizeof(path), "%s/" TOTALS_DIRECTORY "/%s", place, file);
	ok = source_read(source, path, &found);
	*text = found;
	return ok;
}

bool total_take(struct source *source, const char *text, const char *key,
		unsigned long long *total, bool *known)
{
	size_t len;
	const char *value = text ? find_value(text, key, &len) : NULL;

	*total = 0;
	if (!value) {
		*known = false;
		return true;
	}
	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)value[i])) {
			len = 0;
			break;
		}
		*total = 10 * *total + (unsigned long long)(value[i] - '0');
	}
	return len || failure_set(&source->failure, ERR_MALFORMED_FILE, "%s: bad number of %s",
				  source->path, key);
}
