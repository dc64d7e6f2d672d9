/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of terms of the methodology and of the module.
 *
 * TERM_TEXT(<term of the methodology or of the module>, <meaning>, <where to look>)
 * GLOSSARY_TEXT(<term that only the documents use>, <meaning in reStructuredText>)
 *
 * glossary.rst, which is generated, has both, "n3stat explain" the first.
 */
#ifndef GLOSSARY_TEXT
#define GLOSSARY_TEXT(term, means)
#endif

TERM_TEXT(slots,
	  "Places for operations that enter the backend: five in each cycle of a Neoverse N3. A slot "
	  "holds an operation that retires (retiring), one that is thrown away (bad_speculation), or "
	  "none, since the frontend delivered none (frontend_bound) or the backend took none "
	  "(backend_bound).",
	  "n3stat -g Topdown_L1")
TERM_TEXT(topdown,
	  "Arm's methodology: it divides all slots into four parts and follows the largest down a tree of "
	  "metrics to a cause. Below the first level a metric is a share of its parent.",
	  "n3stat tree; n3stat list metrics")
TERM_TEXT(answer,
	  "The area where a place loses the most slots, its share of all slots, and its causes: in full "
	  "\"backend_bound 44%: L2D 10, rest of CORE 9, rest 25\", in a table \"backend_bound 44% spread\". "
	  "In it ~ marks a share whose error is unknown.",
	  "n3stat tree; n3stat bottleneck")
TERM_TEXT(area,
	  "frontend_bound, backend_bound or bad_speculation: the largest is the answer, with those that "
	  "are within the margin, the larger of 2 points and the sum of both errors. If retiring exceeds "
	  "70 % of the slots, it is the area instead.",
	  "n3stat tree; n3stat -g Topdown_L1")
TERM_TEXT(cause,
	  "The end of the tree below an area that loses at least half of the area's slots, at least 5 % "
	  "of all, and leads the next by more than the margin. Without one, the area is spread. "
	  "bad_speculation and retiring are their own causes.",
	  "n3stat tree; n3stat bottleneck")
TERM_TEXT(bottleneck,
	  "The answer: the area where most slots are lost, and its causes.",
	  "n3stat explain answer; n3stat bottleneck")
TERM_TEXT(loss,
	  "Slots that do not retire, at one end of the tree. Those of a metric that others divide are the "
	  "rest of it. The three largest of the whole tree are listed; losses below 5 % of all slots only "
	  "if all are.",
	  "n3stat tree; n3stat bottleneck")
TERM_TEXT(rest,
	  "\"rest of CORE\": the share of a metric without those of the metrics below it. \"rest 25\" at "
	  "the end of an answer: slots of the area that none of the named causes has.",
	  "n3stat tree; n3stat bottleneck")
TERM_TEXT(share,
	  "Of all slots: the product of the percentages from the edge of the tree down to a metric. "
	  "Below the edge it is approximate, marked with ~, as those are shares of cycles, not of slots. Also "
	  "a mode of contention: the module and others take turns at the counters.",
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
	  "Remove a metric's totals because its counts were implausible or inconsistent in two windows in a row. "
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
	  "of these. More than half of CPU_CYCLES, 10 % on an N3, in two windows in a row makes values "
	  "inconsistent. Writing 1 to enable restarts it.",
	  "slots_error and slots_identity in cpuN/status; n3stat selftest")
TERM_TEXT(user_access,
	  "A reason to yield: a task was seen that may read counters from user space, as any task may "
	  "with kernel.perf_user_access=1. All CPUs of its PMU are contended until 1 is written to enable. Also "
	  "whether the module checks for such tasks.",
	  "reason in cpuN/status; status; n3stat doctor")

GLOSSARY_TEXT("budget",
	      "Programmable counters that the module holds on a CPU.")
GLOSSARY_TEXT("confidence interval",
	      "A range for the metric over the whole window, which contains it in 95 of 100 "
	      "windows. ``+-`` is half of it, also called the error.")
GLOSSARY_TEXT("configuration",
	      "The settings in force and the plans that follow from them.")
GLOSSARY_TEXT("counter",
	      "A programmable counter of the PMU, or the cycle counter.")
GLOSSARY_TEXT("counter set",
	      "Events that are counted at the same time, together with CPU_CYCLES.")
GLOSSARY_TEXT("distrust",
	      "Exclude an event that does not count on this machine. Metrics that need it "
	      "are ``unsupported``.")
GLOSSARY_TEXT("end of the tree",
	      "A metric of the decision tree that no other metric divides.")
GLOSSARY_TEXT("event",
	      "An occurrence that the PMU counts, identified by a 16-bit number.")
GLOSSARY_TEXT("hidden event",
	      "An event that the hypervisor omits from PMCEID or that always reads 0. The "
	      "first kind can still count; ``n3stat selftest`` finds the second.")
GLOSSARY_TEXT("metric",
	      "The result of a formula over the counts of one set. See :doc:`metrics`.")
GLOSSARY_TEXT("metric group",
	      "Metrics that answer one question, shown in one file.")
GLOSSARY_TEXT("moments",
	      "Sums of a CPU over the window, with covariances and anchors, in the file "
	      "``cpuN/moments``.")
GLOSSARY_TEXT("nominal budget",
	      "Programmable counters that a PMU has: what ``PMCR_EL0.N`` reports, or the "
	      "largest budget that any of its CPUs has had.")
GLOSSARY_TEXT("place",
	      "A CPU, a NUMA node or the whole system: each has a directory with values.")
GLOSSARY_TEXT("plan",
	      "The counter sets that hold the metrics of the chosen groups, for one budget.")
GLOSSARY_TEXT("replicate",
	      "One of eight random groups of slices. Totals of Topdown_L1 for each give "
	      "confidence intervals of sums over any machines.")
GLOSSARY_TEXT("rotation",
	      "The slices in which every counter set has its turn.")
GLOSSARY_TEXT("run",
	      "The state of one CPU that samples under one configuration: rings, anchors and "
	      "covariances. A change of settings, or of the CPU's counters, begins a new "
	      "one.")
GLOSSARY_TEXT("sampler",
	      "The part of the module that runs on a measured CPU: it ends each slice, reads "
	      "the counters and starts the next one.")
GLOSSARY_TEXT("slice",
	      "An interval on one CPU during which one counter set is counted; 4 ms by "
	      "default. A slice is *dropped* if a counter was missing or counted while the "
	      "set was changed.")
GLOSSARY_TEXT("total",
	      "A count since the module was loaded, which only increases: a file in "
	      "``counters/``.")
GLOSSARY_TEXT("value",
	      "The exact quotient of events that were counted together.")
GLOSSARY_TEXT("withhold",
	      "Report a word instead of a value.")
GLOSSARY_TEXT("word",
	      "Text in place of a value that cannot be trusted, such as ``stale`` or "
	      "``contended``. ``Documentation/ABI/testing/sysfs-kernel-n3_telemetry`` lists "
	      "them.")

#undef TERM_TEXT
#undef GLOSSARY_TEXT
