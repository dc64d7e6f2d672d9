/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Errors and warnings of n3spe, in addition to lib/errors.def.h: id, exit status, meaning. The
 * status of a kind that only warns is 0.
 */
ERROR(BIG_ENDIAN, "big_endian", EXIT_OTHER, "A perf.data file of a big-endian machine.")
ERROR(COMPRESSED_RECORDING, "compressed_recording", EXIT_OTHER, "A perf.data file of perf record -z.")
ERROR(FILTERS_UNSUPPORTED, "filters_unsupported", EXIT_OTHER, "The SPE driver does not support a filter or setting.")
ERROR(KERNEL_ADDRESSES_HIDDEN, "kernel_addresses_hidden", EXIT_OTHER, "A copy of /proc/kallsyms has no addresses.")
ERROR(NO_BUFFERS, "no_buffers", EXIT_OTHER, "The buffers of perf cannot be allocated.")
ERROR(NO_SPE, "no_spe", EXIT_OTHER, "The kernel has no PMU for SPE.")
ERROR(NO_SPE_DATA, "no_spe_data", EXIT_OTHER, "A perf.data file without data of SPE.")
ERROR(PERF_FAILED, "perf_failed", EXIT_OTHER, "perf_event_open(2) failed.")
ERROR(PIPE_RECORDING, "pipe_recording", EXIT_OTHER, "A perf.data file that perf wrote to a pipe.")
ERROR(SEVERAL_PMUS, "several_pmus", EXIT_OTHER, "A perf.data file of several kinds of cores.")
ERROR(SNAPSHOT_RECORDING, "snapshot_recording", EXIT_OTHER, "A perf.data file of perf record -S.")
ERROR(SPE_IN_USE, "spe_in_use", EXIT_OTHER, "Another session samples this CPU or task.")
ERROR(THREADS_RECORDING, "threads_recording", EXIT_OTHER, "A directory of perf record --threads.")
ERROR(NEWER_RECORDING, "newer_recording", EXIT_OTHER, "A perf.data file with SPE data of a newer version.")
ERROR(WRONG_BINARY, "wrong_binary", EXIT_OTHER, "The program is not the one that was sampled.")

ERROR(CPU_WITHOUT_SPE, "cpu_without_spe", EXIT_NO_PLACE, "The CPU has no SPE.")

ERROR(UNKNOWN_PROGRAM, "unknown_program", EXIT_NO_NAME, "No such program was sampled.")

ERROR(BINARY_UNREADABLE, "binary_unreadable", EXIT_SUCCESS, "A program that was sampled, or the kernel, has no usable names.")
ERROR(BRANCHES_DROPPED, "branches_dropped", EXIT_SUCCESS, "A profile lacks branches because there are too many.")
ERROR(DEBUG_UNREADABLE, "debug_unreadable", EXIT_SUCCESS, "Debug information of a program cannot be read.")
ERROR(FETCHED, "fetched", EXIT_SUCCESS, "A program or its debug file came from a debuginfod server.")
ERROR(NO_RECORDS, "no_records", EXIT_SUCCESS, "A recording has no records to report.")
ERROR(NO_TIMES, "no_times", EXIT_SUCCESS, "Records have no time, and their process is uncertain.")
ERROR(SILENT_CPU, "silent_cpu", EXIT_SUCCESS, "A CPU of a recording has no more samples, though it ran tasks.")
ERROR(SHORT_PERIOD, "short_period", EXIT_SUCCESS, "The sampling period is below the minimum of the core.")
