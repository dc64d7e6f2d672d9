// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Command line of "n3stat spe record". */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "lib/arguments.h"
#include "lib/memory.h"
#include "libspe/spe.h"
#include "machine.h"
#include "record_options.h"

#define AUX_SIZE_MAX	0x40000000	/* 1 GB */

#define STRING(text)	#text
#define STRING_OF(macro)	STRING(macro)

enum {
	OPT_PERIOD = 256, OPT_LOAD, OPT_STORE, OPT_BRANCH, OPT_LATENCY, OPT_EVENTS,
	OPT_WITHOUT, OPT_KERNEL, OPT_USER, OPT_JITTER, OPT_PA, OPT_SECONDS,
	OPT_AUX_SIZE,
};

static const char doc[] =
	"Record samples of single operations with the CPU's SPE, of all CPUs or of COMMAND. "
	"EVENTS is a mask or names, as in l1d-refill,tlb-walk.";

static const struct argp_option list[] = {
	{ "cpu", 'C', "LIST", 0, "CPUs, as in 0-3,8", 1 },
	{ "pid", 'p', "PID", 0, "a process, its threads and children", 1 },
	{ "period", OPT_PERIOD, "N", 0,
	  "a sample every N operations (" STRING_OF(SPE_PERIOD_DEFAULT) ")", 1 },
	{ "load", OPT_LOAD, NULL, 0, "only these operations", 2 },
	{ "store", OPT_STORE, NULL, OPTION_ALIAS, NULL, 2 },
	{ "branch", OPT_BRANCH, NULL, OPTION_ALIAS, NULL, 2 },
	{ "min-latency", OPT_LATENCY, "N", 0, "only operations of at least N cycles", 2 },
	{ "event-filter", OPT_EVENTS, "EVENTS", 0, "only with all EVENTS, or without any", 2 },
	{ "inverse-event-filter", OPT_WITHOUT, "EVENTS", OPTION_ALIAS, NULL, 2 },
	{ "kernel", OPT_KERNEL, NULL, 0, "only in the kernel, or in user space", 2 },
	{ "user", OPT_USER, NULL, OPTION_ALIAS, NULL, 2 },
	{ "jitter", OPT_JITTER, NULL, 0, "a random period; physical data addresses", 3 },
	{ "pa", OPT_PA, NULL, OPTION_ALIAS, NULL, 3 },
	{ "seconds", OPT_SECONDS, "N", 0, "stop after N seconds", 4 },
	{ "duration", OPT_SECONDS, "N", OPTION_ALIAS | OPTION_HIDDEN, NULL, 4 },
	{ "aux-size", OPT_AUX_SIZE, "SIZE", 0, "size of each buffer, as in 64k (4m)", 4 },
	{ "output", 'o', "FILE", 0, "output file (perf.data)", 4 },
	{ "quiet", 'q', NULL, 0, "no summary", 4 },
	{ 0 }
};

static const struct {
	unsigned int bit;
	const char *name;
} events[] = {
#define EVENT(bit, key, title)	{ bit, #key },
#include "events.def.h"
#undef EVENT
};

/* Accepts 0x. */
static uint64_t take_number(const char *what, const char *arg, uint64_t min, uint64_t max)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(arg, &end, 0);
	if (*arg < '0' || *arg > '9' || *end || errno || value < min || value > max)
		die(ERR_BAD_VALUE, "bad %s '%s'; write a number from %llu to %llu", what, arg,
		    (unsigned long long)min, (unsigned long long)max);
	return value;
}

static uint64_t event_bit(const char *name)
{
	for (size_t i = 0; i < NR(events); i++)
		if (!strcmp(events[i].name, name))
			return 1ULL << events[i].bit;
	die(ERR_UNKNOWN_EVENT, "no event '%s': see n3stat-spe-record(1)", name);
}

