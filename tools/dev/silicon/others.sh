# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # silicon.sh and lib.sh set the rest
# The module and perf at the same time, and values that have to fit each other.

# same_time - a metric of two events on counters that are reserved for perf
same_time() {
	within_time same_time 3 1500 && has_perf || return
	if [ "$counters" -lt 3 ]; then
		result ipc not_run '' '' "$counters counters, 3 are needed"
		return
	fi
	busy "$CPU"
	put reserved_counters 2
	put groups general
	wait_until 2000 is_sampled "$CPU"
	yields=$(word "$N3T/cpu$CPU/status" yields)
	put enable 1
	perf_turn $((part_ms / 3)) "$(groups_for_perf ipc)"
	cat "$N3T/cpu$CPU/general" > "$work/first"
	yields=$(($(word "$N3T/cpu$CPU/status" yields) - yields))
	nap $((part_ms / 3))
	cat "$N3T/cpu$CPU/general" > "$work/second"
	compare_turns >> "$work/results"
	[ $yields -eq 0 ]
	judge yields $? $yields
	holds "a + 1 >= b && b > 0" "a=$(awk '$2 == "CPU_CYCLES" { print $4 }' "$work/perf")" \
		"b=$(awk '$2 == "CPU_CYCLES" { print $3 * 0.999 }' "$work/perf")"
	judge perf_runs $? '' '' "perf's events have their counters all the time"
	put reserved_counters 0
	put groups all
	idle_again
}

# sum_is_100 ID METRIC... - of $work/first
sum_is_100() {
	id=$1
	shift
	sum=$(awk -v names=" $* " 'index(names, " " $1 " ") && $2 ~ /^-?[0-9]/ { sum += $2; n++ }
		END { if (n == split(names, all, " ")) printf "%.4f", sum }' "$work/first")
	if [ -z "$sum" ]; then
		result "$id" not_run '' '' "$(grep -E "^($(echo "$*" | tr ' ' '|')) " "$work/first" | xargs)"
		return
	fi
	holds 'sum >= 99 && sum <= 101' sum="$sum"
	judge "$id" $? "$sum" percent "$*"
}

# slots_error - of $work/status; half a cycle's slots are the module's limit as well
slots_error() {
	error=$(word "$work/status" slots_error)
	case $error in
	none | '') result slots_error not_run none '' "no window was compared"; return ;;
	esac
	limit=$(awk -v slots="$(word $N3T/spec slots)" 'BEGIN { printf "%.4f", 50 / slots }')
	holds 'error <= limit' error="$error" limit="$limit" && ! grep -q '^slots_identity violated' "$work/status"
	judge slots_error $? "$error" 'percent of slots' \
		"limit $limit; $(grep -E '^(corrected|slots_identity|slots_other) ' "$work/status" | xargs)"
}

coherence() {
	within_time coherence 3 1500 || return
	busy "$CPU"
	window_ms=$(cat $N3T/window_ms)
	put window_ms 1000
	put groups 'topdown_l1 topdown_frontend topdown_backend'
	put enable 1
	nap "$part_ms"
	for group in topdown_l1 topdown_frontend topdown_backend; do
		cat "$N3T/cpu$CPU/$group"
	done > "$work/first"
	cat "$N3T/cpu$CPU/status" > "$work/status"
	idle_again
	sum_is_100 topdown_l1 frontend_bound backend_bound bad_speculation retiring
	sum_is_100 frontend_stalls frontend_mem_bound frontend_core_bound
	sum_is_100 backend_stalls backend_mem_bound backend_core_bound
	slots_error
	put groups all
	put window_ms "$window_ms"
}

# fixed_work - instructions of a program in user space, as perf counts them: "COUNT SHARE"
fixed_work() {
	perf stat -x , -o "$work/perf.out" -e "$PMU/event=0x8/u" taskset -c "$CPU" \
		awk "BEGIN { for (i = 0; i < $iterations; i++) sum += i }" > "$work/said" 2>&1
	awk -F , -v pmu="$PMU/" 'index($0, pmu) { print $1, $5 + 0 }' "$work/perf.out"
}

# same_count ID ALONE AGAIN PERCENT COUNT SHARE - equal to within that and the program's own
# difference
same_count() {
	awk -v alone="$2" -v again="$3" -v percent="$4" -v count="$5" '
	function size(x) { return x < 0 ? -x : x }
	BEGIN {
		allowed = 3 * size(again - alone) + alone * percent / 100
		exit !(count > 0 && size(count - alone) <= allowed)
	}'
	judge "$1" $? "$5" instructions "alone $2, $3; perf had its counter for ${6:-0} % of the time"
}

others() {
	within_time others 5 2000 && has_perf || return
	iterations=20000
	put enable 0
	now
	start=$now_ms
	fixed_work > /dev/null
	now
	took=$((now_ms - start))
	[ $took -ge 20 ] || took=20
	[ $((part_ms / 6)) -le $took ] || iterations=$((iterations * (part_ms / 6) / took))
	alone=$(fixed_work)
	again=$(fixed_work)
	case $alone in
	[0-9]*) ;;
	*) result reserved not_run '' '' "perf: $alone $(tail -n 1 "$work/said")"; put enable 1; return ;;
	esac
	put reserved_counters 1
	put enable 1
	wait_until 2000 is_sampled "$CPU"
	# shellcheck disable=SC2046 # count and share
	same_count reserved "${alone% *}" "${again% *}" 0.1 $(fixed_work)
	put reserved_counters 0
	wait_until 2000 is_sampled "$CPU"
	# shellcheck disable=SC2046
	same_count yielded "${alone% *}" "${again% *}" 2 $(fixed_work)
}
