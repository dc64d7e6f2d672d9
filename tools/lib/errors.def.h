/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Kinds of errors and warnings of any program: id, exit status, meaning. The status of a kind that
 * only warns is 0.
 *
 * ERROR(name, id, status, meaning). Ids are stable: scripts match them. The wording of
 * messages may change.
 */
ERROR(CANNOT_READ, "cannot_read", EXIT_OTHER, "A file cannot be opened or read.")
ERROR(CANNOT_START, "cannot_start", EXIT_OTHER, "A command cannot be started.")
ERROR(CANNOT_WRITE, "cannot_write", EXIT_OTHER, "A file or an output cannot be written.")
ERROR(DAMAGED_RECORDING, "damaged_recording", EXIT_OTHER, "A recording is damaged.")
ERROR(EMPTY_RECORDING, "empty_recording", EXIT_OTHER, "A recording has none of the requested data.")
ERROR(FILE_IN_USE, "file_in_use", EXIT_OTHER, "Another process is writing the file.")
ERROR(NOT_A_RECORDING, "not_a_recording", EXIT_OTHER, "The file is not a recording.")
ERROR(OPEN_FILES_LIMIT, "open_files_limit", EXIT_OTHER, "The limit of open files is too low for this many threads and CPUs.")
ERROR(OUT_OF_MEMORY, "out_of_memory", EXIT_OTHER, "There is not enough memory.")
ERROR(SYSTEM_ERROR, "system_error", EXIT_OTHER, "A system call failed.")
ERROR(TERMINAL_GONE, "terminal_gone", EXIT_OTHER, "The terminal was closed.")
ERROR(UNSUITABLE_TERMINAL, "unsuitable_terminal", EXIT_OTHER, "The terminal is unknown or cannot show a full screen.")

ERROR(BAD_OPTION, "bad_option", EXIT_BAD_USAGE, "An option is unknown, ambiguous, or its argument is missing.")
ERROR(BAD_VALUE, "bad_value", EXIT_BAD_USAGE, "An argument has a malformed or excessive value.")
ERROR(CONFLICTING_OPTIONS, "conflicting_options", EXIT_BAD_USAGE, "Options exclude or require each other.")
ERROR(INPUT_IS_OUTPUT, "input_is_output", EXIT_BAD_USAGE, "The output would overwrite the recording that is read.")
ERROR(MISSING_ARGUMENT, "missing_argument", EXIT_BAD_USAGE, "An argument is missing.")
ERROR(NEEDS_TERMINAL, "needs_terminal", EXIT_BAD_USAGE, "The command needs a terminal.")
ERROR(TOO_MANY_ARGUMENTS, "too_many_arguments", EXIT_BAD_USAGE, "There are too many arguments.")
ERROR(TOO_MANY_NAMES, "too_many_names", EXIT_BAD_USAGE, "An option is repeated too often.")
ERROR(UNKNOWN_COMMAND, "unknown_command", EXIT_BAD_USAGE, "The program has no such command.")

ERROR(NOT_A_COPY, "not_a_copy", EXIT_NO_MODULE, "The directory is not a copy of /sys/kernel/n3_telemetry or of a machine.")
ERROR(NO_DIRECTORY, "no_directory", EXIT_NO_MODULE, "The directory does not exist.")

ERROR(NO_SUCH_CPU, "no_such_cpu", EXIT_NO_PLACE, "The CPU does not exist or is offline.")
ERROR(NO_SUCH_PROCESS, "no_such_process", EXIT_NO_PLACE, "The process does not exist.")

ERROR(UNKNOWN_EVENT, "unknown_event", EXIT_NO_NAME, "The event does not exist.")

ERROR(CAPABILITY_MISSING, "capability_missing", EXIT_DENIED, "Uid 0 lacks CAP_PERFMON or CAP_SYS_ADMIN, as in a container.")
ERROR(PERMISSION_DENIED, "permission_denied", EXIT_DENIED, "Permission denied.")
ERROR(POLICY_REFUSES, "policy_refuses", EXIT_DENIED, "A security module, seccomp or lockdown refuses in spite of the capability.")
ERROR(SYSFS_READ_ONLY, "sysfs_read_only", EXIT_DENIED, "Sysfs is read-only, as in a container.")
ERROR(USER_NAMESPACE, "user_namespace", EXIT_DENIED, "A capability of a user namespace is not sufficient.")

ERROR(NOT_EXECUTABLE, "not_executable", EXIT_NOT_EXECUTABLE, "The command cannot be executed.")

ERROR(COMMAND_NOT_FOUND, "command_not_found", EXIT_NO_COMMAND, "The command does not exist.")

ERROR(INCOMPLETE_RECORDING, "incomplete_recording", EXIT_SUCCESS, "A recording is cut off or damaged; the part before is used.")
