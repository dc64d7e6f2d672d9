#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bench.sh [KERNEL] - cost of a slice and of a read, compared with perf doing the same work
# in the same boot: perf stat -a with the same sets as groups, and perf stat -I with one of
# them. In instructions, which QEMU counts exactly, of one emulated N3 whose PMU counts.
# Prints them and writes build/bench/bench.json. They do not give times on silicon.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"

kernel=${1:-6.1}
# built first if necessary, with messages
export QEMU=${QEMU:-$("$QEMU_DIR/n3/qemu.sh")}
out=$BUILD/bench
mkdir -p "$out"
rm -f "$out/bench.json"
"$QEMU_DIR/modules.sh" "$kernel" > "$out/modules.log" 2>&1 || die "see $out/modules.log"
guest_programs
say "booting an emulated N3, half a minute or some"
"$QEMU_DIR/run.sh" -k "$kernel" -m n3-icount -t 600 -o "$out/run" bench > "$out/log" 2>&1 ||
	die "$(grep -m 1 '^bench: ' "$out/log" || echo "it failed") (see $out/log)"
mv "$out/run/results/bench.json" "$out/bench.json"

awk -F '[:,]' '
{ gsub(/[" \t]/, "") }
NF > 1 { v[$1] = $2 }
END {
	printf "Instructions, on %s, %d counters, %d sets\n\n", v["kernel"], v["counters"], v["sets"]
	printf "%10.0f  a slice of %d ms, switched %s\n", v["module_instructions_per_slice"],
		v["slice_ms"], v["switch"]
	printf "%10.0f  perf stat -a with the same sets: a rotation, each %d ms (%.1f times that)\n\n",
		v["perf_stat_all_sets_instructions_per_rotation"], v["perf_rotation_ms"],
		v["perf_rotation_to_slice_ratio"]
	printf "%10.0f  a read of cpu0/topdown_l1\n", v["module_instructions_per_read_of_topdown_l1"]
	printf "%10.0f  a read of cpu0/moments\n", v["module_instructions_per_read_of_moments"]
	printf "%10.0f  n3stat -g topdown_l1: an interval\n", v["n3stat_instructions_per_interval"]
	printf "%10.0f  perf stat -a -I with one group: an interval (%.1f times a read)\n",
		v["perf_stat_one_group_instructions_per_interval"], v["perf_interval_to_read_ratio"]
}' "$out/bench.json"
echo
echo "${out#"$TOP/"}/bench.json"
