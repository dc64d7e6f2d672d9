# SPDX-License-Identifier: GPL-2.0
# Rates of free choice must obey one identity, which the module checks: every slot is stalled or
# holds an operation. issue(RATE, SLOTS) sets the rate of OP_SPEC by those of CPU_CYCLES and
# STALL_SLOT.
function issue(rate, slots) {
	rate["OP_SPEC"] = slots * rate["CPU_CYCLES"] - rate["STALL_SLOT"]
}
