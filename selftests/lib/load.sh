# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Loads that are expected to fail. To be sourced after lib.sh.

# Traces of the module: its directory, event names, its CPU hotplug state, itself,
# references to other modules.
traces() {
	ls -d $N3T 2>/dev/null
	ls $PMUS/*/events 2>/dev/null
	grep n3_telemetry $CPU_DEVICES/hotplug/states
	sed -n 's/^\(n3_[a-z]*\) [0-9]* \([0-9]*\) .*/\1 used \2/p' /proc/modules
}

remember() { traces > "$tmp/traces"; }

# nothing_left WHEN
nothing_left() {
	traces > "$tmp/traces.now"
	check "the module leaves no file, event name or CPU hotplug state behind $1" \
		cmp "$tmp/traces" "$tmp/traces.now"
}

# refused WHAT ERRORS MESSAGE PARAMETER... - loading fails with one of the errors
# and the kernel log has the message; three checks
refused() {
	what=$1 errors=$2 message=$3
	shift 3
	lines=$(dmesg | wc -l)
	load n3_telemetry "$@" > "$tmp/said" 2>&1
	rc=$?
	[ $rc -ne 0 ] && grep -qE ": ($errors)\$" "$tmp/said"
	verdict $? "loading fails with \"$(echo "$errors" | sed 's/|/" or "/')\": $what"
	sed 's/^/# /' "$tmp/said"
	dmesg | tail -n +$((lines + 1)) > "$tmp/log"
	grep -q "n3_telemetry: .*$message" "$tmp/log"
	verdict $? "the kernel log has the reason of the failure: $what"
	sed 's/^/# /' "$tmp/log"
	nothing_left "after loading failed: $what"
	unload n3_telemetry
}

# works - one check: the loaded module samples
works() {
	check "n3_telemetry samples all online CPUs" wait_until samples_all
	sed 's/^/# /' $N3T/status
}

# finds CODE SEVERITY ID VALUES FIX - one check: exit status of n3stat doctor, one finding
# with VALUES in its message, and the proposed fix
finds() {
	n3stat doctor > "$tmp/doctor" 2>&1
	[ $? -eq "$1" ] && grep -A 1 -E "^$2 .*$4.*\[$3\]\$" "$tmp/doctor" |
		grep -qE "try: .*$5"
	verdict $? "n3stat doctor exits with $1 and reports $3 ($2) with the fix"
	sed 's/^/# /' "$tmp/doctor"
}
