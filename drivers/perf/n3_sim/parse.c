// SPDX-License-Identifier: GPL-2.0
/* Parser for text written to debugfs. A text with any error is rejected. */
#include <kunit/visibility.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "events.h"
#include "parse.h"
#include "rates.h"
#include "runs.h"
#include "scenarios.h"

/* Returns the next line that is not empty, or NULL. */
static char *next_line(char **text)
{
	char *line;

	while ((line = strsep(text, "\n"))) {
		line = strim(line);
		if (*line)
			return line;
	}
	return NULL;
}

/* Splits a line at its first whitespace. */
static int split_line(char *line, char **name, char **value)
{
	*name = strsep(&line, " \t");
	if (!line)
		return -EINVAL;

	*value = skip_spaces(line);
	return 0;
}

static int parse_event(const char *name)
{
	bool is_code = !strncasecmp(name, "0x", 2);
	int event;
	u16 code;

	if (is_code && kstrtou16(name, 16, &code))
		return -EINVAL;

	event = is_code ? n3_sim_event_by_code(code) : n3_sim_event_by_name(name);
	return event < 0 ? -EINVAL : event;
}

/* kstrtou64() accepts a sign, but "+1" is not a rate. */
static int parse_number(const char *text, u64 max, u64 *number)
{
	if (*text < '0' || *text > '9')
		return -EINVAL;
	if (kstrtou64(text, 10, number) || *number > max)
		return -EINVAL;
	return 0;
}

/**
 * n3_sim_parse_rates() - parse custom rates
 * @text: lines "MNEMONIC rate" or "0xCODE rate"; modified
 * @rates: counts per second of each event; those not named are unchanged.
 *	On error some may have been changed: pass a copy.
 *
 * Context: any.
 * Return: 0, or -EINVAL for an empty text, an event that cannot be counted or a
 * rate that is not a number from 0 to N3_SIM_MAX_RATE.
 */
int n3_sim_parse_rates(char *text, u64 *rates)
{
	char *line, *name, *value;
	bool any = false;
	int event;

	while ((line = next_line(&text))) {
		if (split_line(line, &name, &value))
			return -EINVAL;

		event = parse_event(name);
		if (event < 0)
			return event;
		if (parse_number(value, N3_SIM_MAX_RATE, &rates[event]))
			return -EINVAL;
		any = true;
	}
	return any ? 0 : -EINVAL;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_parse_rates);

static int parse_phase(const char *name, const char *value, struct n3_sim_phase *phase)
{
	const struct n3_sim_scenario *scenario = n3_sim_scenario_by_name(name);
	u64 us;

	if (!scenario && strcmp(name, "idle"))
		return -EINVAL;
	if (parse_number(value, N3_SIM_MAX_PHASE_US, &us) || !us)
		return -EINVAL;

	phase->rates = scenario ? scenario->rates : NULL;
	phase->ns = us * NSEC_PER_USEC;
	return 0;
}

/**
 * n3_sim_parse_program() - parse a list of phases
 * @text: lines "SCENARIO microseconds" or "idle microseconds"; modified
 * @script: the resulting script; invalid on error
 *
 * Context: any.
 * Return: 0, or -EINVAL for an empty text, more than N3_SIM_MAX_PHASES phases, an
 * unknown scenario or a time that is not from 1 us to N3_SIM_MAX_PHASE_US.
 */
int n3_sim_parse_program(char *text, struct n3_sim_script *script)
{
	char *line, *name, *value;

	*script = (struct n3_sim_script){};
	while ((line = next_line(&text))) {
		struct n3_sim_phase *phase = &script->phase[script->nr];

		if (script->nr == N3_SIM_MAX_PHASES)
			return -EINVAL;
		if (split_line(line, &name, &value) || parse_phase(name, value, phase))
			return -EINVAL;

		script->period_ns += phase->ns;
		script->nr++;
	}
	return script->nr ? 0 : -EINVAL;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_parse_program);

/* Parses @nr numbers, separated by whitespace, and nothing else. */
static int parse_numbers(char *text, unsigned int nr, u64 max, u64 *numbers)
{
	char *word;

	while ((word = strsep(&text, " \t"))) {
		if (!*word)
			continue;
		if (!nr-- || parse_number(word, max, numbers++))
			return -EINVAL;
	}
	return nr ? -EINVAL : 0;
}

static int parse_times(const char *name, char *text, struct n3_sim_owners *owners)
{
	u64 us[2];

	if (!strcmp(name, "cold")) {
		if (parse_numbers(text, 1, N3_SIM_MAX_PHASE_US, us))
			return -EINVAL;
		owners->cold_ns = us[0] * NSEC_PER_USEC;
		return 0;
	}
	if (parse_numbers(text, 2, N3_SIM_MAX_PHASE_US, us) || us[1] > us[0])
		return -EINVAL;
	owners->period_ns = us[0] * NSEC_PER_USEC;
	owners->noisy_ns = us[1] * NSEC_PER_USEC;
	return 0;
}

/* The kind "warm" is the first of a cgroup, and stands for those that do not follow. */
static int parse_owner(u64 id, char *text, struct n3_sim_owners *owners)
{
	static const char * const kinds[] = { "warm", "cold", "noisy" };
	struct n3_sim_owner *owner;
	int index, kind, other;
	char *name, *rates;

	if (split_line(text, &name, &rates))
		return -EINVAL;
	kind = match_string(kinds, ARRAY_SIZE(kinds), name);
	if (kind < 0)
		return -EINVAL;
	index = kind == N3_SIM_WARM ? n3_sim_owners_add(owners, id) :
				      n3_sim_owners_find(owners, id);
	if (index < 0 || index >= owners->nr || owners->owner[index].id != id)
		return -EINVAL;

	owner = &owners->owner[index];
	if (parse_numbers(rates, N3_SIM_NR_FOLLOWING, N3_SIM_MAX_RATE, owner->rates[kind]))
		return -EINVAL;
	for (other = kind + 1; kind == N3_SIM_WARM && other < N3_SIM_NR_KINDS; other++)
		memcpy(owner->rates[other], owner->rates[kind], sizeof(owner->rates[kind]));
	return 0;
}

/**
 * n3_sim_parse_owners() - parse rates by cgroup
 * @text: lines "ID warm|cold|noisy RATE...", with the rates of n3_sim_following,
 *	"cold MICROSECONDS" and "noise PERIOD MICROSECONDS"; modified
 * @owners: the cgroups; all bytes 0 before, invalid on error
 *
 * Context: any.
 * Return: 0, or -EINVAL for any other line, more than N3_SIM_MAX_OWNERS cgroups, or a cgroup
 * whose first line is not "warm"; the first cgroup has to be 0, for all others.
 */
int n3_sim_parse_owners(char *text, struct n3_sim_owners *owners)
{
	char *line, *name, *value;
	u64 id;
	int err;

	while ((line = next_line(&text))) {
		if (split_line(line, &name, &value))
			return -EINVAL;
		if (!strcmp(name, "cold") || !strcmp(name, "noise"))
			err = parse_times(name, value, owners);
		else
			err = parse_number(name, U64_MAX, &id) ?: parse_owner(id, value, owners);
		if (err)
			return -EINVAL;
	}
	return owners->nr ? 0 : -EINVAL;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_parse_owners);
