/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Command line parser of every command: argp, with -h as well as -? for help. */
#ifndef LIB_ARGUMENTS_H
#define LIB_ARGUMENTS_H

#include <argp.h>
#include <stdbool.h>

/* Option for which other programs use a letter; a table ends with the letter 0. */
struct letter_habit {
	char letter;
	const char *name;
};

/* Sets the options to suggest for unknown letters, if a command has them. */
void arguments_set_habits(const struct letter_habit *table);

/* Exits if an option is invalid, with an id, which the errors of argp lack. */
void arguments_check(const struct argp *argp, int argc, char **argv, bool in_order);

/* Like argp_parse(), but exits on errors. */
void arguments_parse(const struct argp *argp, int argc, char **argv, unsigned int flags,
		     void *input);

/*
 * Splits off a command behind "--". Return: the number of arguments before it; *command is NULL
 * if it is missing, and unchanged without "--".
 */
int arguments_split(int argc, char **argv, char ***command);

/*
 * Return: the index of the first word that is neither an option of @argp nor the argument of
 * one; @argc or more if none exists. Does not parse anything.
 */
int arguments_first(const struct argp *argp, int argc, char **argv);

/* Return: the seconds of an argument, 0.01 to 1000000; exits if it is no such number. */
double arguments_seconds(const char *what, const char *arg);

#endif
