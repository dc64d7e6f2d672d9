/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Program startup and selection of a command by the program's name or its first word. */
#ifndef LIB_PROGRAM_H
#define LIB_PROGRAM_H

#include <stddef.h>

/* Runs a command line. Return: the exit status. */
typedef int (*command)(int argc, char **argv);

struct program_command {
	const char *name;
	command run;
};

struct program {
	const char *name;	/* "n3rec" */
	const char *title;	/* prefix of commands in their help: "n3stat" */
	const char *doc;	/* see struct argp; of program_choose() */
	const struct program_command *commands;
	size_t nr;
};

/* As in "0.2": that of the module, from which the tools are built. */
extern const char program_version[];

/* Called once by main(): standard streams, signals, limits, version. */
void program_start(int argc, char **argv);
/* Runs the command that the first word selects; exits if it is not valid. */
int program_choose(const struct program *program, int argc, char **argv);
/* A program called as n3stat-COMMAND runs that command; exits if it has another name. */
int program_run(const struct program *program, int argc, char **argv);

#endif
