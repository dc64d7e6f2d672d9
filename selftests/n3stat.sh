#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat, the arm64 build, on the module itself: what it shows is what the files
# say, its way down the tree is the module's, and it says what is wrong when
# there is no module. All else about it is tested on any machine.
# machine: turns
# on: 6.1
# timeout: 240

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"

plan 14

ends_with() {
	want=$1
	shift
	"$@" > "$tmp/shown" 2>&1
	[ $? -eq "$want" ] || return 1
}

check "without the module it ends with 3" ends_with 3 n3stat
check "doctor finds a Neoverse N3 without the module" ends_with 7 n3stat doctor
check "and says so" grep -q '^ok .* are Neoverse N3' "$tmp/shown"
check "list works without the module" ends_with 0 n3stat list
check "explain works without the module" ends_with 0 n3stat explain backend_mem_bound

check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
cpu=0
for scenario in backend_memory_bound frontend_bound bad_speculation retiring; do
	[ ! -d "$N3T/cpu$cpu" ] || set_scenario $cpu $scenario
	cpu=$((cpu + 1))
done
# shellcheck disable=SC2046 # one argument a CPU
awake $(online)
next_window

# Scenarios have constant rates: one moment is as good as another.
shows_files() {
	n3stat --per cpu -g topdown_l1 > "$tmp/shown" || return 1
	for n in $(online); do
		# shellcheck disable=SC2046 # a word for each value
		set -- $(sed 's/.* //' "$N3T/cpu$n/topdown_l1")
		awk -v cpu="$n" -v a="$1" -v b="$2" -v c="$3" -v d="$4" '
			function far(x, y) { return x - y > 0.1 || y - x > 0.1 }
			NR > 2 && $1 == cpu {
				found = !far($2, a) && !far($3, b) && !far($4, c) && !far($5, d)
			}
			END { exit !found }' "$tmp/shown" || return 1
	done
}
check "tables show what the files say" shows_files

# Level 1 is far apart in the scenarios; below it a slow machine may have too few
# slices at one moment and enough at the next.
same_way() {
	for n in $(online); do
		way=$(sed -n 's/^path \([^ ]*\).*/\1/p' "$N3T/cpu$n/bottleneck" | head -n 1)
		shown=$(n3stat tree --cpu "$n" | sed -n 's/^> *\([^ ]*\).*/\1/p' | head -n 1)
		echo "cpu$n: $way, $shown"
		[ -n "$way" ] && [ "$way" = "$shown" ] || return 1
	done
}
check "the tree's way begins where the module's does" same_way

metrics() {
	n3stat --json -g all --per system | grep -o '"value":' | wc -l
}
within "all metrics of the system as JSON" 90 "$(metrics)" 200
check "records" n3stat record -q -o "$tmp/rec" 0.5 3
check "makes a page of it" n3stat report -o "$tmp/page" "$tmp/rec"
check "which ends as a page does" grep -q '</html>' "$tmp/page"
check "doctor has no complaint" ends_with 0 n3stat doctor
