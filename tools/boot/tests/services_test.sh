# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # test.sh and lib.sh set the rest
# Steps of the services on made-up machines, with stubs for the programs that they call.

boot=$here/../boot.sh
here_boot=$here/..

# machine MIDR...: files of a machine with these CPUs and an Arm PMU
machine()
{
	rm -rf "$tmp/machine"
	mkdir -p "$tmp/machine/etc" "$tmp/machine/sys/kernel" "$tmp/machine/sys/module" \
		"$tmp/machine/sys/bus/event_source/devices/armv8_pmuv3_0" "$tmp/machine/var" \
		"$tmp/machine/proc/sys/kernel"
	echo 0 >"$tmp/machine/proc/sys/kernel/perf_user_access"
	cpu=0
	for midr; do
		id=$tmp/machine/sys/devices/system/cpu/cpu$cpu/regs/identification
		mkdir -p "$id"
		echo "$midr" >"$id/midr_el1"
		cpu=$((cpu + 1))
	done
	: >"$tmp/calls"
}

# stub NAME: a program with the script of stdin, whose call is noted
stub()
{
	mkdir -p "$tmp/stubs"
	{
		printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n' "$1" "$tmp"
		cat
	} >"$tmp/stubs/$1"
	chmod +x "$tmp/stubs/$1"
}

# step STEP: with the output in out and err
step()
{
	PATH=$tmp/stubs:$PATH ROOT=$tmp/machine sh "$boot" "$1" >"$tmp/out" 2>"$tmp/err"
}

# configure LINES: the configuration, for printf %b
configure() { printf '%b' "$1" >"$tmp/machine/etc/n3-telemetry.conf"; }

# configured LINES: a new machine with an N3 and this configuration
configured()
{
	machine 0x00000000410fd8e0
	configure "$1"
}

# holds NAME TEXT: the file of a setting
holds() { [ "$(cat "$tmp/machine/sys/kernel/n3_telemetry/$1")" = "$2" ]; }

# The module: files that can be written, one that cannot, and one that refuses numbers above 1000
# with EINVAL, as the kernel's own does. $ENABLE stands for the file enable; $FAILS is the status of
# a module that cannot be loaded.
stub modprobe <<END
[ -z "\$FAILS" ] || exit "\$FAILS"
files=$tmp/machine/sys/kernel/n3_telemetry
case \$1 in
-r)
	rm -rf "\$files"
	exit
	;;
esac
mkdir -p "\$files"
for name in slice_ms window_ms groups custom reserved_counters switch distrust; do
	echo default >"\$files/\$name"
done
echo "\${2#enable=}" >"\$files/enable"
[ -z "\$ENABLE" ] || ln -sf "\$ENABLE" "\$files/enable"
ln -s /proc/self/oom_score_adj "\$files/max_cost"
echo version >"\$files/status"
chmod 400 "\$files/status"
END

# --- where it is loaded

# variants and revisions of the Neoverse N3, MIDR_EL1 of Arm's reference manual; one of two cores
for cores in 0x00000000410fd8e0 0x00000000410fd8e1 0x00000000411fd8e0 \
	"0x00000000410fd490 0x00000000410fd8e0"; do
	machine $cores
	step found
	result $? "found: $cores"
done
# Neoverse N2, V2, N1; another maker's part 0xd8e; an N3 in other bits
for midr in 0x00000000410fd490 0x00000000410fd4f0 0x00000000413fd0c1 0x00000000480fd8e0 \
	0x0000410fd8e00000; do
	machine "$midr"
	step found
	[ $? -eq 1 ] && [ -s "$tmp/out" ]
	result $? "not found, with a reason: $midr"
done
machine 0x00000000410fd8e0
mv "$tmp/machine/sys/bus/event_source/devices/armv8_pmuv3_0" \
	"$tmp/machine/sys/bus/event_source/devices/armv9_neoverse_n3"
step found
result $? "found: a PMU with the name of the core, as of a device tree"
machine 0x00000000410fd8e0
rmdir "$tmp/machine/sys/bus/event_source/devices/armv8_pmuv3_0"
step found
[ $? -eq 1 ] && grep -q PMU "$tmp/out"
result $? "not found: no PMU"
machine
step found
[ $? -eq 1 ]
result $? "not found: no identification registers, as on other architectures"

# --- load

machine 0x00000000410fd8e0
step load && [ "$(cat "$tmp/calls")" = "modprobe n3_telemetry enable=0" ] && holds enable 1 &&
	holds window_ms default
result $? "load: sampling starts"

