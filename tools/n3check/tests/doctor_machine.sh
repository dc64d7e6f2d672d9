# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2034,SC2154 # set in or for other files
# A synthetic machine for n3stat doctor, and findings on it.

# machine: $box is a machine with two N3 and a loaded, sampling module
machine()
{
	box=$tmp/box
	rm -rf "$box"
	for cpu in 0 1; do
		mkdir -p "$box/sys/devices/system/cpu/cpu$cpu/regs/identification"
		echo 0x00000000410fd8e1 >"$box/sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1"
	done
	mkdir -p "$box/sys/bus/event_source/devices/armv8_pmuv3_0" "$box/proc/sys/kernel" \
		"$box/sys/kernel" "$box/lib/modules/6.1.0-test/updates"
	echo 6.1.0-test >"$box/proc/sys/kernel/osrelease"
	: >"$box/proc/modules"
	[ -d "$tmp/healthy" ] || "$shared/make_tree.py" "$tmp/healthy" --cpus 2
	cp -r "$tmp/healthy" "$box/sys/kernel/n3_telemetry"
	sed -i 's/^simulated 1/simulated 0/; s/^named 1/named 0/; s/^pmu .*/pmu armv8_pmuv3_0/' \
		"$box/sys/kernel/n3_telemetry/spec"
	sysfs=$box/sys/kernel/n3_telemetry
}

# finds CODE SEVERITY ID VALUES COMMAND NAME [ID|ID]: exit code, finding (VALUES in its message),
# fix ("" without one), none of the other findings
finds()
{
	run doctor --machine "$box"
	[ $? -eq "$1" ] && has_finding "$2" "$3" "$4" && [ ! -s "$tmp/err" ] &&
		printf '%s\n' "$(fix_of "$3")" | grep -Eq "$5" &&
		! grep -Eq "\[(${7:-none})\]\$" "$tmp/out"
	result $? "doctor: reports $6, with the fix"
}

# lacks CODE ID[|ID] NAME: exit code, none of these findings
lacks()
{
	run doctor --machine "$box"
	[ $? -eq "$1" ] && [ -s "$tmp/out" ] && ! grep -Eq "\[($2)\]\$" "$tmp/out"
	result $? "doctor: $3"
}
