#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# losses.sh [KERNEL...] - losses of SPE recordings by perf and by n3stat on the emulated N3, as in
# the table of tools/spe/spe.rst. KERNEL: 6.1, 6.12, newest (all by default), each with its own
# perf. CASES= and RECORDERS= select some; everything is kept in build/losses. Of each recording:
#
#	status		of the recorder; "hangs": it does not end, "locked": the CPU executes
#			no program any more
#	written, kept	records of the CPU concerned, by the machine's log, and in the file
#	seconds		from the first to the last one in the file
#	full, gap	AUX records with these flags
#	script		samples that perf script prints, "-" for files above 20 MB
#
# and the messages of recorder, perf script, n3stat spe report and kernel, or for the case
# "replaced" the samples' functions: hot_of_one ran, hot_of_two is in the file of today.

# shellcheck source=../../qemu/lib.sh
. "$(dirname "$0")/../../qemu/lib.sh"

here=$TOP/selftests/spe/qemu
out=$BUILD/losses
kernels=("$@")
[ $# -gt 0 ] || kernels=("${STOCK[@]}")
read -ra cases <<< "${CASES:-full lost offline hangup replaced}"
read -ra recorders <<< "${RECORDERS:-perf n3stat}"

# suite KERNEL - of Debian, with perf of that version; none: this one
suite() {
	case $1 in
	6.12) echo trixie ;;
	newest) echo sid ;;
	esac
}

# app NAME FACTOR - one of two programs with different code
app() {
	"${CROSS}gcc" -O1 -static -Wl,--build-id -DNAME="hot_of_$1" -DFACTOR="$2" \
		-o "$BUILD/selftests/spe_app_$1" "$TOP/tools/spe/n3spe/tests/spe_app.c"
}

# boot KERNEL RECORDER CASE - a machine of its own: a CPU may never leave an interrupt, which
# is reported after 21 seconds of the emulated machine
boot() {
	SPE_OPTIONS=spe-log=2097152 "$QEMU_DIR/run.sh" -k "$1" -p "$(suite "$1")" -m spe \
		-a rcupdate.rcu_cpu_stall_timeout=21 -o "$out/$1.$2.$3" \
		"$here/losses_guest.sh" "$2" "$3" > "$out/$1.$2.$3.log" 2>&1 || true
}

# of KEY FILE - its value, or -
of() { awk -v key="$1" '$1 == key { v = $2 } END { print v == "" ? "-" : v }' "$2"; }

format='%-8s %-7s %-9s %6s %8s %8s %8s %6s %6s %8s\n'

# row KERNEL RECORDER CASE
row() {
	local dir=$out/$1.$2.$3 values=() key

	for key in status written kept seconds truncated partial script; do
		values+=("$(of $key "$dir/results/$3.numbers" 2> /dev/null || echo none)")
	done
	# shellcheck disable=SC2059 # a format
	printf "$format" "$1" "$2" "$3" "${values[@]}"
	{
		cat "$dir/results/$3".{said,read} || true
		[ "$3" != replaced ] || cat "$dir/results/$3.names" || true
		grep -hoE 'rcu: INFO: .*|BUG: .*' "$dir/console" || true
	} 2> /dev/null | tr -d '\r' | sed '/^ *$/d' | sort | uniq -c | head -n 12 | sed 's/^/    /'
}

mkdir -p "$out" "$BUILD/selftests"
guest_programs
app one 3
app two 5
# shellcheck disable=SC2059
printf "$format" kernel by event status written kept seconds full gap script
for kernel in "${kernels[@]}"; do
	for recorder in "${recorders[@]}"; do
		for case in "${cases[@]}"; do
			boot "$kernel" "$recorder" "$case"
			row "$kernel" "$recorder" "$case"
		done
	done
done
