#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat spe record on the emulated N3 with SPE: every record written by the machine is in
# the file or lies in a window that the file reports as lost, with filters, overruns,
# hotplug, and a recorder that is killed; perf takes the same samples with the same
# settings.
# machine: spe
# on: test-long
# timeout: 1500
# shellcheck disable=SC2046,SC2086 # lists of words

. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/spe.sh"

# record ARGUMENT... - its output in $tmp/said, its exit status in $rc
record() {
	n3stat spe record -o "$FILE" "$@" > "$tmp/said" 2>&1
	rc=$?
	[ $rc -eq 0 ] || sed 's/^/# /' "$tmp/said"
}

# start ARGUMENT... - the same in the background; returns when it has kallsyms and samples
start() {
	rm -f "$FILE"
	n3stat spe record -o "$FILE" "$@" > "$tmp/said" 2>&1 &
	recorder=$!
	wait_until has kallsyms > /dev/null
}

# end_recorder - ends it; its exit status in $rc
end_recorder() {
	kill -INT $recorder
	wait $recorder
	rc=$?
}

# all_lost - number of lost windows
all_lost() {
	"$CHUNKS" text "$FILE" end |
		awk '/^lost_/ && !/records/ { n += $2 } END { print n + 0 }'
}

# accounted NAME CPU... - no record is invented, and none missing outside of lost windows
accounted() {
	what=$1
	shift
	bad=0
	for cpu; do
		"$LOG" raw "$cpu" | "$CHUNKS" check "$FILE" "$cpu" > "$tmp/check.$cpu" || bad=1
		[ "$(awk '$1 == "kept" { print $2 }' "$tmp/check.$cpu")" -gt 0 ] || bad=1
		diag "CPU $cpu: $(tr '\n' ' ' < "$tmp/check.$cpu")"
	done
	verdict $bad "$what"
}

# has TYPE - whether the recording has a chunk of this type
has() { "$CHUNKS" list "$FILE" 2> /dev/null | grep -q "^$1"; }

# is_complete - whether the recording ends with its totals
is_complete() { [ "$("$CHUNKS" list "$FILE" | tail -n 1 | cut -d ' ' -f 1)" = end ]; }

# says REGEX NAME - a line of the output matches
says() {
	grep -q -e "$1" "$tmp/said"
	verdict $? "$2"
	sed 's/^/# /' "$tmp/said"
}

plan 49

load_driver
all=$(echo $(online))

# All CPUs
clear_logs
busy $all
# less than the buffers hold, however slowly they are emptied
record --period 1000000 --aux-size 16m --seconds 2
same "all CPUs are recorded" 0 $rc
for cpu in $all; do
	"$LOG" raw "$cpu" > "$tmp/wrote"
	"$CHUNKS" raw "$FILE" "$cpu" > "$tmp/kept"
	[ -s "$tmp/wrote" ] && cmp "$tmp/wrote" "$tmp/kept" > "$tmp/cmp" 2>&1
	verdict $? "the records of CPU $cpu match those written by the machine, byte for byte"
	diag "$(stat -c %s "$tmp/wrote") written, $(stat -c %s "$tmp/kept") kept"
done
same "no window was lost" 0 "$(all_lost)"
same "the period in the file is the effective one" 999936 \
	"$("$CHUNKS" text "$FILE" info | awk '$1 == "period" { print $2 }')"
says "period 999936" "so is the one in the summary"
for cpu in $all; do "$LOG" interval "$cpu"; done | sort -u > "$tmp/interval"
same "the machine's interval is the effective period" "999936 999936" "$(cat "$tmp/interval")"
same "every CPU's line has its MIDR" 4 \
	"$("$CHUNKS" text "$FILE" cpus | grep -c 'midr 0x00000000410fd8e0 .* pmu arm_spe_0$')"
"$CHUNKS" text "$FILE" build_ids | grep -q "^[0-9a-f]\{40\} \[kernel.kallsyms\]"
verdict $? "the file has the kernel's build id"
"$CHUNKS" text "$FILE" kallsyms | grep -q " T schedule$"
verdict $? "the file has the kernel's functions"

