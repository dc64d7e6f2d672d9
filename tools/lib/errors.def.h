/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Kinds of errors of any program: id, exit status, meaning.
 *
 * ERROR(name, id, status, meaning). Ids are stable: scripts match them. The wording of
 * messages may change.
 */
ERROR(CANNOT_READ, "cannot_read", EXIT_OTHER, "A file cannot be opened or read.")
ERROR(CANNOT_START, "cannot_start", EXIT_OTHER, "A command cannot be started.")
ERROR(CANNOT_WRITE, "cannot_write", EXIT_OTHER, "A file or an output cannot be written.")
ERROR(FILE_IN_USE, "file_in_use", EXIT_OTHER, "Another process is writing the file.")
ERROR(OPEN_FILES_LIMIT, "open_files_limit", EXIT_OTHER, "The limit of open files is too low for this many threads and CPUs.")
ERROR(OUT_OF_MEMORY, "out_of_memory", EXIT_OTHER, "There is not enough memory.")
ERROR(SYSTEM_ERROR, "system_error", EXIT_OTHER, "A system call failed.")
ERROR(TERMINAL_GONE, "terminal_gone", EXIT_OTHER, "The terminal was closed.")
ERROR(UNSUITABLE_TERMINAL, "unsuitable_terminal", EXIT_OTHER, "The terminal is unknown or cannot show a full screen.")

ERROR(BAD_OPTION, "bad_option", EXIT_BAD_USAGE, "An option is unknown, ambiguous, or its argument is missing.")
ERROR(BAD_VALUE, "bad_value", EXIT_BAD_USAGE, "An argument has a malformed or excessive value.")
ERROR(CONFLICTING_OPTIONS, "conflicting_options", EXIT_BAD_USAGE, "Options exclude or require each other.")
ERROR(MISSING_ARGUMENT, "missing_argument", EXIT_BAD_USAGE, "An argument is missing.")
ERROR(NEEDS_TERMINAL, "needs_terminal", EXIT_BAD_USAGE, "The command needs a terminal.")
ERROR(TOO_MANY_ARGUMENTS, "too_many_arguments", EXIT_BAD_USAGE, "There are too many arguments.")
ERROR(TOO_MANY_NAMES, "too_many_names", EXIT_BAD_USAGE, "An option is repeated too often.")
ERROR(UNKNOWN_COMMAND, "unknown_command", EXIT_BAD_USAGE, "The program has no such command.")

ERROR(PERMISSION_DENIED, "permission_denied", EXIT_DENIED, "Permission denied.")

ERROR(NOT_EXECUTABLE, "not_executable", EXIT_NOT_EXECUTABLE, "The command cannot be executed.")

ERROR(COMMAND_NOT_FOUND, "command_not_found", EXIT_NO_COMMAND, "The command does not exist.")