configured '# comment\nwindow_ms = 5000\n  groups=topdown_l1 general\t# comment\n\n'
printf '%s\n' 'custom =	0x1b=a\nb\c 0x11' 'switch = in-place' 'selftest = off' \
	>>"$tmp/machine/etc/n3-telemetry.conf"
printf 'reserved_counters = 2' >>"$tmp/machine/etc/n3-telemetry.conf"
step load && [ ! -s "$tmp/err" ] && holds window_ms 5000 && holds groups "topdown_l1 general" &&
	holds custom '0x1b=a\nb\c 0x11' && holds switch in-place && holds reserved_counters 2 &&
	holds slice_ms default && holds enable 1
result $? "load: settings of the configuration"

# A bad line is reported by its number and changes nothing; the next line applies.
# shellcheck disable=SC2016 # not a variable
for line in 'groups' 'window = 5000' 'max_cost = 2000000' 'status = version' \
	'../n3_telemetry/groups = all' 'window_ms 4000' 'window_ms: 4000' ': window_ms' \
	'window_ms+ = 4000' '$(groups) = all' '= 5' 'Groups = all' 'selftest = maybe' \
	'user_access = allow refuse' '-n' 'window_ms\\c'; do
	configured "slice_ms = 8\n$line\nwindow_ms = 5000\n"
	step load && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -q '/etc/n3-telemetry.conf:2: ' "$tmp/err" && holds slice_ms 8 &&
		holds window_ms 5000 && holds groups default && holds enable 1
	result $? "load: a bad line is named and changes nothing: $line"
	step settings
	[ $? -eq 1 ] && grep -q '/etc/n3-telemetry.conf:2: ' "$tmp/err"
	result $? "reload fails with it"
done
same "files that are not settings are not written" version \
	"$(cat "$tmp/machine/sys/kernel/n3_telemetry/status")"
for make in mkdir "ln -s missing"; do
	machine 0x00000000410fd8e0
	$make "$tmp/machine/etc/n3-telemetry.conf"
	step load && holds enable 1 &&
		grep -q '/etc/n3-telemetry.conf: cannot be read' "$tmp/err"
	result $? "load: a configuration that cannot be read is named: $make"
	step settings
	[ $? -eq 1 ]
	result $? "reload fails with it"
done

# A line that the module refuses keeps what earlier ones have set.
configured 'window_ms = 4000\nmax_cost = 2000000\nwindow_ms = 5000\nmax_cost = 3000000\n'
step load && holds window_ms 5000 && [ "$(grep -c refused "$tmp/err")" -eq 2 ] &&
	grep -q 'n3-telemetry.conf:2: max_cost = 2000000: refused' "$tmp/err" &&
	grep -q 'n3-telemetry.conf:4: max_cost = 3000000: refused' "$tmp/err"
result $? "load: each bad line is named, and the last good one of a setting holds"
configured 'enable = 0\nenable = maybe = 1\n'
step load && holds enable "maybe = 1"
result $? "load: a value may contain an equals sign; the last line of enable holds"
configured '# comment\r\n\r\nwindow_ms = 5000\r\nselftest = off\r\nenable = 0\r'
step load && [ ! -s "$tmp/err" ] && holds window_ms 5000 && holds enable 0
result $? "load: lines that end in CR LF, and the last one in CR"

configured 'enable = 0\nwindow_ms = 5000\n'
step load && holds enable 0 && holds window_ms 5000
result $? "load: enable = 0"
configure 'slice_ms = 8\n'
step settings && holds slice_ms 8 && holds window_ms 5000 && holds enable 0
result $? "reload: only lines of the configuration"

# --- user access: any task could read the counters

# sysctl VALUE: kernel.perf_user_access on a new machine
sysctl()
{
	machine 0x00000000410fd8e0
	echo "$1" >"$tmp/machine/proc/sys/kernel/perf_user_access"
}

# with the reason, and nothing is loaded
for lines in '' 'window_ms = 5000\n' 'user_access = refuse\n' '# user_access = allow\n' \
	'user_access = allow\nuser_access = refuse\n' 'user_access = allowed\n' \
	'user_access = 1\n'; do
	sysctl 1
	configure "$lines"
	step load
	[ $? -eq 1 ] && [ ! -s "$tmp/calls" ] && grep -q 'perf_user_access' "$tmp/err"
	result $? "load: refused under kernel.perf_user_access=1: $(printf '%b' "$lines" | tr '\n' ';')"
