/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Errors of libn3telemetry, in addition to lib/errors.def.h: id, exit status, meaning. */
ERROR(CONTAINERS_OFF, "containers_off", EXIT_OTHER, "Containers are not sampled: container_pieces is 0, or no CPU can be.")
ERROR(MALFORMED_FILE, "malformed_file", EXIT_OTHER, "A file of the module does not have the expected form.")
ERROR(NO_CGROUP2, "no_cgroup2", EXIT_OTHER, "There is no hierarchy of cgroups of version 2.")
ERROR(NO_MODULE, "no_module", EXIT_NO_MODULE, "The module is not loaded.")
ERROR(NO_SUCH_CGROUP, "no_such_cgroup", EXIT_NO_PLACE, "The cgroup does not exist or is threaded.")
ERROR(NO_SUCH_PLACE, "no_such_place", EXIT_NO_PLACE, "The CPU, node or system is not measured or was not recorded.")
ERROR(PROCESSES_HIDDEN, "processes_hidden", EXIT_DENIED, "/proc hides the processes of other users (hidepid).")
ERROR(UNKNOWN_GROUP, "unknown_group", EXIT_NO_NAME, "The group does not exist.")
ERROR(UNKNOWN_VERSION, "unknown_version", EXIT_OTHER, "Another version of n3stat or the module wrote the file.")
ERROR(UNKNOWN_METRIC, "unknown_metric", EXIT_NO_NAME, "The metric does not exist.")
