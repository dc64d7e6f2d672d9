#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3-exporter, the arm64 build, on the module itself with 64 CPUs, as a user with CAP_PERFMON alone:
# values over HTTP, instructions of a scrape, module unloaded and loaded again. Everything else is
# tested natively.
# on: test-long
# machine: big
# timeout: 400

. "$(dirname "$0")/../lib/sim.sh"

AS=$LIB/as_user
USER=1000
CAP_PERFMON=38
# scrapes: rounds over that number of exporters
ROUNDS=5
EXPORTERS=5
LIMIT=8000000
LIMIT_PER_CPU=16000000
# hundredths of these: with bounds checks
TIMES=100
! checks_bounds || TIMES=120

nr_cpus=$(online | wc -l)
last=$((nr_cpus - 1))
[ "$nr_cpus" -ge 64 ] || skip_all "needs 64 CPUs"

plan 17

load_telemetry() { load n3_telemetry pmu=n3_sim slice_ms=20; }
has_values() { ! grep -qE '^[a-z0-9_]+ [a-z]+$' $N3T/system/topdown_l1; }

# serve NAME ARGUMENT... - starts an exporter on the last CPU, which takes nothing from others;
# its address is in $tmp/NAME
serve() {
	file=$tmp/$1
	shift
	taskset -c $last "$AS" -a $USER:$CAP_PERFMON n3-exporter --listen 127.0.0.1:0 "$@" > "$file" &
	server=$!
	wait_until test -s "$file"
}

# scrape - series of the first exporter into $tmp/series
scrape() { wget -q -O "$tmp/series" "$(cat "$tmp/first")"; }

nr_series() { grep -c '^n3_telemetry_' "$tmp/series"; }

# reads NAME FILE KEY SERIES - the series lies between the key's values before and after
reads() {
	before=$(word "$N3T/system/counters/$2" "$3")
	sleep 1.1
	scrape
	within "$1" "$before" "$(awk -v name="$4" '$1 == name { printf "%.0f", $2 }' "$tmp/series")" \
		"$(word "$N3T/system/counters/$2" "$3")"
}

# up_is VALUE - a scrape that succeeds has it
up_is() { scrape && grep -qx "n3_telemetry_up $1" "$tmp/series"; }

# costs NAME LIMIT ARGUMENT... - of exporters with these arguments
costs() {
	name=$1 limit=$(($2 * TIMES / 100))
	shift 2
	rm -f "$tmp"/port.*
	for i in $(seq $EXPORTERS); do
		serve "port.$i" "$@"
	done
	# shellcheck disable=SC2046 # a list
	cost=$(taskset -c $last "$HERE/cost" scrape $ROUNDS \
		$(sed 's|.*:\([0-9]*\)/.*|\1|' "$tmp"/port.*))
	within "$name takes at most $limit instructions" 300000 "$cost" $limit
	diag "resident memory: $(grep VmHWM /proc/$server/status)"
}

check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load_telemetry
check "all CPUs are sampled" wait_until samples_all
check "the system has values" wait_until has_values
check "the network is up" ifconfig lo 127.0.0.1 up

check "a user with CAP_PERFMON reads the series" "$AS" -a $USER:$CAP_PERFMON n3-exporter --once
"$AS" $USER $USER n3-exporter --once > "$tmp/series" 2> "$tmp/errors"
same "another user gets permission_denied" "6 permission_denied" \
	"$? $(sed -n 's/.*\[\(.*\)\]$/\1/p' "$tmp/errors")"

serve first
reads "slots of the system" topdown_l1 slots_total n3_telemetry_slots_total
reads "cycles of the system" time cycles_total n3_telemetry_cycles_total
costs "a scrape" $LIMIT
same "CPUs with values" "$nr_cpus" \
	"$(word "$tmp/series" 'n3_telemetry_cpus{verdict="value"}')"
costs "a scrape of all CPUs" $LIMIT_PER_CPU --per cpu

start=$(word "$tmp/series" n3_telemetry_start_time_seconds)
rmmod n3_telemetry
check "without the module up is 0" wait_until up_is 0
same "without the module there are no other values" 3 "$(nr_series)"
check "n3_telemetry loads again" load_telemetry
check "the module is noticed" wait_until up_is 1
check "its start time differs" \
	test "$start" != "$(word "$tmp/series" n3_telemetry_start_time_seconds)"
