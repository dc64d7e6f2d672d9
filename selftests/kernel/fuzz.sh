#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Generated texts, from a fixed seed, as writes to every writable file and as every module
# parameter: see fuzz_settings.c. After each text every setting is valid; afterwards the
# module works and the kernel log has grown by a bounded number of lines.
#
# LONG=1: a million texts.
# machine: turns
# timeout: 2000

SEED=${SEED:-20240229}

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/perf.sh"

if [ "$LONG" = 1 ]; then
	WRITES=${WRITES:-1000000} LOADS=${LOADS:-1000}
else
	WRITES=${WRITES:-6000} LOADS=${LOADS:-20}
fi

[ -x "$HERE/fuzz_settings" ] || skip_all "fuzz_settings is not built"
[ -e "$MODULES/n3_telemetry.ko" ] || skip_all "MODULES is not the modules' directory"

plan 9

{
	cat "$LIB/settings.tsv"
	awk '!/^#/ { print "groups", tolower(FILENAME ~ /extra/ ? $2 : $1) }' "$SPEC/groups.tsv" \
		"$SPEC/extra.tsv" | uniq
} > "$tmp/ranges"

log_lines() { dmesg | wc -l; }

diag "SEED=$SEED LONG=$LONG"
check "n3_sim loads" load n3_sim
lines=$(log_lines)
check "$LOADS loads with a generated parameter fail cleanly or have valid settings" \
	"$HERE/fuzz_settings" "$SEED" "$LOADS" "$tmp/ranges" $N3T \
	"$MODULES/n3_telemetry.ko" pmu=n3_sim
# a line or two for each load
within "the kernel log grows by a bounded number of lines in $LOADS loads" 0 \
	$(($(log_lines) - lines)) $((3 * LOADS + 20))

check "n3_sim accepts random rates" set_rates 0 "$SEED"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
lines=$(log_lines)
start=$(uptime_ms)
check "every setting is valid after each of $WRITES generated writes" \
	"$HERE/fuzz_settings" "$SEED" "$WRITES" "$tmp/ranges" $N3T
ms=$(($(uptime_ms) - start))
# Each of the seven messages is rate limited to ten in five seconds; the kernel logs the
# number of suppressed ones.
within "the kernel log grows by a bounded number of lines in $ms ms of writes" 0 \
	$(($(log_lines) - lines)) $((ms / 5000 * 80 + 160))
check "all settings accept their defaults after the generated writes" default_settings
awake 0
next_window
COMPARE_CPUS=0
check "values match the rates after the generated writes" compare_all
