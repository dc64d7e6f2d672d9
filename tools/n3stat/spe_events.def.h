/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Bits of an events packet as the report and the options of record call them:
 * EVENT(bit, key, title).
 */
EVENT(0, exception, "generated an exception")
EVENT(1, retired, "retired")
EVENT(2, l1d_access, "L1 data cache access")
EVENT(3, l1d_refill, "L1 data cache refill")
EVENT(4, tlb_access, "TLB access")
EVENT(5, tlb_walk, "TLB walk")
EVENT(6, not_taken, "branch not taken")
EVENT(7, mispredicted, "branch mispredicted")
EVENT(8, llc_access, "last level cache access")
EVENT(9, llc_miss, "last level cache miss")
EVENT(10, remote_access, "access to another socket")
EVENT(11, misaligned, "misaligned")
EVENT(12, late_prefetch, "late prefetch")
EVENT(16, transactional, "in a transaction")
EVENT(17, partial_predicate, "SVE predicate partly false")
EVENT(18, empty_predicate, "SVE predicate all false")
EVENT(19, l2d_access, "L2 cache access")
EVENT(20, l2d_miss, "L2 cache miss")
EVENT(21, data_modified, "data modified by another core")
EVENT(22, recently_fetched, "line fetched recently")
EVENT(23, data_snooped, "data snooped from another core")
