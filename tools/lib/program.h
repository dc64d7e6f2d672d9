/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Program startup and selection of a command by the program's name or its first word. */
#ifndef LIB_PROGRAM_H
#define LIB_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

struct program_command {
	const char *name;
	/* Runs a command line. Return: the exit status. */
	int (*run)(int argc, char **argv);
	const char *executable;	/* of a command that is a program of its own, else NULL */
};

struct program {
	const char *name;	/* "n3rec" */
	const char *title;	/* prefix of commands in their help: "n3stat" */
	const char *doc;	/* see struct argp; of program_run_first() */
	const struct program_command *commands;
	size_t nr;
	/* Runs a command of another program. */
	int (*execute)(const char *command, const char *executable, int argc, char **argv);
};

/* As in "0.2": that of the module, from which the tools are built. */
extern const char program_version[];

/* Called once by main(): standard streams, signals, limits, version. */
void program_start(int argc, char **argv);
bool program_has(const struct program *program, const char *command);
/*
 * Runs a command, whose help and errors have its name instead of argv[0]. Return: its exit status.
 * Exits with a suggestion if it does not exist.
 */
int program_run(const struct program *program, const char *command, int argc, char **argv);
/* The same for the command that is the first word. */
int program_run_first(const struct program *program, int argc, char **argv);
/* The same for that of a program called as n3stat-COMMAND. */
int program_run_called(const struct program *program, int argc, char **argv);

#endif
