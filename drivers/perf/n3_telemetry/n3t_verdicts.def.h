/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * N3T_VERDICT(<name>, <word>)
 *
 * The words that are reported instead of a value, in order of precedence. They
 * are ABI: see Documentation/ABI/testing/sysfs-kernel-n3_telemetry. Include it
 * with the macro defined; it is undefined again at its end.
 */
N3T_VERDICT(OFFLINE, "offline")
N3T_VERDICT(DISABLED, "disabled")
N3T_VERDICT(UNPLACED, "unplaced")
N3T_VERDICT(CONTENDED, "contended")
N3T_VERDICT(IDLE, "idle")
N3T_VERDICT(STALE, "stale")
N3T_VERDICT(IMPLAUSIBLE, "implausible")
N3T_VERDICT(UNDEF, "undef")

#undef N3T_VERDICT
