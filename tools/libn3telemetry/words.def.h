/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of the words that replace numbers.
 *
 * WORD_TEXT(<word reported instead of a number>, <meaning>)
 *
 * One for every word of the module, checked by a test; then the words of errors and answers.
 * Remedies are in reader/advice.def.h.
 */
WORD_TEXT(offline, "The CPU is offline.")
WORD_TEXT(disabled,
	  "Sampling is off (enable), or not done on this CPU (cpus), or no group that has the "
	  "metric is chosen (groups), or the metric has no meaning on this core (core=).")
WORD_TEXT(unplaced,
	  "The metric needs more counters than the CPU has for the module. Virtual machines often "
	  "have fewer than the hardware, and so has a CPU on which others hold some.")
WORD_TEXT(unsupported, "The metric needs an event that is distrusted (distrust).")
WORD_TEXT(contended,
	  "Others took a counter in every slice, or the counters were left to them, or none is "
	  "available; or user space could read them, or to hold them while the CPU is idle costs "
	  "too much (reason in cpuN/status).")
WORD_TEXT(idle, "Fewer than 100,000 cycles were counted in the window: too few to say anything.")
WORD_TEXT(stale,
	  "It was not counted in the window although the CPU was busy: just after a change of "
	  "settings, or after the CPU was idle for most of the window, or while a real-time task "
	  "occupies the CPU (PREEMPT_RT).")
WORD_TEXT(implausible,
	  "Cycles advanced, events that must advance with them did not: a hypervisor or an "
	  "emulator accepts events that it does not count.")
WORD_TEXT(inconsistent,
	  "STALL_SLOT is not the sum of STALL_SLOT_FRONTEND and STALL_SLOT_BACKEND, which were "
	  "counted with it, by more than 1 % of all slots, or OP_SPEC and STALL_SLOT missed all "
	  "slots by more than half of CPU_CYCLES in two windows: one of them is wrong, and metrics "
	  "that use stall slots are withheld.")
WORD_TEXT(undef,
	  "A denominator is 0: no branch was retired, for example, or no SVE operation executed, or "
	  "no read of a last-level cache was counted, as without such a cache.")
WORD_TEXT(none,
	  "An interval that is unknown, as of fewer than four slices, or too wide: half of it is "
	  "more than 50 points of a percentage, or three times the value elsewhere.")
WORD_TEXT(mixed,
	  "Several areas lose about the same number of slots: they differ by at most 2 points, or by "
	  "no more than the sum of their errors.")
WORD_TEXT(spread,
	  "No single cause: none has half of the slots that the area loses, or the two largest are as "
	  "close as mixed areas.")