done
sysctl 1
configure 'user_access = allow\nwindow_ms = 5000\n'
step load && [ ! -s "$tmp/err" ] && holds enable 1 && holds window_ms 5000
result $? "load: user_access = allow"
configure 'user_access = refuse\nwindow_ms = 4000\n'
step settings
[ $? -eq 1 ] && grep -q perf_user_access "$tmp/err" && holds enable 0 && holds window_ms 4000
result $? "reload: sampling stops under kernel.perf_user_access=1"
configure 'enable = 1\nwindow_ms = 3000\n'
step settings
[ $? -eq 1 ] && grep -q perf_user_access "$tmp/err" && holds enable 0 && holds window_ms 3000
result $? "reload: sampling is not started under kernel.perf_user_access=1"
echo 0 >"$tmp/machine/proc/sys/kernel/perf_user_access"
step settings && [ ! -s "$tmp/err" ] && holds enable 1
result $? "reload: sampling is started under kernel.perf_user_access=0"
sysctl 0
rm "$tmp/machine/proc/sys/kernel/perf_user_access"
step load && [ ! -s "$tmp/err" ] && holds enable 1
result $? "load: a kernel without the sysctl"

configured 'window_ms = 5000\n'
FAILS=3 step load
[ $? -eq 3 ] && [ "$(grep -c modprobe "$tmp/calls")" -eq 1 ] && [ ! -s "$tmp/err" ]
result $? "load fails with modprobe, which has said why"
machine 0x00000000410fd8e0
ENABLE=/dev/full step load
[ $? -eq 1 ] && grep -q 'cannot start' "$tmp/err" &&
	[ "$(tail -n 1 "$tmp/calls")" = "modprobe -r n3_telemetry" ] &&
	[ ! -e "$tmp/machine/sys/kernel/n3_telemetry" ]
result $? "load: a module that cannot start is unloaded, and the service fails"
# a file of the shell's own, that holds the last number and refuses text
configured 'enable = maybe\n'
ENABLE=/proc/self/timerslack_ns PATH=$tmp/stubs:$PATH ROOT=$tmp/machine \
	sh -c '. "$0" && read -r number </proc/self/timerslack_ns && echo "$number"' "$boot" load \
	>"$tmp/out" 2>"$tmp/err" && [ "$(cat "$tmp/out")" = 1 ] &&
	grep -q 'n3-telemetry.conf:1: enable = maybe: refused' "$tmp/err"
result $? "load: a refused value of enable is named, and sampling starts"
configured 'window\n'
JOURNAL_STREAM=8:1 step load && grep -q "^<3>$tmp/machine/etc/n3-telemetry.conf:1: " "$tmp/err" &&
	step settings
[ $? -eq 1 ] && grep -q "^$tmp/machine/etc/n3-telemetry.conf:1: " "$tmp/err"
result $? "errors have a priority in the journal only"
machine 0x00000000410fd8e0
mkdir "$tmp/machine/sys/module/n3_telemetry"
PATH=$tmp/stubs:$PATH modprobe n3_telemetry enable=1
: >"$tmp/calls"
configure 'window_ms = 5000\n'
step load && [ ! -s "$tmp/calls" ] && holds window_ms 5000
result $? "load: a loaded module stays and gets the settings"
step unload && [ "$(cat "$tmp/calls")" = "modprobe -r n3_telemetry" ]
result $? "unload"
step nonsense
[ $? -eq 2 ]
result $? "an unknown step is refused"

# --- self-test: the stub applies reports with status APPLIED, and tests with status TESTED

stub n3stat <<END
case " \$* " in
*" --input "*" --apply "*) exit \$APPLIED ;;
esac
[ "\$2 \$3 \$#" = "--apply --output 4" ] && echo new >"\$4"
exit \$TESTED
END
report=$tmp/machine/var/lib/n3-telemetry/selftest-$(uname -r).json

# tests APPLIED TESTED OLD: calls of n3stat, as "i" for one with a report, "t" for a test
tests()
{
	machine 0x00000000410fd8e0
	mkdir -p "$(dirname "$report")"
	[ -z "$3" ] || echo "$3" >"$report"
	[ -z "${4:-}" ] || configure "$4\n"
	APPLIED=$1 TESTED=$2 step selftest || return
	sed "s,^n3stat selftest --input $report --apply$,i,
		s,^n3stat selftest --apply --output $report.new$,t," "$tmp/calls" |
		tr -d '\n'
}

# keeps TEXT: the report; nothing else is in the directory
keeps() { [ "$(cat "$(dirname "$report")"/* 2>/dev/null)" = "$1" ]; }

