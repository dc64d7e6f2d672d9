/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The commands of n3check: each parses the rest of the command line. */
#ifndef N3CHECK_COMMANDS_H
#define N3CHECK_COMMANDS_H

int command_doctor(int argc, char **argv);
int command_selftest(int argc, char **argv);

#endif
