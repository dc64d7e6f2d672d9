# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Shared by tests of the Statistical Profiling Extension: the stock driver, samples by perf,
# and the log of the emulated machine. To be sourced after lib.sh.

SPE=$PMUS/arm_spe_0
LOG=$HERE/spe_log
AUX=$HERE/spe_aux
DATA=$tmp/perf.data
FILE=$tmp/n3stat.data

[ -x "$LOG" ] || bail "spe_log is not built"

# as in lib.sh, and unloads the driver
cleanup() {
	idle_again
	unload arm_spe_pmu
}

# $WORK ROUNDS CPU... - this number of rounds of a loop of 13 instructions on each CPU
WORK=$tmp/work
cat > "$WORK" <<-END
	#!/bin/sh
	rounds=\$1
	shift
	for cpu; do taskset -c "\$cpu" "$HERE/spe_loop" "\$rounds" > /dev/null & done
	wait
END
chmod +x "$WORK"

load_driver() {
	is_loaded arm_spe_pmu || load arm_spe_pmu || bail "the driver does not load"
	[ -d "$SPE" ] || bail "no arm_spe_0"
}

clear_logs() { for cpu in $(online); do "$LOG" clear "$cpu"; done; }

# perf_spe TERMS ARG... - perf record with these terms of arm_spe_0 and a suffix (//u)
perf_spe() {
	terms=$1
	shift
	perf record -q -o "$DATA" -e "arm_spe_0/$terms" "$@" > "$tmp/perf.log" 2>&1
}

# fate CPU KEY - number of samples of a CPU with this fate
fate() { "$LOG" fates "$1" | awk -v key="$2" '$1 == key { print $2 }'; }

# logged CPU - number of samples of a CPU
logged() { "$LOG" fates "$1" | awk '{ n += $2 } END { print n + 0 }'; }

# total KEY - a total of n3stat's recording
total() { "$AUX" flags "$FILE" 2> /dev/null | awk -v key="$1" '$1 == key { print $2 }'; }

# all_lost - number of windows that it reports as lost
all_lost() {
	"$AUX" flags "$FILE" |
		awk '/^(truncated|lost|full|stalled|offline|bad_size) / { n += $2 } END { print n }'
}

# same_records NAME CPU [FILE] - whether perf.data has the records that the machine wrote there
same_records() {
	"$LOG" raw "$2" > "$tmp/wrote"
	"$AUX" raw "${3:-$DATA}" "$2" > "$tmp/kept"
	[ -s "$tmp/wrote" ] && cmp "$tmp/wrote" "$tmp/kept" > "$tmp/cmp" 2>&1
	verdict $? "$1"
	diag "CPU $2: $(stat -c %s "$tmp/wrote") bytes written," \
		"$(stat -c %s "$tmp/kept") kept $(cat "$tmp/cmp")"
}

# all_read CPU - whether $tmp/keptCPU of spe_overrun has everything that the machine wrote
# there, apart from the driver's padding
all_read() {
	"$LOG" raw "$1" > "$tmp/wrote"
	"$AUX" strip "$tmp/kept$1" > "$tmp/kept"
	[ -s "$tmp/wrote" ] && cmp "$tmp/wrote" "$tmp/kept"
}
