/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * SELFTEST_KERNEL(<name>, <need>, <description>)
 *
 * Micro-kernels of n3stat selftest. Each is a function in arm64/selftest_kernels_*.c that runs for
 * about a millisecond on silicon. The need is one of selftest_needs.def.h.
 */
SELFTEST_KERNEL(integers, NOTHING, "integer arithmetic in a loop")
SELFTEST_KERNEL(divisions, NOTHING, "divisions and square roots, each waiting for the last")
SELFTEST_KERNEL(registers, NOTHING, "hundreds of results that wait behind a load from memory")
SELFTEST_KERNEL(calls, NOTHING, "calls, indirect calls and returns")
SELFTEST_KERNEL(guesses, NOTHING, "branches, jumps and returns that cannot be predicted")
SELFTEST_KERNEL(chase_l2, NOTHING, "loads that wait for each other, in more than the L1D cache")
SELFTEST_KERNEL(chase_memory, NOTHING, "the same from more than every cache, as far as known")
SELFTEST_KERNEL(walks, NOTHING, "loads from more pages than the TLBs hold")
SELFTEST_KERNEL(sequence, NOTHING, "loads in a row, which a prefetcher foresees")
SELFTEST_KERNEL(stores, NOTHING, "stores in a row, and to lines that are in no cache")
SELFTEST_KERNEL(unaligned, NOTHING, "loads and stores across lines and pages")
SELFTEST_KERNEL(code_l2, CODE, "code of more than the L1I cache, again and again")
SELFTEST_KERNEL(code_memory, CODE, "code of more than the L2 cache, its translations thrown away")
SELFTEST_KERNEL(doubles, NOTHING, "scalar floating point, single and double precision")
SELFTEST_KERNEL(halves, HALF, "floating point of half precision")
SELFTEST_KERNEL(simd, NOTHING, "Advanced SIMD, integers of all sizes and floating point")
SELFTEST_KERNEL(aes, AES, "AES instructions")
SELFTEST_KERNEL(sve, SVE, "SVE, integers of all sizes and floating point")
SELFTEST_KERNEL(predicates, SVE, "SVE under full, partial and empty predicates")
SELFTEST_KERNEL(first_faults, SVE, "SVE first-fault loads that do fault")
SELFTEST_KERNEL(exclusives, NOTHING, "LDXR and STXR, half of which fail; LDAR and STLR")
SELFTEST_KERNEL(atomics, ATOMICS, "CAS and other LSE atomics")
SELFTEST_KERNEL(barriers, NOTHING, "DMB, DSB and ISB")
SELFTEST_KERNEL(syscalls, NOTHING, "system calls")
SELFTEST_KERNEL(faults, NOTHING, "page faults of loads and stores")
SELFTEST_KERNEL(switches, NOTHING, "switches between two processes")
SELFTEST_KERNEL(sleeps, NOTHING, "sleeping until a timer interrupts")
