#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kselftest.sh KERNEL [TEST...] - runs kselftests on an emulated Neoverse N3 and counts
# what they report: those that are meant for that kernel, those named, "all", or "rest":
# those in rotation that are not meant for it this time.
#
# A kselftest is an executable selftests/*.sh for busybox's shell that prints
# TAP. The modules are in /modules, C programs beside the tests are built for it
# and lie beside it in the guest. Comment lines in it may ask for
#
#	# machine: NAME		another one than smp: see run.sh -m
#	# machine on KERNEL: NAME	another one with that kernel
#	# timeout: SECONDS	more or less than 120
#	# on: KERNEL...		meant for others than "stock"
#	# on: test-long		named there alone
#
# A KERNEL there may be "stock", all stock kernels (6.1, 6.12, newest), or "rotation",
# one of them. It is for tests that take long: the first of them in the alphabet runs on
# the one that ROTATION (0, 1, 2; without it, the day) says, the second on the next.
# So each kernel has its share of them every time, and all of them in three days.
#
# LONG=1 asks for the long versions, SEED= repeats what was done at random.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tally.sh
. "$QEMU_DIR/tally.sh"

# wish NAME TEST [DEFAULT] - what a comment line of the test says
wish() {
	sed -n "s/^# $1: //p" "$TOP/selftests/$2" | grep . || echo "${3:-}"
}

kernel=${1:?usage: kselftest.sh KERNEL [TEST...]}
shift

# all_tests - their names
all_tests() {
	find "$TOP/selftests" -maxdepth 1 -name '*.sh' -executable -printf '%f\n' | sort
}

# chosen mine|rest - the names of those that are meant for $kernel, or of the rest
chosen() {
	local t k turn=$ROTATION now other which

	while read -r t; do
		now='' other=''
		for k in $(wish on "$t" stock); do
			case $k in
			stock) now+=" ${STOCK[*]}" ;;
			rotation)
				now+=" ${STOCK[turn++ % ${#STOCK[@]}]}"
				other=${STOCK[*]}
				;;
			*) now+=" $k" ;;
			esac
		done
		which=none
		[[ " $other " != *" $kernel "* ]] || which=rest
		[[ " $now " != *" $kernel "* ]] || which=mine
		[ "$which" != "$1" ] || echo "$t"
	done < <(all_tests)
}

tests=("$@")
case "$*" in
all) mapfile -t tests < <(all_tests) ;;
rest) mapfile -t tests < <(chosen rest) ;;
'') mapfile -t tests < <(chosen mine) ;;
esac

helpers() {
	local c

	mkdir -p "$BUILD/selftests"
	for c in "$TOP"/selftests/*.c; do
		[ -e "$c" ] || continue
		"${CROSS}gcc" -O2 -Wall -Werror -static -pthread \
			-o "$BUILD/selftests/$(basename "$c" .c)" "$c"
	done
}

logs=$BUILD/kselftest-$kernel

# boot MACHINE TEST... - one boot for all tests that want the same machine
boot() {
	local machine=$1 longest=120 t
	shift

	for t; do
		[ "$(wish timeout "$t" 120)" -le "$longest" ] || longest=$(wish timeout "$t")
	done
	# The guest ends a test that takes too long and says so; this is for when
	# it does not.
	"$QEMU_DIR/run.sh" -k "$kernel" -m "$machine" -t $((2 * longest + 120)) \
		-a "${LONG:+LONG=$LONG} ${SEED:+SEED=$SEED}" \
		-o "$logs/$machine" kselftest "$@" > "$logs/$machine.log" 2>&1
}

# collect MACHINE STATUS TEST... - counts what they reported
collect() {
	local out=$logs/$1 rc=$2 t
	shift 2

	for t; do
		if [ -e "$out/results/$t.rc" ]; then
			tally "$t on $kernel" "$out/results/$t.tap" \
				"$(cat "$out/results/$t.rc")"
		else
			tally "$t on $kernel" /dev/null 1
		fi
	done
	# What kills the machine has no test's name on it.
	if [ "$rc" -ne 0 ]; then
		echo "0 1 0 machine" >> "$TALLY"
		tail -n 30 "$out.log"
	fi
}

"$QEMU_DIR/modules.sh" "$kernel"
helpers
declare -A on
for t in "${tests[@]}"; do
	on[$(wish "machine on $kernel" "$t" "$(wish machine "$t" smp)")]+=" $t"
done

# As many machines at a time as the host has CPUs, those that take longest first.
mkdir -p "$logs"
waiting=()
for machine in turns big icount tick pair single smp; do
	[ -z "${on[$machine]:-}" ] || waiting+=("$machine")
done
for machine in "${!on[@]}"; do
	[[ " ${waiting[*]} " == *" $machine "* ]] || waiting+=("$machine")
done
declare -A machine_of=()
while [ ${#waiting[@]} -gt 0 ] || [ ${#machine_of[@]} -gt 0 ]; do
	while [ ${#waiting[@]} -gt 0 ] && [ ${#machine_of[@]} -lt "$JOBS" ]; do
		# shellcheck disable=SC2086 # a list of file names without blanks
		boot "${waiting[0]}" ${on[${waiting[0]}]} &
		machine_of[$!]=${waiting[0]}
		waiting=("${waiting[@]:1}")
	done
	rc=0
	wait -n -p ended "${!machine_of[@]}" || rc=$?
	# shellcheck disable=SC2086
	collect "${machine_of[$ended]}" "$rc" ${on[${machine_of[$ended]}]}
	unset "machine_of[$ended]"
done
[ -n "${TALLY_SHARED:-}" ] || tally_end
