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

# start ARGUMENT... - the same in the background; returns when it has samples
start() {
	rm -f "$FILE"
	n3stat spe record -o "$FILE" "$@" > "$tmp/said" 2>&1 &
	recorder=$!
	wait_until has aux > /dev/null
}

# end_recorder - ends it; its exit status in $rc
end_recorder() {
	kill -INT $recorder
	wait $recorder
	rc=$?
}

# accounted NAME CPU... - no record is invented, and none missing outside of lost windows
accounted() {
	what=$1
	shift
	bad=0
	for cpu; do
		"$LOG" raw "$cpu" | "$AUX" check "$FILE" "$cpu" > "$tmp/check.$cpu" || bad=1
		[ "$(awk '$1 == "kept" { print $2 }' "$tmp/check.$cpu")" -gt 0 ] || bad=1
		diag "CPU $cpu: $(tr '\n' ' ' < "$tmp/check.$cpu")"
	done
	verdict $bad "$what"
}

# has KEY [NUMBER] - whether the recording has that number of them, or one
has() { [ "$(total "$1")" -ge "${2:-1}" ] 2> /dev/null; }

# samples FILE - command, process and file of each sample that perf shows, in $tmp/script
samples() {
	perf script -i "$1" --itrace=i1i -F comm,pid,ip,dso 2> "$tmp/said" |
		awk '{ print $1, $2, $NF }' > "$tmp/script"
}

# says REGEX NAME - a line of the output matches
says() {
	grep -q -e "$1" "$tmp/said"
	verdict $? "$2"
	sed 's/^/# /' "$tmp/said"
}

plan 52

load_driver
all=$(echo $(online))

# All CPUs
clear_logs
busy $all
# less than the buffers hold, however slowly they are emptied
record --period 1000000 --aux-size 16m --seconds 2
same "all CPUs are recorded" 0 $rc
for cpu in $all; do
	same_records "the records of CPU $cpu match those written by the machine, byte for byte" \
		"$cpu" "$FILE"
done
same "no window was lost" 0 "$(all_lost)"
header() { perf report -i "$FILE" --header-only 2> /dev/null; }
header | grep -q '^# event : name = arm_spe_0/period=999936,ts_enable=1/, .* } = 999936,'
verdict $? "the period in the file is the effective one"
says "period 999936" "so is the one in the summary"
command=$(sed -n 's/.*\(perf record \)/\1/p' "$tmp/said")
for cpu in $all; do "$LOG" interval "$cpu"; done | sort -u > "$tmp/interval"
same "the machine's interval is the effective period" "999936 999936" "$(cat "$tmp/interval")"
same "the file has the MIDR and the kernel" "0x00000000410fd8e0 $(uname -r)" \
	"$(header | awk '/^# cpuid : / { midr = $4 } /^# os release : / { kernel = $5 }
		END { print midr, kernel }')"
perf script -i "$FILE" --show-mmap-events 2> /dev/null | grep -q \
	'PERF_RECORD_MMAP2 -1/0: .* <[0-9a-f]\{40\}>.* \[kernel.kallsyms\]_s\?text'
verdict $? "the file has the kernel's build id"
grep -q " T schedule$" "$FILE.kallsyms"
verdict $? "the kernel's functions are beside the file"

# perf's command in the summary
perf_does() { sh -c "$command -q -o $DATA sleep 1" && "$AUX" list "$DATA" | grep -q '^[01] '; }
check "perf records by the command in the summary" perf_does

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
	"$AUX" raw "$FILE" 1 | cmp "$tmp/wrote" - || return 1
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
"$AUX" list "$FILE" > "$tmp/pcs"
same "--user: no sample of the kernel" 0 "$(grep -vc '^0 ' "$tmp/pcs")"
record --kernel --seconds 1 -C 1 -- taskset -c 1 dd if=/dev/zero of=/dev/null bs=64k count=2000
"$AUX" list "$FILE" > "$tmp/pcs"
same "--kernel: only samples of the kernel" "yes 0" \
	"$([ -s "$tmp/pcs" ] && echo yes) $(grep -vc '^1 ' "$tmp/pcs")"

