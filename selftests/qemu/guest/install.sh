#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# install.sh - a stage of the test of packages, in a Debian system with systemd. /media/n3t is
# read-only:
#
#	name		STAGE VERSION NEXT: versions of packages, and of the kernel that comes next
#	repo/, next/	the packages with what they depend on; the next version of the packages
#
# TAP goes to the standard output.

export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive
read -r stage version next < /media/n3t/name
packages="n3-telemetry-dkms n3stat n3stat-tools n3spe n3-exporter"
module=/sys/kernel/n3_telemetry
state=/var/lib/n3-telemetry
conf=/etc/n3-telemetry.conf
# of the tests, kept between stages
own=/var/lib/n3t-test
said=/run/n3t-said
count=0
mkdir -p $own

# check NAME COMMAND... - its output is shown if it fails
check() {
	name=$1
	shift
	count=$((count + 1))
	begun=$(cut -d. -f1 /proc/uptime)
	# in a condition, failures before the last line of a function would not count
	(set -e; "$@") > $said 2>&1
	result=$?
	[ $result -eq 0 ] && result="ok" || result="not ok"
	echo "$result $count - $name"
	echo "# $(($(cut -d. -f1 /proc/uptime) - begun)) s of the guest"
	[ "$result" = ok ] || tail -n 60 $said | sed 's/^/# /'
}

# wait_for COMMAND... - the limit is that of the stage
wait_for() {
	until "$@"; do
		sleep 1
	done
}

# everything - names of all files, but those of dpkg, logs and caches, and accounts
everything() {
	find / -xdev \( -path /var/lib/dpkg -o -path /var/log -o -path /var/cache -o -path /tmp -o \
		-path /var/tmp -o -path /var/lib/apt -o -path /var/lib/systemd/timers -o \
		-path /etc/.pwd.lock -o -path "$own" \) -prune -o -print |
		grep -vE '^/etc/(group|gshadow|passwd|shadow|subuid|subgid)-$' | sort
	cat /etc/group /etc/passwd
}

no_failed_unit() {
	systemctl is-system-running --wait
	systemctl --failed --no-legend --plain > $own/failed
	cat $own/failed
	[ ! -s $own/failed ]
}

install() { apt-get -y --no-install-recommends -o Dpkg::Use-Pty=0 install "$@"; }

# built VERSION [KERNEL] - by DKMS
built() {
	dkms status
	dkms status | grep -x "n3-telemetry/$1, ${2:-$(uname -r)}, aarch64: installed"
}

# shows_values - Topdown_L1 of CPU 0 is numbers: random rates of events make some negative
shows_values() {
	systemctl is-active n3-telemetry.service
	taskset -c 0 sh -c 'while :; do :; done' &
	busy=$!
	wait_for grep -q '^retiring -\?[0-9]' $module/cpu0/topdown_l1
	cat $module/cpu0/topdown_l1 > $own/values
	kill $busy
	cat $own/values
	[ "$(grep -cE '^[a-z_]+ -?[0-9]+\.[0-9]+$' $own/values)" -eq 4 ]
}

of_version() { [ "$(cat /sys/module/n3_telemetry/version)" = "$1" ]; }

n3stat_reads() {
	n3stat
	n3stat version
}

