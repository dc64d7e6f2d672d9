#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# boot.sh STEP - a step of n3-telemetry.service or n3-telemetry-selftest.service:
#
#	found		fails without a Neoverse N3 or without a PMU
#	load		loads the module and applies the configuration
#	settings	applies the configuration to the loaded module
#	unload
#	selftest	applies the self-test's report, which the first run creates
#
# Tests set ROOT, the directory that stands for /.

root=${ROOT:-}
config=$root/etc/n3-telemetry.conf
module=$root/sys/kernel/n3_telemetry
state=${STATE_DIRECTORY:-$root/var/lib/n3-telemetry}
sysctl=$root/proc/sys/kernel/perf_user_access

# <3> is the priority of an error in the journal
error() { printf '%s\n' "${JOURNAL_STREAM:+<3>}$*" >&2; }

# MIDR_EL1: implementer 0x41, part 0xd8e, any variant and revision
has_n3()
{
	grep -qsiE '^0x0*41.fd8e.$' \
		"$root"/sys/devices/system/cpu/cpu[0-9]*/regs/identification/midr_el1
}

has_pmu()
{
	for pmu in "$root"/sys/bus/event_source/devices/armv[89]_*; do
		[ ! -e "$pmu" ] || return 0
	done
	return 1
}

found()
{
	if ! has_n3; then
		echo "not loaded: this machine has no Neoverse N3"
		return 1
	fi
	if ! has_pmu; then
		echo "not loaded: the kernel has no PMU for the CPUs"
		return 1
	fi
}

# trim TEXT: without white space at its ends, such as the CR of a line that ends in CR LF
trim() { printf '%s\n' "$1" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//'; }

# is_setting NAME: files that can be written are settings
is_setting()
{
	case $1 in
	'' | *[!a-z_]*) return 1 ;;
	esac
	[ -f "$module/$1" ] || return 1
	case $(stat -L -c %A "$module/$1") in
	-?w*) ;;
	*) return 1 ;;
	esac
}

# one_of NUMBER NAME VALUE WORD...: a line of this script, not of the module
one_of()
{
	bad="$config:$1: $2 = $3" given=$3
	shift 3
	for word; do
		[ "$given" != "$word" ] || return 0
	done
	error "$bad: not one of: $*"
	return 1
}

# store NAME VALUE: fails if the module refuses it
store() { { printf '%s\n' "$2" >"$module/$1"; } 2>/dev/null; }

# apply NUMBER NAME VALUE: one line of the configuration
apply()
{
	case $2 in
	selftest)
		one_of "$@" on off
		return
		;;
	user_access)
		one_of "$@" allow refuse
		return
		;;
	esac
	if ! is_setting "$2"; then
		error "$config:$1: $2: not a setting of n3_telemetry"
		return 1
	fi
	if ! store "$2" "$3"; then
		error "$config:$1: $2 = $3: refused, the kernel log has the reason"
		return 1
	fi
}

# each_line COMMAND: calls it with number, name and value of each line, and reports others.
# Fails if one was invalid; the others are used.
each_line()
{
	nr=0
	status=0
	[ -e "$config" ] || [ -L "$config" ] || return 0
	if [ ! -r "$config" ] || [ -d "$config" ]; then
		error "$config: cannot be read"
		return 1
	fi
	while IFS= read -r line || [ -n "$line" ]; do
		nr=$((nr + 1))
		line=$(trim "${line%%#*}")
		case $line in
		'') ;;
		*=*) "$1" $nr "$(trim "${line%%=*}")" "$(trim "${line#*=}")" || status=1 ;;
		*)
			error "$config:$nr: $line: not of the form NAME = VALUE"
			status=1
			;;
		esac
	done <"$config"
	return $status
}

# note NUMBER NAME VALUE: the last valid values are kept in $wanted and $access
note()
{
	case $2=$3 in
	selftest=on | selftest=off) wanted=$3 ;;
	user_access=allow | user_access=refuse) access=$3 ;;
	esac
}

# The module does not notice a task that reads its counters and sleeps whenever a slice ends, and
# cannot read the sysctl.
may_sample()
{
	access=refuse
	each_line note 2>/dev/null
	[ "$access" = refuse ] && [ "$(cat "$sysctl" 2>/dev/null)" = 1 ] || return 0
	error "not sampling: kernel.perf_user_access is 1, so any user could read the counters;" \
		"set it to 0, or user_access = allow in $config, and restart the service"
	return 1
}

# apply_or_keep NUMBER NAME VALUE: enable is kept in $number and $value, but sampling stops at once
apply_or_keep()
{
	if [ "$2" != enable ]; then
		apply "$@"
		return
	fi
	number=$1 value=$3
	[ "$3" != 0 ] || apply "$@"
}

# Sampling starts with all settings in force: before, the module uses no CPU, no counter and no
# register that the configuration excludes.
apply_all()
{
	number='' value=''
	each_line apply_or_keep
}

settings()
{
	rc=0
	apply_all || rc=1
	if ! may_sample; then
		store enable 0
		return 1
	fi
	[ -z "$number" ] || apply "$number" enable "$value" || rc=1
	return $rc
}

load()
{
	if [ -e "$root/sys/module/n3_telemetry" ]; then
		echo "n3_telemetry is loaded already"
		settings
		may_sample 2>/dev/null
		return
	fi
	may_sample && modprobe n3_telemetry enable=0 || return
	apply_all
	[ -z "$number" ] || ! apply "$number" enable "$value" || return 0
	store enable 1 && return 0
	error "n3_telemetry cannot start, the kernel log has the reason"
	unload
	return 1
}

unload() { modprobe -r n3_telemetry; }

# applied REPORT: fails if it is of another machine, hypervisor or kernel
applied()
{
	n3stat selftest --input "$1" --apply >/dev/null
	case $? in
	0 | 7) ;;
	*) return 1 ;;
	esac
}

selftest()
{
	wanted=on
	each_line note 2>/dev/null
	[ "$wanted" != off ] || return 0
	report=$state/selftest-$(uname -r).json
	[ ! -e "$report" ] || ! applied "$report" || return 0
	n3stat selftest --apply --output "$report.new" >/dev/null
	case $? in
	0 | 7) mv "$report.new" "$report" ;;
	*)
		rm -f "$report.new"
		echo "the self-test is undecided: nothing was changed"
		;;
	esac
}

case ${1:-} in
found | load | settings | unload | selftest) "$1" ;;
*)
	echo "usage: ${0##*/} found|load|settings|unload|selftest" >&2
	exit 2
	;;
esac
