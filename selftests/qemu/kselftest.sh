#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kselftest.sh KERNEL[,KERNEL...] [TEST...] - runs kselftests on an emulated Neoverse N3 and
# counts the results. TEST: names; none: those intended for each kernel; "all"; or "rest":
# those in rotation that are not intended for it this time.
#
# A kselftest is an executable *.sh in selftests/kernel, pmu or sim, for busybox's shell, that
# prints TAP. Its name is unique in these folders, which the guest has as well, with C
# programs compiled for it. The modules are in /modules. Comment lines of a test may contain
#
#	# machine: NAME...	a machine other than smp, or each of these: see run.sh -m; the test
#				finds it in MACHINE
#	# machine on KERNEL: NAME	another one with that kernel
#	# timeout: SECONDS	instead of 300
#	# on: KERNEL...		intended for these
#	# on: every run		in rotation, but never left out
#	# on: test-long		only run if named there
#
# Other tests are in rotation over the stock kernels (6.1, 6.12, newest): of their alphabetical
# list, every fourth runs, each on the kernel after that of the one before, beginning as
# selected by ROTATION (0 to 11; default: the day). So each test runs every fourth day, and on
# all three kernels in twelve days. Tests on one machine share a kernel, as booting takes longer
# than most of them; those on the machine turns take longest and do not.
#
# Tests on one machine are one part of the run: see tally.sh.
#
# LONG=1 selects the long versions, SEED= repeats random choices.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tally.sh
. "$QEMU_DIR/tally.sh"

# wish NAME TEST [DEFAULT] - value of a comment line of the test
wish() {
	sed -n "s/^# $1: //p" "$TOP/selftests/${path_of[$2]}" | grep . || echo "${3:-}"
}

supervised 80 "$BUILD/kselftest-run" "$@"
IFS=, read -ra kernels <<< "${1:?usage: kselftest.sh KERNEL[,KERNEL...] [TEST...]}"
shift

