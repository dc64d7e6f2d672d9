// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Files of the module's totals. */
#include <linux/kernel.h>
#include <ctype.h>
#include <stdio.h>

#include "lib/keys.h"
#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "libn3t/totals.h"
#include "totals_file.h"

/* Totals of Topdown_L1 in slots, and the events that they are of. */
static const struct {
	const char *key;
	u16 code;
} slots_totals[N3T_NR_SLOTS] = {
	[N3T_SLOTS] = { "slots_total", N3T_CODE_CPU_CYCLES },
	[N3T_SLOTS_STALL] = { "stall_slots_total", N3T_CODE_STALL_SLOT },
	[N3T_SLOTS_FRONTEND_STALL] = { "frontend_stall_slots_total",
				       N3T_CODE_STALL_SLOT_FRONTEND },
	[N3T_SLOTS_BACKEND_STALL] = { "backend_stall_slots_total", N3T_CODE_STALL_SLOT_BACKEND },
	[N3T_SLOTS_FRONTEND_FLUSH] = { "frontend_flush_slots_total",
				       N3T_CODE_STALL_FRONTEND_FLUSH },
	[N3T_SLOTS_RETIRED] = { "ops_retired_total", N3T_CODE_OP_RETIRED },
	[N3T_SLOTS_SPECULATED] = { "ops_speculated_total", N3T_CODE_OP_SPEC },
};

static const char * const part_names[N3T_NR_PARTS] = {
	[N3T_NUMERATOR] = "numerator",
	[N3T_DENOMINATOR] = "denominator",
	[N3T_SUBTRAHEND] = "subtrahend",
};

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
	return slots_totals[index].code;
}

bool total_key(int metric, unsigned int index, char key[TOTAL_KEY])
{
	if (total_is_of_slots(metric)) {
		if (index >= N3T_NR_SLOTS)
			return false;
		snprintf(key, TOTAL_KEY, "%s", slots_totals[index].key);
		return true;
	}
	if (index >= N3T_NR_PARTS || !(n3t_metric_parts(metric) & 1u << index))
		return false;
	snprintf(key, TOTAL_KEY, "%s_%s_total", n3t_metrics[metric].name, part_names[index]);
	return true;
}

bool total_replicate_key(unsigned int replicate, unsigned int index, char key[TOTAL_KEY])
{
	if (index > N3T_NR_SLOTS)
		return false;
	snprintf(key, TOTAL_KEY, "r%u_%s", replicate,
		 index < N3T_NR_SLOTS ? slots_totals[index].key : "slices_total");
	return true;
}

const char *total_time_key(size_t index)
{
	static const char * const keys[] = {
		"sampled_ns", "dropped_ns", "yielded_ns", "off_ns", "start_ns", "sampler_ns",
		"cycles_total",
	};

	return index < ARRAY_SIZE(keys) ? keys[index] : NULL;
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
