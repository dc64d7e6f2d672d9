/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of the cores that can be sampled.
 *
 * N3T_CORE(<MIDR part>, <word>, <name>, <slots>)
 *
 * The only list of cores: include it with N3T_CORE() defined; it is undefined
 * again at the end. The parts are those of MIDR_EL1.PartNum, implementer Arm. Slots are
 * the operations that a core can issue per cycle according to its telemetry specification;
 * 0 if unknown, or if slot events do not count slots: those of Neoverse N2, which has 5,
 * overcount by CPU_CYCLES (erratum).
 */
N3T_CORE(0xd0c, n1, "Neoverse N1", 0)
N3T_CORE(0xd40, v1, "Neoverse V1", 0)
N3T_CORE(0xd49, n2, "Neoverse N2", 0)
N3T_CORE(0xd4f, v2, "Neoverse V2", 8)
N3T_CORE(0xd84, v3, "Neoverse V3", 0)
N3T_CORE(0xd8e, n3, "Neoverse N3", 5)

#undef N3T_CORE
