#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Other cores by MIDR, with a PMU that counts every event at a random rate. STALL_SLOT and
# STALL_SLOT_FRONTEND of some overcount by CPU_CYCLES, as those of a Neoverse N2 do; perf
# counts that, and the module subtracts it from each slice. Where the core is not what its MIDR
# claims, the log, status and n3stat doctor report it.
# machine: n3-n2 n3-n2-azure n3-n2-fixed n3-v3 n3-v3ae n3-n2-right n3-overcounts
# timeout: 240

BOTH='STALL_SLOT STALL_SLOT_FRONTEND'
core=n2 SLOTS=5 corrected=none overcount=0
bound=', bad_speculation is a lower bound, frontend_bound an upper bound'
case ${MACHINE:-} in
n3-n2) name='Neoverse N2 (0xd49)' corrected=$BOTH overcount=1 ;;
n3-n2-azure) name='Azure Cobalt 100, Neoverse N2 (0xd49)' corrected=$BOTH overcount=1 ;;
n3-n2-fixed) name='Neoverse N2 (0xd49)' ;;
n3-n2-right) name='Neoverse N2 (0xd49)' corrected=$BOTH finding=slots_miscorrected ;;
n3-overcounts)
	core='' name='Neoverse N3 (0xd8e)' overcount=1 bound='' finding=slots_uncorrected
	;;
n3-v3) core=v3 SLOTS=10 name='Neoverse V3 (0xd84)' bound='' ;;
n3-v3ae) core=v3ae SLOTS=10 name='Neoverse V3AE (0xd83)' bound='' ;;
esac
. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/perf.sh"
. "$(dirname "$0")/../lib/load.sh"

[ -n "${name:-}" ] || skip_all "needs a machine with another core"

case $MACHINE in
n3-n2-right) plan 10 ;;
n3-overcounts) plan 13 ;;
n3-n2) plan 16 ;;
n3-n2*) plan 13 ;;
*) plan 12 ;;
esac

# the share of STALL_FRONTEND_FLUSH
lacks=''
[ -z "$bound" ] || lacks=frontend_core_flush_bound
mark=": not a Neoverse N3$bound"
[ -n "$core" ] || mark=''
pmu=$(own_pmu)

# share_of FILE KEY - of all slots, in % with 3 digits
share_of() {
	awk -v key="$2" '{ total[$1] = $2 } END {
		printf "%.3f\n", total[key] * 100 / total["slots_total"] }' "$1"
}

# counted_by_perf EVENT - rate per cycle
counted_by_perf() {
	stat_lines -C 0 -e "{$pmu/cpu_cycles/,$pmu/$1/}" sleep 0.5
	awk '{ count[NR] = $2 } END { printf "%.6f\n", count[2] / count[1] }' "$tmp/lines"
}

# slots_are IDENTITY - in the status of each CPU
slots_are() {
	for cpu in $(online); do
		[ "$(word "$N3T/cpu$cpu/status" slots_identity)" = "$1" ] || return 1
	done
}

# errors - slots_error and the one of the other choice, whether each is below 1 %
errors() {
	awk '/^slots_(error|other) / {
		printf "%s %s\n", $1, $2 < 1 ? "fits" : $2 < 10 ? "odd" : "off"
	}' $N3T/cpu0/status | xargs
}

# within_percent NAME EXPECTED VALUE - 1 % or the last of three digits
within_percent() {
	within "$1" "$(awk -v x="$2" 'BEGIN { print x * 0.99 - 0.001 }')" "$3" \
		"$(awk -v x="$2" 'BEGIN { print x * 1.01 + 0.001 }')"
}

# expected EVENT - share of all slots in %
expected() { awk -v rate="$(rate 0 "$1")" -v slots="$SLOTS" 'BEGIN { print rate * 100 / slots }'; }

if [ $MACHINE = n3-overcounts ]; then
	remember
	refused "core=v2 on an N3" "No such device" \
		"this machine has a Neoverse N3: load without core=" core=v2
fi
check "n3_telemetry loads${core:+ with core=$core}" load n3_telemetry ${core:+core=$core} \
	custom=STALL_SLOT_FRONTEND
same "spec names the core" "core $name$mark" "$(grep '^core ' $N3T/spec)"
same "spec reports $SLOTS slots per cycle" "slots $SLOTS" "$(grep '^slots ' $N3T/spec)"
for event in STALL_SLOT STALL_SLOT_FRONTEND; do
	within_percent "$event of perf overcounts by $overcount * CPU_CYCLES" \
		"$(awk -v rate="$(rate 0 $event)" -v more=$overcount 'BEGIN { print (rate + more) * 100 }')" \
		"$(counted_by_perf $event | awk '{ print $1 * 100 }')"
done
put $N3T/window_ms 1000

case $MACHINE in
n3-n2-right | n3-overcounts)
	check "the identity of slots is violated in ten windows" wait_until slots_are violated
	same "status reports that the other choice fits" "corrected $corrected other_fits" \
		"$(grep '^corrected ' $N3T/cpu0/status)"
	same "it has the errors of both choices" "slots_error off slots_other fits" "$(errors)"
	check "the kernel log reports it" sh -c "dmesg | grep 'n3_telemetry: .* would add up to all slots'"
	n3stat doctor > "$tmp/doctor"
	check "n3stat doctor reports it" grep "^error .* 2 CPUs .*\[$finding\]$" "$tmp/doctor"
	diag "$(cat "$tmp/doctor")"
	exit
	;;
esac

check "the identity of slots holds in ten windows" wait_until slots_are held
same "status reports the events that are corrected" "corrected $corrected" \
	"$(grep '^corrected ' $N3T/cpu0/status)"
next_window
check "all metrics of every CPU match the random rates, with $SLOTS slots" compare_all "skip=$lacks"
[ -z "$lacks" ] ||
	same "a share of an event that the core lacks is disabled" disabled \
		"$(word $N3T/cpu0/topdown_frontend $lacks)"
check "each slice has the corrected counts" exact_slices 0 20
within_percent "custom has them" "$(rate 0 STALL_SLOT_FRONTEND)" \
	"$(sed -n 's/^STALL_SLOT_FRONTEND .*per_cycle=//p' $N3T/cpu0/custom)"
within_percent "totals of the stalls have them" "$(expected STALL_SLOT_FRONTEND)" \
	"$(share_of $N3T/cpu0/counters/topdown_l1 frontend_stall_slots_total)"
n3stat --json -g topdown_l1 > "$tmp/json"
same "n3stat --json names the core" "$name$mark" \
	"$(sed -n 's/.*"core":"\([^"]*\)".*/\1/p' "$tmp/json")"

[ "$MACHINE" = n3-n2 ] || exit
inferred cpu0 topdown_l1 > "$tmp/inferred"
within_percent "frontend_bound is inferred from corrected slices" \
	"$(awk '$1 == "frontend_bound" { print $2 }' "$tmp/expected.0")" \
	"$(sed -n 's/^frontend_bound value=\([^ ]*\).*/\1/p' "$tmp/inferred")"
put $N3T/switch perf
check "all CPUs are sampled through perf" wait_until eval \
	'[ "$(word $N3T/status switch)" = perf ] && samples_all'
next_window
check "all metrics match through perf" compare_all "skip=$lacks"
