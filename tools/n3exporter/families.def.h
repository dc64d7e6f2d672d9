/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Families of series in the order of the output: id, name without its prefix, type, help.
 * n3-exporter(1) lists them, too.
 */
FAMILY(UP, "up", "gauge", "Whether the module's files were read.")
FAMILY(INFO, "info", "gauge", "Kind of counts, core and version of the module; the value is 1.")
FAMILY(CPUS, "cpus", "gauge", "CPUs by verdict: value if metrics can have values, otherwise why not.")
FAMILY(TRUSTED, "trusted", "gauge", "Whether no metric is withdrawn because its counts cannot be right.")
FAMILY(WITHDRAWALS, "withdrawals_total", "counter", "Withdrawals of metrics whose counts cannot be right, on all CPUs.")
FAMILY(COUNTERS, "counters", "gauge", "Programmable counters held on the sampled CPU with the fewest.")
FAMILY(DISTRUSTED, "distrusted_events", "gauge", "Events that the setting distrust excludes.")
FAMILY(COST, "sampler_cost_ratio", "gauge", "Recent share of time spent on sampling, of the CPU with the largest share.")
FAMILY(START, "start_time_seconds", "gauge", "Unix time at which the module was loaded.")
FAMILY(CPU_SECONDS, "cpu_seconds_total", "counter", "Time by state of sampling; all states add up to the elapsed time.")
FAMILY(SAMPLER, "sampler_seconds_total", "counter", "CPU time that sampling took.")
FAMILY(CYCLES, "cycles_total", "counter", "Cycles in the sampled time.")
FAMILY(SLOTS, "slots_total", "counter", "Slots of Topdown_L1.")
FAMILY(STALL_SLOTS, "stall_slots_total", "counter", "Slots without an operation.")
FAMILY(FRONTEND_STALL_SLOTS, "frontend_stall_slots_total", "counter", "Slots without an operation because of the frontend.")
FAMILY(BACKEND_STALL_SLOTS, "backend_stall_slots_total", "counter", "Slots without an operation because of the backend.")
FAMILY(FRONTEND_FLUSH_SLOTS, "frontend_flush_slots_total", "counter", "Slots while the frontend recovered from a flush.")
FAMILY(OPS_RETIRED, "ops_retired_total", "counter", "Operations retired.")
FAMILY(OPS_SPECULATED, "ops_speculated_total", "counter", "Operations executed, including those that did not retire.")
FAMILY(SLICES, "slices_total", "counter", "Slices of Topdown_L1.")
FAMILY(NUMERATOR, "metric_numerator_total", "counter", "Numerator of a metric, as a plain ratio.")
FAMILY(DENOMINATOR, "metric_denominator_total", "counter", "Denominator of a metric, as a plain ratio.")
FAMILY(SUBTRAHEND, "metric_subtrahend_total", "counter", "To be subtracted from the numerator of a metric.")
FAMILY(DURATION, "scrape_duration_seconds", "gauge", "Duration of reading the module's files.")
