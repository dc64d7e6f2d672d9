/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Start of a program, and the command that its own name or its first word selects. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stddef.h>

/* Takes a command line and returns the exit status. */
typedef int (*command)(int argc, char **argv);

struct program_command {
	const char *name;
	command run;
};

struct program {
	const char *name;	/* "n3rec" */
	const char *title;	/* of its commands, in their help: "n3stat" */
	const char *doc;	/* as argp has it */
	const struct program_command *commands;
	size_t nr;
};

/* Called once by main(): standard streams, signals, version, tables. */
void program_start(void);
/* Runs the command that the first word selects; without a valid one the program ends. */
int program_choose(const struct program *program, int argc, char **argv);
/* The same, but called as n3stat-COMMAND the program is that command. */
int program_run(const struct program *program, int argc, char **argv);

#endif