# Overruns: a buffer of two pages; other CPUs write it out
busy 0 1
for one in 0 1; do
	clear_logs
	start -C $one --period 1024 --aux-size 8k
	wait_until has truncated 100
	end_recorder
	has finished
	verdict $? "CPU $one: overruns do not end the recording"
	within "CPU $one: 100 of them or more" 100 "$(total truncated)" 100000
	same "CPU $one: the summary counts the lost windows of the file" "$(all_lost)" \
		"$(sed -n 's/^n3stat: \([0-9]*\) lost window.*/\1/p' "$tmp/said")"
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
# bytes of the records of CPU 2
of_cpu_2() { "$AUX" raw "$FILE" 2 2> /dev/null | wc -c; }
has_more_than() { [ "$(of_cpu_2)" -gt "$1" ]; }
start --period 1600000
wait_until has_more_than 0
echo 0 > "$CPU_DEVICES/cpu2/online"
wait_until has offline
before=$(of_cpu_2)
echo 1 > "$CPU_DEVICES/cpu2/online"
busy 2
wait_until has_more_than "$before"
end_recorder
same "a CPU goes offline and comes back: the recording continues" 0 $rc
sed 's/^/# /' "$tmp/said"
within "a CPU goes offline and comes back: the lost window is counted" 1 "$(total offline)" 2
has_more_than "$before"
verdict $? "a CPU goes offline and comes back: it is recorded again"
accounted "the other CPUs lost nothing that is not counted" 0 1 3
diag "CPU 2: $before bytes, then $(of_cpu_2)"

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
	has aux || bad=1
	perf script -i "$FILE" --show-switch-events > "$tmp/script" 2> "$tmp/said" || bad=1
	for cpu in $all; do
		"$LOG" raw "$cpu" | "$AUX" check "$FILE" "$cpu" > "$tmp/check"
		grep -qx "invented 0" "$tmp/check" ||
			{ bad=1; diag "CPU $cpu: $(tr '\n' ' ' < "$tmp/check")"; }
	done
	diag "$(total aux) AUX records, perf script: $(grep -c . "$tmp/script") lines"
done
verdict $bad "killed at any moment: the file is readable, and has no invented record"
start
end_recorder
same "interrupted: no error" 0 $rc
has finished
verdict $? "interrupted: the file is complete"
idle_again

# Tasks
"$LIB/spin" & spinner=$!
sleep 0.2
rm -f "$FILE"
(wait_until has aux > /dev/null; sleep 4; kill $spinner) &
# few enough for the guest's memory on the fastest host
record -p $spinner --period 1000000
same "a process: recorded until it ends" 0 $rc
samples "$FILE"
same "all samples are of the process" "$spinner spin" \
	"$(awk '{ print $2, $1 }' "$tmp/script" | uniq | sort -u)"
wait

# Owners: only the loop and the kernel run on CPU 1
clear_logs
taskset -c 1 "$LIB/spin" & spinner=$!
taskset -c 0 n3stat spe record -q -o "$FILE" -C 1 --period 4000000 --seconds 2
same_records "the file has the records that CPU 1 wrote" 1 "$FILE"
kill $spinner
"$AUX" list "$FILE" 1 | awk '{ n[$1]++ } END { print n[0] + 0, n[1] + 0 }' > "$tmp/levels"
samples "$FILE"
same "perf script shows all records, of user space and of the kernel" "$(cat "$tmp/levels")" \
	"$(awk '{ n[$NF ~ /^\(\[/]++ } END { print n[0] + 0, n[1] + 0 }' "$tmp/script")"
same "perf script shows the owner of those of user space" "spin $spinner ($LIB/spin)" \
	"$(grep -v '(\[' "$tmp/script" | sort -u)"
perf mem report -i "$FILE" --stdio > "$tmp/report" 2> "$tmp/said"
grep -q '%' "$tmp/report"
verdict $? "perf mem report shows samples"
diag "$(grep -v '^#' "$tmp/report" | grep . | head -n 3)"

# An earlier file is kept, with its symbols
cp "$FILE" "$tmp/earlier"
record --user --seconds 1
cmp -s "$tmp/earlier" "$FILE.old" && [ -s "$FILE.old.kallsyms" ] && [ ! -e "$FILE.kallsyms" ]
verdict $? "an earlier file is kept as FILE.old, with the kernel's functions"
same "other users may not read the files" "600 600" \
	"$(stat -c %a "$FILE" "$FILE.old.kallsyms" | tr '\n' ' ' | sed 's/ $//')"

# Errors
"$LIB/as_user" 1000 1000 n3stat spe record -o "$tmp/mine" --seconds 1 > "$tmp/said" 2>&1
same "without privileges: refused" 6 $?
says 'kernel.perf_event_paranoid.*\[permission_denied\]$' "the setting that cures it is named"
[ ! -e "$tmp/mine" ]
verdict $? "without privileges: no file is created"
mkdir "$tmp/small"
mount -t tmpfs -o size=4m tmpfs "$tmp/small"
FILE=$tmp/small/file
record --period 1024 --aux-size 64k --seconds 20
umount_later=$tmp/small
same "disk full: an error" 1 $rc
says 'No space left.*\[cannot_write\]$' "disk full: it says so"
has aux
verdict $? "disk full: the file is readable up to that point"
umount "$umount_later"
