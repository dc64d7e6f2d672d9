/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Errors and warnings of the commands, in addition to libn3telemetry/errors.def.h: id, exit status,
 * meaning. The status of a kind that only warns is 0.
 */
ERROR(NOTHING_TESTED, "nothing_tested", EXIT_OTHER, "No event was tested on a CPU.")
ERROR(NOT_A_REPORT, "not_a_report", EXIT_OTHER, "The file is not a report of n3stat selftest.")
ERROR(NOT_ARM, "not_arm", EXIT_OTHER, "The CPUs are not Arm CPUs.")
ERROR(OTHER_MACHINE, "other_machine", EXIT_OTHER, "A report of n3stat selftest is of another machine or kernel.")
ERROR(TOO_MANY_SERIES, "too_many_series", EXIT_OTHER, "n3-exporter would export more series than --max-series allows.")
ERROR(TOO_MANY_VALUES, "too_many_values", EXIT_OTHER, "A page would hold too many values.")

ERROR(OUTPUT_TO_TERMINAL, "output_to_terminal", EXIT_BAD_USAGE, "A recording is not written to a terminal.")

ERROR(NO_COMMON_PLACE, "no_common_place", EXIT_NO_PLACE, "Two recordings begin with different places.")
ERROR(NO_CPU_LEFT, "no_cpu_left", EXIT_NO_PLACE, "All CPUs are isolated or not sampled.")

ERROR(AMBIGUOUS_EVENT, "ambiguous_event", EXIT_NO_NAME, "The code of an event is valid both in decimal and hexadecimal.")
ERROR(METRIC_NOT_SHOWN, "metric_not_shown", EXIT_NO_NAME, "Places cannot be sorted by a metric that is not shown.")
ERROR(UNKNOWN_NAME, "unknown_name", EXIT_NO_NAME, "n3stat explain knows no such metric, group, event or word.")

ERROR(NOT_INSTALLED, "not_installed", EXIT_NO_COMMAND, "The command is in another package.")

ERROR(FELL_BEHIND, "fell_behind", EXIT_SUCCESS, "Snapshots took longer than the interval.")
ERROR(METRICS_NOT_COMPARED, "metrics_not_compared", EXIT_SUCCESS, "Only one of two recordings has these metrics.")
ERROR(PROCESSES_ENDED, "processes_ended", EXIT_SUCCESS, "The processes have ended.")
ERROR(RECORDINGS_DIFFER, "recordings_differ", EXIT_SUCCESS, "Two recordings differ in core or simulated counts.")
ERROR(SELFTEST_STARTED, "selftest_started", EXIT_SUCCESS, "Duration and memory of the tests that begin.")
ERROR(TOO_MANY_CGROUPS, "too_many_cgroups", EXIT_SUCCESS, "A cgroup has too many descendants; some are ignored.")
