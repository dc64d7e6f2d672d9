#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3-exporter under the restrictions of its systemd units (another user than root, CAP_PERFMON
# ambient and nothing else) and of its pod (root with CAP_PERFMON and nothing else, sysfs read-only
# below /host, the files of the image, if it was built): values in each form of output, and system
# calls that CAP_PERFMON permits are denied.
# machine: smp

. "$(dirname "$0")/../lib/lib.sh"

AS=$LIB/as_user
USER=65534
CAP_PERFMON=38
OTHER_CAPS=$(caps_but $CAP_PERFMON)
IMAGE=${HERE%/*}/image
POD=$tmp/pod
PARANOID=/proc/sys/kernel/perf_event_paranoid
paranoid=$(cat $PARANOID)
# all calls of confined.c but getpid
DENIED='perf_event_open bpf ptrace process_vm_readv process_vm_writev'
DENIED="$DENIED getpid_arm getpid_i386 getpid_x32"

plan 23

server=''
cleanup() {
	echo "$paranoid" > $PARANOID
	[ -z "$server" ] || kill "$server"
}

unit() { "$AS" -a $USER:$CAP_PERFMON "$@"; }

# Mounts are in a namespace of the command: no file outside of $tmp is ever below it.
# shellcheck disable=SC2016 # sh -c expands
pod() {
	unshare -m sh -c '
		root=$1 places=$2 caps=$3
		shift 3
		mount -o bind "$root" "$root" && mount -o remount,bind,ro "$root" || exit 125
		for place in $places; do
			mount -o bind "/${place#host/}" "$root/$place" &&
				mount -o remount,bind,ro "$root/$place" || exit 125
		done
		exec chroot "$root" /as_user -c "$caps" "$@"' - "$POD" "$places" "$OTHER_CAPS" "$@"
}

make_pod() {
	places=host/sys
	if [ -d "$IMAGE" ]; then
		diag "the pod has the image"
		cp -r "$IMAGE" "$POD"
	else
		places="$places lib usr"
	fi
	(mkdir -p "$POD" && cd "$POD" && mkdir -p $places)
	cp "$AS" "$HERE/confined" "$POD/"
}

# has_values FILE - series of the module that counts
has_values() {
	grep -qx 'n3_telemetry_up 1' "$1" &&
		awk '$1 == "n3_telemetry_slots_total" && $2 > 0 { found = 1 } END { exit !found }' "$1"
}

prints_values() { "$@" --once > "$tmp/series" && has_values "$tmp/series"; }

# denied AS... - calls that fail with EPERM under the filter
denied() { "$@" | awk '$3 == 1 { print $1 }' | xargs; }

# privileges - user, capabilities and mode of seccomp of the server
privileges() {
	awk '/^(Uid|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp):/ { print $2 }' \
		"/proc/$server/status" | xargs
}

scrapes() { wget -q -O "$tmp/series" "$(cat "$tmp/address")" && has_values "$tmp/series"; }

# serves NAME PRIVILEGES COMMAND... - over HTTP
serves() {
	name=$1 wanted=$2
	shift 2
	rm -f "$tmp/address"
	"$@" --listen 127.0.0.1:0 > "$tmp/address" &
	wait_until test -s "$tmp/address"
	server=$(pidof n3-exporter)
	check "$name: values over HTTP" wait_until scrapes
	same "$name: user, capabilities, no_new_privs and filter" "$wanted" "$(privileges)"
	kill "$server"
	wait $!
	same "$name: SIGTERM ends it with status 0" 0 $?
	server=''
}

chmod 755 "$tmp"
check "n3_sim loads" load n3_sim
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
check "all CPUs are sampled" wait_until samples_all
check "the network is up" ifconfig lo 127.0.0.1 up
check "root file system of a pod" make_pod

same "root without the filter is denied none of the calls" "" \
	"$("$HERE/confined" | awk '$2 == 1')"
same "the filter denies root all but getpid" "$DENIED" "$(denied "$HERE/confined")"
same "the filter denies them to the unit" "$DENIED" "$(denied unit "$HERE/confined")"
same "the filter denies them in the pod" "$DENIED" "$(denied pod /confined)"
# at 3, Debian's kernels refuse it
echo 2 > $PARANOID
check "CAP_PERFMON alone allows a user other than root to count a CPU" \
	unit perf stat -o /dev/null -C 0 -e r11 true

check "unit: values" wait_until prints_values unit n3-exporter
check "pod: values" wait_until prints_values pod n3-exporter --source /host/sys/kernel/n3_telemetry
mask=$(printf '%016x' $((1 << CAP_PERFMON)))
serves unit "$USER $mask $mask $mask $mask 1 2" unit n3-exporter
serves pod "0 $mask $mask $mask 0000000000000000 1 2" \
	pod n3-exporter --source /host/sys/kernel/n3_telemetry

mkdir "$tmp/textfile"
chown $USER "$tmp/textfile"
check "unit: a textfile" unit n3-exporter --once --textfile "$tmp/textfile/n3.prom"
check "unit: its values" has_values "$tmp/textfile/n3.prom"
"$AS" $USER $USER n3-exporter --once > "$tmp/series" 2> "$tmp/errors"
same "without the capability: permission_denied" "6 permission_denied" \
	"$? $(sed -n 's/.*\[\(.*\)\]$/\1/p' "$tmp/errors")"
"$AS" -c $CAP_PERFMON,21 n3-exporter --once > "$tmp/series" 2> "$tmp/errors"
same "root without it and CAP_SYS_ADMIN: capability_missing" 6 $?
diag "$(cat "$tmp/errors")"
check "without the module's files up is 0" grep -qx 'n3_telemetry_up 0' "$tmp/series"
