#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The script of n3-telemetry.service with the real module: from load to unload nothing is used that
# the configuration excludes, whatever the order of its lines. ftrace records each counter that the
# PMU's driver gives to an event, and each function of the module that writes registers or prepares
# that. Wrong lines are reported by number, and the others hold.

# on: every run

. "$(dirname "$0")/../lib/lib.sh"

TRACE=/sys/kernel/debug/tracing
CONF=/etc/n3-telemetry.conf
ACCESS=/proc/sys/kernel/perf_user_access
[ -e /boot/boot.sh ] || skip_all "needs the script of the service in /boot: see qemu/run.sh"
[ -e $TRACE/set_ftrace_filter ] || skip_all "the kernel has no ftrace"

plan 34

# modprobe finds the module there
DIR=/lib/modules/$(uname -r)
cleanup() {
	echo nop > $TRACE/current_tracer
	rm -rf $CONF "$DIR"
	echo 0 > $ACCESS
}

# trace - ftrace begins anew, with functions of the module when it is next loaded
trace() {
	echo armpmu_add armpmu_del > $TRACE/set_ftrace_filter &&
		echo 'n3t_direct_*:mod:n3_telemetry' >> $TRACE/set_ftrace_filter &&
		echo function > $TRACE/current_tracer &&
		: > $TRACE/trace
}

# used - from the trace: the CPUs whose counters were requested, the largest number on one of them
# with the cycle counter, and the functions of direct access: numbers after the module is unloaded
used() {
	awk '
	/^#/ || !match($0, /\[[0-9]+\]/) { next }
	{
		cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0
		name = $(NF - 1)
	}
	name == "armpmu_add" { seen[cpu]; now[cpu]++ }
	name == "armpmu_del" { now[cpu]-- }
	now[cpu] > most { most = now[cpu] }
	name !~ /^armpmu_/ { direct[name] }
	END {
		for (cpu = 0; cpu < 64; cpu++)
			if (cpu in seen)
				cpus = cpus "," cpu
		printf "%s %d", substr(cpus, 2), most
		for (name in direct)
			printf " %s", name
		print ""
	}' $TRACE/trace
}

# uses_all - registers are tried, and more counters are requested than there are
uses_all() {
	used > "$tmp/used"
	cat "$tmp/used"
	grep -q ' n3t_direct_try_driver' "$tmp/used" &&
		awk '{ exit !($1 == "0,1,2,3" && $2 > 6) }' "$tmp/used"
}

# configure LINE...
configure() { printf '%s\n' "$@" > $CONF; }

# step STEP - of the service
step() {
	sh /boot/boot.sh "$1" > "$tmp/said" 2>&1
	rc=$?
	diag "$1: exit $rc, $(cat "$tmp/said")"
	return $rc
}

# wrong - numbers of the lines that were reported
wrong() { sed -n "s,^$CONF:\([0-9]*\): .*,\1,p" "$tmp/said" | xargs; }

# settings NAME... - their values
settings() { for name; do cat "$N3T/$name"; done | xargs; }

# is STATE SAMPLED SWITCH - in status
is() {
	now="$(word $N3T/status state) $(word $N3T/status cpus_sampled) $(word $N3T/status switch)"
	echo "$now"
	[ "$now" = "$*" ]
}

mkdir -p "$DIR"
cp "$MODULES/n3_telemetry.ko" "$DIR/"
echo n3_telemetry.ko: > "$DIR/modules.dep"
check "ftrace can record the functions" trace

configure '# nothing'
check "no setting: the service loads the module" step load
check "no setting: all CPUs are sampled by their registers" wait_until is sampling 4 direct
check "no setting: all counters are used, and registers are tried" uses_all
check "no setting: the service unloads the module" step unload

trace
configure 'enable = 1' 'switch = direct' 'cpus = 2-3' 'window_ms = 1' 'switch = in-place' \
	'bogus = 1' 'reserved_counters = 2' 'custom = 0x08 0x1b 0x3a 0x3b 0x3d 0x70 0x71' \
	'slice_ms = 5' 'reserved_counters = 32' 'max_cost = 0'
check "excluded: the service loads the module" step load
same "excluded: wrong lines are reported" "2 4 6 8 10" "$(wrong)"
same "excluded: the remaining lines hold" "1 2-3 in-place 2 5 2000 none" \
	"$(settings enable cpus switch reserved_counters slice_ms window_ms custom)"
check "excluded: CPUs 2 and 3 are sampled by the driver" wait_until is sampling 2 in-place
same "excluded: CPU 2 holds the counters that are not reserved" 4 "$(word $N3T/cpu2/status budget)"
configure 'enable = 1' 'cpus = 3' 'slice_ms = 6' 'status = 1'
step settings
same "excluded: reload fails and reports the wrong line" "1 4" "$? $(wrong)"
check "excluded: reload applies the others" is sampling 1 in-place
put $N3T/slice_ms 4
put $N3T/enable 0
put $N3T/enable 1
check "excluded: the service unloads the module" step unload
same "excluded: no other CPU or counter was used, and no register" "2,3 5" "$(used)"

trace
configure 'switch = perf' 'cpus = 1' 'reserved_counters = 3'
check "switch = perf: the service loads the module" step load
check "switch = perf: CPU 1 is sampled through perf" wait_until is sampling 1 perf
check "switch = perf: the service unloads the module" step unload
same "switch = perf: no other CPU or counter was used, and no register" "1 4" "$(used)"

trace
configure 'enable = 0'
check "enable = 0: the service loads the module" step load
same "enable = 0: no CPU is sampled" "disabled 0" \
	"$(word $N3T/status state) $(word $N3T/status cpus_sampled)"
same "enable = 0: no counter was used, and no register" " 0" "$(used)"
configure 'enable = 1' 'reserved_counters = 1' 'switch = in-place' 'cpus = 0,3'
echo 0 > $CPU_DEVICES/cpu3/online
check "enable = 0: reload starts sampling" step settings
check "enable = 0: CPU 0 is sampled by the driver then" wait_until is sampling 1 in-place
echo 1 > $CPU_DEVICES/cpu3/online
check "enable = 0: a CPU that comes online is, too" wait_until is sampling 2 in-place
check "enable = 0: the service unloads the module" step unload
same "enable = 0: no other CPU or counter was used, and no register" "0,3 6" "$(used)"

trace
configure 'switch = in-place' 'cpus = 3'
echo 0 > $CPU_DEVICES/cpu3/online
check "offline: the service loads the module while its only CPU is offline" step load
echo 1 > $CPU_DEVICES/cpu3/online
check "offline: the CPU is sampled by the driver when it comes online" \
	wait_until is sampling 1 in-place
check "offline: the service unloads the module" step unload
echo "$(used)" > "$tmp/used"
same "offline: no other CPU was used, and no register" "3" "$(sed 's/ [0-9]*$//' "$tmp/used")"

trace
echo 1 > $ACCESS
step load
same "user space may read counters: the service does not load the module, or use a counter" \
	"1  0" "$? $(used)"
configure 'user_access = allow'
check "user_access = allow: the service loads the module" step load
check "user_access = allow: all CPUs are sampled" wait_until is sampling 4 direct
check "user_access = allow: all counters are used, and registers are tried" uses_all
