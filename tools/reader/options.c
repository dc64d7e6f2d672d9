// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Options shared by several commands. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "lib/arguments.h"
#include "lib/cpu_list.h"
#include "lib/disk.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "libn3telemetry/busy.h"
#include "libn3telemetry/proc_task.h"
#include "libn3telemetry/source.h"
#include "options.h"
#include "telemetry.h"

enum { OPTION_PER = 512, OPTION_COMM, OPTION_CGROUP, OPTION_PROC, OPTION_COLOUR };

static const struct argp_option source_options[] = {
	{ "root", 'r', "DIR", 0, "read a copy of " SOURCE_DEFAULT " in DIR", 9 },
	{ 0 }
};

static error_t parse_source(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	if (key != 'r')
		return ARGP_ERR_UNKNOWN;
	options->root = arg;
	return 0;
}

const struct argp options_source = { source_options, parse_source, NULL, NULL, NULL, NULL, NULL };

static const struct argp_option place_options[] = {
	{ "cpu", 'C', "LIST", 0, "CPUs, as in 0-3,8", 1 },
	{ "node", 'N', "LIST", 0, "NUMA nodes, as in 0-3,8", 1 },
	{ "per", OPTION_PER, "WHAT", 0, "all of a kind: cpu, node or system", 1 },
	{ 0 }
};

/* Return: the scope, or -1. */
static int scope_of(const char *word)
{
	for (int scope = SCOPE_CPU; scope <= SCOPE_SYSTEM; scope++)
		if (!strcmp(word, scope_names[scope]))
			return scope;
	return -1;
}

static void take_per(struct options *options, const char *word)
{
	int scope = scope_of(word);

	if (scope < 0)
		die(ERR_BAD_VALUE, "bad --per '%s'; write cpu, node or system", word);
	options->per[scope] = true;
}

static void take_list(struct options *options, enum scope scope, const char *list)
{
	struct place_lists *lists = &options->lists[scope];

	if (lists->nr == MAX_LISTS)
		die(ERR_TOO_MANY_NAMES, "more than %d lists of CPUs or nodes", MAX_LISTS);
	lists->v[lists->nr++] = list;
}

/* Return: whether the text is a list of numbers, as in 0-3,8. */
static bool is_list(const char *text)
{
	return *text && strspn(text, "0123456789,-") == strlen(text);
}

