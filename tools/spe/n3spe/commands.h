/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of "n3stat spe": each parses the rest of the command line. */
#ifndef N3SPE_COMMANDS_H
#define N3SPE_COMMANDS_H

int spe_command_info(int argc, char **argv);
int spe_command_record(int argc, char **argv);
int spe_command_report(int argc, char **argv);
int spe_command_profile(int argc, char **argv);

#endif
