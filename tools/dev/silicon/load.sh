# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # silicon.sh and lib.sh set the rest
# The programs and the module: building, loading, unloading.

no_core=''

# build - $MODULE and $N3STAT
build() {
	part=build
	find_n3stat || return 1
	if [ -n "$MODULE" ]; then
		result module info given '' "$(modinfo -F vermagic "$MODULE" 2>/dev/null)"
		return
	fi
	release=$(uname -r)
	say "building the module for $release"
	if [ ! -e "/lib/modules/$release/build/Makefile" ]; then
		result module fail "$release" '' "no headers of the running kernel; install linux-headers-$release, or give --module"
		return 1
	fi
	make -s -C "$TOP" modules > "$work/build" 2>&1
	rc=$?
	own_build
	MODULE=$TOP/build/$release/n3_telemetry.ko
	if [ $rc -eq 0 ] && [ -f "$MODULE" ]; then
		result module pass "$release"
		return
	fi
	result module fail "$release" '' "$(tail -n 3 "$work/build")"
	return 1
}

# own_build - files that root has built belong to the owner of the checkout
own_build() { chown -R "$(stat -c %u:%g "$TOP")" "$TOP/build" 2>/dev/null; }

find_n3stat() {
	N3STAT=$(command -v n3stat)
	[ -n "$N3STAT" ] || N3STAT=$TOP/build/tools/n3stat
	if [ ! -x "$N3STAT" ]; then
		say "building n3stat"
		make -s -C "$TOP/tools" O="$TOP/build/tools" "$TOP/build/tools/n3stat" \
			"$TOP/build/tools/n3check" > "$work/build" 2>&1
		own_build
	fi
	if "$N3STAT" --version > "$work/said" 2>&1; then
		result n3stat pass "$(head -n 1 "$work/said")"
		return
	fi
	result n3stat fail '' '' "needs make, gcc, and json-c (libjson-c-dev): $(tail -qn 3 "$work/build" "$work/said" 2>/dev/null)"
	return 1
}

# unusable - whether the last load cannot work on this machine, which is a result: why, by the
# findings of n3stat doctor and the kernel log
unusable() {
	log_of_module "$before" > "$work/log"
	"$N3STAT" doctor > "$work/doctor" 2>&1
	no_core=$(sed -n 's/.*\[\(no_pmu\|no_pmu_driver\|pmu_driver_failed\|no_programmable_counter\|not_arm\)\]$/\1/p' \
		"$work/doctor" | head -n 1)
	case $no_core in
	'') ! grep -qE 'no Neoverse N3 CPU found|no CPU matches core=' "$work/log" || no_core=no_core ;;
	esac
	[ -n "$no_core" ]
}

# try_load MODE - loads with that switch; 1 if it fails, which is a result
try_load() {
	before=$(log_end)
	now
	loading=$now_ms
	if load switch="$1"; then
		now
		result load pass $((now_ms - loading)) ms
		return
	fi
	error=$(cat "$work/said")
	if unusable; then
		ended="nothing can be counted here: $no_core"
		result usable not_run "$no_core" '' "$(tail -n 1 "$work/log")"
	else
		ended="the module does not load"
		result load fail '' '' "$error; $(xargs < "$work/log")"
	fi
	return 1
}

# use_loaded MODE - one check each of the method and of the CPUs
use_loaded() {
	wait_until 5000 all_sampled "$nr_cpus"
	nr=$(sampled | wc -l)
	[ "$nr" -gt 0 ]
	judge sampled $? "$nr of $nr_cpus" CPUs "$(log_of_module "$before" | grep 'not sampled' | head -n 2)"
	mode=$(word $N3T/status switch)
	[ "$mode" = "$1" ]
	judge switch $? "$mode" '' "$(log_of_module "$before" | grep -E 'registers|switch|driver|disturbed' | head -n 2)"
	# the first CPU has more of the kernel's work
	CPU=$(sampled | tail -n 1)
	[ -n "$CPU" ]
}

load_in_place() {
	within_time load_in_place 5 1000 || return 1
	try_load in-place && use_loaded in-place || return 1
	PMU=$(word $N3T/spec pmu)
	catalog "$(word $N3T/spec slots)"
	counters=$(word "$N3T/cpu$CPU/status" counters)
	part=load_in_place
	result counters info "$counters" counters
	measure_cost $((part_ms / 2))
	unload
	judge unload $? '' '' "$(cat "$work/said")"
	is_loaded && return 1
	return 0
}

load_auto() {
	within_time load_auto 5 1000 || return 1
	try_load auto && use_loaded direct || return 1
	corrected=$(sed -n 's/^corrected //p' "$N3T/cpu$CPU/status")
}

# round_of_loads - one load and unload; random settings
round_of_loads() {
	case $((rounds % 4)) in
	0) set -- switch=auto ;;
	1) set -- switch=in-place groups=topdown_l1 ;;
	2) set -- switch=perf ;;
	3) set -- enable=0 reserved_counters=2 ;;
	esac
	load "$@" || return 1
	nap $((rounds * 37 % 200))
	cat $N3T/cpu*/topdown_l1 > /dev/null
	unload
}

loads() {
	within_time loads 10 2000 || return
	loads_end=$((elapsed_ms + part_ms)) rounds=0 error=''
	unload || error=$(cat "$work/said")
	while [ -z "$error" ] && [ $elapsed_ms -lt $loads_end ]; do
		round_of_loads || error=$(cat "$work/said")
		rounds=$((rounds + 1))
		now
	done
	[ -z "$error" ]
	judge rounds $? $rounds loads "$error"
	traces > "$work/traces.now"
	left=$(diff "$work/traces" "$work/traces.now" | grep '^[<>]' | xargs)
	[ -z "$left" ]
	judge nothing_left $? '' '' "$left"
	load || result load fail '' '' "$(cat "$work/said")"
}
