/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* SELFTEST_NEED(<name>, <message where the CPU or the system lacks it>) */
SELFTEST_NEED(NOTHING, "")
SELFTEST_NEED(CODE, "the system forbids code that is made at run time")
SELFTEST_NEED(HALF, "the CPU shows no half precision")
SELFTEST_NEED(AES, "the CPU shows no AES instructions")
SELFTEST_NEED(SVE, "the CPU shows no SVE")
SELFTEST_NEED(MEMORY, "the memory at hand is less than a last-level cache may be")
SELFTEST_NEED(ATOMICS, "the CPU shows no LSE atomics")
