// SPDX-License-Identifier: GPL-2.0
/* The events, and workloads of which every event's rate is known. */
#include <kunit/visibility.h>
#include <linux/bsearch.h>
#include <linux/string.h>

#include "n3_sim.h"

/* The clock of a simulated core: rates in the table are per million cycles. */
#define CYCLES_PER_SECOND	3000000000ULL
#define RATE(per_million)	((per_million) * (CYCLES_PER_SECOND / 1000000))

const struct n3_sim_event n3_sim_events[N3T_NR_EVENTS] = {
#define N3T_EVENT(mnemonic, number, class, group, counts) { \
	.name = #mnemonic,				\
	.code = N3T_CODE_##mnemonic,			\
	.countable = counts,				\
},
#include "n3t_events.def.h"
};
EXPORT_SYMBOL_IF_KUNIT(n3_sim_events);

/* One column of the table makes one scenario. */
const struct n3_sim_scenario n3_sim_scenarios[N3_SIM_NR_SCENARIOS] = {
	{
		.name = "backend_memory_bound",
		.rates = {
#define N3_SIM_RATE(event, backend, frontend, speculation, retiring) \
	[N3T_EVENT_##event] = RATE(backend),
#include "n3_sim_scenarios.def.h"
		},
	}, {
		.name = "frontend_bound",
		.rates = {
#define N3_SIM_RATE(event, backend, frontend, speculation, retiring) \
	[N3T_EVENT_##event] = RATE(frontend),
#include "n3_sim_scenarios.def.h"
		},
	}, {
		.name = "bad_speculation",
		.rates = {
#define N3_SIM_RATE(event, backend, frontend, speculation, retiring) \
	[N3T_EVENT_##event] = RATE(speculation),
#include "n3_sim_scenarios.def.h"
		},
	}, {
		.name = "retiring",
		.rates = {
#define N3_SIM_RATE(event, backend, frontend, speculation, retiring) \
	[N3T_EVENT_##event] = RATE(retiring),
#include "n3_sim_scenarios.def.h"
		},
	},
};
EXPORT_SYMBOL_IF_KUNIT(n3_sim_scenarios);

static int compare_code(const void *key, const void *row)
{
	const struct n3_sim_event *event = row;

	return *(const u16 *)key - event->code;
}

/**
 * n3_sim_event_by_code() - look up an event number
 * @code: event number
 *
 * Return: enum n3t_event, or -ENOENT: an N3 has no such event, or no counter
 * can count it.
 */
int n3_sim_event_by_code(u16 code)
{
	/* The table is in the order of the event numbers. */
	const struct n3_sim_event *event =
		bsearch(&code, n3_sim_events, N3T_NR_EVENTS,
			sizeof(n3_sim_events[0]), compare_code);

	return event && event->countable ? event - n3_sim_events : -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_event_by_code);

/**
 * n3_sim_event_by_name() - look up a mnemonic
 * @name: mnemonic in any case
 *
 * Return: enum n3t_event, or -ENOENT: an N3 has no such event, or no counter
 * can count it.
 */
int n3_sim_event_by_name(const char *name)
{
	unsigned int event;

	for (event = 0; event < N3T_NR_EVENTS; event++)
		if (!strcasecmp(name, n3_sim_events[event].name))
			return n3_sim_events[event].countable ? event : -ENOENT;
	return -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_event_by_name);

/**
 * n3_sim_scenario_by_name() - look up a scenario
 * @name: its name
 *
 * Return: the scenario, or NULL.
 */
const struct n3_sim_scenario *n3_sim_scenario_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < N3_SIM_NR_SCENARIOS; i++)
		if (!strcmp(name, n3_sim_scenarios[i].name))
			return &n3_sim_scenarios[i];
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_scenario_by_name);

/**
 * n3_sim_scenario_by_rates() - the scenario that a phase was made from
 * @rates: the rates of the phase
 *
 * Return: the scenario, or NULL: the rates were given by hand.
 */
const struct n3_sim_scenario *n3_sim_scenario_by_rates(const u64 *rates)
{
	unsigned int i;

	for (i = 0; i < N3_SIM_NR_SCENARIOS; i++)
		if (rates == n3_sim_scenarios[i].rates)
			return &n3_sim_scenarios[i];
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_scenario_by_rates);

/**
 * n3_sim_script_constant() - a script in which nothing ever changes
 * @script: the script to be written
 * @rates: the rates, kept as a pointer
 */
void n3_sim_script_constant(struct n3_sim_script *script, const u64 *rates)
{
	*script = (struct n3_sim_script){
		.nr = 1,
		.phase[0].rates = rates,
	};
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_script_constant);
