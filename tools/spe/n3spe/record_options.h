/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Command line of "n3stat spe record". */
#ifndef N3SPE_RECORD_OPTIONS_H
#define N3SPE_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/cpu_list.h"

#define SPE_MAX_TERMS		16
#define SPE_NO_PIPE	"%s: perf.data cannot be written to a pipe; write a file with -o FILE"

/* A setting of the PMU, as named in its format directory. */
struct spe_term {
	const char *name;
	const char *option;	/* name for the user */
	uint64_t value;
};

struct spe_record_options {
	struct cpus cpus;		/* of -C; empty: all */
	const char *cpu_list, *pid_list;	/* arguments of -C and -p, or NULL */
	pid_t *pids;
	size_t nr_pids;
	char **command;			/* NULL: none */
	uint64_t period;
	struct spe_term terms[SPE_MAX_TERMS];
	size_t nr_terms;
	bool only_kernel, only_user;
	double seconds;			/* 0: until interrupted */
	size_t aux_size;		/* of each buffer, 0: default */
	const char *output;
	bool quiet;
	char **words;			/* the whole command line */
};

/* Exits on bad usage. */
void spe_record_options_parse(struct spe_record_options *options, int argc, char **argv);
void spe_record_options_free(struct spe_record_options *options);
bool spe_has_term(const struct spe_record_options *options, const char *name);

#endif
