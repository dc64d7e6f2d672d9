// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Estimated data rate of sampling at a period. */
#include <stdlib.h>

#include "cost.h"
#include "lib/keys.h"
#include "lib/memory.h"

#define ASSUMED_CLOCK		3e9	/* cycles per second */
#define ASSUMED_OPERATIONS	3.0	/* per cycle */
#define ASSUMED_PER_INSTRUCTION	1.1	/* operations */
#define FEWEST_OPERATIONS	0.1	/* per cycle: fewer are not representative of a busy CPU */
#define USUAL_RECORD		64	/* bytes */

/* Return: the system-wide value of a metric, or 0. */
static double value_of(const struct machine *machine, const char *group, const char *metric)
{
	char *path = format_string("system/%s", group), *word = NULL, *end;
	char text[1024];
	double value = 0;

	if (module_read(machine, path, text, sizeof(text)) > 0)
		word = value_of_key(text, metric);
	if (word) {
		value = strtod(word, &end);
		if (end == word || *end || !(value > 0 && value < 1e6))
			value = 0;
	}
	free(word);
	free(path);
	return value;
}

static double read_clock(const struct machine *machine)
{
	char text[32];
	double khz;

	machine_read(machine, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", text,
		     sizeof(text));
	khz = strtod(text, NULL);
	return khz > 1e3 && khz < 1e8 ? khz * 1e3 : 0;
}

static double read_operations(const struct machine *machine)
{
	double per_cycle = value_of(machine, "general", "ipc");
	double per_instruction = value_of(machine, "spe_sampling", "spe_uops_per_instruction");
	double operations = per_cycle * (per_instruction ? per_instruction :
					 ASSUMED_PER_INSTRUCTION);

	return operations >= FEWEST_OPERATIONS ? operations : 0;
}

void spe_cost_estimate(const struct machine *machine, unsigned long min_interval,
		       unsigned long record, struct spe_cost *cost)
{
	double clock = read_clock(machine), operations = read_operations(machine);

	*cost = (struct spe_cost) {
		.period = SPE_PERIOD_DEFAULT,
		.clock = clock ? clock : ASSUMED_CLOCK,
		.operations = operations ? operations : ASSUMED_OPERATIONS,
		.clock_is_known = clock,
		.operations_are_measured = operations,
	};
	if (min_interval > cost->period)
		cost->period = (min_interval + SPE_PERIOD_UNIT - 1) / SPE_PERIOD_UNIT *
			       SPE_PERIOD_UNIT;
	cost->records = cost->clock * cost->operations / cost->period;
	cost->bytes = cost->records * (record ? record : USUAL_RECORD);
}
