# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # silicon.sh and lib.sh set the rest
# CPU hotplug, hours with other users of the counters, and the kernel log.

# flip CPU - offline, which the module notices, and online; its error in $error
flip() {
	echo 0 2> "$work/said" > "$CPU_DEVICES/cpu$1/online" || { error=offline; return 1; }
	[ "$(word "$N3T/cpu$1/status" state)" = offline ] || error="status is not offline"
	nap 50
	echo 1 2> "$work/said" > "$CPU_DEVICES/cpu$1/online" || error=online
	wait_until 10000 is_sampled "$1" || error="not sampled after 10 s"
	[ -z "$error" ]
}

hotplug() {
	within_time hotplug 3 1000 || return
	victim=$(sampled | grep -v '^0$' | head -n 1)
	if [ -z "$victim" ] || [ ! -e "$CPU_DEVICES/cpu$victim/online" ]; then
		result transitions not_run '' '' "no CPU but the first that can be taken offline"
		return
	fi
	undo cpu "$victim"
	hotplug_end=$((elapsed_ms + part_ms)) flips=0 error=''
	while [ $elapsed_ms -lt $hotplug_end ] && flip "$victim"; do
		flips=$((flips + 1))
		now
	done
	if [ "$error" = offline ] && [ $flips -eq 0 ]; then
		result transitions not_run '' '' "the kernel refuses to take CPU $victim offline"
		return
	fi
	[ -z "$error" ]
	judge transitions $? $flips 'times offline and online' "$error"
	wait_until 5000 all_sampled "$nr_cpus"
	judge sampled $? "$(sampled | wc -l) of $nr_cpus" CPUs
}

# random BELOW - $random, from $seed on
random() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	random=$((seed / 65536 % $1))
}

# competitor - one run of perf that competes for the counters: $command $work_of_perf
competitor() {
	random $((counters > 1 ? counters - 1 : 1))
	group=''
	for code in 0x8 0x3 0x4 0x5 0x10 0x12 0x1 0x2; do
		group="${group:+$group,}$PMU/event=$code/"
		random=$((random - 1))
		[ $random -ge 0 ] || break
	done
	random 1500
	seconds $((random + 200))
	work_of_perf="sleep $seconds"
	random 5
	case $random in
	0) command="perf stat -x , -o $work/perf.out -a -e {$group}" ;;
	1) command="perf stat -x , -o $work/perf.out -C $CPU -e $PMU/event=0x8/D" ;;
	2) command="perf stat -x , -o $work/perf.out -C $CPU -e $PMU/event=0x11/D" ;;
	3)
		command="perf stat -x , -o $work/perf.out -e $group taskset -c $CPU awk"
		work_of_perf="BEGIN{while(i<$iterations)i++}"
		;;
	4) command="perf record -q -o /dev/null -C $CPU -F 200 -e $PMU/event=0x8/" ;;
	esac
}

# counted - whether perf has run and counted everything
counted() {
	: > "$work/perf.out"
	# shellcheck disable=SC2086 # one argument a word
	$command $work_of_perf > "$work/said" 2>&1 && ! grep -q '<not' "$work/perf.out"
}

# round_of_soak - a competitor, after a read of all files
round_of_soak() {
	competitor
	cat $N3T/cpu*/* $N3T/system/* $N3T/cpu*/counters/* > /dev/null 2>&1
	counted && return
	# not due to the module if it cannot count alone either
	put enable 0
	why="$(tail -n 1 "$work/said") $(grep -m 1 '<not' "$work/perf.out")"
	counted && lost=$((lost + 1)) lost_command="$command $why"
	put enable 1
}

# of_cpus KEY - sum of their status
of_cpus() { awk -v key="$1" '$1 == key { sum += $2 } END { printf "%.0f", sum }' $N3T/cpu*/status; }

soak() {
	within_time soak 40 5000 || return
	seed=$(($$ * 7919 + now_ms)) rounds=0 lost=0 lost_command=''
	first_seed=$seed
	soak_end=$((elapsed_ms + part_ms * 85 / 100)) iterations=${iterations:-200000}
	busy "$CPU"
	withdrawn=$(of_cpus withdrawals)
	if command -v perf > /dev/null; then
		while [ $elapsed_ms -lt $soak_end ]; do
			round_of_soak
			rounds=$((rounds + 1))
			[ $((rounds % 10)) -ne 0 ] || say "soak: $rounds rounds"
			now
		done
		result rounds info $rounds rounds "seed $first_seed"
		[ $lost -eq 0 ]
		judge competitor_counts $? $((rounds - lost)) rounds "$lost_command"
	else
		result rounds not_run '' '' "perf is not installed: nothing competes"
		nap $((soak_end - elapsed_ms))
	fi
	after_soak
	idle_again
}

after_soak() {
	wait_until 5000 all_sampled "$nr_cpus"
	judge sampled $? "$(sampled | wc -l) of $nr_cpus" CPUs
	slices=$(of_cpus slices)
	result slices info "$slices" slices "$(of_cpus dropped) dropped, $(of_cpus yields) yields"
	withdrawn=$(($(of_cpus withdrawals) - withdrawn))
	[ $withdrawn -eq 0 ]
	judge withdrawals $? $withdrawn metrics "$(grep -h withdrawn_metric $N3T/cpu*/status | sort -u | xargs)"
	if command -v perf > /dev/null; then
		turn_ms=$((part_ms / 40)) turns_end=$total_ms
		turns_of general ipc
		put enable 1
		put groups all
	fi
	irqs_off
}

log_of_kernel() {
	part=log
	if ! dmesg > /dev/null 2>&1; then
		result warnings not_run '' '' "dmesg is not readable"
		return
	fi
	warnings=$(log_since "$log_begin" | grep -E "$WARNINGS")
	[ -z "$warnings" ]
	judge warnings $? "$(printf '%s' "$warnings" | grep -c .)" lines "$(echo "$warnings" | head -n 3)"
}
