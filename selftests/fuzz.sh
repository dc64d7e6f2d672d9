#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Generated texts, from a fixed seed, are written to every file that can be
# written, and given as every parameter in loading: see fuzz_settings.c. After
# each one every setting is valid; in the end the module works and the kernel log
# has not grown beyond measure.
#
# LONG=1: a million texts.
# machine: turns
# on: 6.1
# timeout: 2000

SEED=${SEED:-20240229}

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"
. "$(dirname "$0")/lib_perf.sh"

if [ "$LONG" = 1 ]; then
	WRITES=${WRITES:-1000000} LOADS=${LOADS:-1000}
else
	WRITES=${WRITES:-6000} LOADS=${LOADS:-20}
fi

[ -x "$HERE/fuzz_settings" ] || skip_all "fuzz_settings is not built"
[ -e "$MODULES/n3_telemetry.ko" ] || skip_all "wants the modules' folder in MODULES"

plan 10

log_lines() { dmesg | wc -l; }

diag "SEED=$SEED LONG=$LONG"
check "n3_sim loads" load n3_sim
lines=$(log_lines)
check "$LOADS loads with a parameter generated" \
	"$HERE/fuzz_settings" "$SEED" "$LOADS" $N3T "$MODULES/n3_telemetry.ko" pmu=n3_sim
# a line or two for each load
within "lines in the kernel log" 0 $(($(log_lines) - lines)) $((3 * LOADS + 20))

check "rates are set" set_rates 0 "$SEED"
check "n3_telemetry loads" load n3_telemetry pmu=n3_sim
lines=$(log_lines)
begin=$(uptime_ms)
check "$WRITES writes to the settings" "$HERE/fuzz_settings" "$SEED" "$WRITES" $N3T
ms=$(($(uptime_ms) - begin))
# messages are rate limited to ten in five seconds in each place, of which there
# are six, and the kernel says how many it left out
within "lines in the kernel log in $ms ms" 0 $(($(log_lines) - lines)) $((ms / 5000 * 70 + 140))
check "the defaults are taken" default_settings
awake 0
next_window
COMPARE_CPUS=0
check "values are right" compare_all
same "no warning" "" "$(complaints)"
