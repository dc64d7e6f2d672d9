#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Cost with 64 CPUs, at slices of 4 ms in windows of 2 s, that is 500 slices.
#
# Memory per CPU: slab objects except inodes and dentries, which any access to sysfs
# creates, vmalloc, and larger allocations by their pages. CPUs keep partially used slabs,
# and the kernel counts all of their objects as used until the slabs are given back:
# shrinking does that. The module's code and the stacks of kernel threads do not grow with
# the number of CPUs and are not counted.
#
# Instructions of a read of a file over all CPUs. Ticks and slices of other CPUs take time
# as well; loops of known instructions show how much. And instructions of enabling, loading and
# unloading, with all work of the CPUs meanwhile: the cheapest of three for unloading,
# most of which is waiting for RCU, as long as it takes the CPUs.
#
# LONG=1: memory, and 25 reads of each file instead of 5.
# on: every run
# machine: big
# timeout: 400

. "$(dirname "$0")/../lib/sim.sh"

SLICE_MS=4
WINDOW_MS=2000
[ "$LONG" = 1 ] && READS=25 || READS=5
LIMIT_KB=98
LIMIT_ENABLE=25000000
LIMIT_LOAD=70000000
LIMIT_UNLOAD=110000000
LIMITS="
system/topdown_l1 400000
cpu0/moments 35000
system/counters/topdown_l1 2500000
system/counters/mpki 3600000
system/counters/time 200000
"
# hundredths of these: with bounds checks
TIMES=100
! checks_bounds || TIMES=120

nr_cpus=$(online | wc -l)
[ "$nr_cpus" -ge 64 ] || skip_all "needs 64 CPUs"
[ -d /sys/kernel/slab ] || skip_all "needs a kernel whose slabs can be shrunk"

[ "$LONG" = 1 ] && plan 15 || plan 13

# used - bytes of each cache, of vmalloc and of objects larger than those of any cache
used() {
	sleep 1
	for shrink in /sys/kernel/slab/*/shrink; do
		echo 1 > "$shrink"
	done
	echo > /proc/sys/vm/stat_refresh
	awk '
	FILENAME == "/proc/slabinfo" {
		if (FNR > 2) {
			pages += $15 * $6
			if ($1 !~ /inode|dentry/)
				print $1, $2 * $4
		}
	}
	FILENAME == "/proc/vmstat" && /^nr_slab_/ { slab_pages += $2 }
	FILENAME == "/proc/vmallocinfo" && /load_module|execmem|kernel_clone|dup_task/ { next }
	FILENAME == "/proc/vmallocinfo" && match($0, /pages=[0-9]+/) {
		vmalloc += substr($0, RSTART + 6, RLENGTH - 6)
	}
	END {
		print "large", (slab_pages - pages) * 4096
		print "vmalloc", vmalloc * 4096
	}' /proc/slabinfo /proc/vmstat /proc/vmallocinfo
}

# whole_kb - slab and vmalloc in total, including what CPUs keep of it, inodes and dentries
whole_kb() { awk '/^(Slab|VmallocUsed):/ { kb += $2 } END { print kb }' /proc/meminfo; }

memory_before() {
	# allocated on first use
	perf stat -a -e n3_sim/event=0x08/ true > /dev/null 2>&1
	find /sys/kernel > /dev/null
	used > "$tmp/before"
	whole=$(whole_kb)
}

# memory_after - what loading takes for each CPU: two checks
memory_after() {
	loaded=$(whole_kb)
	used > "$tmp/after"
	shrunk=$(whole_kb)
	find $N3T > /dev/null
	seen=$(whole_kb)
	diag "slab and vmalloc in total, KB for each CPU: $(((loaded - whole) / nr_cpus)) after loading," \
		"$(((seen - shrunk) / nr_cpus)) more when all files have been looked up"

	awk -v cpus="$nr_cpus" '
	FNR == NR { before[$1] = $2; next }
	{
		bytes = $2 - before[$1]
		all += bytes
		if (bytes >= 64 * cpus || bytes <= -64 * cpus)
			printf "%s %d\n", $1, bytes / cpus
	}
	END { printf "all %d\n", all / cpus }' "$tmp/before" "$tmp/after" > "$tmp/per_cpu"
	diag "bytes for each of $nr_cpus CPUs:"
	diag "$(cat "$tmp/per_cpu")"
	bytes=$(word "$tmp/per_cpu" all)
	within "a CPU takes at most $LIMIT_KB KB" 20000 "$bytes" $((LIMIT_KB * 1024))
	rings=$(word "$tmp/per_cpu" vmalloc)
	within "this includes rings and covariances" 20000 "$rings" "$bytes"
}

# now_ns - nanoseconds since boot
now_ns() { awk '/^now at/ { print $3; exit }' /proc/timer_list; }

check "n3_sim loads" load n3_sim
# shellcheck disable=SC2046 # a list
check "all CPUs alternate two phases, so that anchors correlate" \
	set_phases $(online)
[ "$LONG" != 1 ] || memory_before
loading=$(now_ns)
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim slice_ms=$SLICE_MS window_ms=$WINDOW_MS
loading=$(($(now_ns) - loading))
same "all CPUs are sampled" "$nr_cpus" "$(word $N3T/status cpus_sampled)"
[ "$LONG" != 1 ] || memory_after

taskset -c $((nr_cpus - 1)) "$HERE/cost" read $((WINDOW_MS + 200)) $READS \
	$N3T/system/topdown_l1 $N3T/cpu0/topdown_l1 $N3T/cpu0/moments $N3T/system/counters/topdown_l1 \
	$N3T/system/counters/mpki $N3T/system/counters/time > "$tmp/costs" 2>&1
diag "file, nanoseconds including other CPUs' work, instructions excluding it:"
diag "$(cat "$tmp/costs")"
for file in $(echo "$LIMITS" | awk '{ print $1 }'); do
	limit=$(echo "$LIMITS" | awk -v file=$file -v times=$TIMES \
		'$1 == file { print $2 * times / 100 }')
	within "reading $file takes at most $limit instructions" 10000 \
		"$(awk -v file=$N3T/$file '$1 == file { print $3 }' "$tmp/costs")" "$limit"
done

"$HERE/cost" write $N3T/enable 0 1 > "$tmp/enable" 2>&1
diag "$(cat "$tmp/enable")"
within "enabling takes at most $LIMIT_ENABLE instructions" 1000000 "$(word "$tmp/enable" 1)" \
	$LIMIT_ENABLE

within "loading takes at most $LIMIT_LOAD instructions" 1000000 "$loading" $LIMIT_LOAD
# measure_unloading - the cheapest so far, in $unloading
measure_unloading() {
	before=$(now_ns)
	unload n3_telemetry || return
	before=$(($(now_ns) - before))
	[ -n "$unloading" ] && [ "$before" -ge "$unloading" ] || unloading=$before
}
unloading=''
check "n3_telemetry unloads" measure_unloading
for _ in 1 2; do
	load n3_telemetry pmu=n3_sim slice_ms=$SLICE_MS window_ms=$WINDOW_MS && measure_unloading
done
within "unloading takes at most $LIMIT_UNLOAD instructions" 1000000 "$unloading" $LIMIT_UNLOAD
before=$(now_ns)
diag "of these, taking the time: $(($(now_ns) - before))"
