/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Errors and warnings of the commands, in addition to libn3telemetry/errors.def.h: id, exit status,
 * meaning. The status of a kind that only warns is 0.
 */
ERROR(DAMAGED_RECORDING, "damaged_recording", EXIT_OTHER, "A recording is damaged.")
ERROR(EMPTY_RECORDING, "empty_recording", EXIT_OTHER, "A recording has none of the requested data.")
ERROR(FILTERS_UNSUPPORTED, "filters_unsupported", EXIT_OTHER, "The SPE driver does not support a filter or setting.")
ERROR(KERNEL_ADDRESSES_HIDDEN, "kernel_addresses_hidden", EXIT_OTHER, "A copy of /proc/kallsyms has no addresses.")
ERROR(NOTHING_TESTED, "nothing_tested", EXIT_OTHER, "No event was tested on a CPU.")
ERROR(NOT_A_RECORDING, "not_a_recording", EXIT_OTHER, "The file is not a recording.")
ERROR(NOT_A_REPORT, "not_a_report", EXIT_OTHER, "The file is not a report of n3stat selftest.")
ERROR(NOT_ARM, "not_arm", EXIT_OTHER, "The CPUs are not Arm CPUs.")
ERROR(NO_BUFFERS, "no_buffers", EXIT_OTHER, "The buffers of perf cannot be allocated.")
ERROR(NO_SPE, "no_spe", EXIT_OTHER, "The kernel has no PMU for SPE.")
ERROR(OTHER_MACHINE, "other_machine", EXIT_OTHER, "A report of n3stat selftest is of another machine or kernel.")
ERROR(PERF_FAILED, "perf_failed", EXIT_OTHER, "perf_event_open(2) failed.")
ERROR(SPE_IN_USE, "spe_in_use", EXIT_OTHER, "Another session samples this CPU or task.")
ERROR(TOO_MANY_SERIES, "too_many_series", EXIT_OTHER, "n3-exporter would export more series than --max-series allows.")
ERROR(TOO_MANY_VALUES, "too_many_values", EXIT_OTHER, "A page would hold too many values.")
ERROR(WRONG_BINARY, "wrong_binary", EXIT_OTHER, "The program is not the one that was sampled.")

ERROR(INPUT_IS_OUTPUT, "input_is_output", EXIT_BAD_USAGE, "The output would overwrite the recording that is read.")
ERROR(OUTPUT_TO_TERMINAL, "output_to_terminal", EXIT_BAD_USAGE, "A recording is not written to a terminal.")
ERROR(SEVERAL_PMUS, "several_pmus", EXIT_BAD_USAGE, "The CPUs have more than one PMU for SPE.")

ERROR(NOT_A_COPY, "not_a_copy", EXIT_NO_MODULE, "The directory is not a copy of /sys/kernel/n3_telemetry or of a machine.")

ERROR(CPU_WITHOUT_SPE, "cpu_without_spe", EXIT_NO_PLACE, "The CPU has no SPE.")
ERROR(NO_COMMON_PLACE, "no_common_place", EXIT_NO_PLACE, "Two recordings begin with different places.")
ERROR(NO_CPU_LEFT, "no_cpu_left", EXIT_NO_PLACE, "All CPUs are isolated or not sampled.")
ERROR(NO_SUCH_CGROUP, "no_such_cgroup", EXIT_NO_PLACE, "The cgroup does not exist or is threaded.")
ERROR(NO_SUCH_CPU, "no_such_cpu", EXIT_NO_PLACE, "The CPU does not exist or is offline.")
ERROR(NO_SUCH_PROCESS, "no_such_process", EXIT_NO_PLACE, "The process does not exist.")

ERROR(AMBIGUOUS_EVENT, "ambiguous_event", EXIT_NO_NAME, "The code of an event is valid both in decimal and hexadecimal.")
ERROR(METRIC_NOT_SHOWN, "metric_not_shown", EXIT_NO_NAME, "Places cannot be sorted by a metric that is not shown.")
ERROR(UNKNOWN_EVENT, "unknown_event", EXIT_NO_NAME, "The event does not exist.")
ERROR(UNKNOWN_NAME, "unknown_name", EXIT_NO_NAME, "n3stat explain knows no such metric, group, event or word.")
ERROR(UNKNOWN_PROGRAM, "unknown_program", EXIT_NO_NAME, "No such program was sampled.")

ERROR(CAPABILITY_MISSING, "capability_missing", EXIT_DENIED, "Uid 0 lacks CAP_PERFMON or CAP_SYS_ADMIN, as in a container.")
ERROR(POLICY_REFUSES, "policy_refuses", EXIT_DENIED, "A security module, seccomp or lockdown refuses in spite of the capability.")
ERROR(SYSFS_READ_ONLY, "sysfs_read_only", EXIT_DENIED, "Sysfs is read-only, as in a container.")
ERROR(USER_NAMESPACE, "user_namespace", EXIT_DENIED, "A capability of a user namespace is not sufficient.")

ERROR(NOT_INSTALLED, "not_installed", EXIT_NO_COMMAND, "The command is in another package.")

ERROR(BINARY_UNREADABLE, "binary_unreadable", EXIT_SUCCESS, "A program that was sampled cannot be read: addresses have no names.")
ERROR(BRANCHES_DROPPED, "branches_dropped", EXIT_SUCCESS, "A profile lacks branches because there are too many.")
ERROR(DAMAGED_DATA, "damaged_data", EXIT_SUCCESS, "Parts of a recording were skipped.")
ERROR(FELL_BEHIND, "fell_behind", EXIT_SUCCESS, "Snapshots took longer than the interval.")
ERROR(INCOMPLETE_RECORDING, "incomplete_recording", EXIT_SUCCESS, "A recording is cut off or damaged; the part before is used.")
ERROR(METRICS_NOT_COMPARED, "metrics_not_compared", EXIT_SUCCESS, "Only one of two recordings has these metrics.")
ERROR(NO_RECORDS, "no_records", EXIT_SUCCESS, "A recording has no records to report.")
ERROR(PROCESSES_ENDED, "processes_ended", EXIT_SUCCESS, "The processes have ended.")
ERROR(RECORDINGS_DIFFER, "recordings_differ", EXIT_SUCCESS, "Two recordings differ in core or simulated counts.")
ERROR(SELFTEST_STARTED, "selftest_started", EXIT_SUCCESS, "Duration and memory of the tests that begin.")
ERROR(SHORT_PERIOD, "short_period", EXIT_SUCCESS, "The sampling period is below the minimum of the core.")
ERROR(TOO_MANY_CGROUPS, "too_many_cgroups", EXIT_SUCCESS, "A cgroup has too many descendants; some are ignored.")
