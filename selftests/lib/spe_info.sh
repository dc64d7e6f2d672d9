# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# CPUs with SPE: the contents of cpuN/spe, and the driver. To be sourced after lib.sh.

cleanup() { unload arm_spe_pmu; }

# spe_files NAME < EXPECTED - a check of the whole file for each online CPU
spe_files() {
	cat > "$tmp/spe"
	for cpu in $(online); do
		same "cpu$cpu/spe $1" "$(cat "$tmp/spe")" "$(cat "$N3T/cpu$cpu/spe")"
	done
}

# info_says STATUS TEXT - whether n3stat spe info exits with this status and prints the text
info_says() {
	n3stat spe info > "$tmp/info" 2>&1
	status=$?
	cat "$tmp/info"
	[ $status -eq "$1" ] && grep -q "$2" "$tmp/info"
}
