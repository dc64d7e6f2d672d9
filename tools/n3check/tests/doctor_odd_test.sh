# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat doctor: malformed files, refused arguments, and JSON.
# on: test-long

# shellcheck source=doctor_machine.sh
. "$here/doctor_machine.sh"

# ends NAME: exits soon and without a crash, with any findings
ends()
{
	timeout 120 "$n3stat" doctor --machine "$box" >"$tmp/out" 2>"$tmp/err"
	code=$?
	{ [ $code -eq 0 ] || [ $code -eq 7 ]; } && [ ! -s "$tmp/err" ] &&
		[ "$(wc -L <"$tmp/out")" -le 1000 ]
	result $? "doctor: ends soon, with 0 or 7: $1"
}

# replace.py STATEMENT: executes it for the name of each file on stdin, which is removed before
cat >"$tmp/replace.py" <<'END'
import os, sys
statement = compile(sys.argv[1], "statement", "exec")
for name in sys.stdin.read().splitlines():
    os.remove(name)
    exec(statement)
END

# odd STATEMENT [STATE]: replaces every file of the machine
odd()
{
	machine
	mkdir -p "$box/proc/4711/fd" "$box/proc/sys/kernel" "$box/sys/kernel/security" \
		"$box/sys/module/module/parameters" "$box/sys/firmware/efi/efivars"
	echo x >"$box/lib/modules/6.1.0-test/updates/n3_telemetry.ko"
	mkdir -p "$box/var/log" "$box/sys/class/dmi/id"
	for name in proc/cmdline var/log/dmesg sys/class/dmi/id/product_name proc/4711/comm \
		proc/4711/fd/1 proc/sys/kernel/nmi_watchdog sys/kernel/security/lockdown \
		sys/module/module/parameters/sig_enforce \
		sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c; do
		: >"$box/$name"
	done
	[ "${2:-loaded}" = loaded ] || rm -rf "$sysfs"
	find "$box" -type f | python3 "$tmp/replace.py" "$1"
}

for state in loaded absent; do
	odd 'os.mkfifo(name)' $state
	ends "fifos for files, the module $state"
	odd 'os.symlink(name, name)' $state
	ends "links to themselves for files, the module $state"
	odd 'open(name, "w").truncate(1 << 30)' $state
	ends "huge files, the module $state"
	odd 'open(name, "w").write("x".rjust(1000000))' $state
	ends "long lines, the module $state"
	odd 'os.symlink("/dev/zero", name)' $state
	ends "devices for files, the module $state"
	odd 'os.mkdir(name)' $state
	ends "directories for files, the module $state"
done
# Following these links would visit ten to the power of nine directories.
machine
rm -rf "$sysfs"
for n in 0 1 2 3 4 5 6 7 8 9; do
	ln -s . "$box/lib/modules/6.1.0-test/round$n"
	ln -s .. "$box/lib/modules/6.1.0-test/updates/up$n"
done
ends "circular links"
has_finding error module_not_installed
result $? "doctor: finds no module behind circular links"
for directory in proc lib/modules sys/devices/system/cpu sys/bus/event_source/devices \
	sys/kernel/n3_telemetry; do
	machine
	rm -r "${box:?}/$directory"
	ln -s "$box/$directory" "$box/$directory"
	ends "a link to itself for /$directory"
done
machine
run doctor -r "$sysfs" && [ "$(grep -c . "$tmp/out")" -eq 2 ] &&
	has_finding ok cpus_sampled '2 of 2 CPUs '
result $? "doctor: skips the checks of this machine for a copy of the module's files"
mkdir -p "$tmp/empty"
for options in "-r $tmp/nowhere" "--machine $tmp/nowhere" "--json --machine $tmp/nowhere" \
	"-r $tmp/nowhere --machine $box"; do
	refuses 3 "no_directory nowhere" "doctor: refuses a missing directory: $options" doctor $options
done
for options in "-r $tmp/empty" "--machine $tmp/empty"; do
	refuses 3 "not_a_copy $tmp/empty" "doctor: refuses an empty directory: $options" doctor $options
done
refuses 2 too_many_arguments "doctor: refuses arguments" doctor nonsense

# as JSON: the same findings, one by one, and the same exit status
json_is_same()
{
	run doctor "$@"
	was=$?
	cp "$tmp/out" "$tmp/printed"
	run doctor --json "$@"
	[ $? -eq $was ] && [ "$(wc -l <"$tmp/out")" -eq 1 ] && [ ! -s "$tmp/err" ] &&
		"$here/check_doctor.py" "$tmp/out" "$tmp/printed" "$simulated" 2>"$tmp/err"
	result $? "doctor --json: same findings as printed, of $name"
}
machine
simulated=false name="a healthy machine"
json_is_same --machine "$box"
echo 0 >"$sysfs/enable"
echo topdown_l1 >"$sysfs/groups"
name="a module that does not sample, of one group"
json_is_same --machine "$box"
[ $was -eq 7 ]
result $? "doctor --json: the exit status is 7 with an error"
rm -rf "$sysfs"
simulated=null name="a machine without the module"
json_is_same --machine "$box"
simulated=true name="simulated counts"
json_is_same -r "$tmp/healthy"
