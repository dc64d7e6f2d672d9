#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# bottleneck lists the largest losses of slots: the largest one need not be below the largest
# metric of Topdown_L1, retiring is the answer only above 70 %, and a node's and the system's
# file count the CPUs by their bottleneck. Expected losses follow from the simulation's rates
# and the specification's tree. In each scenario of the simulation the path leads to the largest.
# machine: turns
# timeout: 300

. "$(dirname "$0")/../lib/sim.sh"

[ "$(online | wc -l)" -eq 4 ] || skip_all "needs four CPUs"

plan 21

# set_shares CPU FRONTEND BACKEND BAD_SPECULATION - rates with these percentages of slots;
# the backend waits for memory for 60 %, for 67 % of that for the L1 data cache
set_shares() {
	awk -v f="$2" -v b="$3" -v bad="$4" '
		# counts for a million cycles
		function set(event, count) {
			rate[event] = sprintf("%.0f", count * rate["CPU_CYCLES"] / 1e6)
		}
		{ rate[$1] = $2 }
		END {
			set("STALL_SLOT_FRONTEND", 5e4 * f)
			set("STALL_SLOT_BACKEND", 5e4 * b)
			set("STALL_SLOT", 5e4 * (f + b))
			set("OP_SPEC", 5e4 * (100 - f - b))
			set("OP_RETIRED", 5e4 * (100 - f - b - bad))
			set("STALL_FRONTEND", 1e4 * f)
			set("STALL_FRONTEND_MEMBOUND", 6e3 * f)
			set("STALL_FRONTEND_L1I", 3e3 * f)
			set("STALL_FRONTEND_MEM", 2e3 * f)
			set("STALL_FRONTEND_TLB", 1e3 * f)
			set("STALL_FRONTEND_CPUBOUND", 4e3 * f)
			set("STALL_FRONTEND_FLOW", 4e3 * f)
			set("STALL_FRONTEND_FLUSH", 0)
			set("STALL_BACKEND", 1e4 * b)
			set("STALL_BACKEND_MEMBOUND", 6e3 * b)
			set("STALL_BACKEND_L1D", 4020 * b)
			set("STALL_BACKEND_MEM", 780 * b)
			set("STALL_BACKEND_TLB", 600 * b)
			set("STALL_BACKEND_ST", 600 * b)
			set("STALL_BACKEND_CPUBOUND", 2400 * b)
			set("STALL_BACKEND_RENAME", 900 * b)
			set("STALL_BACKEND_BUSY", 1600 * b)
			for (event in rate)
				print event, rate[event]
		}' "$tmp/rates.retiring" > "$tmp/rates.$1"
	expect "$1" && [ -z "$(put_file "$SIM/cpu$1/rates" "$tmp/rates.$1")" ]
}

check "n3_sim loads" load n3_sim
set_scenario 0 retiring
cp "$tmp/rates.0" "$tmp/rates.retiring"
check "CPU 0: bad speculation 28 %, 42 % backend in smaller parts" set_shares 0 10 42 28
check "CPU 1: retiring 42 %, the rest lost" set_shares 1 8 40 10
check "CPU 2: retiring 80 %" set_shares 2 3 5 12
check "CPU 3: as CPU 0" set_shares 3 10 42 28
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim window_ms=8000
awake 0 1 2 3
next_window

# losses_match CPU - whether the losses are the expected ones of 5 % or more, at most three
losses_match() {
	inferred "cpu$1" bottleneck > "$tmp/losses"
	cat "$tmp/losses"
	tree_losses "$1" | awk '
		function far(x, y) { return x - y > 0.1 || y - x > 0.1 }
		NR == FNR {
			if ($NF != "retiring" && $1 >= 5 && nr < 3) {
				share[++nr] = $1
				name[nr] = $NF
			}
			next
		}
		$1 == "loss" { seen++; bad += $2 != name[seen] || far($3, share[seen]) }
		END { exit bad || seen != nr }' - "$tmp/losses"
}

end_of() { inferred "$1" bottleneck | sed -n 's/^\(found\|mixed\) //p'; }

for cpu in 0 1 2; do
	check "CPU $cpu: losses follow from the rates" losses_match $cpu
done
same "CPU 0: bad speculation is the bottleneck" bad_speculation "$(end_of cpu0)"
within "CPU 0: it costs 28 % of all slots" 27900 \
	"$(inferred cpu0 bottleneck | sed -n 's/^loss bad_speculation \([0-9.]*\) .*/\1/p' |
		awk '{ printf "%d", $1 * 1000 }')" 28100
same "CPU 1: the L1 data cache is the bottleneck" backend_cache_l1d_bound "$(end_of cpu1)"
same "CPU 2: retiring is the bottleneck" retiring "$(end_of cpu2)"

# cpus_of DIRECTORY - number of CPUs and their bottleneck, most frequent first
cpus_of() { inferred "$1" bottleneck | sed -n 's/^cpus //p' | xargs; }

same "system: CPUs are counted by their bottleneck" \
	"2 bad_speculation 1 backend_cache_l1d_bound 1 retiring" "$(cpus_of system)"
same "node0: its CPUs, 0 and 1, are counted" \
	"1 backend_cache_l1d_bound 1 bad_speculation" "$(cpus_of node0)"
echo 1 > "$SIM/cpu3/idle"
next_window
same "system: a CPU without values is counted by its word" \
	"1 backend_cache_l1d_bound 1 bad_speculation 1 retiring 1 idle" "$(cpus_of system)"
same "a CPU's file does not count CPUs" "" "$(cpus_of cpu0)"

# path PLACE - its path, and the outcome
path() {
	inferred "$1" bottleneck |
		awk '$1 == "path" { printf "%s ", $2 } $1 ~ /^(found|mixed|verdict)$/ { print $1 }'
}

echo 0 > "$SIM/cpu3/idle"
cpu=0
for scenario in backend_memory_bound frontend_bound bad_speculation retiring; do
	set_scenario $cpu $scenario
	cpu=$((cpu + 1))
done
next_window
for cpu in 0 1 2 3; do
	same "CPU $cpu: the path leads to the largest loss of its scenario" \
		"$(tree_losses $cpu | sed -n '1s/^[^ ]* //p') found" "$(path cpu$cpu)"
done
