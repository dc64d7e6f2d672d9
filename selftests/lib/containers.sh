# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Loads in cgroups, and the comparison of container_pieces with their truth. To be sourced after
# lib.sh, whose cleanup() must call leave_cgroups. A load is a list of arguments of runs.c whose
# directories are numbers from 1.

. "$(dirname "$0")/../lib/cgroups.sh"

PARTS=8

# begin_load ARGUMENT... - starts the processes; on the CPU $load_cpu, if that is set
begin_load() {
	[ -x "$LIB/runs" ] || bail "runs is not built"
	# shellcheck disable=SC2046 # one argument a word
	set -- $(printf "$TREE/%s\n" "$@")
	${load_cpu:+taskset -c "$load_cpu"} "$LIB/runs" "$SEED" "$@" &
	load="${load:-} $!"
}

end_load() {
	# shellcheck disable=SC2086 # one argument a process
	stop ${load:-}
	load=''
}

# cgroup_rates NUMBER [BACKEND]... - lines for n3_sim: different rates for cgroups 1 to NUMBER,
# where stalls are twice as many in cold runs, and half as many again beside a noisy neighbour.
# BACKEND is a cgroup's share of slots.
cgroup_rates() {
	nr_rated=$1
	shift
	for nr in $(seq "$nr_rated"); do
		echo "$(id_of "$nr") ${1:-}"
		[ $# -eq 0 ] || shift
	done | awk '
	function rates(id, kind, frontend, backend, waste,    slots, speculated) {
		slots = 15e9
		speculated = slots * (1 - frontend - backend)
		printf "%d %s %.0f %.0f %.0f %.0f %.0f %.0f %.0f\n", id, kind, slots / 5,
			slots - speculated, slots * frontend, slots * backend,
			slots * frontend * 0.002, speculated * (1 - waste), speculated
	}
	function all(id, frontend, backend, waste) {
		rates(id, "warm", frontend, backend, waste)
		rates(id, "cold", 2 * frontend, backend < 0.3 ? 2 * backend : backend, waste)
		rates(id, "noisy", frontend, 1.5 * backend, waste)
	}
	BEGIN { all(0, 0.2, 0.3, 0.05) }
	{
		all($1, 0.06 + 0.03 * (NR % 4), $2 == "" ? 0.15 + 0.05 * (NR * 3 % 7) : $2,
			0.03 + 0.02 * (NR % 5))
	}'
}

# take_snapshot NAME - the module's sums, the truth and the uptime: lines "m ID ...", "t ID ..."
# and "u SECONDS"
take_snapshot() {
	sed 's/^/m /' "$SAMPLED" > "$1"
	cat /sys/kernel/debug/n3_sim/cpu*/cgroups | sed 's/^/t /' >> "$1"
	sed 's/^/u /' /proc/uptime >> "$1"
}

# sample WINDOWS MILLISECONDS - snapshots of windows of that length in $tmp/snapshots
sample() {
	rm -rf "$tmp/snapshots"
	mkdir "$tmp/snapshots"
	part_s=$(awk -v ms="$2" -v parts=$PARTS 'BEGIN { print ms / 1000 / parts }')
	for part in $(seq 0 $(($1 * PARTS))); do
		take_snapshot "$tmp/snapshots/$(printf %05d "$part")"
		sleep "$part_s"
	done
}

# judge LEAST [NUMBER]... - compares all windows, into $tmp/judged: see containers.awk; these
# cgroups are one as well
judge() {
	pod=''
	for nr in $(seq 2 $#); do
		pod="$pod $(id_of "$(eval "echo \$$nr")")"
	done
	awk -v parts=$PARTS -v between="${between:-0}" -v least="$1" -v pod="$pod" \
		-f "$LIB/containers.awk" "$tmp"/snapshots/* > "$tmp/judged"
	diag "$(cat "$tmp/judged")"
}

# judged KEY COLUMN
judged() { awk -v key="$1" -v column="$2" '$1 == key { print $column }' "$tmp/judged"; }
