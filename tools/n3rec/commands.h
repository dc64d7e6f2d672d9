/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The commands of n3rec: each parses the rest of the command line. */
#ifndef N3REC_COMMANDS_H
#define N3REC_COMMANDS_H

int command_record(int argc, char **argv);
int command_report(int argc, char **argv);

#endif