# path_of[TEST], below selftests/
declare -A path_of=()
while read -r path; do
	[ -z "${path_of[${path##*/}]:-}" ] || die "$path and ${path_of[${path##*/}]} share a name"
	path_of[${path##*/}]=$path
done < <(cd "$TOP/selftests" && find "${KSELFTESTS[@]}" -maxdepth 1 -name '*.sh' -executable)

# all_tests - their names
all_tests() { printf '%s\n' "${!path_of[@]}" | sort; }

# chosen KERNEL mine|rest - names of the tests intended for it, or of the rest
chosen() {
	local kernel=$1 t machine turn=$ROTATION now other which
	local -A turn_of=()

	while read -r t; do
		now=$(wish on "$t" rotation) other=''
		if [[ $now = rotation || $now = 'every run' ]]; then
			machine=$(wish machine "$t" smp)
			[ "$machine" != turns ] || machine=$t
			: "${turn_of[$machine]:=$((turn++))}"
			other=${STOCK[*]}
			if [ $((turn_of[$machine] % 4)) -eq 0 ]; then
				now=${STOCK[turn_of[$machine] / 4 % ${#STOCK[@]}]}
			elif [ "$now" = 'every run' ]; then
				now=${STOCK[turn_of[$machine] % ${#STOCK[@]}]}
			fi
		fi
		which=none
		[[ " $other " != *" $kernel "* ]] || which=rest
		[[ " $now " != *" $kernel "* ]] || which=mine
		[ "$which" != "$2" ] || echo "$t"
	done < <(all_tests)
}

# tests_on KERNEL [TEST...] - names of the requested tests
tests_on() {
	local kernel=$1
	shift

	case "$*" in
	all) all_tests ;;
	rest) chosen "$kernel" rest ;;
	'') chosen "$kernel" mine ;;
	*) printf '%s\n' "$@" ;;
	esac
}

# boot KERNEL MACHINE TEST... - one boot for all tests on the same machine
boot() {
	local kernel=$1 machine=$2 out=$BUILD/kselftest-$1/$2 longest=300 t paths=()
	shift 2

	for t; do
		paths+=("${path_of[$t]}")
		[ "$(wish timeout "$t" 300)" -le "$longest" ] || longest=$(wish timeout "$t")
	done
	# The guest ends a test that exceeds its limit and reports that; this limit is the
	# fallback.
	"$QEMU_DIR/run.sh" -k "$kernel" -m "$machine" -t $((2 * longest + 120)) \
		-a "MACHINE=$machine ${LONG:+LONG=$LONG} ${SEED:+SEED=$SEED}" \
		-o "$out" kselftest "${paths[@]}" > "$out.log" 2>&1
}

# collect STATUS PART KERNEL MACHINE TEST... - counts their results
collect() {
	local rc=$1 part=$2 kernel=$3 machine=$4 out=$BUILD/kselftest-$3/$4 t
	shift 4

	for t; do
		if [ -e "$out/results/$t.rc" ]; then
			count "$part" "$t on $kernel, $machine" "$out/results/$t.tap" \
				"$(cat "$out/results/$t.rc")"
		else
			count "$part" "$t on $kernel, $machine" /dev/null 1
		fi
	done
	# A failure of the machine is not attributed to a test.
	if [ "$rc" -ne 0 ]; then
		fails "$part" "the machine" "$(tail -n 30 "$out.log")"
	fi
	end "$part"
}

# title KERNEL MACHINE TEST... - of that part
title() {
	local kernel=$1 machine=$2
	shift 2

	if [ $# -le 2 ]; then
		echo "$* on $kernel, $machine"
	else
		echo "$# tests on $kernel, $machine"
	fi
}

# tests_of["KERNEL MACHINE"]; those that wait: tests that take minutes first, then kernel by
# kernel
declare -A tests_of=() machine_of=() part_of=() built=()
slow=() fast=()
for kernel in "${kernels[@]}"; do
	machines=(turns big icount tick pair single smp)
	while read -r t; do
		[ -n "${path_of[$t]:-}" ] || die "no kselftest is named $t"
		for machine in $(wish "machine on $kernel" "$t" "$(wish machine "$t" smp)"); do
			tests_of[$kernel $machine]+=" $t"
			[[ " ${machines[*]} " == *" $machine "* ]] || machines+=("$machine")
		done
	done < <(tests_on "$kernel" "$@")
	for machine in "${machines[@]}"; do
		[ -n "${tests_of[$kernel $machine]:-}" ] || continue
		case "$kernel $machine" in
		debug\ * | kcsan\ * | *\ turns | *\ big) slow+=("$kernel $machine") ;;
		*) fast+=("$kernel $machine") ;;
		esac
	done
done
waiting=("${slow[@]}" "${fast[@]}")

# sign KERNEL - a copy of n3_telemetry.ko for the machine sig-enforce, signed with the key of a
# kernel that was built here, otherwise with one that the kernel does not know
sign() {
	local dir=$BUILD/$1 kdir key

	case $1 in
	[0-9]*.* | newest)
		kdir=$("$QEMU_DIR/stock.sh" "$1")/kdir
		key=$dir/unknown_key
		[ -e "$key.x509" ] || openssl req -new -x509 -nodes -subj "/CN=unknown key" \
			-keyout "$key.pem" -outform DER -out "$key.x509" 2>/dev/null
		;;
	*)
		kdir=$("$QEMU_DIR/kernel.sh" "$1")/kdir
		key=$kdir/certs/signing_key
		;;
	esac
	mkdir -p "$dir/signed"
	"$kdir/scripts/sign-file" sha256 "$key".{pem,x509} "$dir"/{,signed/}n3_telemetry.ko
}

# start "KERNEL MACHINE" - with modules built when a kernel's first machine starts
start() {
	local kernel=${1% *}

	# shellcheck disable=SC2086 # words: the kernel, the machine, names of tests
	begin "$(title $1 ${tests_of[$1]})"
	if [ -z "${built[$kernel]:-}" ]; then
		"$QEMU_DIR/modules.sh" "$kernel"
		mkdir -p "$BUILD/kselftest-$kernel"
		built[$kernel]=1
	fi
	[ "${1#* }" != sig-enforce ] || sign "$kernel"
	# shellcheck disable=SC2086
	boot $1 ${tests_of[$1]} &
	machine_of[$!]=$1
	part_of[$!]=$part
}

# guest_image - the root file system of a pod with n3-exporter
guest_image() {
	local archive=$BUILD/image-arm64.tar

	"$TOP/tools/dev/image.py" "$archive" "$("$TOP/tools/dev/image_libs.sh")" \
		arm64="$BUILD/tools-arm64/n3-exporter"
	"$TOP/tools/n3exporter/tests/oci.py" unpack "$archive" arm64 "$BUILD/selftests/image"
}

# machines at a time: CPUs of a machine spin while a test waits, longer if there are more
lanes=$JOBS
guest_programs
rm -rf "$BUILD/selftests/image"
[[ ${tests_of[*]} != *exporter_confined.sh* ]] || guest_image
while [ ${#waiting[@]} -gt 0 ] || [ ${#machine_of[@]} -gt 0 ]; do
	while [ ${#waiting[@]} -gt 0 ] && [ ${#machine_of[@]} -lt $lanes ]; do
		start "${waiting[0]}"
		waiting=("${waiting[@]:1}")
	done
	rc=0
	wait -n -p ended "${!machine_of[@]}" || rc=$?
	# shellcheck disable=SC2086
	collect "$rc" "${part_of[$ended]}" ${machine_of[$ended]} ${tests_of[${machine_of[$ended]}]}
	unset "machine_of[$ended]"
done
