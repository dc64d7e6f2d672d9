# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat spe record where there is no SPE: what it refuses, and that it leaves files alone.

record_file=$tmp/record.spe

# rejects CODE TEXT NAME ARGUMENT...: as refuses, and no file is made
rejects()
{
	expected=$1 words=$2 called=$3
	shift 3
	refuses "$expected" "$words" "$called" spe record -o "$record_file" "$@"
}

rejects 2 "bad CPU list '1-'; write it as 0-3,8" "spe record: a bad list of CPUs" -C 1-
rejects 2 "bad CPU list '3-1'" "spe record: a list of CPUs that goes down" -C 3-1
rejects 2 "bad CPU list '0,'" "spe record: a list of CPUs that ends with a comma" -C 0,
rejects 2 "bad CPU list '99999'" "spe record: a CPU beyond all" -C 99999
rejects 2 "bad --pid '0'" "spe record: process 0" -p 0
rejects 2 "bad --pid 'x'" "spe record: a process that is no number" -p 1,x
rejects 2 "bad --period '255'; write a number from 256 to 4294967040" \
	"spe record: a period below what the driver knows" --period 255
rejects 2 "bad --period '4294967041'" "spe record: a period above it" --period 4294967041
rejects 2 "bad --period '8k'" "spe record: a period with a unit" --period 8k
rejects 2 "bad --period '-1'" "spe record: a negative period" --period=-1
rejects 2 "bad --min-latency '0'" "spe record: a latency that filters nothing" --min-latency 0
rejects 2 "bad --min-latency '65536'" "spe record: a latency above all" --min-latency 65536
rejects 2 "bad --event-filter '0'" "spe record: an empty mask" --event-filter 0
rejects 2 "bad --event-filter ','" "spe record: no names in a list" --event-filter ,
rejects 5 "no event 'tlb': see n3stat-spe-record(1)" "spe record: an unknown event" \
	--event-filter retired,tlb
rejects 5 "no event 'x'" "spe record: an unknown event that is to be absent" \
	--inverse-event-filter x
rejects 2 "bad time '0'" "spe record: events as the report prints them, and with dashes" \
	--event-filter l1d_refill,remote_access,misaligned,tlb-walk -s 0
rejects 2 "bad --timestamps 'both'" "spe record: timestamps of no kind" --timestamps both
rejects 2 "bad time '0'" "spe record: no time at all" -s 0
for size in 0 1 4k 5000 24k 2g 1024m0 '' 18446744073709551616k 17592186044417m; do
	rejects 2 "bad --aux-size '$size'" "spe record: a buffer of '$size'" "--aux-size=$size"
done
rejects 2 "--kernel and --user exclude each other" "spe record: neither kernel nor user" \
	--kernel --user
rejects 2 "-p and a COMMAND exclude each other" "spe record: a process and a command" \
	-p 1 -- true
refuses 2 "--perf-data cannot go to the standard output" "spe record: perf.data in a pipe" \
	spe record --perf-data -o -

[ ! -e "$record_file" ]
result $? "spe record: what is refused makes no file"

if ls /sys/bus/event_source/devices/arm_spe_* >/dev/null 2>&1; then
	skip "spe record: no SPE" "there is SPE here"
	skip "spe record: no file without SPE" "there is SPE here"
else
	echo keep >"$record_file"
	refuses 1 "no PMU arm_spe_*: n3stat spe info says why" "spe record: no SPE" \
		spe record -o "$record_file" -s 1 -- true
	[ "$(cat "$record_file")" = keep ]
	result $? "spe record: a file is left alone where nothing can be recorded"
fi

# All names that the manual page has are known, and all known are there.
sed -n '/^\.BR \\-\\-event\\-filter/,/^Which of them/p' "$here/../man/n3stat-spe-record.1" |
	sed 's/\\-/-/g; s/^\.BR//' | tr -d '",' | tr ' ' '\n' | grep -E '^[a-z0-9]+-?[a-z]*\.?$' |
	sed 's/\.$//' | grep -xE 'exception|retired|misaligned|mispredicted|transactional|[a-z0-9]+-[a-z]+' |
	sort -u >"$tmp/named"
sed -n 's/^EVENT([0-9]*, \([a-z0-9_]*\), .*/\1/p' "$here/../spe_events.def.h" | tr _ - |
	sort >"$tmp/known"
diff "$tmp/named" "$tmp/known" >"$tmp/out" 2>"$tmp/err"
result $? "spe record: the manual page has all events"

run spe record --help && [ "$(wc -l <"$tmp/out")" -le 24 ] && [ "$(wc -L <"$tmp/out")" -le 80 ]
result $? "spe record: help fits a screen"
