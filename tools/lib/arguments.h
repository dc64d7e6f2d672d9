/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The command line of every command: argp, and -h beside its -? for the help. */
#ifndef LIB_ARGUMENTS_H
#define LIB_ARGUMENTS_H

#include <argp.h>

/* As argp_parse(), but ends the program where that would return an error. */
void arguments_parse(const struct argp *argp, int argc, char **argv, unsigned int flags,
		     void *input);

/*
 * Return: the index of the first word that is neither an option nor an option's argument, by
 * the options of @argp; @argc or more if there is none. Nothing is parsed.
 */
int arguments_first(const struct argp *argp, int argc, char **argv);

#endif
