/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Whether there is a command, before it is needed. */
#ifndef LIB_COMMAND_PATH_H
#define LIB_COMMAND_PATH_H

/*
 * Looks where execvp(3) does. Ends the program with the exit status of env(1) if the
 * command is not there or cannot be executed.
 */
void command_path_check(const char *name);

#endif
