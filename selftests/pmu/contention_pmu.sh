#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# perf counts on the CPUs' own PMU, with the kernel's driver: a group of six on a whole CPU,
# events of a task, perf record, a pinned event, and pinned cycles as used by the NMI
# watchdog. Each count is within 2 % of the count without the module, after perf's scaling.
# Under "yield" the events run for at least 95 % of three seconds on the whole CPU and 85 %
# for a task. Afterwards the module has all counters again within two seconds.
#
# LONG=1 repeats this under "share", where events run for at least 25 % of the time.
#
# QEMU counts instructions exactly, and load on the host does not affect the time in the
# guest.
# machine: icount
# timeout: 600

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/perf.sh"

KINDS='group task record pinned watchdog'
modes=yield
[ "$LONG" != 1 ] || modes='yield share'
alone='' alone_record=''
PERIOD=2000000
WORK=2000000	# two seconds

# shellcheck disable=SC2086 # one argument a word
nr_kinds=$(set -- $KINDS; echo $#) nr_modes=$(set -- $modes; echo $#)
# perf record scales nothing, so only the running share is compared
plan $((2 + nr_kinds + nr_modes * (3 * nr_kinds - 1 + 3)))

# measure KIND - perf's counts of it, into $tmp/lines
measure() {
	case $1 in
	group) stat_lines -C 0 -e '{r08,r11,r1b,r3a,r3b,r3d}' sleep "$2" ;;
	task) stat_lines -e r08:u,r1b:u "$LIB/spin" $WORK ;;
	record)	# no scaling: the count is lower by the share without a counter
		perf record -q -o "$tmp/data" -e r08:u -c $PERIOD \
			"$LIB/spin" $WORK 2> "$tmp/said"
		perf script -i "$tmp/data" -F event 2> /dev/null | awk -v period=$PERIOD \
			'END { print "r08:u", NR * period, 100, NR }' > "$tmp/lines"
		;;
	pinned) stat_lines -C 0 -e r08:D sleep "$2" ;;
	watchdog) stat_lines -C 0 -e cycles:D sleep "$2" ;;
	esac
}

# seen KIND - the number to compare: a count of the same work, or a rate
seen() {
	case $1 in
	task | record) of_event r08:u 2 ;;
	group) of_event r08 4 ;;
	pinned) of_event r08:D 4 ;;
	watchdog) of_event cycles:D 4 ;;
	esac
}

# ms_until_back SINCE - waits until the CPU is sampled with all counters
ms_until_back() {
	until cpu_is 0 sampling "$budget" > "$tmp/is" &&
		[ "$(word $N3T/cpu0/general ipc | tr -d 0-9)" = . ]; do
		[ "$(uptime_ms)" -lt $(($1 + 10000)) ] || break
		usleep 20000
	done
	echo $(($(uptime_ms) - $1))
}

diag "LONG=$LONG"
check "n3_telemetry loads" load n3_telemetry
budget=$(word $N3T/cpu0/status budget)
same "CPU 0 is sampled with 6 counters" 6 "$budget"
busy 0
put $N3T/enable 0
for kind in $KINDS; do
	measure "$kind" 0.3
	eval "alone_$kind=$(seen "$kind")"
	check "$kind: perf counts with sampling disabled" cat "$tmp/lines"
done
put $N3T/enable 1

for mode in $modes; do
	put $N3T/contention "$mode"
	for kind in $KINDS; do
		sleep 0.6
		case $kind in
		group) measure group 3 ;;
		*) measure "$kind" 1 ;;
		esac
		gone=$(uptime_ms)
		sed 's/^/# /' "$tmp/lines"
		eval "alone=\$alone_$kind"
		share=$(lowest_share)
		[ "$kind" != record ] || share=$(percent "$(seen record)" "$alone_record")
		case $mode-$kind in
		yield-group) min=95 ;;
		yield-*) min=85 ;;
		share-group | share-task | share-record) min=25 ;;
		esac
		case $kind in
		pinned | watchdog) min=99 ;;
		esac
		within "$mode, $kind: perf's events run at least $min % of the time" "$min" \
			"$share" 101
		if [ "$kind" != record ]; then
			within "$mode, $kind: perf counts within 2 % of its count without the module" \
				98 "$(percent "$(seen "$kind")" "$alone")" 102
		fi
		within "$mode, $kind: all counters are taken again within 2000 ms" 0 \
			"$(ms_until_back "$gone")" 2000
	done
	within "$mode: status counts at least $nr_kinds yields" $nr_kinds \
		"$(word $N3T/cpu0/status yields)" 10000
	within "$mode: status shows at least 3000 ms of yielded time" 3000 \
		"$(word $N3T/cpu0/status yielded_total_ms)" 100000
	within "$mode: ipc of the loop is 1 within 0.5 % after perf" 0.995 \
		"$(word $N3T/cpu0/general ipc)" 1.005
done
