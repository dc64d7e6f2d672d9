/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of the micro-kernels of n3stat selftest.
 *
 * SELFTEST_KERNEL(<name>, <need>, <description>)
 *
 * Each is a function in arm64/selftest_kernels_*.c that runs for about a millisecond on silicon.
 * The need is one of enum selftest_need.
 */
SELFTEST_KERNEL(integers, NOTHING, "integer arithmetic in a loop")
SELFTEST_KERNEL(divisions, NOTHING, "divisions and square roots, each depending on the previous one")
SELFTEST_KERNEL(registers, NOTHING, "hundreds of results behind a slow load from memory")
SELFTEST_KERNEL(calls, NOTHING, "calls, indirect calls and returns")
SELFTEST_KERNEL(guesses, NOTHING, "unpredictable branches, jumps and returns")
SELFTEST_KERNEL(chase_l2, NOTHING, "dependent loads, exceeding the L1D cache")
SELFTEST_KERNEL(chase_memory, NOTHING, "dependent loads, exceeding all known caches")
SELFTEST_KERNEL(walks, NOTHING, "loads from more pages than the TLBs hold")
SELFTEST_KERNEL(sequence, NOTHING, "sequential loads, suited to a prefetcher")
SELFTEST_KERNEL(huge_pages, HUGE, "loads and calls in huge pages, with their translations flushed")
SELFTEST_KERNEL(preloads, NOTHING, "prefetch instructions, exceeding all known caches")
SELFTEST_KERNEL(stores, NOTHING, "sequential stores, and stores that miss all caches")
SELFTEST_KERNEL(unaligned, NOTHING, "loads and stores across lines and pages")
SELFTEST_KERNEL(hazards, NOTHING, "loads that overtake stores to the same address")
SELFTEST_KERNEL(code_l2, CODE, "code exceeding the L1I cache, in a loop")
SELFTEST_KERNEL(code_memory, CODE, "code exceeding the L2 cache, with its translations flushed")
SELFTEST_KERNEL(rewrites, CODE, "branches replaced by other instructions")
SELFTEST_KERNEL(doubles, NOTHING, "scalar floating point, single and double precision")
SELFTEST_KERNEL(halves, HALF, "half-precision floating point")
SELFTEST_KERNEL(simd, NOTHING, "Advanced SIMD, integers of all sizes and floating point")
SELFTEST_KERNEL(aes, AES, "AES instructions")
SELFTEST_KERNEL(sve, SVE, "SVE, integers of all sizes and floating point")
SELFTEST_KERNEL(predicates, SVE, "SVE under full, partial and empty predicates")
SELFTEST_KERNEL(first_faults, SVE, "SVE first-fault loads that fault")
SELFTEST_KERNEL(exclusives, NOTHING, "LDXR and STXR, half of which fail; LDAR and STLR")
SELFTEST_KERNEL(atomics, ATOMICS, "CAS and other LSE atomics")
SELFTEST_KERNEL(barriers, NOTHING, "DMB, DSB and ISB")
SELFTEST_KERNEL(syscalls, NOTHING, "system calls")
SELFTEST_KERNEL(faults, NOTHING, "page faults of loads and stores")
SELFTEST_KERNEL(switches, NOTHING, "switches between two processes")
SELFTEST_KERNEL(sleeps, NOTHING, "sleeping until a timer interrupts")