# Filters: the samples that the machine logs as passed match them; perf agrees
idle_again
busy 1
# ours FILTERS OPTION... - n3stat with the options: exactly the matching samples pass, and
# all are kept
ours() {
	filters=$1
	shift
	clear_logs
	record -C 1 --period 524288 --seconds 1 "$@"
	"$LOG" check 1 $filters > "$tmp/ours" || return 1
	"$LOG" raw 1 > "$tmp/wrote"
	"$CHUNKS" raw "$FILE" 1 | cmp "$tmp/wrote" - || return 1
	"$LOG" interval 1 > "$tmp/interval.ours"
	echo "n3stat: $(tr '\n' ' ' < "$tmp/ours")"
}
# both TERMS FILTERS OPTION... - the same, and perf with the terms
both() {
	terms=$1
	shift
	ours "$@" || return 1
	clear_logs
	perf_spe "ts_enable=1,period=524288,$terms/" -C 1 sleep 1
	"$LOG" check 1 $filters > "$tmp/theirs" || return 1
	"$LOG" interval 1 | cmp "$tmp/interval.ours" - || return 1
	echo "perf: $(tr '\n' ' ' < "$tmp/theirs")"
	# the share that passes is the same, within random variation
	cat "$tmp/ours" "$tmp/theirs" | awk '
	$1 == "samples" { n[++run] = $2 } $1 == "passed" { p[run] = $2 / n[run] }
	END { exit !(p[1] > 0 && p[2] > 0 && p[1] < 2 * p[2] && p[2] < 2 * p[1]) }'
}
check "loads: n3stat and perf agree" both load_filter=1 load --load
check "stores and branches: n3stat and perf agree" \
	both store_filter=1,branch_filter=1 "store branch" --store --branch
check "minimum latency: n3stat and perf agree" both min_latency=20 min_latency=20 --min-latency 20
check "an event by its name: n3stat and perf agree" \
	both event_filter=0x2 event=0x2 --event-filter retired
if [ -e "$SPE/format/inv_event_filter" ]; then
	# perf of 6.1 cannot: it does not know config3
	check "inverse filter: no sample has the event" \
		ours inv_event=0x8 --inverse-event-filter l1d-refill
else
	record --seconds 1 --inverse-event-filter l1d-refill
	says 'inv_event_filter.*\[filters_unsupported\]$' \
		"inverse filter: the driver of this kernel has none"
fi
idle_again

record --user --seconds 1 -C 1 -- dd if=/dev/zero of=/dev/null bs=64k count=2000
"$CHUNKS" pcs "$FILE" > "$tmp/pcs"
same "--user: no sample of the kernel" 0 "$(grep -vc '^0 ' "$tmp/pcs")"
record --kernel --seconds 1 -C 1 -- taskset -c 1 dd if=/dev/zero of=/dev/null bs=64k count=2000
"$CHUNKS" pcs "$FILE" > "$tmp/pcs"
same "--kernel: only samples of the kernel" "yes 0" \
	"$([ -s "$tmp/pcs" ] && echo yes) $(grep -vc '^1 ' "$tmp/pcs")"

# Overruns: a buffer of two pages; other CPUs write it out
truncated_100_times() {
	"$CHUNKS" list "$FILE" | awk '/^lost.* reason 1 / { n++ } END { exit n < 100 }'
}
busy 0 1
for one in 0 1; do
	clear_logs
	start -C $one --period 1024 --aux-size 8k
	wait_until truncated_100_times
	end_recorder
	is_complete
	verdict $? "CPU $one: overruns do not end the recording"
	within "CPU $one: 100 of them or more" 100 "$(of_end truncated)" 100000
	within "CPU $one: each overrun is a lost window" "$(of_end truncated)" "$(all_lost)" 100000
	accounted "CPU $one: every record is there or in a lost window" $one
done

idle_again

# A second user
start -q -C 1
n3stat spe record -o "$tmp/other" -C 1 --seconds 1 > "$tmp/said" 2>&1
same "a second user: an error" 1 $?
says 'arm_spe_0.* CPU 1.*\[spe_in_use\]$' "a second user is told which CPU, and why"
end_recorder
verdict $rc "a second user: the first one continues"