static uint64_t event_mask(const char *what, const char *arg)
{
	char *names, *name, *rest;
	uint64_t mask = 0;

	if (*arg >= '0' && *arg <= '9')
		return take_number(what, arg, 1, UINT64_MAX);
	names = xstrdup(arg);
	/* As in reports, or with dashes. */
	for (name = strchr(names, '-'); name; name = strchr(name, '-'))
		*name = '_';
	for (name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
		mask |= event_bit(name);
	free(names);
	if (!mask)
		die(ERR_BAD_VALUE, "bad %s '%s'; write a mask or names of events", what, arg);
	return mask;
}

static size_t parse_size(const char *arg)
{
	static const char units[] = "kmg";
	unsigned long page = sysconf(_SC_PAGESIZE);
	unsigned long long size;
	const char *unit;
	char *end;

	size = strtoull(arg, &end, 10);
	/* Too large in any unit; the shift below would overflow. */
	if (size > AUX_SIZE_MAX)
		size = 0;
	unit = *end ? strchr(units, tolower(*end)) : NULL;
	if (unit) {
		size <<= 10 * (unit - units + 1);
		end++;
	}
	if (*arg < '0' || *arg > '9' || *end || size < 2 * page || size > AUX_SIZE_MAX ||
	    size & (size - 1))
		die(ERR_BAD_VALUE, "bad --aux-size '%s'; write a power of two from %luk to 1g",
		    arg, 2 * page >> 10);
	return size;
}

static void add_pids(struct spe_record_options *options, const char *arg)
{
	char *words = xstrdup(arg), *word, *rest;

	options->pid_list = arg;
	for (word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
		options->pids = xreallocarray(options->pids, options->nr_pids + 1,
					      sizeof(*options->pids));
		options->pids[options->nr_pids++] = take_number("--pid", word, 1, INT_MAX);
	}
	free(words);
	if (!options->nr_pids)
		die(ERR_BAD_VALUE, "bad --pid '%s'; write the number of a process", arg);
}

/* Options that are terms; max: 0 for a flag, UINT64_MAX for a mask of events. */
static const struct {
	int key;
	const char *option, *name;
	uint64_t max;
} terms[] = {
	{ OPT_LOAD, "--load", "load_filter", 0 },
	{ OPT_STORE, "--store", "store_filter", 0 },
	{ OPT_BRANCH, "--branch", "branch_filter", 0 },
	{ OPT_LATENCY, "--min-latency", "min_latency", UINT16_MAX },
	{ OPT_EVENTS, "--event-filter", "event_filter", UINT64_MAX },
	{ OPT_WITHOUT, "--inverse-event-filter", "inv_event_filter", UINT64_MAX },
	{ OPT_JITTER, "--jitter", "jitter", 0 },
	{ OPT_PA, "--pa", "pa_enable", 0 },
};

static error_t parse_term(int key, const char *arg, struct spe_record_options *options)
{
	struct spe_term *term = options->terms;
	size_t i = 0;

	while (i < NR(terms) && terms[i].key != key)
		i++;
	if (i == NR(terms))
		return ARGP_ERR_UNKNOWN;
	while (term < options->terms + options->nr_terms && strcmp(term->name, terms[i].name))
		term++;
	options->nr_terms += term == options->terms + options->nr_terms;
	*term = (struct spe_term) { terms[i].name, terms[i].option, 1 };
	if (terms[i].max == UINT64_MAX)
		term->value = event_mask(term->option, arg);
	else if (terms[i].max)
		term->value = take_number(term->option, arg, 1, terms[i].max);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct spe_record_options *options = state->input;

	switch (key) {
	case 'C':
		cpus_free(&options->cpus);
		cpus_take(&options->cpus, arg);
		options->cpu_list = arg;
		return 0;
	case 'p':
		add_pids(options, arg);
		return 0;
	case OPT_PERIOD:
		options->period = take_number("--period", arg, SPE_PERIOD_UNIT, SPE_PERIOD_MAX);
		return 0;
	case OPT_KERNEL:
		options->only_kernel = true;
		return 0;
	case OPT_USER:
		options->only_user = true;
		return 0;
	case OPT_SECONDS:
		options->seconds = arguments_seconds("time", arg);
		return 0;
	case OPT_AUX_SIZE:
		options->aux_size = parse_size(arg);
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		options->command = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	default:
		return parse_term(key, arg, options);
	}
}

void spe_record_options_parse(struct spe_record_options *options, int argc, char **argv)
{
	static const struct argp argp = { list, parse, "[-- COMMAND]", doc, NULL, NULL, NULL };

	*options = (struct spe_record_options) {
		.period = SPE_PERIOD_DEFAULT,
		.terms = { { "ts_enable", "times", 1 } },
		.nr_terms = 1,
		.output = "perf.data",
		.words = argv,
	};
	arguments_parse(&argp, argc, argv, ARGP_IN_ORDER, options);
	if (options->only_kernel && options->only_user)
		die(ERR_CONFLICTING_OPTIONS, "--kernel and --user exclude each other");
	if (options->nr_pids && options->command)
		die(ERR_CONFLICTING_OPTIONS, "-p and a COMMAND exclude each other");
	if (!strcmp(options->output, "-"))
		die(ERR_BAD_VALUE, SPE_NO_PIPE, "-o -");
}

void spe_record_options_free(struct spe_record_options *options)
{
	cpus_free(&options->cpus);
	free(options->pids);
}

bool spe_has_term(const struct spe_record_options *options, const char *name)
{
	for (size_t i = 0; i < options->nr_terms; i++)
		if (!strcmp(options->terms[i].name, name))
			return true;
	return false;
}
