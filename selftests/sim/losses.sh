#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat bottleneck: the answer has the largest area of Topdown_L1 and the causes below it; retiring
# is the answer only above 70 %; a node and the system count the CPUs by area. The largest losses of
# slots are listed, wherever they are. Expected losses follow from the simulation's rates and the
# specification's tree, answers from the shares that are set here.
# machine: turns
# timeout: 300

. "$(dirname "$0")/../lib/sim.sh"

[ "$(online | wc -l)" -eq 4 ] || skip_all "needs four CPUs"

plan 23

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
check "CPU 0: backend 42 % in smaller parts than bad speculation" set_shares 0 10 42 28
check "CPU 1: as much frontend as backend" set_shares 1 29 30 5
check "CPU 2: retiring 80 %" set_shares 2 3 5 12
check "CPU 3: bad speculation 40 %" set_shares 3 9 20 40
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim window_ms=8000
awake 0 1 2 3
next_window

# losses_match CPU - whether the losses are the expected ones of 5 % or more, at most three
losses_match() {
	n3stat bottleneck "cpu$1" > "$tmp/losses"
	cat "$tmp/losses"
	tree_losses "$1" | awk '
		function far(x, y) { return x - y > 0.1 || y - x > 0.1 }
		NR == FNR {
			if ($1 >= 5 && nr < 3) {
				share[++nr] = $1
				name[nr] = $2
			}
			next
		}
		$1 == "loss" { seen++; bad += $2 != name[seen] || far($3, share[seen]) }
		END { exit bad || seen != nr }' - "$tmp/losses"
}

# answer_of CPU - areas, each with its cause or parts
answer_of() { ends_of 'area\|cause\|part' "cpu$1"; }

for cpu in 0 1 2 3; do
	check "CPU $cpu: losses follow from the rates" losses_match $cpu
done
same "CPU 0: the backend, whose parts are smaller than bad speculation" \
	"area backend_bound part backend_cache_l1d_bound part backend_busy_bound \
part backend_core_bound" "$(answer_of 0)"
within "CPU 0: the area has 42 % of all slots" 41900 \
	"$(n3stat bottleneck cpu0 | awk '$1 == "area" { printf "%d", $3 * 1000 }')" 42100
same "CPU 1: two areas, and the parts of both" \
	"area backend_bound part backend_cache_l1d_bound area frontend_bound \
part frontend_core_flow_bound part frontend_cache_l1i_bound part frontend_cache_l2i_bound" \
	"$(answer_of 1)"
same "CPU 2: retiring" "area retiring cause retiring" "$(answer_of 2)"
same "CPU 3: bad speculation" "area bad_speculation cause bad_speculation" "$(answer_of 3)"

# cpus_of PLACE - number of CPUs by area, most frequent first
cpus_of() { n3stat bottleneck "$1" | sed -n 's/^cpus //p' | xargs; }

same "system: CPUs are counted by area" \
	"1 backend_bound 1 bad_speculation 1 mixed 1 retiring" "$(cpus_of system)"
same "node0: its CPUs, 0 and 1, are counted" "1 backend_bound 1 mixed" "$(cpus_of node0)"
echo 1 > "$SIM/cpu3/idle"
next_window
same "system: a CPU without values is counted by its word" \
	"1 backend_bound 1 idle 1 mixed 1 retiring" "$(cpus_of system)"
same "a CPU does not count CPUs" "" "$(cpus_of cpu0)"

echo 0 > "$SIM/cpu3/idle"
cpu=0
for scenario in backend_memory_bound frontend_bound bad_speculation retiring; do
	set_scenario $cpu $scenario
	cpu=$((cpu + 1))
done
next_window
same "CPU 0: half of the slots wait for memory behind the L2" \
	"area backend_bound cause backend_cache_l2d_bound" "$(answer_of 0)"
same "CPU 1: instructions come late from both caches" \
	"area frontend_bound part frontend_cache_l2i_bound part frontend_cache_l1i_bound \
part frontend_core_flow_bound" "$(answer_of 1)"
same "CPU 2: bad speculation" "area bad_speculation cause bad_speculation" "$(answer_of 2)"
same "CPU 3: retiring" "area retiring cause retiring" "$(answer_of 3)"