# A CPU that goes offline and comes back
busy $all
clear_logs
# chunks of a CPU that went offline after it had samples, and had some again
was_offline() { "$CHUNKS" list "$FILE" | grep -q '^lost.* reason 4 '; }
has_come_back() {
	"$CHUNKS" list "$FILE" | awk '
	/^lost/ { if ($6 == 4) stream = $4 }
	/^aux/ { if (stream != "" && $4 == stream && $2 > 1000) later = 1 }
	END { exit !later }'
}
start --period 1600000
wait_until has "aux .* cpu 2 "
echo 0 > "$CPU_DEVICES/cpu2/online"
wait_until was_offline
echo 1 > "$CPU_DEVICES/cpu2/online"
busy 2
wait_until has_come_back
end_recorder
same "a CPU goes offline and comes back: the recording continues" 0 $rc
sed 's/^/# /' "$tmp/said"
within "a CPU goes offline and comes back: the lost window is counted" 1 "$(of_end lost_offline)" 2
has_come_back
verdict $? "a CPU goes offline and comes back: it is recorded again"
accounted "the other CPUs lost nothing that is not counted" 0 1 3
"$CHUNKS" raw "$FILE" 2 | wc -c | diag "CPU 2: $(cat) bytes"

# Killed
bad=0
for i in 1 2 3 4 5 6; do
	clear_logs
	rm -f "$FILE"
	n3stat spe record -q -o "$FILE" --period 100000 --aux-size 64k &
	recorder=$!
	wait_until has aux > /dev/null
	sleep "0.$((SEED / i % 1000))"
	kill -KILL $recorder
	wait $recorder 2>/dev/null
	"$CHUNKS" list "$FILE" > "$tmp/list" || bad=1
	grep -q '^aux' "$tmp/list" || bad=1
	for cpu in $all; do
		"$LOG" raw "$cpu" | "$CHUNKS" check "$FILE" "$cpu" > "$tmp/check"
		grep -qx "invented 0" "$tmp/check" ||
			{ bad=1; diag "CPU $cpu: $(tr '\n' ' ' < "$tmp/check")"; }
	done
	diag "$(grep -c . "$tmp/list") chunks, $(tail -n 1 "$tmp/list")"
done
verdict $bad "killed at any moment: the file is readable, and has no invented record"
start
end_recorder
same "interrupted: no error" 0 $rc
is_complete
verdict $? "interrupted: the file is complete"
idle_again

# Tasks
"$LIB/spin" & spinner=$!
sleep 0.2
rm "$FILE"
(wait_until has kallsyms > /dev/null; sleep 4; kill $spinner) &
# few enough for the guest's memory on the fastest host
record -p $spinner --period 1000000
same "a process: recorded until it ends" 0 $rc
same "all samples are of the process" "$spinner" \
	"$("$CHUNKS" pcs "$FILE" | cut -d ' ' -f 3 | uniq | sort -u)"
wait

# perf.data
clear_logs
busy 1
n3stat spe record --perf-data -o "$DATA" --period 4000000 --seconds 2 > "$tmp/said" 2>&1
same_records "--perf-data has the records that CPU 1 wrote" 1
idle_again
perf script -i "$DATA" --itrace=i1i > "$tmp/script" 2> "$tmp/said"
within "perf script shows samples" 100 "$(grep -c instructions "$tmp/script")" 100000000
grep -q 'spin' "$tmp/script"
verdict $? "perf script shows the command of the samples"
diag "$(head -n 3 "$tmp/script")"
perf mem report -i "$DATA" --stdio > "$tmp/report" 2> "$tmp/said"
grep -q '%' "$tmp/report"
verdict $? "perf mem report shows samples"
diag "$(grep -v '^#' "$tmp/report" | grep . | head -n 3)"

# Errors
"$LIB/as_user" 1000 1000 n3stat spe record -o "$tmp/mine" --seconds 1 > "$tmp/said" 2>&1
same "without privileges: refused" 6 $?
says 'kernel.perf_event_paranoid.*\[permission_denied\]$' "the setting that cures it is named"
[ ! -e "$tmp/mine" ]
verdict $? "without privileges: no file is created"
mkdir "$tmp/small"
mount -t tmpfs -o size=4m tmpfs "$tmp/small"
FILE=$tmp/small/file
record --period 1024 --seconds 20
umount_later=$tmp/small
same "disk full: an error" 1 $rc
says 'No space left.*\[cannot_write\]$' "disk full: it says so"
has aux
verdict $? "disk full: the file is readable up to that point"
umount "$umount_later"
