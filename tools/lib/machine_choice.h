/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* --root and --machine: the live machine, or a copy of its files. */
#ifndef LIB_MACHINE_CHOICE_H
#define LIB_MACHINE_CHOICE_H

#include <argp.h>

#include "machine.h"

struct machine_choice {
	const char *root;	/* the module's directory, or a copy of it */
	const char *copy;	/* directory of the copy, or NULL */
};

#define MACHINE_CHOICE_DEFAULT	{ .root = SOURCE_DEFAULT }

/* A child of a command's argp; its input is a struct machine_choice. */
extern const struct argp options_machine;

/* Exits if neither a machine nor a copy of the module's files is there. */
void machine_open(const struct machine_choice *choice, struct machine *machine);
/* Return: false for a copy of the module's files alone, which may be from any machine. */
bool machine_is_known(const struct machine *machine);
void machine_close(struct machine *machine);

#endif