scrape() { busybox wget -q -O - http://127.0.0.1:10303/metrics; }

scrapes() {
	scrape > $own/metrics
	grep -m 3 '^n3_' $own/metrics
	grep -x 'n3_telemetry_up 1' $own/metrics
}

# exporter_is_confined - another user than root, with CAP_PERFMON alone
exporter_is_confined() {
	pid=$(systemctl show -P MainPID n3-exporter.service)
	grep -E '^(Uid|Cap)' "/proc/$pid/status"
	[ "$(awk '$1 == "Uid:" { print $2 }' "/proc/$pid/status")" -ne 0 ]
	[ "$(grep -cxE 'Cap[A-Z][a-z]+:.0000004000000000' "/proc/$pid/status")" -eq 5 ]
}

report() { echo $state/selftest-"$(uname -r)".json; }

selftest_runs() {
	wait_for test -s "$(report)"
	wait_for systemctl_done n3-telemetry-selftest.service
	journalctl -b --no-pager -u n3-telemetry-selftest.service
	[ "$(systemctl show -P Result n3-telemetry-selftest.service)" = success ]
	sha256sum "$(report)" > $own/report
	stat -c %Y "$(report)" > $own/report_time
}

# selftest_applied - no second run
selftest_applied() {
	wait_for systemctl_done n3-telemetry-selftest.service
	[ "$(systemctl show -P Result n3-telemetry-selftest.service)" = success ]
	sha256sum -c $own/report
	[ "$(stat -c %Y "$(report)")" = "$(cat $own/report_time)" ]
}

# systemctl_done UNIT - it was active in this boot, and has ended
systemctl_done() {
	[ "$(systemctl show -P ActiveState "$1")" != active ] &&
		[ -n "$(systemctl show -P ExecMainExitTimestamp "$1")" ]
}

# hold - a program with a file open, one that reads, and an agent that scrapes
hold() {
	exec 3< $module/cpu0/topdown_l1
	while :; do
		cat $module/system/topdown_l1 $module/cpu1/status
		sleep 0.1
	done > /dev/null 2>&1 &
	reader=$!
	while :; do
		scrape
		sleep 0.1
	done > /dev/null 2>&1 &
	agent=$!
}

# release - ends them
release() {
	kill $reader $agent
	wait $reader $agent 2> /dev/null
	exec 3<&-
}

# open_file_is_dead - it does not keep the module, and does not show another one's values
open_file_is_dead() {
	if cat <&3; then
		return 1
	fi
}

unloaded() {
	[ ! -e /sys/module/n3_telemetry ]
	[ ! -e $module ]
}

own_settings() {
	printf 'window_ms = 5000\nslice_ms = 7\n' > $conf
	systemctl reload n3-telemetry.service
	kept_settings
}

kept_settings() {
	[ "$(cat $conf)" = "$(printf 'window_ms = 5000\nslice_ms = 7')" ]
	[ "$(cat $module/window_ms)" -eq 5000 ]
	[ "$(cat $module/slice_ms)" -eq 7 ]
}

# state_of_machine - what an upgrade has to leave alone
state_of_machine() {
	sha256sum "$(report)"
	systemctl list-unit-files --no-legend 'n3*' | awk '{ print $1, $2 }' | sort
}

same_state() { state_of_machine | diff $own/state -; }

# versions VERSION - of all packages, and of the DKMS sources
versions() {
	for p in $packages; do
		[ "$(dpkg-query -W -f '${Version} ${db:Status-Abbrev}' "$p")" = "$1 ii " ]
	done
	[ "$(echo /usr/src/n3-telemetry-*)" = "/usr/src/n3-telemetry-$1" ]
	dkms status
	[ "$(dkms status | grep -c n3-telemetry)" -eq 1 ]
}

to_next() {
	echo 'deb [trusted=yes] file:/media/n3t/next ./' > /etc/apt/sources.list.d/next.list
	apt-get update
	install $packages
}

to_previous() {
	rm /etc/apt/sources.list.d/next.list
	apt-get update
	# shellcheck disable=SC2046 # one argument a package
	install --allow-downgrades $(for p in $packages; do echo "$p=$version"; done)
}

stopped() { [ "$(systemctl is-active n3-telemetry.service)" = inactive ]; }

# --- stages

stage_install() {
	everything > $own/before
	check "boot: no unit failed" no_failed_unit
	check "apt reads the repository" apt-get update
	check "apt installs all packages" install $packages
	check "DKMS has built the module for the running kernel" built "$version"
	check "the service has loaded it, and CPUs have values" shows_values
	check "n3stat reads them" n3stat_reads
	check "n3-exporter answers" scrapes
	check "it has CAP_PERFMON alone" exporter_is_confined
	check "the self-test runs once" selftest_runs
	check "no unit failed" no_failed_unit
}

stage_reboot() {
	check "boot: no unit failed" no_failed_unit
	check "the module is loaded at boot" shows_values
	check "its version" of_version "$version"
	check "n3-exporter answers" scrapes
	check "the report of the self-test is applied, without a second run" selftest_applied
	hold
	check "stop while files are open" systemctl stop n3-telemetry.service
	check "the module is unloaded" unloaded
	check "the open file has no more values" open_file_is_dead
	check "start" systemctl start n3-telemetry.service
	check "values" shows_values
	check "restart while others read" systemctl restart n3-telemetry.service
	check "values" shows_values
	check "n3-exporter answers" scrapes
	release
	check "no unit failed" no_failed_unit
}

# other_version VERSION COMMAND - changes to it while files are open
other_version() {
	hold
	check "apt changes the version of all packages while files are open" "$2"
	check "versions" versions "$1"
	check "DKMS has built the module" built "$1"
	check "it is loaded" of_version "$1"
	check "values" shows_values
	check "settings are kept" kept_settings
	check "report of the self-test and units are the same" same_state
	check "n3-exporter answers" scrapes
	check "the open file has no more values" open_file_is_dead
	release
	check "no unit failed" no_failed_unit
}

stage_upgrade() {
	check "boot: no unit failed" no_failed_unit
	check "own settings" own_settings
	state_of_machine > $own/state
	other_version "$version.1" to_next
}

stage_downgrade() {
	check "boot: no unit failed" no_failed_unit
	check "the next version is loaded at boot" of_version "$version.1"
	check "settings are kept" kept_settings
	other_version "$version" to_previous
}

newest_kernel() { [ "$(linux-version list | linux-version sort | tail -n 1)" = "$1" ]; }

stage_kernel() {
	check "apt installs another kernel and its headers" install linux-image-"$next" \
		linux-headers-"$next"
	check "DKMS has built the module for it" built "$version" "$next"
	check "the one of the running kernel stays" built "$version"
	check "the next boot is of that kernel" newest_kernel "$next"
	check "no unit failed" no_failed_unit
}

stage_kernel_boot() {
	check "the kernel is the other one" test "$(uname -r)" = "$next"
	check "boot: no unit failed" no_failed_unit
	check "the module is loaded at boot" shows_values
	check "its version" of_version "$version"
	check "n3-exporter answers" scrapes
	check "the self-test runs for this kernel" selftest_runs
	check "apt purges the old kernel" purge_kernel "$(linux-version list | grep -vxF "$next")"
	check "only the other one's module is left" sole_module
	check "no unit failed" no_failed_unit
}

purge_kernel() { apt-get -y purge "linux-image-$1" "linux-headers-$1"; }

sole_module() {
	built "$version"
	[ "$(dkms status | grep -c n3-telemetry)" -eq 1 ]
}

stage_no_headers() {
	check "apt installs another kernel without headers" install linux-image-"$next"
	check "there is no module for it" not_built "$next"
	check "the one of the running kernel stays" built "$version"
	check "its headers arrive" install linux-headers-"$next"
	check "DKMS has built the module for it" built "$version" "$next"
}

not_built() { ! built "$version" "$1"; }

stage_remove() {
	check "boot: no unit failed" no_failed_unit
	check "own settings" own_settings
	hold
	check "apt removes all packages while files are open" apt-get -y remove $packages
	check "the module is unloaded" unloaded
	check "the open file has no more values" open_file_is_dead
	release
	check "DKMS has no module" no_dkms_module
	check "the configuration is kept" grep -qx 'window_ms = 5000' $conf
	check "no unit failed" no_failed_unit
	check "apt purges all packages" purge
	check "nothing is left" nothing_left
}

no_dkms_module() { [ -z "$(dkms status)" ]; }

purge() {
	apt-get -y purge $packages
	apt-get -y autoremove --purge
}

# but the key with which dkms signs modules
nothing_left() {
	everything | grep -vE '^/var/lib/dkms/mok\.(key|pub)$' | diff $own/before -
}

stage_no_n3() {
	check "boot: no unit failed" no_failed_unit
	check "the module is not loaded" unloaded
	check "the service is skipped" skipped
	check "reports of the self-test are as before" sha256sum -c $own/report
}

skipped() {
	systemctl status --no-pager n3-telemetry.service || true
	[ "$(systemctl is-active n3-telemetry.service)" = inactive ]
	[ "$(systemctl show -P Result n3-telemetry.service)" = exec-condition ]
	journalctl -b -u n3-telemetry.service | grep 'has no Neoverse N3'
}

case $stage in
debian13) stage_install ;;
debian13-boot) stage_reboot ;;
*) "stage_$(echo "$stage" | tr - _)" ;;
esac
echo "1..$count"
