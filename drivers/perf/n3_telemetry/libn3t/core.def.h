/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Table of the cores that can be sampled.
 *
 * N3T_CORE(<id>, <word>, <name>, <implementer>, <part>, <slots>, <right>, <flush>, <source>)
 *
 * The only list of cores: include it with N3T_CORE() defined; it is undefined
 * again at the end. Implementer and part are those of MIDR_EL1. Slots are the
 * operations that a core can issue per cycle; 0 disables Topdown_L1. Right is the
 * first revision, 0x03 for r0p3, whose STALL_SLOT and STALL_SLOT_FRONTEND do not
 * overcount by CPU_CYCLES: 0 if all are right, N3T_CORE_NEVER if none is. Flush:
 * STALL_FRONTEND_FLUSH exists. Source: the .json files, mapping.json among them, are
 * those of Arm's telemetry-solution, tools/topdown_tool/topdown_tool/cpu_probe/metrics.
 *
 * The N1 has no events of stalled slots. Those of the V1 have not been reviewed.
 *
 * Revisions of the Azure Cobalt 100 are Microsoft's numbers. mapping.json maps 0x6dd49 to
 * the N2 r0p2, which is corrected, and 0x6d0fd493 to r0p3, which is not; Linux has one model.
 * All are corrected here: where that is wrong, slots_other in the CPU's status shows it.
 */
N3T_CORE(n1, "n1", "Neoverse N1", 0x41, 0xd0c, 0, 0, false, "neoverse_n1_r4p1_pmu.json")
N3T_CORE(v1, "v1", "Neoverse V1", 0x41, 0xd40, 0, 0, false, "neoverse_v1_r1p2_pmu.json")
N3T_CORE(n2, "n2", "Neoverse N2", 0x41, 0xd49, 5, 0x03, false,
	 "neoverse_n2_r0p2_pmu.json, neoverse_n2_r0p3_pmu.json")
N3T_CORE(n2_azure, "n2", "Azure Cobalt 100, Neoverse N2", 0x6d, 0xd49, 5, N3T_CORE_NEVER, false,
	 "mapping.json: 0x6dd49; Linux, arch/arm64/include/asm/cputype.h")
N3T_CORE(v2, "v2", "Neoverse V2", 0x41, 0xd4f, 8, 0, false, "neoverse_v2_r0p0_pmu.json")
N3T_CORE(v3, "v3", "Neoverse V3", 0x41, 0xd84, 10, 0, true, "neoverse_v3_r0p0_pmu.json")
N3T_CORE(v3ae, "v3ae", "Neoverse V3AE", 0x41, 0xd83, 10, 0, true,
	 "mapping.json: 0x41d83 is neoverse_v3_r0p0_pmu")
N3T_CORE(n3, "n3", "Neoverse N3", 0x41, 0xd8e, 5, 0, true,
	 "Arm Neoverse N3 Core Telemetry Specification, 109530")

#undef N3T_CORE
