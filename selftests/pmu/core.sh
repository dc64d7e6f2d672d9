#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Neoverse V2 by MIDR, with a PMU that counts every event at a random rate. Loading without
# core= is refused. With it, metrics of the specification are right with 8 slots per cycle, except
# the one that would be 0. Metrics and names of N3-specific events are absent, and the log, spec and
# n3stat report that this is not a Neoverse N3.
# machine: n3-v2
# timeout: 240

SLOTS=8
. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/load.sh"

grep -q '0xd4f' /proc/cpuinfo || skip_all "needs the machine n3-v2"

OWN='backend_iq_sx_bound backend_mcq_bound chi_busy_0_percentage'

core='Neoverse V2 (0xd4f): not a Neoverse N3'
core="$core, bad_speculation is a lower bound, frontend_bound an upper bound"

plan 35

# said TEXT - whether the module has logged it since the test began
said() { dmesg | tail -n +"$begin" | grep "n3_telemetry: .*$1"; }

# shown METRIC - its values in the files of CPU 0
shown() {
	cat $N3T/cpu0/backend_resources $N3T/cpu0/chi_busy |
		awk -v metric="$1" '$1 == metric { print $2; exit }'
}

own_names() { find "$PMUS/$pmu/events/" -name 'imp_*' -o -name 'IMP_*'; }

pmu=$(own_pmu)
begin=$(dmesg | wc -l)

remember
refused "no core=" "No such device" "no Neoverse N3 CPU found"
check "the kernel log names the core of this machine" said 'core=v2 admits the Neoverse V2'
refused "core=n2" "No such device" "core=: Neoverse N2 (MIDR part 0xd49)" core=n2
refused "core=nonsense" "Invalid argument" \
	"invalid core=nonsense: not a list of MIDR parts" core=nonsense
refused "core=0xd4f0, too long" "Invalid argument" \
	"invalid core=0xd4f0: not a list of MIDR parts" core=0xd4f0
refused "core=v2 with pmu=" "Invalid argument" \
	"core=v2 cannot be combined with pmu=" core=v2 "pmu=$pmu"
same "no kernel log line reports a core other than the N3 yet" "" "$(said 'NOT A NEOVERSE N3')"

check "n3_telemetry loads with core=0xd4f" load n3_telemetry core=0xd4f
check "the kernel log reports that this is not a Neoverse N3" \
	said 'NOT A NEOVERSE N3: Neoverse V2 (MIDR part 0xd4f)'
same "spec reports that this is not a Neoverse N3" "core $core" \
	"$(grep '^core ' $N3T/spec)"
same "spec reports 8 slots per cycle" "slots 8" "$(grep '^slots ' $N3T/spec)"
same "N3-specific events have no name in the PMU's events/" "" "$(own_names)"
check "a common event has a name there" test -e "$PMUS/$pmu/events/stall_slot_backend"
check "custom refuses the name of an N3-specific event" \
	refuses custom IMP_STALL_BACKEND_MCQ IMP_STALL_BACKEND_MCQ
same "custom accepts the number of an N3-specific event and shows it as a number" "0x0160" \
	"$(put $N3T/custom 0x0160; cat $N3T/custom)"
put $N3T/distrust 0x0160
same "distrust shows the number, too, and accepts its own output" "0x0160" \
	"$(cat $N3T/distrust | tee "$tmp/distrust"; put $N3T/distrust "$(cat "$tmp/distrust")")"
put $N3T/distrust none
works
next_window
check "cpu0/custom shows the number" \
	grep -q '^0x0160 per_second=' $N3T/cpu0/custom
put $N3T/custom none

awake
next_window
check "all metrics of every CPU match the random rates, with 8 slots" \
	compare_all skip=frontend_core_flush_bound
same "the share of STALL_FRONTEND_FLUSH, which a V2 lacks, is disabled" disabled \
	"$(word $N3T/cpu0/topdown_frontend frontend_core_flush_bound)"
put $N3T/groups chi_busy
same "without any metric of this core the CPUs are disabled" disabled \
	"$(word $N3T/cpu0/status state)"
put $N3T/groups "topdown_l1 backend_resources chi_busy"
next_window
same "metrics that use N3-specific events are disabled" \
	"$(for _ in $OWN; do echo disabled; done)" "$(for metric in $OWN; do shown "$metric"; done)"

n3stat --json > "$tmp/json"
check "n3stat --json reports that this is not a Neoverse N3" \
	grep -q "\"core\":\"$core\"" "$tmp/json"
check "n3stat doctor reports that this is not a Neoverse N3" sh -c \
	"n3stat doctor | grep '^warning .*Neoverse V2 (0xd4f).*\[other_core\]$'"
unload n3_telemetry
nothing_left "after unloading"
