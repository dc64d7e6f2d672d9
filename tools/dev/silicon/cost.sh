# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # silicon.sh and lib.sh set the rest
# The price of sampling: time and cycles of a slice, interrupts, idle states.

# of_sampler - "SLICES NS" of the CPU since loading
of_sampler() {
	awk '$1 == "slices" || $1 == "sampler_ns" { value[$1] = $2 }
		END { print value["slices"], value["sampler_ns"] }' \
		"$N3T/cpu$CPU/status" "$N3T/cpu$CPU/counters/time"
}

# measure_cost MS - of slices on the busy CPU, in the mode of now
measure_cost() {
	busy "$CPU"
	nap 300
	before=$(of_sampler)
	nap "$1"
	after=$(of_sampler)
	slices=$((${after% *} - ${before% *}))
	if [ $slices -lt 10 ]; then
		result slice_ns not_run '' '' "$slices slices in $1 ms"
		idle_again
		return
	fi
	ns=$(((${after#* } - ${before#* }) / slices))
	result slice_ns info $ns ns "mean of $slices slices"
	result cost info "$(word $N3T/status cost)" 'millionths of the time' \
		"max_cost $(cat $N3T/max_cost), slice_ms $(word "$N3T/cpu$CPU/status" slice_ms)"
	if command -v perf > /dev/null; then
		ghz=$(perf stat -x , -C "$CPU" -e "$PMU/event=0x11/" sleep 0.3 2>&1 |
			awk -F , -v pmu="$PMU/" 'index($0, pmu) && $4 > 0 { printf "%.3f", $1 / $4 }')
	fi
	if [ -n "${ghz:-}" ]; then
		result slice_cycles info "$(awk -v ns=$ns -v ghz="$ghz" 'BEGIN { printf "%.0f", ns * ghz }')" \
			cycles "at $ghz GHz"
	else
		result slice_cycles not_run '' '' "perf cannot count cycles"
	fi
	idle_again
}

cost() {
	within_time cost 3 1500 || return
	measure_cost $((part_ms / 2))
}

# irqs_off - the longest of all CPUs
irqs_off() {
	longest=$(awk '$1 == "irqs_off_max_ns" && $2 > max { max = $2 } END { print max + 0 }' \
		$N3T/cpu*/status)
	result irqs_off_max info "$longest" ns "a hypervisor's other work counts, too"
}

# residency - "STATE US" of all CPUs, and their timer interrupts
residency() {
	for nr in $(online); do
		for state in "$CPU_DEVICES/cpu$nr"/cpuidle/state*; do
			[ ! -e "$state/time" ] || echo "$(cat "$state/name") $(cat "$state/time")"
		done
	done
	awk '/arch_timer/ { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) sum += $i }
		END { print "interrupts", sum + 0 }' /proc/interrupts
}

# residency_of MS ENABLE - differences over that time, per CPU: percent of it, or per second
residency_of() {
	put enable "$2"
	nap 300
	now
	start=$now_ms
	residency > "$work/idle.1"
	nap "$1"
	now
	residency > "$work/idle.2"
	awk -v ms=$((now_ms - start)) -v cpus="$nr_cpus" '
	{ gsub(/ /, "_", $0); n = match($0, /_[0-9]+$/); name = substr($0, 1, n - 1) }
	FNR == NR { before[name] += substr($0, n + 1); next }
	{ after[name] += substr($0, n + 1) }
	END {
		for (name in after)
			printf "%s %.2f\n", name, (after[name] - before[name]) / ms / cpus /
				(name == "interrupts" ? 0.001 : 10)
	}' "$work/idle.1" "$work/idle.2"
}

idle() {
	within_time idle 4 1500 || return
	idle_again
	residency_of $((part_ms / 3)) 0 > "$work/without"
	residency_of $((part_ms / 3)) 1 > "$work/with"
	residency_of $((part_ms / 3)) 0 > "$work/again"
	put enable 1
	# lines of results; the allowed difference: 3 points, 12 interrupts a second
	awk '
	function size(x) { return x < 0 ? -x : x }
	FILENAME ~ /without$/ { without[$1] = $2; next }
	FILENAME ~ /again$/ { again[$1] = $2; next }
	{
		moved = without[$1] + again[$1] + $2
		off = $1 == "interrupts" ? $2 - without[$1] : without[$1] - $2
		allowed = 3 * size(without[$1] - again[$1]) + ($1 == "interrupts" ? 12 : 3)
		states += $1 != "interrupts" && moved > 0
		printf "idle\t%s\t%s\t%s\t%s\twithout sampling %s, then %s\n", $1,
			$1 != "interrupts" && !moved ? "info" : off <= allowed ? "pass" : "fail", $2,
			$1 == "interrupts" ? "timer interrupts a second and CPU" : "percent of the time",
			without[$1], again[$1]
	}
	END {
		if (!states)
			printf "idle\tresidency\tnot_run\t\t\tno idle state that takes time (cpuidle)\n"
	}' "$work/without" "$work/again" "$work/with" >> "$work/results"
}
