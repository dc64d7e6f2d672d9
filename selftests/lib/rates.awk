# SPDX-License-Identifier: GPL-2.0
# Random rates for every event that can be counted, from a thousandth per cycle up to one,
# except those of operations, which follow from stalled slots: "MNEMONIC rate", or with
# -v cpu=N "N CODE rate MNEMONIC", as read by the emulated N3 whose PMU counts (qemu/n3).
#
#	-v seed=NUMBER
#	-v slots=NUMBER		per cycle, those of the Neoverse N3 by default
#	-v absent=EVENTS	that do not count, separated by blanks
#	-v too_many=EVENTS	that count CPU_CYCLES as well
#	-f issue.awk, before this file
#	spec/events.tsv

BEGIN {
	FS = "\t"
	srand(seed)
	cycles = int(1e9 + rand() * 3e9)
}
/^#/ || $5 !~ /PMU/ || $2 == "CHAIN" { next }
{ code[$2] = $1 }
$2 == "STALL_SLOT" { next }
$2 == "CPU_CYCLES" { rate[$2] = cycles; next }
{ rate[$2] = int(cycles / (1 + 30 * rand()) / (1 + 30 * rand())) }
END {
	# on this core it is the sum of the two
	rate["STALL_SLOT"] = rate["STALL_SLOT_FRONTEND"] + rate["STALL_SLOT_BACKEND"]
	issue(rate, slots == "" ? 5 : slots)
	rate["OP_RETIRED"] = int(rate["OP_SPEC"] * (0.1 + 0.9 * rand()))
	for (i = split(absent, name, " "); i; i--)
		rate[name[i]] = 0
	for (i = split(too_many, name, " "); i; i--)
		rate[name[i]] += cycles
	for (event in rate)
		if (cpu == "")
			printf "%s %.0f\n", event, rate[event]
		else
			printf "%d %s %.0f %s\n", cpu, code[event], rate[event], event
}