[ "$(tests 0 0 "")" = t ] && keeps new
result $? "selftest: the first run tests and keeps the report"
[ "$(tests 0 7 "")" = t ] && keeps new
result $? "selftest: events that do not count are a result"
for status in 0 7; do
	[ "$(tests $status 0 old)" = i ] && keeps old
	result $? "selftest: a report of this machine is applied (status $status)"
done
[ "$(tests 1 0 old)" = it ] && keeps new
result $? "selftest: a report of another machine is replaced"
for status in 1 2 4 137; do
	[ "$(tests 0 $status "")" = t ] && keeps ""
	result $? "selftest: undecided, no report (status $status)"
done
[ "$(tests 1 1 old)" = it ] && keeps old
result $? "selftest: undecided, the old report stays"
[ -z "$(tests 0 0 old "selftest = off")" ] && keeps old
result $? "selftest: off"
same "selftest: on" i "$(tests 0 0 old "selftest = on")"
[ -z "$(tests 0 0 old "selftest = off
selftest = maybe")" ] && [ "$(tests 0 0 old "selftest = nooff")" = i ]
result $? "selftest: a bad line changes nothing"

machine 0x00000000410fd8e0
mkdir "$tmp/state"
STATE_DIRECTORY=$tmp/state TESTED=0 step selftest && [ ! -e "$report" ] &&
	[ "$(cat "$tmp/state/${report##*/}")" = new ]
result $? "selftest: the report is in the unit's directory"

# --- units

root=$tmp/root
installs()
{
	"${MAKE:-make}" -s -C "$here_boot/.." O="$(dirname "$N3STAT_PLAIN")" -o all install \
		DESTDIR="$root" PREFIX=/opt/n3 >"$tmp/out" 2>&1
}

installs && ! grep -r /usr/local "$root" --include='*.service' | grep -v PATH=
result $? "make install: paths in units"
installed=$root/opt/n3/libexec/n3_telemetry/boot
cmp -s "$boot" "$installed" && [ -x "$installed" ]
result $? "make install: the script"
mkdir -p "$root/etc"
echo 'window_ms = 5000' >"$root/etc/n3-telemetry.conf"
installs && [ "$(cat "$root/etc/n3-telemetry.conf")" = 'window_ms = 5000' ]
result $? "make install: an existing configuration stays"
# has UNIT LINE...: the installed unit has these lines
has()
{
	unit=$root/opt/n3/lib/systemd/system/$1
	shift
	for line; do
		grep -qxF "$line" "$unit" || return
	done
}

boot_of_units=/opt/n3/libexec/n3_telemetry/boot
has n3-telemetry.service "ExecCondition=$boot_of_units found" "ExecStart=$boot_of_units load" \
	"ExecReload=$boot_of_units settings" "ExecStop=$boot_of_units unload" &&
	has n3-telemetry-selftest.service "ExecStart=$boot_of_units selftest" \
		StateDirectory=n3-telemetry
result $? "units: each step of the script"
has n3-telemetry.service Wants=n3-telemetry-selftest.service &&
	has n3-telemetry-selftest.service "After=n3-telemetry.service multi-user.target"
result $? "units: the self-test follows the module"
# init_module(2), settings; perf of Debian's kernels, selftests/pmu/selftest_boot.sh
has n3-telemetry.service "CapabilityBoundingSet=CAP_SYS_MODULE CAP_SYS_ADMIN" &&
	has n3-telemetry-selftest.service "CapabilityBoundingSet=CAP_PERFMON CAP_SYS_ADMIN"
result $? "units: capabilities to load the module, to write settings and to count"
has n3-telemetry-selftest.service Nice=19 CPUSchedulingPolicy=idle
result $? "units: the self-test leaves the CPU to others"

# verify requires that the program exists
mkdir "$tmp/units"
for unit in n3-telemetry.service n3-telemetry-selftest.service; do
	sed "s,=/opt/n3/libexec,=$root/opt/n3/libexec," "$root/opt/n3/lib/systemd/system/$unit" \
		>"$tmp/units/$unit"
done
systemd-analyze --man=no verify "$tmp/units"/* >"$tmp/out" 2>&1 && [ ! -s "$tmp/out" ]
result $? "units are valid"
for unit in n3-telemetry.service n3-telemetry-selftest.service; do
	systemd-analyze --no-pager security --offline=true --threshold=50 "$tmp/units/$unit" \
		>"$tmp/out" 2>&1
	result $? "exposure of $unit is at most 5.0"
done
