/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * TERM_TEXT(<term of the methodology or of the module>, <meaning>, <where to look>)
 */
TERM_TEXT(slots,
	  "Places for operations that enter the backend: five in each cycle of a Neoverse N3. A slot "
	  "holds an operation that retires (retiring), one that is thrown away (bad_speculation), or "
	  "none, since the frontend delivered none (frontend_bound) or the backend took none "
	  "(backend_bound).",
	  "n3stat -g Topdown_L1")
TERM_TEXT(topdown,
	  "Arm's methodology: it divides all slots into four parts and follows the largest down a tree of "
	  "metrics to a cause. Below the first level a metric is a share of its parent.",
	  "n3stat tree; Documentation/metrics.rst")
TERM_TEXT(bottleneck,
	  "The largest loss of slots, or retiring if that exceeds 70 % of them: the end of the path "
	  "through the tree. If the two largest losses are within each other's errors, the bottleneck is "
	  "mixed.",
	  "n3stat tree; n3stat bottleneck")
TERM_TEXT(loss,
	  "Slots that do not retire, divided among the ends of the tree. The loss of a metric that others "
	  "divide is the rest of it: its share of all slots without those of the metrics below it.",
	  "n3stat tree; n3stat bottleneck")
TERM_TEXT(share,
	  "Of all slots: the product of the percentages from the edge of the tree down to a metric. "
	  "Below the edge it is approximate, marked with ~, as those are shares of cycles, not of slots.",
	  "n3stat tree")
TERM_TEXT(estimate,
	  "A metric for the whole window: counts from the part in which its events were counted, corrected "
	  "by events that are always counted (anchors). The plain quotient of those counts is the "
	  "value.",
	  "n3stat --json")
TERM_TEXT(window,
	  "The time before a read that values are formed from: window_ms, 2 seconds by default. A longer "
	  "window has smaller errors and shows changes later.",
	  "/sys/kernel/n3_telemetry/window_ms")
TERM_TEXT(coverage,
	  "Share of the window in which the events of a metric were counted. The counter sets take turns, "
	  "so it falls with the number of groups that are sampled.",
	  "n3stat --json; the setting groups")
TERM_TEXT(busy,
	  "Share of the time in which a CPU was not idle, from /proc/stat. A busy CPU can be stalled all "
	  "of that time: the metrics show it.",
	  "n3stat --per cpu; top")
TERM_TEXT(ghz,
	  "Frequency of a CPU while it was busy: cycles per second (CPU_CYCLES, which idle time lacks) "
	  "divided by busy, over the same time. For a node or the system it is the mean over the busy "
	  "time of its CPUs. Unknown below 1 % busy, without the module's totals, and if counts are "
	  "simulated.",
	  "n3stat; cpuN/counters/time")
TERM_TEXT(frequency,
	  "Cycles per second of a CPU while it was busy: see ghz.",
	  "n3stat explain ghz")
TERM_TEXT(gips,
	  "Instructions retired per second of elapsed time, in 10^9: IPC times cycles per second, idle "
	  "time included. For a node or the system it is the sum of its CPUs. It falls with busy, "
	  "frequency and IPC. Unknown for a CPU without a slice of IPC's counter set in that time.",
	  "n3stat; cpuN/counters/general")
TERM_TEXT(anchor,
	  "An event that every counter set counts, so that it is counted all the time: it shows how the "
	  "part of the window in which a set was counted differs from the rest.",
	  "anchors in cpuN/status")
TERM_TEXT(yield,
	  "Release all counters of a CPU: another user of the PMU waits for one, power-downs exceed "
	  "max_cost, or user space could read them. Values are contended until the counters are taken "
	  "again.",
	  "reason, yields and yield_due_ms in cpuN/status; n3stat doctor")
TERM_TEXT(withdraw,
	  "Remove a metric's totals, as its counts were implausible or inconsistent in two windows in a row. "
	  "It has totals again after an hour without the fault, or once 1 is written to enable. Differences "
	  "of totals across a change of withdrawals contain wrong counts.",
	  "withdrawals and withdrawn_metric in cpuN/status; n3stat doctor")
TERM_TEXT(withdrawn,
	  "Of a metric: without totals, see withdraw.",
	  "n3stat explain withdraw")
TERM_TEXT(verdict,
	  "The decision, for one metric and one window, between a number and a word. The word is the first "
	  "that holds in the order of the ABI. n3-exporter counts CPUs by the word that excludes them from "
	  "the values of the system.",
	  "system/status; n3stat explain stale")
TERM_TEXT(slots_error,
	  "The largest deviation of OP_SPEC + STALL_SLOT from all slots in any window of a CPU, in percent "
	  "of these. More than 10 % in two windows in a row makes values inconsistent. Writing 1 to enable "
	  "restarts it.",
	  "slots_error and slots_identity in cpuN/status; n3stat selftest")
TERM_TEXT(user_access,
	  "A reason to yield: a task was seen that may read counters from user space, as any may with "
	  "kernel.perf_user_access=1. All CPUs of its PMU are contended until 1 is written to enable. Also "
	  "whether such tasks are looked for.",
	  "reason in cpuN/status; status; n3stat doctor")

#undef TERM_TEXT
