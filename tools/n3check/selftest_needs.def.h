/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of the needs of micro-kernels.
 *
 * SELFTEST_NEED(<name>, <message where the CPU or the system lacks it>)
 */
SELFTEST_NEED(NOTHING, "")
SELFTEST_NEED(CODE, "the system forbids code generated at run time")
SELFTEST_NEED(HALF, "the CPU does not indicate half precision")
SELFTEST_NEED(AES, "the CPU does not indicate AES instructions")
SELFTEST_NEED(SVE, "the CPU does not indicate SVE")
SELFTEST_NEED(MEMORY, "the available memory may fit in a last-level cache")
SELFTEST_NEED(ATOMICS, "the CPU does not indicate LSE atomics")
