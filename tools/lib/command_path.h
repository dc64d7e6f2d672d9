/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Check that a command can be executed, before it is needed. */
#ifndef LIB_COMMAND_PATH_H
#define LIB_COMMAND_PATH_H

/*
 * Searches PATH as execvp(3) does. Exits with the status of env(1) if the command does not
 * exist or cannot be executed.
 */
void command_path_check(const char *name);

#endif