static error_t parse_places(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'C':
		take_list(options, SCOPE_CPU, arg);
		return 0;
	case 'N':
		take_list(options, SCOPE_NODE, arg);
		return 0;
	case OPTION_PER:
		take_per(options, arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp options_places = { place_options, parse_places, NULL, NULL, NULL, NULL, NULL };

static const struct argp_option name_options[] = {
	{ "group", 'g', "LIST", 0, "metric groups, as in mpki,general, or all", 2 },
	{ "groups", 'g', "LIST", OPTION_ALIAS | OPTION_HIDDEN, NULL, 2 },
	{ "metric", 'm', "LIST", 0, "metrics, as in ipc,branch_mpki", 2 },
	{ 0 }
};

static error_t parse_names(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	if (key != 'g' && key != 'm')
		return ARGP_ERR_UNKNOWN;
	if (is_list(arg))
		die(key == 'g' ? ERR_UNKNOWN_GROUP : ERR_UNKNOWN_METRIC,
		    "no %s '%s'; did you mean -C %s?", key == 'g' ? "group" : "metric", arg, arg);
	if (options->nr_names == MAX_NAMES)
		die(ERR_TOO_MANY_NAMES, "more than %d lists of groups and metrics", MAX_NAMES);
	options->names[options->nr_names].list = arg;
	options->names[options->nr_names++].is_group = key == 'g';
	return 0;
}

const struct argp options_names = { name_options, parse_names, NULL, NULL, NULL, NULL, NULL };

static const struct argp_option who_options[] = {
	{ "pid", 'p', "PID", 0, "CPUs on which this process runs", 5 },
	{ "comm", OPTION_COMM, "NAME", 0, "CPUs on which processes of this name run", 5 },
	{ "cgroup", OPTION_CGROUP, "PATH", 0, "CPUs on which processes of this cgroup run", 5 },
	{ "proc", OPTION_PROC, "DIR", OPTION_HIDDEN, "read a copy of " PROC_DEFAULT " in DIR", 9 },
	{ 0 }
};

static void add_who(const char **v, size_t *nr, const char *text)
{
	if (*nr == WHO_MAX_NAMES)
		die(ERR_TOO_MANY_NAMES, "more than %d processes, names or cgroups", WHO_MAX_NAMES);
	v[(*nr)++] = text;
}

static void take_pid(struct options *options, const char *arg)
{
	if (scope_of(arg) >= 0)
		die(ERR_BAD_VALUE, "bad --pid '%s'; did you mean --per %s?", arg, arg);
	if (!task_number(arg) && is_list(arg))
		die(ERR_BAD_VALUE, "bad --pid '%s'; did you mean -C %s?", arg, arg);
	if (!task_number(arg))
		die(ERR_BAD_VALUE, "bad --pid '%s'; write the number of a process", arg);
	add_who(options->who.pids, &options->who.nr_pids, arg);
}

static error_t parse_who(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'p':
		take_pid(options, arg);
		return 0;
	case OPTION_COMM:
		if (!*arg)
			die(ERR_BAD_VALUE, "empty --comm; write the name of a program");
		add_who(options->who.comms, &options->who.nr_comms, arg);
		return 0;
	case OPTION_CGROUP:
		if (!*arg)
			die(ERR_BAD_VALUE, "empty --cgroup; write a path below /sys/fs/cgroup");
		add_who(options->who.cgroups, &options->who.nr_cgroups, arg);
		return 0;
	case OPTION_PROC:
		options->proc = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Whether an option names places. */
bool options_name_places(const struct options *options)
{
	return options->lists[SCOPE_CPU].nr || options->lists[SCOPE_NODE].nr ||
	       options->per[SCOPE_CPU] || options->per[SCOPE_NODE] || options->per[SCOPE_SYSTEM];
}

const struct argp options_who = { who_options, parse_who, NULL, NULL, NULL, NULL, NULL };

static void check_copy(const struct options *options)
{
	if (!source_is_live(&telemetry) && !options->proc)
		die(ERR_CONFLICTING_OPTIONS,
		    "%s is a copy, but %s belongs to this machine; add --proc DIR, or -C LIST for "
		    "the CPUs of a node", telemetry.root, PROC_DEFAULT);
}

static const struct argp_option colour_options[] = {
	{ "color", OPTION_COLOUR, "WHEN", 0, "auto, always or never", 6 },
	{ "colour", OPTION_COLOUR, "WHEN", OPTION_ALIAS | OPTION_HIDDEN, NULL, 6 },
	{ 0 }
};

static error_t parse_colour(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	if (key != OPTION_COLOUR)
		return ARGP_ERR_UNKNOWN;
	if (strcmp(arg, "auto") && strcmp(arg, "always") && strcmp(arg, "never"))
		die(ERR_BAD_VALUE, "bad --color '%s'; write auto, always or never", arg);
	options->colour = strcmp(arg, "auto") ? arg : NULL;
	return 0;
}

const struct argp options_colour = { colour_options, parse_colour, NULL, NULL, NULL, NULL, NULL };

bool options_use_colour(const struct options *options)
{
	return options->colour ? !strcmp(options->colour, "always") : use_colour(stdout);
}

void options_check_who(const struct options *options)
{
	if (options_name_places(options))
		die(ERR_CONFLICTING_OPTIONS,
		    "--pid, --comm and --cgroup find the CPUs: not with -C, -N, --per");
	check_copy(options);
}

void options_start_who(const struct options *options, struct who *who)
{
	options_check_who(options);
	must(who_start(&telemetry.failure, who, &options->who,
		       options->proc ? options->proc : PROC_DEFAULT));
	warn_of_cgroups(&who->set);
}

static void append(char **text, const char *kind, const char * const *v, size_t nr, bool options)
{
	for (size_t i = 0; i < nr; i++) {
		char *word = options ? shell_word(v[i]) : xstrdup(v[i]);

		append_text(text, options ? " " : ", ", "%s%s %s", options ? "--" : "", kind, word);
		free(word);
	}
}

char *who_names_text(const struct who_names *names, bool options)
{
	char *text = xstrdup("");

	append(&text, "pid", names->pids, names->nr_pids, options);
	append(&text, "comm", names->comms, names->nr_comms, options);
	append(&text, "cgroup", names->cgroups, names->nr_cgroups, options);
	plain_text(text);
	return text;
}

void warn_of_cgroups(const struct who_set *set)
{
	if (set->cut_off)
		warn(ERR_TOO_MANY_CGROUPS, "%s: %d cgroups, no more are looked at", set->cut_off,
		     MAX_CGROUPS);
}

static unsigned long parse_count(const char *arg)
{
	unsigned long count;

	errno = 0;
	count = strtoul(arg, NULL, 10);
	if (strspn(arg, "0123456789") != strlen(arg) || !count || errno)
		die(ERR_BAD_VALUE, "bad count '%s'; write a positive number", arg);
	return count;
}

/* Parses INTERVAL and COUNT, as in vmstat. */
void options_argument(struct options *options, const char *arg)
{
	if (options->nr_args == 0) {
		options->interval = arguments_seconds("interval", arg);
		options->count = ULONG_MAX;
	} else if (options->nr_args == 1) {
		options->count = parse_count(arg);
	} else {
		die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
	}
	options->nr_args++;
}

bool options_name_cpus_of_nodes(const struct options *options)
{
	return options->per[SCOPE_CPU] && options->lists[SCOPE_NODE].nr;
}

/* Frees the path. */
static bool exists(char *path)
{
	bool found = !access(path, F_OK);

	free(path);
	return found;
}

/* Kernel threads have no command line, and numbers as small as those of CPUs. */
static bool is_program(const char *proc, const char *pid)
{
	char *path = format_string("%s/%s/cmdline", proc, pid), text[1];
	bool found = disk_read(path, text, sizeof(text)) > 0;

	free(path);
	return found;
}

/* Whether the machine has the CPU, which may not be a Neoverse N3. */
static bool has_cpu(const char *proc, const char *cpu)
{
	return exists(format_string("%s/../sys/devices/system/cpu/cpu%s", proc, cpu)) ||
	       exists(format_string("%s/cpu%s", telemetry.root, cpu));
}

/* Exits if a process was named instead of a CPU. */
static void check_cpu(const struct options *options, const char *list)
{
	const char *proc = options->proc ? options->proc : PROC_DEFAULT;

	if (task_number(list) && !has_cpu(proc, list) && is_program(proc, list))
		die(ERR_NO_SUCH_PLACE, "no CPU %s; did you mean the process: n3stat -p %s?", list,
		    list);
}

static void take_lists(const struct options *options, enum scope scope, bool *wanted)
{
	const struct place_lists *lists = &options->lists[scope];

	for (size_t i = 0; i < lists->nr; i++) {
		if (scope == SCOPE_CPU)
			check_cpu(options, lists->v[i]);
		cpu_list_take(lists->v[i], scope_title(scope), wanted);
	}
}

/* Those that are measured. */
static void take_cpus_of_nodes(const struct options *options, bool *wanted)
{
	const char *proc = options->proc ? options->proc : PROC_DEFAULT;
	bool nodes[MAX_PLACES] = { false }, cpus[MAX_PLACES] = { false };
	bool present[MAX_PLACES] = { false };

	check_copy(options);
	take_lists(options, SCOPE_NODE, nodes);
	for (unsigned int node = 0; node < MAX_PLACES; node++)
		if (nodes[node] && !busy_node_cpus(proc, node, cpus))
			die(ERR_NO_SUCH_PLACE, "the CPUs of node %u are unknown: no %s/../sys/"
			    "devices/system/node/node%u/cpulist", node, proc, node);
	must(places_present(&telemetry, SCOPE_CPU, present));
	for (unsigned int cpu = 0; cpu < MAX_PLACES; cpu++)
		wanted[cpu] |= cpus[cpu] && present[cpu];
}

static void choose_scope(const struct options *options, struct places *places, enum scope scope)
{
	bool of_nodes = scope == SCOPE_CPU && options_name_cpus_of_nodes(options);
	bool wanted[MAX_PLACES] = { false };

	take_lists(options, scope, wanted);
	if (of_nodes)
		take_cpus_of_nodes(options, wanted);
	must(places_add(&telemetry, places, scope,
			of_nodes || options->lists[scope].nr ? wanted : NULL));
}

void options_choose_places(const struct options *options, struct choice *choice,
			   enum scope otherwise)
{
	bool named = options_name_places(options), system;

	if (options->per[SCOPE_SYSTEM] || (!named && otherwise == SCOPE_SYSTEM)) {
		must(places_have_system(&telemetry, &system));
		if (!system)
			die(ERR_NO_SUCH_PLACE, "%s/system does not exist; try --per cpu",
			    telemetry.root);
		xplaces_add_one(&choice->places, place_make(SCOPE_SYSTEM, 0));
	}
	for (int scope = SCOPE_NODE; scope >= SCOPE_CPU; scope--)
		if (options->lists[scope].nr || options->per[scope] ||
		    (!named && (int)otherwise == scope))
			choose_scope(options, &choice->places, scope);
}

void options_choose_places_or_all(const struct options *options, struct choice *choice)
{
	if (!options_name_places(options))
		xplaces_add_one(&choice->places, place_make(SCOPE_SYSTEM, 0));
	options_choose_places(options, choice, SCOPE_CPU);
}

void options_choose_names(const struct options *options, struct choice *choice)
{
	for (size_t i = 0; i < options->nr_names; i++) {
		char *list = xstrdup(options->names[i].list), *rest = list, *name;

		/* Empty names are invalid. */
		while ((name = strsep(&rest, ","))) {
			if (options->names[i].is_group)
				must(choose_group(&telemetry, choice, name));
			else
				must(choose_metric(&telemetry, choice, name));
		}
		free(list);
	}
}
