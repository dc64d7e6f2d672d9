#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# tools/dev/silicon.sh in a minute, and with faults: a violated identity, a kernel that refuses
# the module, no perf, one that counts wrongly, SIGTERM, SIGKILL. Each is in the report. A PMU with
# random rates violates identities; those that fail follow from the rates.
# machine: n3-icount
# timeout: 500

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/silicon.sh"

plan 22

perf=$(command -v perf)
cleanup() { [ ! -e "$tmp/perf.away" ] || mv "$tmp/perf.away" "$perf"; }

says() { grep -q "$1" "$tmp/shown"; }

# hides - whether the report has the line of the log, without names and addresses
hides() {
	grep 'silicon test' "$REPORT/report.txt" "$REPORT/report.json" &&
		! grep -iE 'secret-name|192\.0\.2|5e:|112233' "$REPORT/report.txt" "$REPORT/report.json"
}

hostname secret-name
start --minutes 1
wait_until [ -e /run/n3_silicon.state ] > /dev/null
sleep 1
echo "n3_telemetry: silicon test of secret-name.example 192.0.2.77 02:00:5e:10:00:01" \
	"fe80::5e:1 ffff8000112233ff" > /dev/kmsg
end
check "all metrics of the specification equal the rates, in turns with perf" turns_match 60
check "exactly those identities fail that the rates violate" identities_match
check "shares of stalls add up where the rates do" sums_match
same "nothing else fails" "" "$(other_failures)"
same "what the machine lacks has not run" "idle.residency hotplug.transitions" \
	"$(results_with not_run | grep -E '^(idle|hotplug|load|same|others|cost|soak|log)' | xargs)"
same "the exit status reports failures" 7 $rc
check "host name and addresses are not in the report" hides
check "the machine is as before" as_before

head -c 10000 "$MODULES/n3_telemetry.ko" > "$tmp/part.ko"
MODULE=$tmp/part.ko silicon --minutes 1
same "a module that the kernel refuses: a failure, status 1" "fail 1" \
	"$(state_of load_in_place.load) $rc"
same "all later parts have not run" "" \
	"$(results_with pass | grep -v '^build' | xargs)"

mv "$perf" "$tmp/perf.away"
start --minutes 1
wait_until says loads > /dev/null
kill -TERM $run
end
same "without perf the comparisons have not run" "not_run not_run not_run" \
	"$(state_of turns.perf) $(state_of same_time.perf) $(state_of others.perf)"
same "without perf nothing fails but identities" "" "$(other_failures)"
same "SIGTERM: status 130, the rest has not run" "130 not_run" "$rc $(state_of soak.soak)"
check "the machine is as before SIGTERM" as_before

for signal in TERM INT; do
	signalled $signal selftest --minutes 1
	same "SIG$signal ends the self-test" "130 not_run not_run" \
		"$rc $(state_of selftest.selftest) $(state_of turns.turns)"
	check "the machine is as before SIG$signal in the self-test" as_before
done

# twice as many instructions
cat > "$perf" <<-END
	#!/bin/sh
	real=$tmp/perf.away
END
cat >> "$perf" <<-'END'
	"$real" "$@"
	rc=$?
	while [ $# -gt 1 ]; do
		[ "$1" != -o ] || out=$2
		shift
	done
	[ ! -f "$out" ] || awk -F , -v OFS=, '/event=0x0*8\// { $1 *= 2 } { print }' "$out" > "$out.2" &&
		cat "$out.2" > "$out"
	exit $rc
END
chmod +x "$perf"
start --minutes 1
wait_until says same_time > /dev/null
kill -TERM $run
end
same "perf counts other instructions: metrics of instructions fail, others pass" \
	"fail fail pass" \
	"$(state_of turns.ipc) $(state_of turns.branch_mpki) $(state_of turns.branch_misprediction_ratio)"
mv "$tmp/perf.away" "$perf"
start --minutes 1
wait_until says turns: > /dev/null
kill -KILL $run
wait $run 2> /dev/null
check "SIGKILL leaves the module loaded" is_loaded n3_telemetry
wait_until eval '! ps | grep "[p]erf stat"' > /dev/null
MODULE=$tmp/part.ko silicon --minutes 1
check "the next run cleans up" says 'cleaning up'
check "the machine is as before SIGKILL" as_before
