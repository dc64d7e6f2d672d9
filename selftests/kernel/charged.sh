#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Memory allocated for a reader of files over several CPUs is charged to its memory cgroup:
# the tracepoint kmalloc shows __GFP_ACCOUNT for each allocation below the show functions.
# machine: turns

. "$(dirname "$0")/../lib/sim.sh"

TRACING=/sys/kernel/tracing
[ -x "$HERE/reread" ] || skip_all "reread is not built"
[ -e $TRACING/events ] || mount -t tracefs tracefs $TRACING
[ -e $TRACING/events/kmem/kmalloc ] || skip_all "the kernel has no tracepoint kmalloc"

plan 4

# 6.1 has two such tracepoints
trace() {
	for event in $TRACING/events/kmem/kmalloc $TRACING/events/kmem/kmalloc_node; do
		[ ! -e $event ] || echo "$1" > $event/enable
	done
}

cleanup() {
	trace 0
	echo 0 > $TRACING/options/stacktrace
	echo > $TRACING/set_event_pid
}

# allocations FILE - sizes in bytes of the allocations of one read, and whether each is
# charged. Only those of the module: every function between it and the tracepoint belongs to
# the allocator and is none that allocates on behalf of the allocator or of an interrupt.
allocations() {
	echo > $TRACING/trace
	echo 1 > $TRACING/options/stacktrace
	trace 1
	sh -c "echo \$\$ > $TRACING/set_event_pid; exec $HERE/reread -n 1 $N3T/$1"
	cleanup
	awk '
	NR == FNR { ours[$1]; next }
	/ kmalloc(_node)?: / { event = $0; next }
	$1 == "=>" && event && $2 in ours {
		match(event, /bytes_req=[0-9]+/)
		print substr(event, RSTART + 10, RLENGTH - 10),
			event ~ /ACCOUNT/ ? "charged" : "free"
		event = ""
	}
	$1 == "=>" && $2 !~ /malloc|trace/ { event = "" }' "$tmp/symbols" $TRACING/trace
}

check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
# of the module; read once, as the kernel has a hundred thousand
sed -n 's/^[^ ]* . \([^[:space:]]*\).*\[n3_telemetry\]$/\1/p' /proc/kallsyms > "$tmp/symbols"
awake
next_window
# the CPUs with their windows; a window for the first record
for wanted in "2 system/topdown_l1" "1 cpu0/moments"; do
	file=${wanted#* }
	allocations "$file" > "$tmp/allocations"
	same "a read of $file allocates ${wanted% *} times, all charged" "${wanted% *} charged" \
		"$(awk '{ print $2 }' "$tmp/allocations" | sort | uniq -c | xargs)"
	diag "$(xargs < "$tmp/allocations")"
done
