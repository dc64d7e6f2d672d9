/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Options shared by several commands. */
#ifndef READER_OPTIONS_H
#define READER_OPTIONS_H

#include <argp.h>

#include "lib/machine.h"
#include "libn3telemetry/snapshot.h"
#include "libn3telemetry/who.h"

#define MAX_LISTS	128
#define MAX_NAMES	128

/* Lists from the command line, such as 0-3,8. */
struct place_lists {
	const char *v[MAX_LISTS];
	size_t nr;
};

struct options {
	const char *root;
	struct place_lists lists[SCOPE_SYSTEM];
	bool per[SCOPE_SYSTEM + 1];
	struct {
		const char *list;
		bool is_group;
	} names[MAX_NAMES];
	size_t nr_names;
	struct who_names who;
	const char *proc;	/* NULL: this machine's */
	const char *colour;	/* "always", "never"; NULL: on a terminal */
	double interval;
	unsigned long count;
	unsigned int nr_args;
};

#define OPTIONS_DEFAULT	{ .root = SOURCE_DEFAULT, .count = 1 }

/* Children of a command's argp; their input is a struct options. */
extern const struct argp options_source;	/* --root */
extern const struct argp options_places;	/* --cpu, --node, --per */
extern const struct argp options_names;		/* --group, --metric */
extern const struct argp options_who;		/* --pid, --comm, --cgroup, --proc */
extern const struct argp options_colour;	/* --color */

void options_argument(struct options *options, const char *arg);
/* Whether stdout gets colours. */
bool options_use_colour(const struct options *options);
bool options_name_places(const struct options *options);
/* -N with --per cpu: the CPUs of these nodes, for which /proc is needed. */
bool options_name_cpus_of_nodes(const struct options *options);
/* Exits unless /proc belongs to the machine whose values are read. */
void options_check_who(const struct options *options);
/* Starts to sample the named processes; exits if one does not exist, too. */
void options_start_who(const struct options *options, struct who *who);
/*
 * As on the command line, "--pid 1 --comm 'a b'", or without @options a title: "pid 1, comm a b".
 * The caller frees it.
 */
char *who_names_text(const struct who_names *names, bool options);
/* Warns if the library ignores cgroups. */
void warn_of_cgroups(const struct who_set *set);

void options_choose_places(const struct options *options, struct choice *choice,
			   enum scope otherwise);
/* The named places; by default the system and every CPU. */
void options_choose_places_or_all(const struct options *options, struct choice *choice);
void options_choose_names(const struct options *options, struct choice *choice);

#endif
